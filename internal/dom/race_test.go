//go:build race

package dom

import "time"

// hostileTime is longer where the race detector slows everything down.
const hostileTime = 20 * time.Second
