//go:build race

package article

import "time"

// The race detector costs a factor of ten.
const hostileLimit = 60 * time.Second
