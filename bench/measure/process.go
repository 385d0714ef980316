package measure

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Root looks for the repository in this folder and those above.
func Root() (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "cmd", "curlew")); err == nil {
			return folder, nil
		}
		if folder == filepath.Dir(folder) {
			return "", fmt.Errorf("cmd/curlew is not to be found: run this inside the repository")
		}
		folder = filepath.Dir(folder)
	}
}

// Build compiles Curlew and Colly into a folder, as their users do. They are named
// "curlew" and "colly".
func Build(ctx context.Context, into string) error {
	root, err := Root()
	if err != nil {
		return err
	}
	for _, p := range []struct{ folder, source, program string }{
		{root, "./cmd/curlew", "curlew"}, {filepath.Join(root, "bench", "colly"), ".", "colly"},
	} {
		command := exec.CommandContext(ctx, "go", "build", "-o", filepath.Join(into, p.program), p.source)
		command.Dir = p.folder
		command.Env = append(os.Environ(), "CGO_ENABLED=0")
		if said, err := command.CombinedOutput(); err != nil {
			return fmt.Errorf("build %s: %w\n%s", p.program, err, said)
		}
	}
	return nil
}

// Process is a contender that runs from start to exit.
type Process struct {
	Name    string // as people call it
	Program string
	Args    []string
	Env     []string  // beside that of this process
	Out     io.Writer // nil means that what it prints is shown only if it fails
}

// Cost is what a process took.
type Cost struct {
	Time   time.Duration
	CPU    time.Duration // of all its threads
	Memory float64       // at most, in megabytes; 0 where that is not known
}

// Seconds is the time from start to exit.
func (c Cost) Seconds() float64 { return c.Time.Seconds() }

// Run runs a process. The disk is quiet when it begins, so that nobody pays for
// another's writes.
func Run(ctx context.Context, p Process) (Cost, error) {
	if err := exec.CommandContext(ctx, "sync").Run(); err != nil {
		return Cost{}, err
	}
	var said bytes.Buffer
	command := exec.CommandContext(ctx, p.Program, p.Args...)
	command.Env = append(withoutOwn(os.Environ()), p.Env...)
	command.Stdout, command.Stderr = &said, &said
	if p.Out != nil {
		command.Stdout = p.Out
	}
	began := time.Now()
	err := command.Run()
	took := time.Since(began)
	if err != nil {
		return Cost{}, fmt.Errorf("%s: %w\n%s", p.Name, err, said.String())
	}
	state := command.ProcessState
	return Cost{Time: took, CPU: state.UserTime() + state.SystemTime(), Memory: peak(state)}, nil
}

// withoutOwn leaves out settings that would change what is measured.
func withoutOwn(environment []string) []string {
	var kept []string
	for _, e := range environment {
		if !strings.HasPrefix(e, "CURLEW_") {
			kept = append(kept, e)
		}
	}
	return kept
}
