package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/curlew-data/curlew/bench/measure"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/data/store/storefill"
	"github.com/curlew-data/curlew/internal/work/queue"
)

// settings say how much is measured.
type settings struct {
	data        string
	part, tries int
}

// since is when the year began; ids and cursors follow from it.
var since = time.Now().Add(-365 * 24 * time.Hour).Truncate(time.Hour)

// owner is who signs in.
const email, password = "ada@bench.example", "correct horse battery staple"

// fill makes the data folder, unless it is there already.
func fill(ctx context.Context, s settings, p measure.Progress) error {
	file := filepath.Join(s.data, "curlew.db")
	if _, err := os.Stat(file); err == nil {
		p.Say("the folder %s is filled already", s.data)
		return nil
	}
	if err := os.MkdirAll(s.data, 0o700); err != nil {
		return err
	}
	db, err := database.Open(ctx, database.Options{URL: "sqlite:" + file})
	if err != nil {
		return err
	}
	began := time.Now()
	_, err = db.Migrate(ctx, queue.Migrations(), store.Migrations())
	if err == nil {
		err = storefill.Fill(ctx, db, curlew.DefaultOrg, storefill.Year(since).Part(s.part), p.Say)
	}
	err = errors.Join(err, db.Close())
	p.Say("filled in %.0f s", time.Since(began).Seconds())
	return err
}

// server is the real program at work, with somebody signed in.
type server struct {
	base   string
	client *http.Client
	stop   func()
}

// start starts the program and signs in.
func start(ctx context.Context, s settings) (*server, error) {
	root, err := measure.Root()
	if err != nil {
		return nil, err
	}
	program := filepath.Join(s.data, "curlew")
	build := exec.CommandContext(ctx, "go", "build", "-o", program, "./cmd/curlew")
	build.Dir, build.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build curlew: %w\n%s", err, said)
	}
	command := exec.CommandContext(ctx, program, "serve", "--data", s.data, "--listen", "127.0.0.1:0")
	log, err := command.StderrPipe()
	if err != nil {
		return nil, err
	}
	told, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	stop := func() {
		_ = command.Process.Signal(os.Interrupt)
		_ = command.Wait()
	}
	base, err := address(log)
	if err == nil {
		go func() { _, _ = io.Copy(io.Discard, log) }()
		jar, _ := cookiejar.New(nil) // without options it cannot fail
		v := &server{base: base, stop: stop, client: &http.Client{Jar: jar,
			Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 4}}}
		if err = v.signIn(told); err == nil {
			return v, nil
		}
	}
	stop()
	return nil, err
}

var upAt = regexp.MustCompile(`address"?[=:]"?(http://[0-9.:]+)`)

// address reads where the server listens from what it logs.
func address(log io.Reader) (string, error) {
	var said strings.Builder
	for lines := bufio.NewScanner(log); lines.Scan(); {
		fmt.Fprintln(&said, lines.Text())
		if found := upAt.FindStringSubmatch(lines.Text()); found != nil {
			return found[1], nil
		}
	}
	return "", fmt.Errorf("the server does not come up:\n%s", said.String())
}

// signIn opens the first link of a new installation, or signs in where somebody has.
func (v *server) signIn(told io.ReadCloser) error {
	link := make(chan string, 1)
	go func() {
		for lines := bufio.NewScanner(told); lines.Scan(); {
			if _, token, ok := strings.Cut(lines.Text(), "token="); ok {
				link <- token
			}
		}
	}()
	form, at := url.Values{"email": {email}, "password": {password}}, "/sign-in"
	select {
	case token := <-link:
		form.Set("token", token)
		at = "/link"
	case <-time.After(200 * time.Millisecond): // the link is told before the server is up
	}
	answer, err := v.client.PostForm(v.base+at, form)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK || answer.Request.URL.Path != "/" {
		return fmt.Errorf("signing in at %s ends at %s with %s", at, answer.Request.URL.Path, answer.Status)
	}
	return nil
}
