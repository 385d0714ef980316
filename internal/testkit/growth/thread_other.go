//go:build !linux

package growth

import "time"

// threadTime is known on Linux only; elsewhere allocations are the measure.
func threadTime() time.Duration { return 0 }
