// Package owner gives what root makes in a folder of somebody else to that owner: a service that has a user of its own can
// read what a command left that was run as root. For everybody else it does nothing.
package owner

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Inherit gives a new file to the owner of its folder. It changes the open file and not what has its name by now: the owner of
// the folder could put something else there. Where the file system keeps no owners, the file stays as it is.
func Inherit(file *os.File) {
	if uid, gid, ok := of(filepath.Dir(file.Name())); ok {
		_ = file.Chown(uid, gid)
	}
}

// MkdirAll makes a folder and those above it that are missing, each for the owner of the one that it is in.
func MkdirAll(path string, mode fs.FileMode) error {
	path = filepath.Clean(path)
	if _, err := os.Stat(path); err == nil || os.Geteuid() != 0 {
		return os.MkdirAll(path, mode)
	}
	above := filepath.Dir(path)
	if err := MkdirAll(above, mode); err != nil {
		return err
	}
	if err := os.Mkdir(path, mode); err != nil {
		return os.MkdirAll(path, mode) // perhaps another process was faster
	}
	if uid, gid, ok := of(above); ok {
		_ = os.Lchown(path, uid, gid)
	}
	return nil
}

// of is who owns a folder, where root may give files away.
func of(folder string) (uid, gid int, ok bool) {
	if os.Geteuid() != 0 {
		return 0, 0, false
	}
	info, err := os.Stat(folder)
	if err != nil {
		return 0, 0, false
	}
	kept, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return int(kept.Uid), int(kept.Gid), true
}
