//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package archive

import (
	"errors"
	"os"
	"syscall"
)

const haveLocks = true

// lock waits for the lock of an open file. The operating system lets go of it
// when the file is closed or the process dies.
func lock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

// tryLock takes the lock if nobody has it.
func tryLock(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
