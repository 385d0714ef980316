package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

// started serves a web on free ports until the test ends.
func started(t *testing.T, o Options) *Web {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	w := New(o)
	if err := w.Start(ctx, Addresses{}); err != nil {
		cancel()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		w.Wait()
	})
	return w
}

func fetch(t *testing.T, target string) (status int, body string) {
	t.Helper()
	answer, err := http.Get(target)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(read)
}

func TestEverySiteHasItsOwnLoopbackPort(t *testing.T) {
	w := started(t, Options{})
	hosts := map[string]bool{w.ControlURL(): true}
	for _, s := range w.Sites() {
		if !strings.HasPrefix(s.URL(), "http://127.0.0.1:") || hosts[s.Base] {
			t.Errorf("%s is at %s", s.Name, s.URL())
		}
		hosts[s.Base] = true
		if status, body := fetch(t, s.URL()); status != http.StatusOK || body == "" {
			t.Errorf("%s answers %d", s.URL(), status)
		}
		if status, _ := fetch(t, s.Base+"/truth/"+s.Name); status != http.StatusNotFound {
			t.Errorf("%s answers commands on its own host", s.Name)
		}
	}
	if status, body := fetch(t, w.ControlURL()); status != http.StatusOK || !strings.Contains(body, `"concerts"`) {
		t.Errorf("the control server answers %d", status)
	}
}

func TestTruthNamesTheRealAddress(t *testing.T) {
	w := started(t, Options{})
	for _, r := range truthOf(t, w, "shop")[:3] {
		if status, body := fetch(t, r.URL); status != http.StatusOK || !strings.Contains(body, r.Fields["sku"].(string)) {
			t.Errorf("%s answers %d", r.URL, status)
		}
	}
}

func TestTruncatedPagesEndTooEarly(t *testing.T) {
	w := started(t, Options{})
	must(t, w.Break("shop", ModeTruncated))
	s, err := w.Site("shop")
	must(t, err)
	answer, err := http.Get(s.URL())
	must(t, err)
	defer answer.Body.Close()
	if _, err := io.ReadAll(answer.Body); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("reading gave %v, want an unexpected end", err)
	}
}

func TestATakenPortIsNamed(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer taken.Close()
	port := taken.Addr().(*net.TCPAddr).Port
	err = New(Options{}).Start(t.Context(), Addresses{FirstPort: port})
	if err == nil || !strings.Contains(err.Error(), taken.Addr().String()) {
		t.Errorf("got %v, want an error that names %s", err, taken.Addr())
	}
}

func TestOnlyLoopbackIsAllowed(t *testing.T) {
	for _, host := range []string{"0.0.0.0", "::", "192.168.1.4", "example.org"} {
		t.Run(host, func(t *testing.T) {
			err := New(Options{}).Start(t.Context(), Addresses{Host: host})
			if fault := curlew.AsFault(err); fault == nil || fault.Kind != curlew.KindRefused {
				t.Errorf("listening on %s gave %v, want a refusal", host, err)
			}
		})
	}
}

func TestEverythingClosesWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	w := New(Options{})
	must(t, w.Start(ctx, Addresses{}))
	if err := w.Start(ctx, Addresses{}); err == nil {
		t.Error("a web was started twice")
	}
	address := strings.TrimPrefix(w.ControlURL(), "http://")
	cancel()
	w.Wait()
	if c, err := net.Dial("tcp", address); err == nil {
		c.Close()
		t.Error("the control server still listens")
	}
}

// Readers and commands at once: the race detector has the word.
func TestManyAtOnce(t *testing.T) {
	w := New(Options{})
	var all sync.WaitGroup
	for _, s := range w.Sites() {
		all.Go(func() {
			for range 3 {
				get(t, w, s.Name, s.Home)
				if _, err := w.Truth(s.Name); err != nil {
					t.Error(err)
				}
			}
		})
		all.Go(func() {
			for i, command := range []func(string) error{w.Advance, w.Redesign, w.Drift} {
				t.Run(fmt.Sprint(i), func(t *testing.T) {
					if err := command(s.Name); err != nil {
						t.Error(err)
					}
				})
			}
		})
	}
	all.Wait()
}
