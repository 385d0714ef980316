package feasibility

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"

	"curlew/internal/curlew"
	"curlew/internal/read/dom"
	"curlew/internal/text"
	"curlew/internal/text/dates"
	"curlew/internal/text/money"
)

// postcode is the shape of a postal code with its town, or of a British or American
// code alone.
var postcode = regexp.MustCompile(`\b[0-9]{4,5}(?: ?[A-Z]{2})? \p{Lu}\p{L}+|\b[0-9]{3} [0-9]{2} \p{Lu}\p{L}+|\b[0-9]{2}-[0-9]{3} \p{Lu}|` +
	`\b[A-Z]{1,2}[0-9][0-9A-Z]? [0-9][A-Z]{2}\b|\b[A-Z]{2} [0-9]{5}\b`)

// readDetails looks at the pages that the records of a list lead to. What differs
// between two of them is about the record; what they share is the site.
func (v *view) readDetails(when dates.Options) {
	first := v.in.Pages[0].Document
	list, ok := linkedList(v.regions, first)
	if !ok {
		return
	}
	linked := map[string]bool{}
	for _, l := range list.Links {
		linked[loose(l)] = true
	}
	var pages []*dom.Document
	for _, p := range v.in.Pages[1:] {
		if linked[loose(p.Document.URL().String())] {
			pages = append(pages, p.Document)
		}
	}
	if len(pages) < 2 {
		return
	}
	v.details = tallyTraits([]map[trait]bool{detailTraits(pages[0], pages[1], when), detailTraits(pages[1], pages[0], when)})
	v.details.n = list.N
	if _, ok := find(v.formats, "html"); ok || list.N < fewestForProof {
		return
	}
	if full := min(v.details.share[hasTitle], v.details.most(hasDate, hasPrice, hasPhone, hasPlace)); full > 0 {
		f := DataFormat{Name: "html", Tier: curlew.TierHTML, Records: list.N, Complete: int(full * float64(list.N)),
			traits: v.details, Schema: guessSchema(v.details),
			Evidence: []string{"a list of " + text.Plural(list.N, "link", "links") + " to pages of one structure"}}
		v.home = append(v.home, f)
		v.formats = append(v.formats, f)
	}
}

// detailTraits looks at what one page has and its sibling has not.
func detailTraits(d, sibling *dom.Document, when dates.Options) map[trait]bool {
	shared := map[string]bool{}
	for _, b := range sibling.Blocks() {
		shared[b.Text] = true
	}
	t := map[trait]bool{hasLink: true}
	var own strings.Builder
	for _, b := range d.Blocks() {
		if shared[b.Text] || own.Len() > 8000 {
			continue
		}
		if b.Node != nil && b.Node.Type == html.ElementNode && (b.Node.Data == "h1" || b.Node.Data == "h2") {
			t[hasTitle] = true
		}
		own.WriteString(text.CutBytes(b.Text, 500) + "\n")
	}
	words := own.String()
	t[hasTitle] = t[hasTitle] || len(words) > 40
	if found := dates.Find(words, when); len(found) > 0 {
		t[hasDate] = true
	}
	t[hasPrice] = len(money.Find(words)) > 0
	t[hasPlace] = postcode.MatchString(words)
	t[hasPhone] = phoneText.MatchString(words)
	return t
}

// oneAddress says whether a page names one place for all that it lists.
func oneAddress(p Snapshot) bool {
	for n := range p.Document.Tree().Descendants() {
		if n.Type == html.ElementNode && n.Data == "address" {
			return true
		}
	}
	s := p.Document.Text()
	return postcode.MatchString(text.CutBytes(s, 200_000))
}
