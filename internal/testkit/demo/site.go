package demo

import (
	"net/http"
	"time"

	"curlew/internal/curlew"
)

// site is one believable website. What is true (tale) is apart from what it
// looks like (paths): an answer is a pure function of a scene and a request.
type site interface {
	card() card
	tale() tale
	paths() []path
}

// sites is every site there is, in the order in which people meet them. A new
// site is one file, one template folder and one line here.
func sites() []site {
	return []site{
		concerts{},
		shop{},
		council{},
		community{},
		theatre{},
		festival{},
		gallery{},
		jobs{},
		news{},
		ngo{},
		conference{},
		spa{},
		trap{},
		blog{},
		menu{},
		rude{},
	}
}

// card is what is fixed about a site.
type card struct {
	name   string
	title  string
	schema curlew.SchemaName // empty: nothing here is an entity
	shows  string            // one sentence
	home   string            // the page to begin with; empty means "/"
	lang   string
	zone   string // of the times it shows

	listed   []string // the fields that its list pages show
	detailed []string // the fields that only its detail pages or endpoints show

	designs  int
	sections []string // the words of its menu

	robots     string // its rules for every agent, after "User-agent: *"
	sitemap    bool   // it has a plain /sitemap.xml
	server     string // the Server header
	gzip       bool   // it compresses when asked
	validators bool   // it sends ETag and Last-Modified and honours them
	charset    string // empty: UTF-8
}

// shown is what the site really shows of a thing.
func (c card) shown(t thing, base string) curlew.Values {
	all := t.values(base)
	shown := curlew.Values{}
	for _, fields := range [][]string{c.listed, c.detailed} {
		for _, name := range fields {
			if value, ok := all[name]; ok {
				shown[name] = value
			}
		}
	}
	return shown
}

// location is the time zone of a site; a card with a wrong name is a mistake
// of ours that every test finds.
func (c card) location() *time.Location {
	if c.zone == "" {
		return time.UTC
	}
	return zone(c.zone)
}

// path is one address pattern, as http.ServeMux reads it, and its answer.
type path struct {
	pattern string
	answer  answer
}

type answer func(s scene, r *http.Request) page

// page is one answer before it goes on the wire.
type page struct {
	status   int // 0 means 200
	kind     string
	body     []byte
	header   map[string]string
	modified time.Time // zero: not said
	// stream, if set, writes the answer itself. It must end when the request's
	// context does.
	stream func(w http.ResponseWriter, r *http.Request)
}
