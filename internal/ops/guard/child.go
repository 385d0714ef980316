package guard

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// ErrFileUnreadable is the code of a file whose reader failed in its child process.
const ErrFileUnreadable curlew.Code = "file_unreadable"

// ChildLimits bound a child process.
type ChildLimits struct {
	CPU    time.Duration // in whole seconds; three times as long by the clock
	Memory int64         // bytes beyond what an idle child has
	Output int64         // bytes
}

// ChildReader reads a file to its end, in a process of its own.
type ChildReader func(file []byte) ([]byte, error)

// childCommand is the first word of the command line of a child.
const childCommand = "__read"

// deepestStack is the most that recursion may take: the memory of a child must hold it.
const deepestStack = 64 << 20

// What a child ends with, beside 0: other codes are those of a crash.
const (
	exitUnread   = 3
	exitPanicked = 4 // its report says of what
)

// served says whether this program answers to childCommand. One that does not would start
// its own work a second time.
var served atomic.Bool

// mostChildren is how many may run at a time.
var mostChildren = make(chan struct{}, 2)

// ServeChildren comes first in a program whose readers of dangerous files run in child
// processes. In such a child it does the reading and ends the process.
func ServeChildren(args []string, readers map[string]ChildReader) {
	served.Store(true)
	if len(args) != 4 || args[0] != childCommand {
		return
	}
	report = reportToParent()
	file, err := io.ReadAll(os.Stdin)
	if err == nil {
		err = Read(File, "", func() error { return readInChild(file, args, readers) })
	}
	switch {
	case errors.Is(err, ErrReaderFailed):
		os.Exit(exitPanicked)
	case err != nil:
		_, _ = fmt.Fprint(os.Stderr, err) // nobody is there to be told that it failed
		os.Exit(exitUnread)
	}
	os.Exit(0)
}

// reportToParent writes panics to the parent, a line each. It logs none but the first of a stage on
// the page, which is the only one whose stack it needs.
func reportToParent() func(panicReport) {
	told := map[Stage]bool{}
	return func(p panicReport) {
		if told[p.Stage] {
			p.Stack = ""
		}
		told[p.Stage] = true
		_ = json.NewEncoder(os.Stderr).Encode(p) // nobody is there to be told that it failed
	}
}

// takeReports reports the panics of a child, with the page that it read, and gives what else it
// complained of.
func takeReports(page, complaint string) string {
	var rest strings.Builder
	for line := range strings.Lines(complaint) {
		var p panicReport
		if json.Unmarshal([]byte(line), &p) == nil && counted[p.Stage] != nil {
			p.Page = page
			report(p)
			continue
		}
		rest.WriteString(line)
	}
	return rest.String()
}

func readInChild(file []byte, args []string, readers map[string]ChildReader) error {
	read := readers[args[1]]
	cpu, errCPU := strconv.ParseUint(args[2], 10, 32)
	memory, errMemory := strconv.ParseInt(args[3], 10, 64)
	if err := errors.Join(errCPU, errMemory); err != nil || read == nil {
		return fmt.Errorf("no such reader: %q", args)
	}
	debug.SetMaxStack(deepestStack)
	debug.SetMemoryLimit(memory / 2)
	if err := confine(cpu, uint64(memory)); err != nil {
		return fmt.Errorf("the limits of the process cannot be set: %w", err)
	}
	out, err := read(file)
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(out)
	return err
}

// ReadInChild lets a reader of this program read a file in a process of its own, without
// environment, whose time and memory are bounded. What the file does to its reader is a
// fault with a sentence.
func ReadInChild(reader, page string, file []byte, l ChildLimits) ([]byte, error) {
	if !served.Load() {
		return nil, curlew.Permanent(ErrFileUnreadable, "this program cannot read %s files", strings.ToUpper(reader))
	}
	mostChildren <- struct{}{}
	defer func() { <-mostChildren }()
	ctx, cancel := context.WithTimeout(context.Background(), 3*l.CPU)
	defer cancel()
	path, err := ownProgram()
	if err != nil {
		return nil, curlew.Temporary("no_child", "the reader of %s files cannot be started", strings.ToUpper(reader)).Because(err)
	}
	out, complaint := &bounded{most: l.Output}, &bounded{most: 64 << 10}
	cmd := exec.CommandContext(ctx, path)
	cmd.Args = []string{os.Args[0], childCommand, reader, strconv.Itoa(int(l.CPU / time.Second)), strconv.FormatInt(l.Memory, 10)}
	cmd.Env, cmd.Dir, cmd.WaitDelay = []string{}, os.TempDir(), time.Second
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(file), out, complaint
	if err := cmd.Start(); err != nil {
		return nil, curlew.Temporary("no_child", "the reader of %s files cannot be started", strings.ToUpper(reader)).Because(err)
	}
	err = cmd.Wait()
	said := takeReports(page, complaint.kept.String())
	if err == nil && !out.over {
		return out.kept.Bytes(), nil
	}
	why := whyEnded(cmd.ProcessState, ctx, out, said)
	if crashed(cmd.ProcessState, said) {
		report(panicReport{File, page, why, said})
	} else {
		slog.Warn("a file could not be read", "reader", reader, "page", page, "why", why, "error", err, "said", head(said))
	}
	return nil, curlew.Permanent(ErrFileUnreadable, "the %s file cannot be read: %s", strings.ToUpper(reader), why)
}

// crashed says whether a child ended by what no guard can recover from, which left a stack.
func crashed(state *os.ProcessState, complaint string) bool {
	return state.ExitCode() == 2 && strings.Contains(complaint, "goroutine ") && !outOfMemory(complaint)
}

func outOfMemory(complaint string) bool {
	return strings.Contains(complaint, "out of memory") || strings.Contains(complaint, "cannot allocate memory")
}

// whyEnded says what became of a child, for people.
func whyEnded(state *os.ProcessState, ctx context.Context, out *bounded, complaint string) string {
	status, _ := state.Sys().(syscall.WaitStatus)
	killed := status.Signaled() && status.Signal() == syscall.SIGKILL
	switch {
	case out.over:
		return "its text is too long"
	case ctx.Err() != nil, killed: // by its limit of time
		return "reading it takes too long"
	case outOfMemory(complaint):
		return "reading it takes too much memory"
	case strings.Contains(complaint, "stack overflow"), strings.Contains(complaint, "stack exceeds"):
		return "it is nested too deeply"
	case state.ExitCode() == exitUnread && complaint != "":
		return complaint
	}
	return "it made its reader crash"
}

// head are the first lines of what a child complained of: a crash names its cause there.
func head(s string) string { return s[:min(len(s), 600)] }

// ownProgram is the file of this program. On Linux it is the running one, also where the
// file was replaced by an upgrade.
func ownProgram() (string, error) {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe", nil
	}
	return os.Executable()
}

// bounded keeps what is written to it, up to a limit.
type bounded struct {
	kept bytes.Buffer
	most int64
	over bool
}

// Write takes everything, so that who writes comes to an end, and keeps what fits.
func (b *bounded) Write(p []byte) (int, error) {
	if room := b.most - int64(b.kept.Len()); int64(len(p)) > room {
		b.over = true
		_, _ = b.kept.Write(p[:max(0, room)])
		return len(p), nil
	}
	return b.kept.Write(p)
}
