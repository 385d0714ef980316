package measure

import (
	"os"
	"syscall"
)

// peak is the most memory that an ended process had, in megabytes.
func peak(state *os.ProcessState) float64 {
	return float64(state.SysUsage().(*syscall.Rusage).Maxrss) / 1024
}
