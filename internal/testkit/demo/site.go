package demo

import (
	"net/http"
	"sync"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// site is one believable website. What is true (tale) is apart from what it
// looks like (paths): an answer is a pure function of a scene and a request.
type site struct {
	name  string // of its folder of templates, which has its card as well
	tale  tale   // zero: nothing happens there
	paths []path
}

// sites is every site there is, in the order in which people meet them. A new
// site is one file, one template folder and one line here.
func sites() []site {
	return []site{
		{"concerts", concertsTale(), concertsPaths()},
		{"shop", shopTale(), shopPaths()},
		{"council", councilTale(), councilPaths()},
		{"community", communityTale(), communityPaths()},
		{"theatre", theatreTale(), theatrePaths()},
		{"festival", festivalTale(), festivalPaths()},
		{"gallery", galleryTale(), galleryPaths()},
		{"jobs", jobsTale(), jobsPaths()},
		{"news", newsTale(), newsPaths()},
		{"ngo", ngoTale(), ngoPaths()},
		{"conference", conferenceTale(), conferencePaths()},
		{"spa", spaTale(), spaPaths()},
		{"trap", trapTale(), trapPaths()},
		{"blog", tale{}, blogPaths()},
		{"menu", tale{}, menuPaths()},
		{"rude", tale{}, rudePaths()},
	}
}

// card is what is fixed about a site: site.json in its folder of templates.
type card struct {
	Name   string
	Title  string
	Schema curlew.SchemaName // empty: nothing here is an entity
	Shows  string            // one sentence
	Home   string            // the page to begin with; empty means "/"
	Lang   string
	Zone   string // of the times it shows

	Listed   []string // the fields that its list pages show
	Detailed []string // the fields that only its detail pages or endpoints show

	Designs  int
	Sections []string // the words of its menu

	Robots     string // its rules for every agent, after "User-agent: *"
	Sitemap    bool   // it has a plain /sitemap.xml
	Server     string // the Server header
	Gzip       bool   // it compresses when asked
	Validators bool   // it sends ETag and Last-Modified and honours them
	Charset    string // empty: UTF-8

	Venues []venue
	Lists  map[string][]string // what its things are made of
}

var cards = sync.OnceValue(func() map[string]card {
	folders, err := templates.ReadDir("templates")
	if err != nil {
		panic(err)
	}
	all := map[string]card{}
	for _, folder := range folders {
		if name := folder.Name(); name != "chrome" {
			c := embedded[card](name + "/site.json")()
			c.Name = name
			all[name] = c
		}
	}
	return all
})

// names is a list that the things of a site are made of.
func names(site, list string) []string { return cards()[site].Lists[list] }

func venues(site string) []venue { return cards()[site].Venues }

// shown is what the site really shows of a thing.
func (c card) shown(t thing, base string) curlew.Values {
	all := t.values(base)
	shown := curlew.Values{}
	for _, fields := range [][]string{c.Listed, c.Detailed} {
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
	if c.Zone == "" {
		return time.UTC
	}
	return zone(c.Zone)
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
