package growth

import (
	"time"

	"golang.org/x/sys/unix"
)

// threadTime is what the processor has done for this thread: what others do on the machine does not count.
func threadTime() time.Duration {
	var done unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &done) != nil {
		return 0
	}
	return time.Duration(done.Nano())
}
