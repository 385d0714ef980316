package browser

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
)

// together puts Chromium into a process group of its own, so that all of it
// can be ended at once, and ends it when we end without having done so.
func together(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

func killGroup(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // gone already: as wanted
}

func kill(pid int) {
	_ = syscall.Kill(pid, syscall.SIGKILL) // gone already: as wanted
}

// group lists the living processes of Chromium's group.
func group(cmd *exec.Cmd) []member {
	all, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is good
	var found []member
	for _, path := range all {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // gone in the meantime
		}
		if m, ok := parseStat(text, cmd.Process.Pid); ok {
			found = append(found, m)
		}
	}
	return found
}

// parseStat reads proc_pid_stat(5) if the process lives and is of the group.
func parseStat(text []byte, group int) (member, bool) {
	i := bytes.LastIndexByte(text, ')') // the name may hold anything
	if i < 0 {
		return member{}, false
	}
	fields := bytes.Fields(text[i+1:]) // the third field, state, comes first
	if len(fields) < 22 || string(fields[2]) != strconv.Itoa(group) || fields[0][0] == 'Z' || fields[0][0] == 'X' {
		return member{}, false
	}
	var m member
	_, err := fmt.Sscanf(string(text), "%d", &m.pid)
	pages, err2 := strconv.ParseInt(string(fields[21]), 10, 64)
	m.resident = pages * int64(os.Getpagesize())
	return m, err == nil && err2 == nil
}
