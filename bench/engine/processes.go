package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// workCommand is the argument that makes this program a worker process. It says
// "ready" when it is connected, begins to work when its input says anything,
// says "ended N" and "held N" as these counts rise, and ends with its input.
const workCommand = "work"

// workHere is the worker process.
func workHere(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet(workCommand, flag.ContinueOnError)
	system := flags.String("system", "", "curlew or river")
	address := flags.String("database", "", "the address of the database")
	at := flags.Int("at-once", 1, "jobs at once")
	hold := flags.Bool("hold", false, "jobs never end")
	if err := flags.Parse(args); err != nil {
		return err
	}
	c, err := openContender(ctx, *system, *address)
	if err != nil {
		return err
	}
	defer c.Close()
	fmt.Fprintln(out, "ready")
	lines := bufio.NewScanner(in)
	if !lines.Scan() {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		for lines.Scan() {
		}
	}()
	var ended, held atomic.Int64
	go report(ctx, out, &ended, &held)
	do := func() {}
	if *hold {
		do = func() { held.Add(1); <-make(chan struct{}) }
	}
	o := workOptions{name: fmt.Sprintf("%s-%d", *system, os.Getpid()), atOnce: *at, do: do, rescue: *hold,
		ended: func(jobs int) { ended.Add(int64(jobs)) }}
	return c.Work(ctx, o)
}

// report says how far the process is, a few hundred times a second at most.
func report(ctx context.Context, out io.Writer, ended, held *atomic.Int64) {
	var lastEnded, lastHeld int64
	for ctx.Err() == nil {
		if n := ended.Load(); n != lastEnded {
			lastEnded = n
			fmt.Fprintln(out, "ended", n)
		}
		if n := held.Load(); n != lastHeld {
			lastHeld = n
			fmt.Fprintln(out, "held", n)
		}
		time.Sleep(3 * time.Millisecond)
	}
}

// process is a worker process, as its parent sees it.
type process struct {
	command *exec.Cmd
	in      io.WriteCloser
	said    chan string // closed when the process ends
}

type processOptions struct {
	system, address string
	atOnce          int
	hold            bool
}

// startProcess starts a worker process and waits until it is connected.
func startProcess(ctx context.Context, o processOptions) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	command := exec.CommandContext(ctx, self, workCommand, "--system", o.system, "--database", o.address,
		"--at-once", strconv.Itoa(o.atOnce), fmt.Sprintf("--hold=%t", o.hold))
	command.Stderr = os.Stderr
	command.Env = append(os.Environ(), workerVariable+"=1")
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	p := &process{command: command, in: in, said: make(chan string, 1024)}
	go func() {
		defer close(p.said)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			p.said <- lines.Text()
		}
	}()
	if err := p.await(ctx, "ready"); err != nil {
		p.kill()
		return nil, fmt.Errorf("worker process of %s: %w", o.system, err)
	}
	return p, nil
}

// workerVariable tells the test binary that it is a worker process.
const workerVariable = "CURLEW_BENCH_WORKER"

// await waits for a line that begins with the given words.
func (p *process) await(ctx context.Context, words string) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case line, ok := <-p.said:
			if !ok {
				return fmt.Errorf("it ended before it said %q", words)
			}
			if strings.HasPrefix(line, words) {
				return nil
			}
		}
	}
}

func (p *process) release() error {
	_, err := io.WriteString(p.in, "go\n")
	return err
}

// kill is kill -9.
func (p *process) kill() {
	_ = p.command.Process.Kill()
	p.wait()
}

// end lets the process come to a good end.
func (p *process) end() {
	_ = p.in.Close()
	late := time.AfterFunc(10*time.Second, func() { _ = p.command.Process.Kill() })
	defer late.Stop()
	p.wait()
}

func (p *process) wait() {
	for range p.said {
	}
	_ = p.command.Wait()
}

// peak is the most memory the process ever had, in megabytes.
func (p *process) peak() (float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kilobytes, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 64)
			return kilobytes / 1024, err
		}
	}
	return 0, fmt.Errorf("/proc says nothing of VmHWM")
}

// fleet is some worker processes of one contender.
type fleet []*process

func startFleet(ctx context.Context, processes int, o processOptions) (fleet, error) {
	all := make(fleet, processes)
	errs := make([]error, processes)
	var starting sync.WaitGroup
	for i := range all {
		starting.Go(func() { all[i], errs[i] = startProcess(ctx, o) })
	}
	starting.Wait()
	for _, err := range errs {
		if err != nil {
			all.end()
			return nil, err
		}
	}
	return all, nil
}

// work releases all processes at once and returns how long they took to end so
// many jobs.
func (f fleet) work(ctx context.Context, jobs int) (time.Duration, error) {
	type progress struct{ process, ended int }
	news := make(chan progress, 1024)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	began := time.Now()
	for i, p := range f {
		if err := p.release(); err != nil {
			return 0, err
		}
		go func() {
			for line := range p.said {
				n, _ := strconv.Atoi(strings.TrimPrefix(line, "ended "))
				select {
				case news <- progress{i, n}:
				case <-ctx.Done():
					return
				}
			}
		}()
	}
	ended := make([]int, len(f))
	for late := time.After(2 * time.Minute); ; {
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-late:
			return 0, fmt.Errorf("of %d jobs, %v were done after two minutes", jobs, ended)
		case n := <-news:
			ended[n.process] = n.ended
		}
		total := 0
		for _, n := range ended {
			total += n
		}
		if total >= jobs {
			return time.Since(began), nil
		}
	}
}

// peak is the most memory that one of the processes had, in megabytes.
func (f fleet) peak() (most float64, err error) {
	for _, p := range f {
		one, err := p.peak()
		if err != nil {
			return 0, err
		}
		most = max(most, one)
	}
	return most, nil
}

func (f fleet) end() {
	var ending sync.WaitGroup
	for _, p := range f {
		if p != nil {
			ending.Go(p.end)
		}
	}
	ending.Wait()
}
