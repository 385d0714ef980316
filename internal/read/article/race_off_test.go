//go:build !race

package article

import "time"

// hostileLimit leaves room for a busy machine: alone, none takes two seconds.
const hostileLimit = 8 * time.Second
