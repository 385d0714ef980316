package growth

import (
	"syscall"
	"time"
)

// threadTime is what the processor has done for this thread: what others do on the machine does not count.
func threadTime() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_THREAD, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
