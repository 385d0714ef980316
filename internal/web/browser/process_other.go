//go:build !linux

package browser

import (
	"os"
	"os/exec"
)

// Elsewhere Chromium is ended by its first process, and its memory is bounded
// by the heap of its scripts only.

func together(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) {
	_ = cmd.Process.Kill() // gone already: as wanted
}

func kill(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill() // gone already: as wanted
	}
}

func group(*exec.Cmd) []member { return nil }
