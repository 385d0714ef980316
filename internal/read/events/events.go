package events

import (
	"maps"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text/dates"
	"golang.org/x/net/html"
)

// Options are what the page does not say itself.
type Options struct {
	Now   time.Time // the day the page was read; zero leaves dates without a year to headings and neighbours
	Lang  string    // "en" or "en-US"; "" means unknown
	Since time.Time // entries that end before are left out; zero keeps all
	Until time.Time // entries that begin after are left out; zero keeps all
}

// shape is what one entry is made of.
type shape int

const (
	shapeNode  shape = iota // an element: a list entry, a card, a row
	shapeGroup              // an element and the siblings after it
	shapeLines              // a line, parted by br
)

// entry is one dated entry on its way to a draft.
type entry struct {
	date    *date
	node    *html.Node // the element it stands in, or begins with
	span    span       // its lines
	begin   int        // where its text begins in the first line
	end     int        // where its text ends in the last line; 0 means at its end
	shape   shape
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
	cellSpans  map[*html.Node]cellSpan
	heads      map[*html.Node][]string
	headWords  map[string][]string // see wordsOf
	timings    map[timing]timed
	countsTo24 *bool               // some time of the page is written on 24 hours; nil until it is asked for
	lettered   *bool               // see pricedByLetter; nil until it is asked for
	persons    map[string][]string // see people
	named      *bool               // most entries have a line of names; nil until it is asked for
}

// Read finds the dated entries of a page; there may be none. The page keeps the
// reading: learning asks for the same one several times.
func Read(d *dom.Document, o Options) []curlew.Draft {
	drafts := slices.Clone(d.Kept(o, func() any { return read(d, o) }).([]curlew.Draft))
	for i := range drafts { // callers complete and rename fields
		drafts[i].Fields, drafts[i].Provenance = maps.Clone(drafts[i].Fields), maps.Clone(drafts[i].Provenance)
	}
	return drafts
}

func read(d *dom.Document, o Options) []curlew.Draft {
	if d.IsJSON() || len(d.Body()) == 0 {
		return nil
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
