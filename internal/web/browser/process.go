package browser

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

const (
	startTime = 20 * time.Second // for Chromium to say where it listens
	dyingTime = 2 * time.Second  // for its processes to be gone once killed
)

// process is one Chromium with a directory of its own.
type process struct {
	cmd      *exec.Cmd
	dir      string
	endpoint string // of DevTools
	exited   chan struct{}
}

// launch starts Chromium and waits until DevTools can be reached.
func launch(ctx context.Context, o Options, proxy string) (*process, error) {
	path, err := find(o.Path)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "curlew-browser-")
	if err != nil {
		return nil, fmt.Errorf("make the browser's directory: %w", err)
	}
	said := &output{endpoint: make(chan string, 1)}
	p := &process{dir: dir, exited: make(chan struct{}), cmd: exec.Command(path, flags(o, dir, proxy)...)}
	p.cmd.Env = environment(dir)
	p.cmd.Dir = dir
	p.cmd.Stderr = said
	p.cmd.WaitDelay = dyingTime // for stragglers that hold stderr
	together(p.cmd)
	if err := p.cmd.Start(); err != nil {
		return nil, errors.Join(notStarted("").Because(err), os.RemoveAll(dir))
	}
	go func() {
		_ = p.cmd.Wait() // how it ended does not matter: it should not have
		killGroup(p.cmd)
		close(p.exited)
	}()
	if err := p.await(ctx, said); err != nil {
		return nil, errors.Join(err, p.stop())
	}
	return p, nil
}

func (p *process) await(ctx context.Context, said *output) error {
	timer := time.NewTimer(startTime)
	defer timer.Stop()
	select {
	case p.endpoint = <-said.endpoint:
		return nil
	case <-p.exited:
		return notStarted(said.last())
	case <-timer.C:
		return notStarted(said.last())
	case <-ctx.Done():
		return interrupted(ctx)
	}
}

func notStarted(said string) *curlew.Fault {
	fault := curlew.Temporary("browser_crashed", "the browser did not start")
	if said == "" {
		return fault
	}
	return fault.Because(errors.New(said))
}

// stop kills Chromium with all its processes and removes its directory. There
// is nothing in it that would be worth an orderly end.
func (p *process) stop() error {
	select {
	case <-p.exited:
	default:
		killGroup(p.cmd)
	}
	<-p.exited
	deadline := time.Now().Add(dyingTime)
	for len(group(p.cmd)) > 0 && time.Now().Before(deadline) {
		time.Sleep(5 * time.Millisecond) // others' children cannot be waited for
	}
	if err := os.RemoveAll(p.dir); err != nil {
		return fmt.Errorf("remove the browser's directory: %w", err)
	}
	return nil
}

// port is where DevTools listens.
func (p *process) port() string {
	u, err := url.Parse(p.endpoint)
	if err != nil {
		return ""
	}
	return u.Port()
}

// member is one process of Chromium's.
type member struct {
	pid      int
	resident int64 // bytes
}

// output reads what Chromium says: first where DevTools listens, and to the
// end its last words.
type output struct {
	mu       sync.Mutex
	tail     []byte
	found    bool
	endpoint chan string
}

const lastWords = 2 << 10

// Write takes in what Chromium says.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.tail = append(o.tail, p...)
	if !o.found {
		o.announce()
	}
	if n := len(o.tail); n > lastWords && o.found || n > 1<<20 {
		o.tail = append([]byte(nil), o.tail[n-lastWords:]...)
	}
	return len(p), nil
}

func (o *output) announce() {
	_, after, found := strings.Cut(string(o.tail), "DevTools listening on ")
	line, _, whole := strings.Cut(after, "\n")
	if found && whole {
		o.found = true
		o.endpoint <- strings.TrimSpace(line)
	}
}

func (o *output) last() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	text := strings.TrimSpace(string(o.tail))
	return strings.ToValidUTF8(text[max(0, len(text)-500):], "")
}
