package events

import (
	"maps"
	"slices"
	"time"

	"golang.org/x/net/html"

	"curlew/internal/curlew"
	"curlew/internal/read/dom"
	"curlew/internal/text/dates"
)

// Options are what the page does not say itself.
type Options struct {
	Now   time.Time      // the day the page was read; zero leaves dates without a year to headings and neighbours
	Lang  string         // "en" or "en-US"; "" means unknown
	Zone  *time.Location // of the times on the page; nil means unknown
	Since time.Time      // entries that end before are left out; zero keeps all
	Until time.Time      // entries that begin after are left out; zero keeps all
}

// EventList is the dated entries of a page and how the page is built.
type EventList struct {
	Drafts     []curlew.Draft
	Structure  Structure
	Confidence float64 // that these are entries at all
}

// Structure says where the entries stand, for whoever writes a blueprint.
type Structure struct {
	Regions []EntryList
	Clock   Sentence // the one time for all entries that have none, with the sentence that says so
	Place   Sentence // the same for the place
}

// Sentence is a part of the page that holds for all entries.
type Sentence struct {
	Value string
	Node  string // path of the element
	Text  string
}

// Shape is what one entry is made of, in the words of blueprints.
type Shape string

const (
	ShapeNode  Shape = ""      // an element: a list entry, a card, a row
	ShapeGroup Shape = "group" // an element and the siblings after it
	ShapeLines Shape = "lines" // a line, parted by br
)

// EntryList is a run of entries of the same shape in one container.
type EntryList struct {
	Container string   // path of the element that holds all entries
	Nodes     []string // path of each entry's element, in order
	Shape     Shape
	Starts    string // of groups: CSS of the first node of an entry, from the container; of nodes: of the entry
	Until     string // of groups: what ends the last one
	Fields    map[string]FieldSource
}

// FieldOrigin is where a field of a region comes from.
type FieldOrigin string

const (
	OriginRecord  FieldOrigin = "record"  // inside the entry
	OriginHeading FieldOrigin = "heading" // from a heading above
	OriginPage    FieldOrigin = "page"    // the same for all
)

// FieldSource is where most entries of a region have a field from.
type FieldSource struct {
	Origin FieldOrigin
	Path   string // relative path of elements from the entry, "" for the entry itself; absolute for headings and the page
	Column string // heading of the column that it stands in, if any
	Share  float64
}

// entry is one dated entry on its way to a draft.
type entry struct {
	date    *date
	node    *html.Node // the element it stands in, or begins with
	span    span       // its lines
	begin   int        // where its text begins in the first line
	end     int        // where its text ends in the last line; 0 means at its end
	shape   Shape
	also    []*date // other mentions of the same day
	clock   *clock  // a time of its own that is not part of the date
	title   named
	own     *clock // of the entry or of a double, not of its date
	doubles []*entry
}

// reader is one reading of a page.
type reader struct {
	*page
	o          Options
	lang       string
	primary    string // the language without its region
	order      dates.Order
	dates      []*date
	at         []int // the index of the first date at or after each line
	contexts   []context
	headings   []heading
	entries    []*entry
	rules      []*date // recurrences
	habit      habit
	standing   standing
	confidence float64
	unitMakes  map[string]int // how many entries stand in elements of each make
	naming     map[*html.Node]int
	spots      map[*html.Node]spot
	heads      map[*html.Node][]string
	headWords  map[string][]string // see wordsOf
	timings    map[timing]timed
	countsTo24 *bool               // some time of the page is written on 24 hours; nil until it is asked for
	persons    map[string][]string // see people
	named      *bool               // most entries have a line of names; nil until it is asked for
}

// Read finds the dated entries of a page. It tells false when the page has none. The
// page keeps the reading: learning asks for the same one several times.
func Read(d *dom.Document, o Options) (EventList, bool) {
	kept := d.Kept(o, func() any {
		a, ok := read(d, o)
		return reading{a, ok}
	}).(reading)
	a := kept.list
	a.Drafts = slices.Clone(a.Drafts)
	for i := range a.Drafts { // callers complete and rename fields
		a.Drafts[i].Fields, a.Drafts[i].Provenance = maps.Clone(a.Drafts[i].Fields), maps.Clone(a.Drafts[i].Provenance)
	}
	return a, kept.found
}

// reading is what a page keeps of being read.
type reading struct {
	list  EventList
	found bool
}

func read(d *dom.Document, o Options) (EventList, bool) {
	if d.IsJSON() || len(d.Body()) == 0 {
		return EventList{}, false
	}
	r := &reader{page: readPage(d), o: o, lang: o.Lang}
	if r.lang == "" {
		r.lang = d.Lang()
	}
	r.title = pageTitle(d, r.page)
	r.findDates()
	r.findContexts()
	r.completeDays()
	r.resolveYears()
	r.dropStrays()
	r.joinRanges()
	r.cut()
	r.judge()
	r.drop()
	r.findStanding()
	if len(r.entries) == 0 {
		return r.recurring()
	}
	return r.result()
}
