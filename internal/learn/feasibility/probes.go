package feasibility

import (
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
	Expect  string            `json:"expect"`  // what an open door looks like
	CMS     string            `json:"cms,omitempty"`
	Query   string            `json:"query,omitempty"` // GraphQL: what the page itself asks
	Step    graphStep         `json:"step,omitempty"`  // GraphQL: how far the conversation has come
}

// maxProbes bounds what a site is asked.
const maxProbes = 8

// door is where a CMS keeps its data for others.
type door struct {
	cms     string
	method  string
	path    string // from the root of the site; "?" adds to the page itself
	kind    EndpointKind
	purpose string
	expect  string
}

// doors are the well-known addresses, most useful first.
var doors = []door{
	{"The Events Calendar", "GET", "/wp-json/tribe/events/v1/events?per_page=50", EndpointJSON, "events as The Events Calendar publishes them", "a JSON object with a list “events”"},
	{"Modern Events Calendar", "GET", "/wp-json/wp/v2/mec-events?per_page=100", EndpointJSON, "events as posts", "a JSON list of posts"},
	{"Localist", "GET", "/api/2/events?pp=100&days=90", EndpointJSON, "events as Localist publishes them", "a JSON object with a list “events”"},
	{"Shopify", "GET", "/products.json?limit=250", EndpointJSON, "products as Shopify publishes them", "a JSON object with a list “products”"},
	{"WooCommerce", "GET", "/wp-json/wc/store/v1/products?per_page=100", EndpointJSON, "products of the public store API", "a JSON list of products"},
	{"Squarespace", "GET", "?format=json", EndpointJSON, "the page as data", "a JSON object with “items” or “upcoming”"},
	{"Drupal", "GET", "/jsonapi", EndpointREST, "the list of public resources", "a JSON object with “links”"},
	{"Craft CMS", "POST", "/api", EndpointGraphQL, "whether a public GraphQL schema is open", "an answer with “data”"},
	{"Craft CMS", "POST", "/actions/graphql/api", EndpointGraphQL, "whether a public GraphQL schema is open", "an answer with “data”"},
	{"Statamic", "POST", "/graphql", EndpointGraphQL, "whether GraphQL is open", "an answer with “data”"},
	{"Statamic", "GET", "/api/collections", EndpointREST, "whether the content API is open", "a JSON object with “data”"},
	{"Magento", "POST", "/graphql", EndpointGraphQL, "products by GraphQL", "an answer with “data”"},
	{"Strapi", "POST", "/graphql", EndpointGraphQL, "whether GraphQL is open", "an answer with “data”"},
	{"WordPress", "GET", "/wp-json/wp/v2/posts?per_page=50&_embed=1", EndpointJSON, "posts as WordPress publishes them", "a JSON list of posts"},
	{"WordPress", "GET", "/wp-json/", EndpointREST, "what else WordPress publishes", "a JSON object with “routes”"},
	{"Discourse", "GET", "/latest.json", EndpointJSON, "topics as data", "a JSON object with “topic_list”"},
	{"Ghost", "GET", "/ghost/api/content/posts/", EndpointJSON, "whether the content API is open", "a JSON object with “posts”"},
	{"Joomla", "GET", "/api/index.php/v1/content/articles", EndpointJSON, "whether the web services are open", "a JSON object with “data”"},
	{"Gatsby", "GET", "/page-data/index/page-data.json", EndpointJSON, "the data behind the page", "a JSON object with “result”"},
	{"Blogger", "GET", "/feeds/posts/default?alt=json&max-results=100", EndpointJSON, "posts as Blogger publishes them", "a JSON object with “feed”"},
}

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
	for _, d := range doors {
		for _, c := range software {
			if c.Name == d.cms {
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
		if err == nil && other.Host == u.Host && strings.TrimSuffix(other.Path, "/") == strings.TrimSuffix(u.Path, "/") && f.Probe.Body == p.Body {
			return true
		}
	}
	return false
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
	q := Probe{Method: e.Method, URL: e.URL, Kind: e.Kind, Purpose: "data that the page itself refers to (" + e.Found + ")", Expect: "JSON with a list"}
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

func (d door) probe(p Snapshot) Probe {
	page := p.Document.URL()
	var target url.URL
	if rest, ok := strings.CutPrefix(d.path, "?"); ok {
		target = *page
		target.RawQuery = rest
	} else {
		reference, err := url.Parse(d.path)
		if err != nil {
			return Probe{}
		}
		target = *page.ResolveReference(reference)
	}
	target.Fragment, target.User = "", nil
	q := Probe{Method: d.method, URL: target.String(), Kind: d.kind, Purpose: d.purpose, Expect: d.expect, CMS: d.cms}
	if d.kind == EndpointGraphQL {
		graph := introspect(q.URL)
		q.Body, q.Headers, q.Step = graph.Body, graph.Headers, graph.Step
	}
	if q.Kind != EndpointFeed && q.Kind != EndpointCalendar && q.Headers == nil {
		q.Headers = map[string]string{"Accept": "application/json"}
	}
	return q
}
