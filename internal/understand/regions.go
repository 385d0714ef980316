package understand

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"

	"curlew/internal/dates"
	"curlew/internal/dom"
	"curlew/internal/money"
)

// Region is a part of a page in which the same structure repeats.
type Region struct {
	Path    string // tags and classes of the record
	N       int
	Links   []string // of the records, for reading some of them
	Dates   []time.Time
	traits  traits
	texts   []string
	score   float64
	regular float64 // share of records that have a title and a typed value
}

// Bounds of the search: a page with more is sampled.
const (
	maxRegions   = 40
	maxSampled   = 24
	maxRecord    = 1500 // bytes of a record's text that are looked at
	fewestInList = 3
)

// regionReader looks for repeated structures.
type regionReader struct {
	doc  *dom.Document
	when dates.Options
}

// regionsOf finds repeated structures with typed values, best first. It is a quick
// look, not the learning of a page.
func regionsOf(d *dom.Document, when dates.Options) []Region {
	r := regionReader{doc: d, when: when}
	var all []Region
	for _, group := range r.groups() {
		if region, ok := r.read(group); ok {
			all = append(all, region)
		}
	}
	all = append(all, r.lines()...)
	slices.SortStableFunc(all, func(a, b Region) int { return cmp.Compare(b.score, a.score) })
	return all
}

// group are the elements with one path of tags and classes.
type group struct {
	path  string
	nodes []*html.Node
}

// groups collects elements by their path, across different parents.
func (r regionReader) groups() []group {
	at := map[string]int{}
	var all []group
	var walk func(n *html.Node, path string, depth int)
	seen := 0
	walk = func(n *html.Node, path string, depth int) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type != html.ElementNode || depth > 60 || seen > 100_000 || frame(c) || dom.Hidden(c) {
				continue
			}
			seen++
			own := cut(path+"/"+c.Data+classKey(c), 600)
			if recordTag(c.Data) {
				i, ok := at[own]
				if !ok && len(all) < 20_000 {
					i = len(all)
					at[own] = i
					all = append(all, group{path: own})
					ok = true
				}
				if ok {
					all[i].nodes = append(all[i].nodes, c)
				}
			}
			walk(c, own, depth+1)
		}
	}
	walk(r.doc.Tree(), "", 0)
	all = slices.DeleteFunc(all, func(g group) bool { return len(g.nodes) < fewestInList })
	slices.SortStableFunc(all, func(a, b group) int { return cmp.Compare(len(b.nodes), len(a.nodes)) })
	return all[:min(len(all), maxRegions)]
}

func classKey(n *html.Node) string {
	classes := dom.Classes(n)
	if len(classes) == 0 {
		return ""
	}
	classes = slices.Clone(classes[:min(len(classes), 4)])
	slices.Sort(classes)
	return "." + strings.Join(classes, ".")
}

// frame are the parts of a page that surround its content.
func frame(n *html.Node) bool {
	switch n.Data {
	case "nav", "header", "footer", "script", "style", "noscript", "template", "svg", "form", "head", "iframe", "select":
		return n.Data != "header" || n.Parent == nil || n.Parent.Data == "body"
	}
	switch dom.Attr(n, "role") {
	case "navigation", "banner", "contentinfo", "dialog", "menu", "search":
		return true
	}
	return false
}

func recordTag(tag string) bool {
	switch tag {
	case "li", "tr", "div", "article", "section", "dt", "p", "a", "figure", "details", "h2", "h3", "h4", "tbody":
		return true
	}
	return false
}

// read looks at the records of a group.
func (r regionReader) read(g group) (Region, bool) {
	region := Region{Path: g.path, N: len(g.nodes)}
	step := max(1, len(g.nodes)/maxSampled)
	var records []map[trait]bool
	distinct := map[string]bool{}
	long := 0
	for i := 0; i < len(g.nodes) && len(records) < maxSampled; i += step {
		n := g.nodes[i]
		words := bounded(n, maxRecord)
		if dd := definition(n); n.Data == "dt" && dd != nil {
			words += " " + bounded(dd, maxRecord)
		}
		if words == "" {
			continue
		}
		distinct[words] = true
		record := r.recordTraits(n, words, &region)
		if len(words) > 600 && !record[hasDate] && !record[hasPrice] {
			long++
		}
		records = append(records, record)
		region.texts = append(region.texts, cut(words, 300))
	}
	if len(records) < fewestInList || len(distinct)*2 < len(records) {
		return Region{}, false
	}
	region.traits = tallyTraits(records)
	region.traits.n = region.N
	region.traits.long = float64(long) / float64(len(records))
	if headed(g.nodes[len(g.nodes)-1]) {
		region.traits.share[hasPlace] = 1
	}
	region.weigh(records)
	return region, region.score > 0
}

// weigh scores a region: many records with typed values and titles beat few.
func (g *Region) weigh(records []map[trait]bool) {
	full := 0
	for _, r := range records {
		if r[hasTitle] && (r[hasDate] || r[hasTime] || r[hasPrice] || r[hasPhone] || r[hasPlace] && r[hasLink]) {
			full++
		}
	}
	g.regular = float64(full) / float64(len(records))
	kinds := 0.0
	for _, t := range []trait{hasDate, hasTime, hasPrice, hasPlace, hasPhone} {
		kinds += g.traits.share[t]
	}
	for _, t := range []trait{hasLink, hasImage} {
		kinds += g.traits.share[t] / 3
	}
	g.score = float64(min(g.N, 40)) * (0.1 + g.regular) * (0.2 + kinds)
}

var (
	clockTime  = regexp.MustCompile(`\b(?:[01]?[0-9]|2[0-3])(?::|\s?[hH]\s?|\.)[0-5][0-9]\b|\b(?:1[0-2]|[1-9])\s?[ap]\.?m\b|\b[0-9]{1,2}\s?h\b`)
	phoneText  = regexp.MustCompile(`(?:\+|\b0|\()[0-9][0-9 ()/.-]{6,}[0-9]`)
	hasDigits  = regexp.MustCompile(`[0-9]`)
	placeNames = regexp.MustCompile(`(?i)venue|location|place|address|where|city|town|room|hall|stage|lieu|salle|luogo|lugar|miejsce|sted|ort\b|plaats|^ou$|adresse|locality|sala|spazio|citta|ciudad`)
	nameClass  = regexp.MustCompile(`(?i)title|name|heading|headline|summary|titre|titel|titolo`)
)

// recordTraits looks at one record.
func (r regionReader) recordTraits(n *html.Node, words string, region *Region) map[trait]bool {
	t := map[trait]bool{}
	rest := len(words)
	if hasDigits.MatchString(words) {
		found := dates.Find(cut(words, 500), r.when)
		if len(found) > 0 {
			t[hasDate] = true
			t[hasTime] = found[0].TimeKnown
			region.Dates = append(region.Dates, found[0].Start)
			for _, f := range found {
				rest -= f.End - f.Begin
			}
		}
		t[hasTime] = t[hasTime] || clockTime.MatchString(words)
		t[hasPrice] = len(money.Find(cut(words, 500))) > 0
		t[hasPhone] = !t[hasDate] && phoneText.MatchString(words)
	}
	t[hasTitle] = rest > 8 // more than a date: "March 2026" is a heading
	seen := 0
	for c := range n.Descendants() {
		if seen++; seen > 80 {
			break
		}
		if c.Type == html.ElementNode {
			r.elementTraits(c, t, region)
		}
	}
	if n.Data == "a" {
		r.elementTraits(n, t, region)
	}
	if n.Data == "dt" && definition(n) != nil {
		for c := range definition(n).Descendants() {
			if c.Type == html.ElementNode {
				r.elementTraits(c, t, region)
			}
		}
	}
	return t
}

func (r regionReader) elementTraits(c *html.Node, t map[trait]bool, region *Region) {
	switch c.Data {
	case "time":
		t[hasDate] = t[hasDate] || dom.Attr(c, "datetime") != ""
	case "img", "picture":
		t[hasImage] = true
	case "address":
		t[hasPlace] = true
	case "a":
		if href := r.doc.Resolve(dom.Attr(c, "href")); href != "" && !strings.HasPrefix(dom.Attr(c, "href"), "#") {
			t[hasLink] = true
			if len(region.Links) < 50 && !slices.Contains(region.Links, href) {
				region.Links = append(region.Links, href)
			}
		}
		if strings.HasPrefix(dom.Attr(c, "href"), "tel:") {
			t[hasPhone] = true
		}
	}
	names := dom.Attr(c, "class") + " " + dom.Attr(c, "itemprop")
	if names != " " && placeNames.MatchString(names) && !nameClass.MatchString(dom.Attr(c, "class")) {
		t[hasPlace] = true
	}
}

// bounded is the visible text of an element, up to a number of bytes.
func bounded(n *html.Node, most int) string {
	var out strings.Builder
	seen := 0
	for c := range n.Descendants() {
		if seen++; out.Len() > most || seen > 2000 {
			break
		}
		if c.Type != html.TextNode || c.Parent.Data == "script" || c.Parent.Data == "style" {
			continue
		}
		out.WriteString(cut(c.Data, most))
		out.WriteByte(' ')
	}
	return cut(strings.Join(strings.Fields(out.String()), " "), most)
}

// definition is the dd that follows a dt.
func definition(n *html.Node) *html.Node {
	for s := n.NextSibling; s != nil; s = s.NextSibling {
		if s.Type == html.ElementNode {
			if s.Data == "dd" {
				return s
			}
			return nil
		}
	}
	return nil
}

// headed says whether the table of a row has a column for the place.
func headed(row *html.Node) bool {
	table := row.Parent
	for table != nil && table.Data != "table" {
		table = table.Parent
	}
	if row.Data != "tr" || table == nil {
		return false
	}
	seen := 0
	for c := range table.Descendants() {
		if seen++; seen > 200 {
			return false
		}
		if c.Type == html.ElementNode && c.Data == "th" && placeNames.MatchString(bounded(c, 60)) {
			return true
		}
	}
	return false
}

// lines finds lists that are lines of paragraphs, as word processors make them: one
// paragraph for each month, or one for all. Paragraphs without any typed value,
// such as lists of links, are left out.
func (r regionReader) lines() []Region {
	byPath := map[string]*Region{}
	records := map[string][]map[trait]bool{}
	var order []string
	seen := 0
	for n := range r.doc.Tree().Descendants() {
		if n.Type != html.ElementNode || n.Data != "p" && n.Data != "td" && n.Data != "div" && n.Data != "font" || !brokenUp(n) {
			continue
		}
		if seen++; seen > 100 {
			break
		}
		path := tagPath(n)
		part := Region{Path: "lines of " + path}
		found := r.readLines(n, &part)
		if len(found) == 0 {
			continue
		}
		region, ok := byPath[path]
		if !ok {
			region = &Region{Path: part.Path}
			byPath[path] = region
			order = append(order, path)
		}
		region.N += part.N
		region.Dates = append(region.Dates, part.Dates...)
		region.texts = append(region.texts, part.texts...)
		records[path] = append(records[path], found...)
	}
	var all []Region
	for _, path := range order {
		if region := byPath[path]; len(records[path]) >= fewestInList {
			region.traits = tallyTraits(records[path])
			region.traits.n = region.N
			region.weigh(records[path])
			all = append(all, *region)
		}
	}
	return all
}

// readLines gives the records of one paragraph, none when half of them or more have
// no typed value.
func (r regionReader) readLines(n *html.Node, region *Region) []map[trait]bool {
	var records []map[trait]bool
	typed := 0
	for line := range strings.SplitSeq(cut(dom.Text(n), 20_000), "\n") {
		if line = strings.TrimSpace(line); len(line) < 6 {
			continue
		}
		region.N++
		if len(records) < maxSampled {
			record := r.recordTraits(&html.Node{}, line, region)
			records = append(records, record)
			region.texts = append(region.texts, cut(line, 300))
			if record[hasDate] || record[hasTime] || record[hasPrice] {
				typed++
			}
		}
	}
	if typed*2 <= len(records) {
		return nil
	}
	return records
}

func brokenUp(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && c.Data == "br" {
			return true
		}
	}
	return false
}

func tagPath(n *html.Node) string {
	var tags []string
	for ; n != nil && n.Type == html.ElementNode && len(tags) < 60; n = n.Parent {
		tags = append(tags, n.Data+classKey(n))
	}
	slices.Reverse(tags)
	return "/" + strings.Join(tags, "/")
}
