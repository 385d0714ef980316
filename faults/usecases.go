package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/failpoint"
)

// written is how much of what use cases write is there.
type written struct{ people, keys, subscriptions, lines int }

func (t *target) written(ctx context.Context) (w written, err error) {
	scope := t.store.Org(curlew.DefaultOrg)
	people, err0 := scope.Users().Members(ctx, store.Window{Limit: 1000})
	invited, err1 := scope.Users().Invitations(ctx, store.Window{Limit: 1000})
	keys, err2 := scope.Keys().List(ctx, store.Window{Limit: 1000})
	subs, err3 := scope.Subscriptions().List(ctx, store.Window{Limit: 1000})
	lines, err4 := scope.Audit().List(ctx, store.AuditFilter{Limit: 1000})
	return written{len(people) + len(invited), len(keys), len(subs), len(lines)}, errors.Join(err0, err1, err2, err3, err4)
}

// change is something that a person or a program changes: a command, or a request to the API.
type change struct {
	name string
	do   func(ctx context.Context, t *target, env ...string) (died bool, err error)
	adds written
}

func changes(key string) []change {
	person, access := written{people: 1, lines: 1}, written{keys: 1, lines: 1}
	subscription := written{subscriptions: 1, lines: 1}
	return []change{
		{"users add", byCommand("users", "add", "ada@example.org"), person},
		{"keys add", byCommand("keys", "add", "dashboard"), access},
		{"subscriptions add", byCommand("subscriptions", "add", "--channel", "webhook", "--to", "https://example.org/hook"), subscription},
		{"POST /people", byRequest(key, "/people", `{"email":"bo@example.org","role":"viewer"}`), person},
		{"POST /keys", byRequest(key, "/keys", `{"name":"dashboard","scopes":["read"]}`), access},
		{"POST /subscriptions", byRequest(key, "/subscriptions", `{"channel":"webhook","to":["https://example.org/other"]}`), subscription},
	}
}

// killUseCase: the program dies between the rows of what somebody changes and their line of the audit
// log, by the command line and by the API. Then neither is there, and both when it is done again.
func killUseCase(ctx context.Context, t *target) (*outcome, error) {
	var made struct {
		Secret string `json:"secret"`
	}
	if err := t.curlew(ctx, &made, "keys", "add", "faults", "--scope", "read,write,deliver,admin"); err != nil {
		return nil, err
	}
	o := &outcome{}
	kills := 0
	for _, d := range changes(made.Secret) {
		before, err := t.written(ctx)
		if err != nil {
			return nil, err
		}
		if died, err := d.do(ctx, t, failpoint.Variable+"="+failpoint.UseCaseRows); err != nil || !died {
			return nil, fmt.Errorf("%s was not killed: %w", d.name, err)
		}
		kills++
		left, err := t.written(ctx)
		if err != nil {
			return nil, err
		}
		if left != before {
			o.doubled++
			o.broken = append(o.broken, fmt.Sprintf("%s leaves %+v of %+v when it is killed", d.name, left, before))
		}
		if died, err := d.do(ctx, t); err != nil || died {
			return nil, fmt.Errorf("%s again: %w", d.name, err)
		}
		want := written{left.people + d.adds.people, left.keys + d.adds.keys, left.subscriptions + d.adds.subscriptions,
			left.lines + d.adds.lines}
		if after, err := t.written(ctx); err != nil || after != want {
			o.lost++
			o.broken = append(o.broken, fmt.Sprintf("%s, done again, gives %+v and not %+v (%v)", d.name, after, want, err))
		}
	}
	o.kills, o.jobs = kills, kills
	var report struct {
		Violations []curlew.Violation `json:"violations"`
	}
	err := t.curlew(ctx, &report, "fsck")
	o.violations = len(report.Violations)
	return o, err
}

// killed says whether a process died by kill -9.
func killed(err error) bool {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return false
	}
	status, _ := exit.Sys().(syscall.WaitStatus)
	return status.Signaled() && status.Signal() == syscall.SIGKILL
}

func byCommand(args ...string) func(context.Context, *target, ...string) (bool, error) {
	return func(ctx context.Context, t *target, env ...string) (bool, error) {
		command := exec.CommandContext(ctx, t.binary, append(args, "--data", t.data, "--database", t.address)...)
		command.Env = append(os.Environ(), env...)
		out, err := command.CombinedOutput()
		if killed(err) {
			return true, nil
		}
		if err != nil {
			err = fmt.Errorf("%w: %s", err, out)
		}
		return false, err
	}
}

// byRequest sends a request to a server of its own.
func byRequest(key, path, body string) func(context.Context, *target, ...string) (bool, error) {
	return func(ctx context.Context, t *target, env ...string) (bool, error) {
		address, err := freeAddress()
		if err != nil {
			return false, err
		}
		var log bytes.Buffer
		command := exec.CommandContext(ctx, t.binary, "serve", "--data", t.data, "--database", t.address, "--listen", address, "--log-level",
			"error")
		command.Env, command.Stdout, command.Stderr = append(os.Environ(), env...), &log, &log
		if err := command.Start(); err != nil {
			return false, err
		}
		ended := make(chan error, 1)
		go func() { ended <- command.Wait() }()
		sent := post(ctx, "http://"+address, key, asked{path, body, http.StatusCreated})
		if sent == nil {
			_ = command.Process.Signal(syscall.SIGTERM)
		}
		select {
		case err := <-ended:
			if killed(err) {
				return true, nil
			}
			if err = errors.Join(sent, err); err != nil {
				err = fmt.Errorf("%w: %s", err, log.String())
			}
			return false, err
		case <-time.After(30 * time.Second):
			_ = command.Process.Kill()
			return false, errors.Join(sent, errors.New("the server does not end: "+log.String()))
		}
	}
}

// freeAddress is one on which a server can listen.
func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

// asked is a request and the status of the answer to it.
type asked struct {
	path, body string
	want       int
}

// post waits until a server is ready, and sends it something.
func post(ctx context.Context, server, key string, a asked) error {
	for late := time.Now().Add(30 * time.Second); ; wait(ctx, 50*time.Millisecond) {
		answer, err := http.Get(server + "/healthz/ready")
		if err == nil {
			_ = answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				break
			}
		}
		if time.Now().After(late) {
			return errors.New("the server is not ready in time")
		}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, server+"/api/v1"+a.path, bytes.NewBufferString(a.body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if text, _ := io.ReadAll(answer.Body); answer.StatusCode != a.want {
		return fmt.Errorf("%s: %s", answer.Status, text)
	}
	return nil
}
