package feasibility

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html/charset"

	"curlew/internal/curlew"
	"curlew/internal/read/dom"
	"curlew/internal/testkit/demo"
)

// visitor asks the sample web in process, as the pipeline would over HTTP.
type visitor struct {
	t       *testing.T
	handler http.Handler
	asked   int
}

func (v *visitor) ask(method, address, body string, header map[string]string) (*http.Response, []byte) {
	v.t.Helper()
	for range 5 {
		v.asked++
		r := httptest.NewRequest(method, address, strings.NewReader(body))
		for name, value := range header {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		v.handler.ServeHTTP(w, r)
		answer := w.Result()
		if answer.StatusCode/100 == 3 {
			next, err := url.Parse(address)
			if err != nil {
				v.t.Fatal(err)
			}
			if next, err = next.Parse(answer.Header.Get("Location")); err != nil {
				v.t.Fatal(err)
			}
			address = next.String()
			continue
		}
		reader, err := charset.NewReader(bytes.NewReader(w.Body.Bytes()), answer.Header.Get("Content-Type"))
		if err != nil {
			return answer, nil
		}
		text, err := io.ReadAll(reader)
		if err != nil {
			v.t.Fatal(err)
		}
		return answer, text
	}
	v.t.Fatalf("%s redirects without end", address)
	return nil, nil
}

func (v *visitor) page(address string) Snapshot {
	answer, body := v.ask("GET", address, "", nil)
	return Snapshot{Document: dom.New(body, address), Header: answer.Header}
}

// assess does what the pipeline does: page, robots.txt, linked pages, scripts of an
// empty page, probes and what they lead to.
func (v *visitor) assess(address string, now time.Time) Report {
	first := v.page(address)
	_, robots := v.ask("GET", first.Document.Resolve("/robots.txt"), "", nil)
	first.Robots = string(robots)
	in := Input{URL: address, Pages: []Snapshot{first}, Robots: Robots{Allowed: true}, Now: now}
	for _, link := range LinksWorthReading(first.Document) {
		in.Pages = append(in.Pages, v.page(link))
	}
	if _, shell := scriptOnly(first.Document); shell {
		for _, src := range ScriptsWorthReading(first) {
			_, text := v.ask("GET", src, "", nil)
			in.Scripts = append(in.Scripts, string(text))
		}
	}
	probes := Probes(first, Recognise(first), Endpoints(first, in.Scripts...))
	for i := 0; i < len(probes) && i < 12; i++ {
		p := probes[i]
		answer, body := v.ask(p.Method, p.URL, p.Body, p.Headers)
		f := Judge(p, ProbeAnswer{Status: answer.StatusCode, ContentType: answer.Header.Get("Content-Type"), Body: body})
		in.Findings = append(in.Findings, f)
		if f.Next != nil && !Redundant(*f.Next, in.Findings) {
			probes = append(probes, *f.Next)
		}
	}
	return Assess(in)
}

// sampleTruth is what a person would say of each site.
var sampleTruth = map[string]struct {
	verdict GateOutcome
	schema  curlew.SchemaName
	tiers   []curlew.Tier // of which one must be the strategy
	reason  string
}{
	"concerts":   {Proceed, "event", []curlew.Tier{"structured"}, ""},
	"shop":       {Proceed, "product", []curlew.Tier{"structured", "html"}, ""},
	"council":    {Proceed, "event", []curlew.Tier{"html"}, ""},
	"community":  {Proceed, "event", []curlew.Tier{"api", "structured"}, ""},
	"theatre":    {Proceed, "event", []curlew.Tier{"bundle", "structured"}, ""},
	"festival":   {Proceed, "event", []curlew.Tier{"bundle"}, ""},
	"gallery":    {Proceed, "event", []curlew.Tier{"api"}, ""},
	"jobs":       {Proceed, "job", []curlew.Tier{"api", "structured"}, ""},
	"news":       {Proceed, "article", []curlew.Tier{"api", "structured"}, ""},
	"ngo":        {Proceed, "organization", []curlew.Tier{"structured", "html"}, ""},
	"conference": {Proceed, "event", []curlew.Tier{"html"}, ""},
	"spa":        {Proceed, "event", []curlew.Tier{"api"}, ""},
	"trap":       {Reject, "", nil, "never end"},
	"blog":       {Reject, "", nil, "running text"},
	"menu":       {Reject, "", nil, "too little to watch|Nothing on the page repeats"},
}

func TestTheSampleWebPassesTheGateOrIsTurnedDownForTheRightReason(t *testing.T) {
	web := demo.New(demo.Options{})
	control := web.Control()
	now := time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC)
	for design := 1; design <= 3; design++ {
		for _, site := range web.Sites() {
			want, known := sampleTruth[site.Name]
			if !known {
				continue
			}
			t.Run(site.Name, func(t *testing.T) {
				handler, err := web.Handler(site.Name)
				if err != nil {
					t.Fatal(err)
				}
				v := &visitor{t: t, handler: handler}
				got := v.assess(site.URL(), now)
				problem := got.Verdict != want.verdict || want.verdict == Proceed && got.Schema != want.schema || !regexp.MustCompile(want.reason).MatchString(got.Reason)
				if want.verdict == Proceed {
					fits := false
					for _, tier := range want.tiers {
						fits = fits || got.Strategy == tier
					}
					problem = problem || !fits
				}
				t.Logf("%s in design %d: %d, %s by %s (%v), %d entities: %s", site.Name, design, got.Score, got.Schema, got.Strategy, got.Alternatives, got.Entities, got.Reason)
				if v.asked > 20 {
					t.Errorf("asked %d times", v.asked)
				}
				if problem {
					t.Errorf("%s in design %d: %s, %s by %s, not %v\n%s", site.Name, design, got.Verdict, got.Schema, got.Strategy, want, got.Text(100))
				}
			})
		}
		for _, site := range web.Sites() {
			w := httptest.NewRecorder()
			control.ServeHTTP(w, httptest.NewRequest("POST", "/sites/"+site.Name+"/redesign", nil))
		}
	}
}
