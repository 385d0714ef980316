//go:build !race

package blueprint

import "time"

// hostileLimit is what the worst page may take: 2 s, and as much again for a machine
// that is busy with other tests.
const hostileLimit = 4 * time.Second
