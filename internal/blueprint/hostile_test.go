//go:build !race

package blueprint

import "time"

// hostileLimit is what the worst page may take on an ordinary machine.
const hostileLimit = 2 * time.Second
