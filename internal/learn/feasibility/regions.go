package feasibility

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"

	"curlew/internal/read/dom"
	"curlew/internal/read/regions"
	"curlew/internal/text"
	"curlew/internal/text/dates"
	"curlew/internal/text/money"
)

// Region is a list on a page with what its records have.
type ListSummary struct {
	Path    string // the selector of the records
	N       int
	Links   []string // of the records, for reading some of them
	Dates   []time.Time
	traits  traits
	texts   []string
	rank    int // among the lists of the page, by structure; 0 is the main one
	score   float64
	regular float64 // share of records that have a title and a typed value
}

// Bounds of the look: a list with more records is sampled.
const (
	maxRegions   = 24
	maxSampled   = 24
	maxRecord    = 1500 // bytes of a record's text that are looked at
	fewestInList = 3
)

// regionReader looks at the lists of a page.
type regionReader struct {
	doc  *dom.Document
	when dates.Options
}

// regionsOf are the lists of a page, those first whose records have most typed
// values: what a list is, segment says; whether it is worth reading, its records do.
func regionsOf(d *dom.Document, when dates.Options) []ListSummary {
	r := regionReader{doc: d, when: when}
	var all []ListSummary
	around := map[*html.Node]bool{}
	for _, found := range regions.Regions(d, regions.Options{Dates: when, Most: maxRegions}) {
		if holdsList(found, around) {
			continue
		}
		region, ok := r.read(found)
		if !ok {
			continue
		}
		region.rank = len(all)
		all = append(all, region)
		for n := found.Records[0].Nodes[0].Parent; n != nil; n = n.Parent {
			around[n] = true
		}
	}
	slices.SortStableFunc(all, func(a, b ListSummary) int { return cmp.Compare(b.score, a.score) })
	return all
}

// holdsList says whether a record holds a better list: then it is a part of the
// page's layout.
func holdsList(found regions.Region, around map[*html.Node]bool) bool {
	return slices.ContainsFunc(found.Records, func(r regions.ListRecord) bool {
		return slices.ContainsFunc(r.Nodes, func(n *html.Node) bool { return around[n] })
	})
}

// read looks at the records of a list.
func (r regionReader) read(found regions.Region) (ListSummary, bool) {
	region := ListSummary{Path: found.Selector.CSS, N: len(found.Records)}
	step := max(1, len(found.Records)/maxSampled)
	var records []map[trait]bool
	distinct := map[string]bool{}
	long := 0
	for i := 0; i < len(found.Records) && len(records) < maxSampled; i += step {
		words := text.CutBytes(text.Collapse(text.CutBytes(found.Records[i].Text, 2*maxRecord)), maxRecord)
		if words == "" {
			continue
		}
		distinct[words] = true
		record := r.recordTraits(found, i, words, &region)
		if len(words) > 600 && !record[hasDate] && !record[hasPrice] {
			long++
		}
		records = append(records, record)
		region.texts = append(region.texts, text.CutBytes(words, 300))
	}
	if len(records) < fewestInList || len(distinct)*2 < len(records) {
		return ListSummary{}, false
	}
	region.traits = tallyTraits(records)
	region.traits.n = region.N
	region.traits.long = float64(long) / float64(len(records))
	if found.Kind == regions.Rows && headed(found.Records[len(found.Records)-1].Nodes[0]) {
		region.traits.share[hasPlace] = 1
	}
	region.weigh(records)
	return region, region.score > 0
}

// weigh scores a region: many records with typed values and titles beat few.
func (g *ListSummary) weigh(records []map[trait]bool) {
	full := 0
	for _, r := range records {
		typed := r[hasDate] || r[hasTime] || r[hasPrice] || r[hasPhone]
		if r[hasTitle] && (typed || r[hasPlace] && r[hasLink]) {
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
	clockTime = regexp.MustCompile(`\b(?:[01]?[0-9]|2[0-3])(?::|\s?[hH]\s?|\.)[0-5][0-9]\b|` +
		`\b(?:1[0-2]|[1-9])\s?[ap]\.?m\b|\b[0-9]{1,2}\s?h\b`)
	phoneText  = regexp.MustCompile(`(?:\+|\b0|\()[0-9][0-9 ()/.-]{6,}[0-9]`)
	hasDigits  = regexp.MustCompile(`[0-9]`)
	placeNames = regexp.MustCompile(`(?i)venue|location|place|address|where|city|town|room|hall|stage|lieu|salle|luogo|lugar|miejsce|` +
		`sted|ort\b|plaats|^ou$|adresse|locality|sala|spazio|citta|ciudad`)
	nameClass = regexp.MustCompile(`(?i)title|name|heading|headline|summary|titre|titel|titolo`)
)

// recordTraits looks at one record.
func (r regionReader) recordTraits(found regions.Region, i int, words string, region *ListSummary) map[trait]bool {
	t := r.textTraits(words, region)
	if found.Kind == regions.Lines || found.Kind == regions.Paragraphs {
		return t // their elements hold the other lines as well
	}
	seen := 0
	for _, n := range found.Records[i].Nodes {
		if n.Type == html.ElementNode {
			r.elementTraits(n, t, region)
		}
		for c := range n.Descendants() {
			if seen++; seen > 80 {
				return t
			}
			if c.Type == html.ElementNode {
				r.elementTraits(c, t, region)
			}
		}
	}
	return t
}

// textTraits looks at what a record says.
func (r regionReader) textTraits(words string, region *ListSummary) map[trait]bool {
	t := map[trait]bool{}
	rest := len(words)
	if hasDigits.MatchString(words) {
		found := dates.Find(text.CutBytes(words, 500), r.when)
		if len(found) > 0 {
			t[hasDate] = true
			t[hasTime] = found[0].TimeKnown
			region.Dates = append(region.Dates, found[0].Start)
			for _, f := range found {
				rest -= f.End - f.Begin
			}
		}
		t[hasTime] = t[hasTime] || clockTime.MatchString(words)
		t[hasPrice] = len(money.Find(text.CutBytes(words, 500))) > 0
		t[hasPhone] = !t[hasDate] && phoneText.MatchString(words)
	}
	t[hasTitle] = rest > 8 // more than a date: "March 2026" is a heading
	return t
}

func (r regionReader) elementTraits(c *html.Node, t map[trait]bool, region *ListSummary) {
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
		if c.Type == html.ElementNode && c.Data == "th" && placeNames.MatchString(text.CutBytes(dom.Line(c), 60)) {
			return true
		}
	}
	return false
}
