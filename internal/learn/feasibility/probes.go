package feasibility

import (
	_ "embed" // tables
	"net/url"
	"strings"
)

// Probe is one polite question to a site: a request worth making before any page
// is scraped. Probes read and never write.
type Probe struct {
	Method  string            `json:"method"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers,omitempty"`
	Body    string            `json:"body,omitempty"`
	Kind    EndpointKind      `json:"kind"`
	Purpose string            `json:"purpose"` // why it is asked
	Expect  string            `json:"expect"`  // what an open API looks like
	CMS     string            `json:"cms,omitempty"`
	Query   string            `json:"query,omitempty"` // GraphQL: what the page itself asks
	Step    graphStep         `json:"step,omitempty"`  // GraphQL: how far the conversation has come
}

// maxProbes bounds what a site is asked.
const maxProbes = 8

// publication is where software publishes its data for others.
type publication struct {
	CMS     string       `json:"cms"`
	Method  string       `json:"method"`
	Path    string       `json:"path"` // from the root of the site; "?" adds to the page itself
	Kind    EndpointKind `json:"kind"`
	Purpose string       `json:"purpose"`
	Expect  string       `json:"expect"`
}

//go:embed tables/probes.json
var probesFile []byte

// publications are the well-known addresses, most useful first.
var publications = table[publication](probesFile)

// Probes lists the requests worth making, best first, at most eight. Ask with the
// politeness of any other request: robots.txt and the host's pace apply.
func Probes(p Snapshot, software []CMS, endpoints []Endpoint) []Probe {
	var all []Probe
	seen := map[string]bool{}
	add := func(q Probe) {
		if key := q.Method + " " + q.URL; q.URL != "" && !seen[key] && len(all) < maxProbes {
			seen[key] = true
			all = append(all, q)
		}
	}
	best := strongEndpoints(endpoints)
	for _, e := range best[:min(len(best), 3)] {
		add(probeOf(e))
	}
	for _, d := range publications() {
		for _, c := range software {
			if c.Name == d.CMS {
				add(d.probe(p))
			}
		}
	}
	for _, e := range best[min(len(best), 3):] {
		add(probeOf(e))
	}
	return all
}

// Redundant says whether a question is answered already: another probe of the same
// path found data.
func Redundant(p Probe, findings []ProbeResult) bool {
	u, err := url.Parse(p.URL)
	if err != nil {
		return true
	}
	for _, f := range findings {
		other, err := url.Parse(f.Probe.URL)
		if err == nil && samePlace(other, u) && f.Probe.Body == p.Body {
			return true
		}
	}
	return false
}

// samePlace compares addresses by host and path.
func samePlace(a, b *url.URL) bool {
	return a.Host == b.Host && strings.TrimSuffix(a.Path, "/") == strings.TrimSuffix(b.Path, "/")
}

// strongEndpoints are those that may be asked: no search services with keys.
func strongEndpoints(endpoints []Endpoint) []Endpoint {
	var kept []Endpoint
	for _, e := range endpoints {
		if e.Kind != EndpointSearch && e.Score >= 5 && (e.Method == "GET" || e.Kind == EndpointGraphQL) {
			kept = append(kept, e)
		}
	}
	return kept
}

func probeOf(e Endpoint) Probe {
	q := Probe{Method: e.Method, URL: e.URL, Kind: e.Kind, Expect: "JSON with a list"}
	q.Purpose = "data that the page itself refers to (" + e.Found + ")"
	switch e.Kind {
	case EndpointGraphQL:
		q = introspect(e.URL)
		q.Query = e.Query
	case EndpointFeed:
		q.Expect = "RSS, Atom or JSON Feed"
	case EndpointCalendar:
		q.Expect = "iCalendar"
	}
	return q
}

func (d publication) probe(p Snapshot) Probe {
	page := p.Document.URL()
	var target url.URL
	if rest, ok := strings.CutPrefix(d.Path, "?"); ok {
		target = *page
		target.RawQuery = rest
	} else {
		reference, err := url.Parse(d.Path)
		if err != nil {
			return Probe{}
		}
		target = *page.ResolveReference(reference)
	}
	target.Fragment, target.User = "", nil
	q := Probe{Method: d.Method, URL: target.String(), Kind: d.Kind, Purpose: d.Purpose, Expect: d.Expect, CMS: d.CMS}
	if d.Kind == EndpointGraphQL {
		graph := introspect(q.URL)
		q.Body, q.Headers, q.Step = graph.Body, graph.Headers, graph.Step
	}
	if q.Kind != EndpointFeed && q.Kind != EndpointCalendar && q.Headers == nil {
		q.Headers = map[string]string{"Accept": "application/json"}
	}
	return q
}
