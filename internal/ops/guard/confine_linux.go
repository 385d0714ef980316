package guard

import (
	"fmt"
	"os"
	"syscall"
	"time"
)

// confine bounds this process for good: seconds of work, memory beyond what it has, and no
// further file, socket or process.
func confine(cpu, memory uint64) error {
	time.NewTimer(0) // the runtime opens what its clock needs before nothing can be opened any more
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return err
	}
	var pages uint64
	if _, err := fmt.Sscan(string(statm), &pages); err != nil {
		return err
	}
	for _, l := range []struct {
		resource int
		most     uint64
	}{
		{syscall.RLIMIT_CPU, cpu},
		{syscall.RLIMIT_AS, pages*uint64(os.Getpagesize()) + memory},
		{syscall.RLIMIT_FSIZE, 0},
		{syscall.RLIMIT_CORE, 0},
		{syscall.RLIMIT_NOFILE, 0},
	} {
		if err := syscall.Setrlimit(l.resource, &syscall.Rlimit{Cur: l.most, Max: l.most}); err != nil {
			return err
		}
	}
	return nil
}
