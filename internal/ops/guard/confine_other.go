//go:build !linux

package guard

// confine does nothing where limits of a process are not known: the limit of memory that
// the runtime keeps to, and the clock of the parent, must do.
func confine(_, _ uint64) error { return nil }
