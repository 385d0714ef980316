//go:build race

package regions

import "time"

// The race detector slows down tenfold, so pages are smaller.
const (
	slowest   = 4 * time.Second
	megabytes = 1 << 20
)
