package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/demo"
)

// reader is a person with a terminal and the sample web in reach.
type reader struct {
	*testing.T
	web   *demo.Web
	data  string
	ports string
}

func newReader(t *testing.T) *reader {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	web := demo.New(demo.Options{})
	if err := web.Start(ctx, demo.Addresses{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cancel(); web.Wait() })
	r := &reader{T: t, web: web, data: filepath.Join(t.TempDir(), "data")}
	var ports []string
	for _, s := range web.Sites() {
		u, _ := url.Parse(s.URL())
		ports = append(ports, u.Port())
	}
	r.ports = strings.Join(ports, ",")
	return r
}

func (r *reader) site(name string) string {
	r.Helper()
	s, err := r.web.Site(name)
	if err != nil {
		r.Fatal(err)
	}
	return s.URL()
}

// curlew runs a command line; loopback is allowed unless environ says otherwise.
func (r *reader) curlew(ctx context.Context, args ...string) (code int, out, complaint string) {
	r.Helper()
	return r.curlewWith(ctx, []string{"CURLEW_EGRESS_ALLOW=127.0.0.0/8", "CURLEW_EGRESS_PORTS=" + r.ports, "CURLEW_FETCH_BROWSER=off"}, args...)
}

func (r *reader) curlewWith(ctx context.Context, environ []string, args ...string) (code int, out, complaint string) {
	r.Helper()
	var stdout, stderr bytes.Buffer
	code = Main(append(args, "--data", r.data), Environment{Context: ctx, In: strings.NewReader(""), Out: &stdout, Err: &stderr, Environ: environ})
	return code, stdout.String(), stderr.String()
}

func TestFetchSaysWhatCameOfIt(t *testing.T) {
	r := newReader(t)
	code, out, complaint := r.curlew(t.Context(), "fetch", r.site("shop"))
	if code != 0 || !strings.Contains(out, "outcome    fetched") || !strings.Contains(out, "allowed (robots.txt: status 200") || !strings.Contains(out, ".warc.gz:") {
		t.Fatalf("exit %d\n%s%s", code, out, complaint)
	}
	if _, out, _ = r.curlew(t.Context(), "fetch", r.site("shop")); !strings.Contains(out, "not modified") {
		t.Errorf("the second time:\n%s", out)
	}
	code, shown, complaint := r.curlew(t.Context(), "fetch", "--show", r.site("shop"))
	if code != 0 || !strings.Contains(shown, "<html") {
		t.Errorf("the archived page: exit %d %s %.200s", code, complaint, shown)
	}
	if code, _, complaint := r.curlew(t.Context(), "fetch", "--show", r.site("jobs")); code != 1 || !strings.Contains(complaint, "archived page of") {
		t.Errorf("a page that was never read: exit %d %s", code, complaint)
	}
	var reports []app.ArchivedFetch
	_, out, _ = r.curlew(t.Context(), "fetch", "--json", r.site("council"))
	if err := json.Unmarshal([]byte(out), &reports); err != nil || len(reports) != 1 || reports[0].Page.Charset != "windows-1252" {
		t.Errorf("%v: %s", err, out)
	}
}

func TestFetchRefusesBeforeAPacketIsSent(t *testing.T) {
	r := newReader(t)
	code, _, complaint := r.curlewWith(t.Context(), nil, "fetch", r.site("shop"))
	if code != exitRefused || !strings.Contains(complaint, "egress.") {
		t.Errorf("loopback without an allowance: exit %d %s", code, complaint)
	}
	code, _, complaint = r.curlewWith(t.Context(), nil, "fetch", "https://example.org/")
	if code != exitRefused || !strings.Contains(complaint, "CURLEW_CONTACT") {
		t.Errorf("the public web without a contact: exit %d %s", code, complaint)
	}
	code, _, complaint = r.curlew(t.Context(), "fetch", "--delay", "0s", "https://198.51.100.1/")
	if code != exitRefused {
		t.Errorf("hurrying elsewhere: exit %d %s", code, complaint)
	}
}

func TestACrawlOfAnEndlessSiteEndsExactlyAtItsBudget(t *testing.T) {
	r := newReader(t)
	out := filepath.Join(t.TempDir(), "pages.jsonl")
	code, text, complaint := r.curlew(t.Context(), "crawl", r.site("trap"), "--max-pages", "77", "--delay", "0s", "--out", out)
	if code != 0 || !strings.Contains(text, "scraped=77") {
		t.Fatalf("exit %d: %s%s", code, text, complaint)
	}
	written, err := os.ReadFile(out)
	if err != nil || bytes.Count(written, []byte("\n")) != 77 {
		t.Errorf("%d pages written, %v", bytes.Count(written, []byte("\n")), err)
	}
	if code, text, _ := r.curlew(t.Context(), "fsck", "--archive=-1"); code != 0 {
		t.Errorf("fsck: %s", text)
	}
}

func TestACrawlGoesOnWhereItWasInterrupted(t *testing.T) {
	r := newReader(t)
	handler, err := demo.New(demo.Options{}).Handler("ngo") // its links name the host of the request
	if err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	var requests atomic.Int64
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if requests.Add(1) == 12 { // the crawl is well under way, and far from its end
			interrupt()
		}
		handler.ServeHTTP(w, q)
	}))
	defer site.Close()
	r.ports += site.URL[strings.LastIndex(site.URL, ":"):]
	r.ports = strings.Replace(r.ports, ":", ",", 1)
	begin := []string{"crawl", site.URL + "/", "--sitemap", "--depth", "1", "--delay", "0s", "--json", "--concurrency", "1"}
	code, _, complaint := r.curlew(ctx, begin...)
	if code != 1 || !strings.Contains(complaint, "run the same command again") {
		t.Fatalf("interrupted: exit %d %s", code, complaint)
	}
	code, out, complaint := r.curlew(t.Context(), begin...)
	var run curlew.Run
	if err := json.Unmarshal([]byte(out), &run); err != nil || code != 0 || run.State != curlew.RunSucceeded {
		t.Fatalf("exit %d, %v: %s%s", code, err, out, complaint)
	}
	_, list, _ := r.curlew(t.Context(), "runs", "list", "--json")
	var runs []curlew.Run
	if err := json.Unmarshal([]byte(list), &runs); err != nil || len(runs) != 1 {
		t.Errorf("%d runs, %v", len(runs), err)
	}
	records, _ := r.web.Truth("ngo")
	if parsed := run.Counters[curlew.CountParsed]; parsed < int64(len(records)) {
		t.Errorf("%d pages were read, but there are %d chapters", parsed, len(records))
	}
}

func TestACrawlFailsWhenItsDiscoveryDoes(t *testing.T) {
	r := newReader(t)
	code, _, complaint := r.curlew(t.Context(), "crawl", r.site("ngo"), "--sitemap", "--min-urls", "5000", "--delay", "0s")
	if code != 1 || !strings.Contains(complaint, "fewer than the floor of 5000") {
		t.Errorf("the floor: exit %d %s", code, complaint)
	}
	code, _, complaint = r.curlew(t.Context(), "crawl", "nonsense")
	if code != exitUsage || !strings.Contains(complaint, "is not an address") {
		t.Errorf("no address: exit %d %s", code, complaint)
	}
}

func TestACrawlKeepsToItsDayBudget(t *testing.T) {
	r := newReader(t)
	environ := []string{"CURLEW_EGRESS_ALLOW=127.0.0.0/8", "CURLEW_EGRESS_PORTS=" + r.ports, "CURLEW_FETCH_BROWSER=off", "CURLEW_FETCH_PER_SOURCE_DAY=5"}
	code, out, complaint := r.curlewWith(t.Context(), environ, "crawl", r.site("trap"), "--max-pages", "50", "--delay", "0s")
	if code != exitRefused || !strings.Contains(complaint, "has used its budget of 5 requests") {
		t.Fatalf("exit %d: %s%s", code, out, complaint)
	}
	_, list, _ := r.curlew(t.Context(), "runs", "list", "--json")
	var runs []curlew.Run
	if err := json.Unmarshal([]byte(list), &runs); err != nil || len(runs) != 1 || runs[0].Counters[curlew.CountScraped] != 5 {
		t.Errorf("what was read before the budget ended is kept: %v %s", err, list)
	}
}

// The second time everything is remembered, which must not stand in for finding
// it: neither for the floor nor for what is no longer listed.
func TestWhatIsRememberedIsNotFound(t *testing.T) {
	r := newReader(t)
	args := []string{"crawl", r.site("ngo"), "--sitemap", "--depth", "1", "--delay", "0s", "--json"}
	code, out, complaint := r.curlew(t.Context(), args...)
	if code != 0 {
		t.Fatalf("exit %d: %s%s", code, out, complaint)
	}
	code, _, complaint = r.curlew(t.Context(), "crawl", r.site("ngo"), "--depth", "1", "--delay", "0s", "--min-urls", "30")
	if code != 1 || !strings.Contains(complaint, "fewer than the floor of 30") {
		t.Errorf("without its sitemap: exit %d %s", code, complaint)
	}
	gone := 0
	for range 10 { // days, until a chapter closes
		if err := r.web.Advance("ngo"); err != nil {
			t.Fatal(err)
		}
		changes, _ := r.web.Changes("ngo", 0)
		for _, c := range changes {
			if c.Kind == curlew.EntityDisappeared {
				gone++
			}
		}
		if gone > 0 {
			break
		}
	}
	_, out, complaint = r.curlew(t.Context(), args...)
	var run curlew.Run
	if err := json.Unmarshal([]byte(out), &run); err != nil {
		t.Fatalf("%v: %s%s", err, out, complaint)
	}
	if _, log, _ := r.curlew(t.Context(), "runs", "log", string(run.ID)); !strings.Contains(log, "orphan: ") {
		t.Errorf("%d chapters closed, but none is an orphan:\n%s", gone, log)
	}
}
