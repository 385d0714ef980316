//go:build !race

package segment

import "time"

const (
	slowest   = 2 * time.Second
	megabytes = 10 << 20
)
