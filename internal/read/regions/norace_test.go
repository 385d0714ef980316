//go:build !race

package regions

import "time"

const (
	slowest   = 2 * time.Second
	megabytes = 10 << 20
)
