//go:build !race

package blueprint

import "time"

// hostileLimit is what the worst page may cost: 2 s, and as much again for the
// collector and for a machine that is busy.
const hostileLimit = 4 * time.Second
