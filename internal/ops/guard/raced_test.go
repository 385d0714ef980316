//go:build race

package guard

// The race detector ends a process that gets no memory in words of its own.
func init() { raced = true }
