//go:build race

package blueprint

import "time"

// hostileLimit is what the worst page may cost under the race detector.
const hostileLimit = 40 * time.Second
