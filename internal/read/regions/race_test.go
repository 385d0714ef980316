//go:build race

package segment

import "time"

// The race detector slows down tenfold, so pages are smaller.
const (
	slowest   = 4 * time.Second
	megabytes = 1 << 20
)
