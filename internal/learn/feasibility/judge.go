package feasibility

import (
	"bytes"
	"cmp"
	"fmt"
	"net/url"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/text"
)

// ProbeAnswer is what a probe got.
type ProbeAnswer struct {
	Status      int
	ContentType string
	Body        []byte
}

// ProbeState is what an answer says of an API.
type ProbeState string

const (
	ProbeOpen   ProbeState = "open"   // it answers with data
	ProbeClosed ProbeState = "closed" // it is there, but not for us
	ProbeAbsent ProbeState = "absent"
)

// ProbeResult is what came of a probe.
type ProbeResult struct {
	Probe     Probe                `json:"probe"`
	State     ProbeState           `json:"state"`
	Status    int                  `json:"status"`
	Sentence  string               `json:"sentence"`
	Entities  int                  `json:"entities,omitempty"`
	Records   string               `json:"records,omitempty"` // JSON path to the list
	Schema    curlew.SchemaName    `json:"schema,omitempty"`
	Blueprint *blueprint.Blueprint `json:"blueprint,omitempty"`
	Next      *Probe               `json:"next,omitempty"`  // one more question that this answer leads to
	Total     int                  `json:"total,omitempty"` // how many there are, where the answer says
}

// Judge tells what an answer means. It never panics, whatever the answer.
func Judge(p Probe, a ProbeAnswer) ProbeResult {
	f := ProbeResult{Probe: p, Status: a.Status}
	switch {
	case closed(p, a):
		f.State = ProbeClosed
		f.Sentence = "it exists but is not open to the public"
		if said := message(a.Body); said != "" {
			f.Sentence += ": “" + said + "”"
		}
		return f
	case a.Status < 200 || a.Status > 299 && !graphRefusal(p, a):
		f.State, f.Sentence = ProbeAbsent, fmt.Sprintf("nothing there (status %d)", a.Status)
		return f
	}
	switch p.Kind {
	case EndpointFeed, EndpointCalendar:
		return f.feed(a)
	case EndpointGraphQL:
		return f.graph(a)
	case EndpointREST:
		return f.directory(a)
	}
	return f.list(a)
}

func closed(p Probe, a ProbeAnswer) bool {
	if a.Status == 401 || a.Status == 403 || a.Status == 402 || a.Status == 407 {
		return !htmlAnswer(a) || p.CMS != "" && a.Status == 401
	}
	if a.Status == 404 || htmlAnswer(a) {
		return false
	}
	said := strings.ToLower(text.CutBytes(string(a.Body[:min(len(a.Body), 4000)]), 4000))
	if a.Status < 300 && !strings.Contains(said, `"errors"`) && !strings.Contains(said, `"code"`) {
		return false
	}
	return endpointWords().Of("closed").In(said)
}

// htmlAnswer is a page for people, which sites send in place of a plain no.
func htmlAnswer(a ProbeAnswer) bool {
	start := bytes.TrimSpace(a.Body[:min(len(a.Body), 200)])
	return strings.Contains(a.ContentType, "html") || bytes.HasPrefix(start, []byte("<!")) ||
		bytes.HasPrefix(bytes.ToLower(start), []byte("<html"))
}

// graphRefusal is a GraphQL error, which proves that an endpoint is there.
func graphRefusal(p Probe, a ProbeAnswer) bool {
	return p.Kind == EndpointGraphQL && a.Status >= 400 && a.Status < 500 && tellsErrors(a)
}

func tellsErrors(a ProbeAnswer) bool {
	return bytes.Contains(a.Body[:min(len(a.Body), 4000)], []byte(`"errors"`))
}

// feed counts what a feed holds; reading it is for read/feeds.
func (f ProbeResult) feed(a ProbeAnswer) ProbeResult {
	body := a.Body[:min(len(a.Body), 4<<20)]
	switch {
	case bytes.Contains(body[:min(len(body), 2000)], []byte("BEGIN:VCALENDAR")):
		f.Entities = bytes.Count(body, []byte("BEGIN:VEVENT"))
		f.Schema = curlew.SchemaEvent
	case bytes.Contains(body, []byte("<rss")), bytes.Contains(body, []byte("<rdf:RDF")):
		f.Entities = bytes.Count(body, []byte("<item>")) + bytes.Count(body, []byte("<item "))
		f.Schema = curlew.SchemaArticle
	case bytes.Contains(body, []byte("<feed")):
		f.Entities = bytes.Count(body, []byte("<entry"))
		f.Schema = curlew.SchemaArticle
	case bytes.Contains(body[:min(len(body), 1000)], []byte("jsonfeed.org")):
		return f.list(a)
	default:
		f.State, f.Sentence = ProbeAbsent, "the answer is no feed"
		return f
	}
	f.State = ProbeOpen
	f.Sentence = fmt.Sprintf("open, with %s", text.Plural(f.Entities, "entry", "entries"))
	return f
}

// list reads an answer that should hold a list of objects.
func (f ProbeResult) list(a ProbeAnswer) ProbeResult {
	found, ok := largestList(a.Body)
	if !ok || htmlAnswer(a) {
		f.State, f.Sentence = ProbeAbsent, "the answer holds no list"
		if _, isJSON := decode(a.Body); isJSON && !htmlAnswer(a) {
			f.State, f.Sentence = ProbeOpen, "open, with nothing in it at present"
		}
		return f
	}
	f.State, f.Entities, f.Records = ProbeOpen, len(found.objects), found.path
	f.Sentence = fmt.Sprintf("open, with %s at %s", text.Plural(f.Entities, "object", "objects"), found.path)
	f.recognise(a.Body)
	return f
}

// directory reads an answer that lists what else can be asked.
func (f ProbeResult) directory(a ProbeAnswer) ProbeResult {
	value, ok := decode(a.Body)
	if !ok || htmlAnswer(a) {
		f.State, f.Sentence = ProbeAbsent, "the answer is no directory of an API"
		return f
	}
	f.State, f.Sentence = ProbeOpen, "open: a directory of what can be asked"
	best, score := "", 0
	for _, l := range listed(value, f.Probe.URL) {
		if points := l.points(); points > score && f.mayAsk(l) {
			best, score = l.address, points
		}
	}
	if best != "" {
		f.Next = &Probe{Method: "GET", URL: best, Kind: EndpointJSON, CMS: f.Probe.CMS, Headers: map[string]string{"Accept": "application/json"},
			Purpose: "a list that the directory names", Expect: "JSON with a list"}
	}
	return f
}

// listing is an address that the directory of an API names.
type listing struct{ name, address string }

// listed are the routes of WordPress and the links of Drupal's JSON:API in a directory.
func listed(value any, root string) []listing {
	var all []listing
	routes, _ := member(value, "routes").(map[string]any)
	for i, name := range sortedKeys(routes) {
		if i < 2000 && strings.Count(name, "/") >= 3 {
			all = append(all, listing{name, strings.TrimSuffix(root, "/") + name})
		}
	}
	links, _ := member(value, "links").(map[string]any)
	for i, name := range sortedKeys(links) {
		if i < 2000 && strings.HasPrefix(name, "node--") {
			all = append(all, listing{name, cmp.Or(asText(links[name]), asText(member(links[name], "href")))})
		}
	}
	return all
}

// points is how much the name of a listing promises.
func (l listing) points() int {
	points := worth(l.name)
	if points > 0 {
		points += worth(l.name[strings.LastIndexAny(l.name, "/-")+1:])
	}
	for _, word := range endpointWords().Of("entity list").Words {
		if strings.Contains(strings.ToLower(l.name), word) {
			points += 2
		}
	}
	return points
}

// mayAsk says whether a listing is on the same site and needs no values filled in.
func (f ProbeResult) mayAsk(l listing) bool {
	u, err := url.Parse(l.address)
	here, _ := url.Parse(f.Probe.URL)
	if err != nil || here == nil {
		return false
	}
	return text.SameSite(u.Hostname(), here.Hostname()) && !strings.ContainsAny(l.name, "(?<") && !noise(u)
}

// graph reads the answer of a GraphQL endpoint: a schema leads to a query, a query
// to a list.
func (f ProbeResult) graph(a ProbeAnswer) ProbeResult {
	if f.Probe.Step == graphRead {
		return f.list(a)
	}
	if schema, ok := parseSchema(a.Body); ok {
		f.State, f.Sentence = ProbeOpen, "open: it describes itself"
		if plan, ok := schema.plan(); ok {
			next := plan.probe(f.Probe.URL)
			f.Next = &next
			f.Sentence += ", and lists “" + plan.field + "”"
		} else {
			f.Sentence += ", but no list in it looks like entities"
		}
		return f
	}
	if !graphRefusal(f.Probe, a) && (htmlAnswer(a) || !tellsErrors(a)) {
		f.State, f.Sentence = ProbeAbsent, "the answer is not GraphQL"
		return f
	}
	f.State, f.Sentence = ProbeClosed, "GraphQL is there, but does not describe itself"
	if f.Probe.Query != "" {
		f.Sentence += "; the page's own query can be tried"
		plan := graphPlan{query: f.Probe.Query, field: "the page's own query"}
		next := plan.probe(f.Probe.URL)
		f.Next = &next
	}
	return f
}
