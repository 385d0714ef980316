//go:build !race

package events

import "time"

// limit is what a hostile page may take.
const limit = 2 * time.Second

// mostRatio is how much longer than parsing reading may take on a busy machine.
const mostRatio = 4.0

// smaller divides the size of hostile pages.
const smaller = 1
