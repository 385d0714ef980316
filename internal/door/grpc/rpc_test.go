package grpc

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"connectrpc.com/connect"

	"curlew/internal/curlew"
	"curlew/internal/door/grpc/blueprintv1"
	"curlew/internal/door/throttle"
	"curlew/internal/web/fetch"
)

// office is a gate and a house of one org; what it does is up to the test.
type office struct {
	Backend
	fetch  func(ctx context.Context) (*fetch.Capture, error)
	wrong  atomic.Bool
	record func(operation, thing string)
}

func (o *office) Caller(r *http.Request) (Caller, error) {
	if o.wrong.Load() {
		return Caller{}, curlew.Refused("unauthenticated", "send a key")
	}
	return Caller{Org: curlew.OrgID(r.Header.Get("Org")), Subject: "key", May: true, Record: func(_ context.Context, operation, thing string) error {
		if o.record != nil {
			o.record(operation, thing)
		}
		return nil
	}}, nil
}

func (o *office) Open(Caller) Backend { return o }

func (o *office) Fetch(ctx context.Context, _ string, _ bool) (*fetch.Capture, error) {
	return o.fetch(ctx)
}

func (o *office) serve(t *testing.T, options Options) func(org string) error {
	t.Helper()
	options.Gate, options.House = o, o
	if options.Rate.Burst == 0 {
		options.Rate = throttle.Rate{PerSecond: 1e6, Burst: 1e6}
	}
	mux := http.NewServeMux()
	Serve(options)(mux)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	client := blueprintv1.NewBlueprintServiceClient(server.Client(), server.URL)
	return func(org string) error {
		request := connect.NewRequest(&blueprintv1.FetchHTMLRequest{Url: "https://example.org/"})
		request.Header().Set("Org", org)
		_, err := client.FetchHTML(t.Context(), request)
		return err
	}
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

func page() (*fetch.Capture, error) {
	return &fetch.Capture{Page: curlew.Page{Outcome: curlew.OutcomeFetched, Status: 200}, Body: []byte("<p>x</p>")}, nil
}

func TestFaultsBecomeCodes(t *testing.T) {
	o := &office{}
	call := o.serve(t, Options{})
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
		{invalid{"/url", "wrong"}, connect.CodeInvalidArgument, "bad_request"},
		{errors.New("password of the database"), connect.CodeInternal, "unexpected"},
	} {
		o.fetch = func(context.Context) (*fetch.Capture, error) { return nil, x.err }
		err := call("acme")
		if connect.CodeOf(err) != x.code || codeIn(t, err) != x.told || strings.Contains(err.Error(), "password") {
			t.Errorf("%v became %v", x.err, err)
		}
	}
	o.fetch = func(context.Context) (*fetch.Capture, error) { panic("of a reader") }
	if err := call("acme"); connect.CodeOf(err) != connect.CodeInternal || strings.Contains(err.Error(), "reader") {
		t.Errorf("a panic became %v", err)
	}
}

func TestOneOrgDoesNotTakeAllSeats(t *testing.T) {
	begun, end := make(chan struct{}), make(chan struct{})
	o := &office{fetch: func(context.Context) (*fetch.Capture, error) {
		begun <- struct{}{}
		<-end
		return page()
	}}
	call := o.serve(t, Options{})
	done := make(chan error, seatsInAll)
	sit := func(org string, n int) {
		for range n {
			go func() { done <- call(org) }()
			<-begun
		}
	}
	sit("acme", seatsPerOrg)
	if err := call("acme"); connect.CodeOf(err) != connect.CodeResourceExhausted || codeIn(t, err) != "too_many_calls" {
		t.Errorf("one more of acme: %v", err)
	}
	for _, org := range []string{"birch", "cedar", "dogwood"} {
		sit(org, seatsPerOrg)
	}
	if err := call("elm"); connect.CodeOf(err) != connect.CodeUnavailable || codeIn(t, err) != "busy" {
		t.Errorf("one more of all: %v", err)
	}
	close(end)
	for range seatsInAll {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	o.fetch = func(context.Context) (*fetch.Capture, error) { return page() }
	if err := call("acme"); err != nil {
		t.Errorf("when the seats are left: %v", err)
	}
}

// Work that does not look at the clock keeps its seat, not its caller.
func TestTheCallerIsAnsweredInTime(t *testing.T) {
	end := make(chan struct{})
	defer close(end)
	o := &office{fetch: func(context.Context) (*fetch.Capture, error) { <-end; return page() }}
	call := o.serve(t, Options{Most: 50 * time.Millisecond})
	for range seatsPerOrg {
		if err := call("acme"); connect.CodeOf(err) != connect.CodeDeadlineExceeded || codeIn(t, err) != "deadline" {
			t.Errorf("told %v", err)
		}
	}
	if err := call("acme"); connect.CodeOf(err) != connect.CodeResourceExhausted {
		t.Errorf("while all of it goes on: %v", err)
	}
}

func TestCallsAreCountedAndRecorded(t *testing.T) {
	var log []string
	o := &office{fetch: func(context.Context) (*fetch.Capture, error) { return page() }, record: func(operation, thing string) { log = append(log, operation+" "+thing) }}
	now := time.Unix(0, 0)
	call := o.serve(t, Options{Rate: throttle.Rate{PerSecond: 1, Burst: 2}, Now: func() time.Time { return now }})
	for n := range 3 {
		err := call("acme")
		if n < 2 && err != nil || n == 2 && (connect.CodeOf(err) != connect.CodeResourceExhausted || codeIn(t, err) != "too_many_requests") {
			t.Errorf("call %d: %v", n, err)
		}
	}
	if len(log) != 2 || log[0] != "fetchHTML https://example.org/" {
		t.Errorf("recorded: %q", log)
	}
	now = now.Add(time.Hour)
	o.wrong.Store(true)
	for range failureRate.Burst {
		if err := call("acme"); connect.CodeOf(err) != connect.CodeUnauthenticated {
			t.Fatalf("a wrong key: %v", err)
		}
	}
	o.wrong.Store(false)
	if err := call("acme"); connect.CodeOf(err) != connect.CodeResourceExhausted {
		t.Errorf("who guesses keys: %v", err)
	}
}
