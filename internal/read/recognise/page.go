package recognise

import (
	"cmp"
	"html"
	"reflect"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/structured"
	"github.com/curlew-data/curlew/internal/text"
)

// FromPage finds entities in the state of a page's scripts. It knows what the page
// itself shows as its title, and so which single object the page is about.
func FromPage(g *structured.Graph, doc *dom.Document) []Recognition {
	page := &evidence{titles: titlesOf(g, doc), doc: doc}
	var all []Recognition
	for i := range g.States {
		s := &g.States[i]
		all = append(all, fromJSON(s.Value, s.Name, page)...)
		if f, ok := aboutPage(s.Value, s.Name, page); ok {
			all = append(all, f)
		}
	}
	slices.SortStableFunc(all, func(a, b Recognition) int {
		if a.Main != b.Main {
			if a.Main {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.Confidence, a.Confidence)
	})
	return all
}

// titlesOf are the texts by which a page names itself, folded, with how much each
// counts. A document title is often followed by the name of the site, so that its
// parts count as well.
func titlesOf(g *structured.Graph, doc *dom.Document) map[string]float64 {
	titles := map[string]float64{}
	add := func(text string, share float64) {
		if text = titleKey(text); len(text) > 2 && titles[text] < share {
			titles[text] = share
		}
	}
	for _, item := range g.Items {
		for _, name := range []string{"og:title", "twitter:title", "title"} {
			if item.Syntax == structured.OpenGraph || item.Syntax == structured.Meta {
				for _, text := range item.Texts(name) {
					add(text, 0.9)
					parted := strings.NewReplacer(" - ", "|", " – ", "|", " — ", "|", " · ", "|", " » ", "|").Replace(text)
					parts := strings.FieldsFunc(parted, func(r rune) bool { return r == '|' })
					for i, part := range parts[:min(len(parts), 4)] {
						add(part, 0.8-0.1*float64(i))
					}
				}
			}
		}
	}
	for _, text := range doc.Headlines() {
		add(text, 1)
	}
	return titles
}

// titleKey makes titles comparable: their words, however they are written.
func titleKey(s string) string { return text.Phrase(html.UnescapeString(text.CutBytes(s, 400))) }

// mostObjects bounds the search for the object that a page is about.
const mostObjects = 100_000

// namedObject is an object whose title the page shows.
type namedObject struct {
	path   string
	keys   []string
	object map[string]any
	share  float64
	rich   float64
}

// aboutPage finds the object whose title is that of the page, wherever it stands:
// of several, the one that says most.
func aboutPage(value any, where string, page *evidence) (Recognition, bool) {
	s := &searching{titles: page.titles, seen: map[uintptr]bool{}}
	s.visit(value, "$", nil, 0)
	if len(s.found) == 0 {
		return Recognition{}, false
	}
	best := slices.MaxFunc(s.found, func(a, b namedObject) int {
		if c := cmp.Compare(a.share*a.rich, b.share*b.rich); c != 0 {
			return c
		}
		return cmp.Compare(b.path, a.path)
	})
	g := &group{path: best.path, keys: best.keys, nodes: []any{best.object}}
	c := judge(g, page)
	if c == nil {
		c = plainObject(g, page)
	}
	if c == nil {
		return Recognition{}, false
	}
	c.titleBy(page.titles)
	f := c.finding(where, nil)
	f.Main = true
	return f, true
}

// titleBy takes the value that the page shows as its title for the title.
func (c *candidate) titleBy(titles map[string]float64) {
	field := "title"
	if c.taken["name"] != nil {
		field = "name"
	}
	best := c.taken[field]
	share := 0.0
	for _, l := range c.profile.paths {
		if meansTitle(l.meaning) && l.depth == 0 && len(l.values) == 1 && titles[titleKey(l.values[0])] > share {
			best, share = l, titles[titleKey(l.values[0])]
		}
	}
	c.taken[field] = best
}

// plainObject takes an object of no known kind as an item, which needs no more than
// its title.
func plainObject(g *group, page *evidence) *candidate {
	c := &candidate{group: g, profile: profileOf(g), schema: curlew.SchemaItem, taken: map[string]*valuePath{}, shown: page}
	c.match()
	if c.title() == nil {
		return nil
	}
	c.weigh(false)
	c.confidence = max(c.confidence, 0.3)
	return c
}

type searching struct {
	titles map[string]float64
	found  []namedObject
	steps  int
	seen   map[uintptr]bool
	named  map[string]bool // keys that mean a title
}

// meansTitle says whether the words of a key name the record itself, whoever the
// title is for: "title", "seo title", "head title", but not "venue title".
func meansTitle(said string) bool {
	before, ok := strings.CutSuffix(said, "title")
	first, _, _ := strings.Cut(before, " ")
	return ok && (before == "" || strings.HasSuffix(before, " ")) && !titled().Has(first)
}

// names says whether a key means a title; keys repeat thousands of times.
func (s *searching) names(key string) bool {
	is, known := s.named[key]
	if !known {
		is = meansTitle(meaning([]string{key}))
		if s.named == nil {
			s.named = map[string]bool{}
		}
		s.named[key] = is
	}
	return is
}

func (s *searching) visit(value any, path string, keys []string, depth int) {
	if s.steps++; s.steps > mostObjects || depth > 40 {
		return
	}
	switch v := value.(type) {
	case []any:
		for i, e := range v {
			switch e.(type) {
			case map[string]any, []any:
				s.visit(e, path+"["+itoa(i)+"]", keys, depth+1)
			}
		}
	case map[string]any:
		at := reflect.ValueOf(v).Pointer()
		if s.seen[at] {
			return
		}
		s.seen[at] = true
		s.object(v, path, keys)
		for _, key := range sortedKeys(v) {
			switch v[key].(type) {
			case map[string]any, []any:
				s.visit(v[key], joinPath(path, key), append(keys[:len(keys):len(keys)], key), depth+1)
			}
		}
	}
}

// object keeps an object that is named like the page.
func (s *searching) object(o map[string]any, path string, keys []string) {
	best := 0.0
	for key, value := range o {
		if s.names(key) {
			best = max(best, s.titles[titleKey(formOf(value))])
		}
	}
	if best == 0 {
		return
	}
	s.found = append(s.found, namedObject{path, keys, o, best, richness(o)})
}

// formOf is a text, or the first of the forms in which it is given.
func formOf(value any) string {
	text, _ := value.(string)
	if inner, ok := value.(map[string]any); ok {
		for _, form := range []string{"rendered", "text", "plain", "value", "en", "default"} {
			if t, ok := inner[form].(string); ok {
				return t
			}
		}
	}
	return text
}

// richness is how much an object says: what the page is about says more than a
// link to it, a breadcrumb, or the tags of its head.
func richness(o map[string]any) float64 {
	score := 0.0
	for _, key := range sortedKeys(o) {
		switch v := o[key].(type) {
		case nil:
		case []any:
			score += min(float64(len(v)), 5) / 2
		case map[string]any:
			score += 1.5
		case string:
			score += min(float64(len(v)), 400)/200 + 0.5
		default:
			score += 0.5
		}
	}
	for _, key := range []string{"metaTitle", "robots", "ogTitle", "canonicalUrl", "breadcrumbs"} {
		if _, ok := o[key]; ok {
			score *= 0.9
		}
	}
	return score
}
