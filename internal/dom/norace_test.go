//go:build !race

package dom

import "time"

// hostileTime is what a page of 10 MiB may take; twice that for a busy machine.
const hostileTime = 4 * time.Second
