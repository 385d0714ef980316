//go:build race

package blueprint

import "time"

// hostileLimit is what the worst page may take under the race detector.
const hostileLimit = 20 * time.Second
