//go:build race

package agenda

import "time"

// limit is what a hostile page may take under the race detector, which is several
// times slower.
const limit = 20 * time.Second

// mostRatio is how much longer than parsing reading may take on a busy machine.
const mostRatio = 30.0

// smaller divides the size of hostile pages.
const smaller = 10
