package grpc

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/app/throttle"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/door/grpc/blueprintv1"
	"github.com/curlew-data/curlew/internal/door/middleware"
)

// open is a service without limits that lets everybody in.
func open(o Options) *service {
	if o.Rate.Burst == 0 {
		o.Rate = throttle.Rate{PerSecond: 1e6, Burst: 1e6}
	}
	if o.Authenticate == nil {
		o.Authenticate = func(*http.Request) (auth.Identity, error) {
			return auth.Identity{Org: "acme", User: "usr_x", Role: curlew.RoleEditor}, nil
		}
	}
	return newService(o)
}

// work is what a call does in a test.
type work func(context.Context) error

// call answers a call of an org by some work.
func (s *service) call(t *testing.T, org curlew.OrgID, do work) error {
	ctx := context.WithValue(t.Context(), callKey{}, call{Identity: auth.Identity{Org: org}})
	_, err := answer(ctx, s, func(ctx context.Context, _ auth.Identity) (*blueprintv1.FetchHTMLResponse, error) {
		return &blueprintv1.FetchHTMLResponse{}, do(ctx)
	})
	return err
}

// codeIn is the fault's code in the detail of an error.
func codeIn(t *testing.T, err error) string {
	t.Helper()
	var told *connect.Error
	if !errors.As(err, &told) || len(told.Details()) != 1 {
		t.Fatalf("no detail in %v", err)
	}
	value, err := told.Details()[0].Value()
	if err != nil {
		t.Fatal(err)
	}
	return value.(*blueprintv1.Problem).Code
}

func TestFaultsBecomeCodes(t *testing.T) {
	s := open(Options{})
	for _, x := range []struct {
		err  error
		code connect.Code
		told string
	}{
		{curlew.NotFound("blueprint", "bp_1"), connect.CodeNotFound, "not_found"},
		{curlew.Refused("robots_refused", "robots.txt forbids it"), connect.CodePermissionDenied, "robots_refused"},
		{curlew.Refused("over_budget", "over"), connect.CodeResourceExhausted, "over_budget"},
		{curlew.Temporary("host_rests", "later"), connect.CodeUnavailable, "host_rests"},
		{curlew.Permanent("not_feasible", "no way"), connect.CodeFailedPrecondition, "not_feasible"},
		{curlew.Problems{{Field: "url", Sentence: "wrong"}}, connect.CodeInvalidArgument, "bad_request"},
		{errors.New("password of the database"), connect.CodeInternal, "unexpected"},
	} {
		t.Run(x.told, func(t *testing.T) {
			err := s.call(t, "acme", func(context.Context) error { return x.err })
			if connect.CodeOf(err) != x.code || codeIn(t, err) != x.told || strings.Contains(err.Error(), "password") {
				t.Errorf("%v became %v", x.err, err)
			}
		})
	}
	if err := s.call(t, "acme", func(context.Context) error { panic("of a reader") }); connect.CodeOf(err) != connect.CodeInternal || strings.Contains(err.Error(), "of a reader") {
		t.Errorf("a panic became %v", err)
	}
}

func TestOneOrgDoesNotUseUpTheConcurrencyLimit(t *testing.T) {
	begun, end := make(chan struct{}), make(chan struct{})
	s := open(Options{})
	none := func(context.Context) error { return nil }
	done := make(chan error, middleware.CallsInAll)
	sit := func(org curlew.OrgID, n int) {
		for range n {
			go func() {
				done <- s.call(t, org, func(context.Context) error {
					begun <- struct{}{}
					<-end
					return nil
				})
			}()
			<-begun
		}
	}
	sit("acme", middleware.CallsPerOrg)
	if err := s.call(t, "acme", none); connect.CodeOf(err) != connect.CodeResourceExhausted || codeIn(t, err) != "too_many_calls" {
		t.Errorf("one more of acme: %v", err)
	}
	for _, org := range []curlew.OrgID{"birch", "cedar", "dogwood"} {
		sit(org, middleware.CallsPerOrg)
	}
	if err := s.call(t, "elm", none); connect.CodeOf(err) != connect.CodeUnavailable || codeIn(t, err) != "busy" {
		t.Errorf("one more of all: %v", err)
	}
	close(end)
	for range middleware.CallsInAll {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if err := s.call(t, "acme", none); err != nil {
		t.Errorf("when the calls have ended: %v", err)
	}
}

// Work that does not look at the clock counts until it ends, its caller does not wait.
func TestTheCallerIsAnsweredInTime(t *testing.T) {
	end := make(chan struct{})
	defer close(end)
	s := open(Options{Most: 50 * time.Millisecond})
	wait := func(context.Context) error { <-end; return nil }
	for range middleware.CallsPerOrg {
		if err := s.call(t, "acme", wait); connect.CodeOf(err) != connect.CodeDeadlineExceeded || codeIn(t, err) != "deadline" {
			t.Errorf("told %v", err)
		}
	}
	if err := s.call(t, "acme", wait); connect.CodeOf(err) != connect.CodeResourceExhausted {
		t.Errorf("while all of it goes on: %v", err)
	}
}

func TestCallsAreCounted(t *testing.T) {
	now, wrong := time.Unix(0, 0), false
	mux := http.NewServeMux()
	Serve(Options{Rate: throttle.Rate{PerSecond: 1, Burst: 2}, Now: func() time.Time { return now }, Authenticate: func(*http.Request) (auth.Identity, error) {
		if wrong {
			return auth.Identity{}, curlew.Refused("unauthenticated", "send a key")
		}
		return auth.Identity{Org: "acme", User: "usr_x", Role: curlew.RoleEditor}, nil
	}})(mux)
	server := httptest.NewServer(mux)
	defer server.Close()
	client := blueprintv1.NewBlueprintServiceClient(server.Client(), server.URL)
	call := func() error {
		_, err := client.FetchHTML(t.Context(), connect.NewRequest(&blueprintv1.FetchHTMLRequest{}))
		return err
	}
	for n, code := range []connect.Code{connect.CodeInvalidArgument, connect.CodeInvalidArgument, connect.CodeResourceExhausted} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			if err := call(); connect.CodeOf(err) != code || n == 2 && codeIn(t, err) != "too_many_requests" {
				t.Errorf("call %d: %v", n, err)
			}
		})
	}
	now, wrong = now.Add(time.Hour), true
	for range middleware.FailureRate.Burst {
		if err := call(); connect.CodeOf(err) != connect.CodeUnauthenticated {
			t.Fatalf("a wrong key: %v", err)
		}
	}
	if err := call(); connect.CodeOf(err) != connect.CodeResourceExhausted {
		t.Errorf("who guesses keys: %v", err)
	}
	wrong = false
	if err := call(); connect.CodeOf(err) != connect.CodeInvalidArgument {
		t.Errorf("a right key from where others guess: %v", err)
	}
}
