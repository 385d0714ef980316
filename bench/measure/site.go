package measure

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
)

// SiteCommand is the argument that makes a program its own site, which is a process of
// its own so that its memory and time are not counted for a contender.
const SiteCommand = "site"

// SiteVariable tells a test binary that it is the site.
const SiteVariable = "CURLEW_BENCH_SITE"

// CountsPath is where a site says what it was asked for since the last time.
const CountsPath = "/-/counts"

// Counts are what a site answered.
type Counts struct{ Whole, NotModified int }

// ServeSite is the process of a site. It says its address when it listens, and ends with its input.
func ServeSite(ctx context.Context, handler http.Handler, in io.Reader, out io.Writer) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		_, _ = io.Copy(io.Discard, in)
	}()
	server := &http.Server{Handler: handler}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	fmt.Fprintln(out, listener.Addr())
	if err := server.Serve(listener); err != http.ErrServerClosed {
		return err
	}
	return nil
}

// Site is the process of a site, as its parent sees it.
type Site struct {
	URL, Port string
	command   *exec.Cmd
	in        io.Closer
}

// StartSite starts this program as a site.
func StartSite(ctx context.Context, args ...string) (*Site, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	command := exec.CommandContext(ctx, self, append([]string{SiteCommand}, args...)...)
	command.Stderr = os.Stderr
	command.Env = append(os.Environ(), SiteVariable+"=1")
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
	made := &Site{command: command, in: in}
	address, err := bufio.NewReader(out).ReadString('\n')
	if err == nil {
		address = strings.TrimSpace(address)
		made.URL = "http://" + address + "/"
		_, made.Port, err = net.SplitHostPort(address)
	}
	if err != nil {
		made.End()
		return nil, fmt.Errorf("start the site: %w", err)
	}
	return made, nil
}

// Counted says what the site was asked for since the last time.
func (s *Site) Counted(ctx context.Context) (c Counts, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(s.URL, "/")+CountsPath, nil)
	if err != nil {
		return c, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return c, err
	}
	defer answer.Body.Close()
	return c, json.NewDecoder(answer.Body).Decode(&c)
}

// End ends the process.
func (s *Site) End() {
	_ = s.in.Close()
	_ = s.command.Wait()
}
