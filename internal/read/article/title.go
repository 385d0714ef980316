package article

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
)

// value is what was found for a field, with its evidence.
type value struct {
	text     string
	evidence curlew.Evidence
}

// candidate is one place of the page that may say the title.
type candidate struct {
	text   string
	weight float64
	value
}

const maxTitle = 400 // runes; longer is no title

// readTitle chooses the title that most places of the page agree on, and of the
// ways in which they write it the one that readers see.
func (p *page) readTitle() value {
	sites := append(p.siteNames(), p.closingNames()...)
	var all []candidate
	add := func(s string, weight float64, tier curlew.Tier, rule, node string) {
		raw := text.Collapse(text.CutBytes(s, 4*maxTitle))
		clean := withoutDate(withoutSite(raw, sites))
		if n := utf8.RuneCountInString(clean); n < 2 || n > maxTitle || isSite(clean, sites) {
			return
		}
		all = append(all, candidate{clean, weight, value{clean, curlew.Evidence{Tier: tier, Rule: rule, Node: node, Text: raw}}})
	}
	heads := p.visibleHeads()
	for i, n := range heads {
		line, weight := dom.Line(n), 1.1
		// one word is as often a label
		if len(wordsOf(line)) < 2 && (p.title == nil || !strings.HasPrefix(strings.TrimSpace(rawText(p.title)), line)) {
			weight = 0.7
		}
		add(line, weight/(1+0.5*float64(min(i, 4))), curlew.TierHTML, "h1", dom.Path(n))
	}
	for _, item := range p.about {
		if hasType(item, articleTypes) {
			add(first(itemText(item, "headline"), itemText(item, "name")), 1, curlew.TierStructured, string(item.Syntax)+" headline", item.Node)
			break
		}
	}
	for _, m := range []struct {
		name   string
		weight float64
	}{{"og:title", 0.9}, {"twitter:title", 0.5}, {"citation_title", 0.6}, {"dc.title", 0.4}, {"title", 0.3}, {"parsely-title", 0.4},
		{"sailthru.title", 0.4}, {"headline", 0.4}} {
		if found, ok := p.first(m.name); ok {
			add(found.content, m.weight, curlew.TierStructured, "meta "+m.name, dom.Path(found.node))
		}
	}
	if p.title != nil {
		add(rawText(p.title), 0.8, curlew.TierHTML, "title", dom.Path(p.title))
	}
	return p.asShown(agree(all), all, len(heads))
}

// asShown prefers the page's one headline to what was written for search engines,
// if both are about the same, and the headline of its data to one with a kicker.
func (p *page) asShown(chosen value, all []candidate, heads int) value {
	if heads != 1 || len(all) == 0 || all[0].evidence.Rule != "h1" {
		return chosen
	}
	head, other := wordsOf(all[0].text), wordsOf(chosen.text)
	if len(head) < 3 || shared(head, other)*5 < min(len(head), len(other))*2 {
		return chosen
	}
	if len(other) >= 3 && len(other) < len(head) && slices.Equal(head[:len(other)], other) {
		return chosen // the headline holds more: a date, a section
	}
	best := all[0].value
	for _, c := range all[1:] {
		if w := wordsOf(c.text); strings.HasSuffix(c.evidence.Rule, "headline") && len(w) >= 3 && len(w) < len(head) &&
			slices.Equal(head[len(head)-len(w):], w) {
			best = c.value
		}
	}
	best.evidence.Confidence = max(chosen.evidence.Confidence, 0.6)
	return best
}

// shared is how many words two texts have in common.
func shared(a, b []string) int {
	count := map[string]int{}
	for _, w := range a {
		count[w]++
	}
	both := 0
	for _, w := range b {
		if count[w] > 0 {
			count[w]--
			both++
		}
	}
	return both
}

// agree is the first candidate of the group that agrees most.
func agree(all []candidate) value {
	best, most := -1, 0.0
	for i := range all {
		sum := 0.0
		for k := range all {
			sum += all[k].weight * alike(all[i].text, all[k].text)
		}
		if sum > most+1e-9 {
			best, most = i, sum
		}
	}
	if best < 0 {
		return value{}
	}
	chosen := all[best].value
	chosen.evidence.Confidence = min(1, most/3)
	for _, c := range all {
		if alike(c.text, chosen.text) < 0.5 && len(chosen.evidence.Rivals) < 3 {
			chosen.evidence.Rivals = append(chosen.evidence.Rivals, curlew.Rival{Value: c.text, Tier: c.evidence.Tier, Rule: c.evidence.Rule})
		}
	}
	return chosen
}

// alike is the share of words that two titles have in common, 0 when it is small.
func alike(a, b string) float64 {
	x, y := wordsOf(a), wordsOf(b)
	both := shared(x, y)
	either := len(x) + len(y) - both
	if either == 0 || both*2 < either {
		return 0
	}
	return float64(both) / float64(either)
}

// visibleHeads are the h1 elements that may be a title: shown, and not the logo.
func (p *page) visibleHeads() []*html.Node {
	var heads []*html.Node
	for _, n := range p.heads {
		if len(heads) >= 10 {
			break
		}
		if dom.Hidden(n) || inSide(n) || dom.Line(n) == "" {
			continue
		}
		heads = append(heads, n)
	}
	return heads
}

func inSide(n *html.Node) bool {
	for range 6 {
		if n == nil || n.Type != html.ElementNode {
			return false
		}
		switch n.Data {
		case "nav", "aside", "footer", "dialog", "form":
			return true
		}
		n = n.Parent
	}
	return false
}

// separators part the name of the site from a title.
var separators = text.Pattern(`\s+[|\-–—·•»«:/~›‹>]{1,2}\s+|\s*[|｜│»«]\s*|:\s+|\s+::\s+|_{1,2}`)

// ownNames are the names that the site gives itself, which no author bears. The
// publisher is not among them: a blog's is often the one who writes it.
func (p *page) ownNames() [][]string {
	var names [][]string
	for _, m := range p.metas {
		if m.name == "og:site_name" || m.name == "application-name" {
			if w := wordsOf(m.content); len(w) > 0 {
				names = append(names, w)
			}
		}
	}
	if u := p.doc.URL(); u != nil && u.Host != "" {
		names = append(names, wordsOf(strings.TrimPrefix(u.Hostname(), "www.")))
	}
	return names
}

// siteNames are what the site calls itself, in words.
func (p *page) siteNames() [][]string {
	var names [][]string
	add := func(name string) {
		if w := wordsOf(name); len(w) > 0 && len(w) < 9 {
			names = append(names, w)
		}
	}
	for _, m := range p.metas {
		switch m.name {
		case "og:site_name", "application-name", "apple-mobile-web-app-title", "twitter:site", "al:ios:app_name", "dc.publisher", "publisher",
			"cre", "citation_journal_title":
			add(strings.TrimPrefix(m.content, "@"))
		}
	}
	for _, s := range p.ask("publisher") {
		add(s.text)
	}
	for _, item := range reachable(p.graph) {
		if hasType(item, map[string]bool{"WebSite": true, "NewsMediaOrganization": true}) {
			add(itemText(item, "name"))
		}
	}
	if u := p.doc.URL(); u != nil {
		host := strings.TrimPrefix(u.Hostname(), "www.")
		add(host)
		for label := range strings.SplitSeq(host, ".") {
			if len(label) > 3 {
				add(label)
			}
		}
	}
	return names
}

// closingNames are headlines that close the page's title ("Apple pie | Our kitchen"
// over the headline "Our kitchen"): they name the site, not the page.
func (p *page) closingNames() [][]string {
	if p.title == nil {
		return nil
	}
	full := text.Collapse(rawText(p.title))
	cuts := separators().FindAllStringIndex(full, 12)
	if len(cuts) == 0 {
		return nil
	}
	cut := cuts[len(cuts)-1]
	tail := wordsOf(full[cut[1]:])
	if len(tail) >= len(wordsOf(full[:cut[0]])) {
		return nil
	}
	card, _ := p.first("og:title")
	for _, n := range p.visibleHeads() {
		if w := wordsOf(dom.Line(n)); len(w) > 0 && slices.Equal(w, tail) && shared(w, wordsOf(card.content)) < len(w) {
			return [][]string{tail}
		}
	}
	return nil
}

// withoutDate takes a date off the beginning of a title: "08.11.2021 | Conference".
func withoutDate(title string) string {
	cut := separators().FindStringIndex(title)
	if cut == nil || cut[0] == 0 {
		return title
	}
	if dateStamp().MatchString(title[:cut[0]]) && len(wordsOf(title[cut[1]:])) >= 2 {
		return strings.TrimSpace(title[cut[1]:])
	}
	return title
}

var dateStamp = text.Pattern(`^\s*\d{1,4}[./-]\d{1,2}[./-]\d{2,4}\s*$`)

// isSite says whether a text is no more than the name of the site.
func isSite(text string, sites [][]string) bool {
	joined := strings.Join(wordsOf(text), "")
	if joined == "" {
		return true
	}
	for _, site := range sites {
		name := strings.Join(site, "")
		if joined == name || len(name) > 5 && len(joined) <= len(name)+4 && strings.Contains(joined, name) ||
			len(joined) > 5 && strings.Contains(name, joined) {
			return true
		}
	}
	return false
}

// withoutSite takes the site's name off either end of a title.
func withoutSite(title string, sites [][]string) string {
	for range 3 {
		cuts := separators().FindAllStringIndex(title, 12)
		if len(cuts) == 0 {
			return title
		}
		last := cuts[len(cuts)-1]
		if tail := title[last[1]:]; isSite(tail, sites) && strings.TrimSpace(title[:last[0]]) != "" {
			title = strings.TrimSpace(title[:last[0]])
			continue
		}
		if head := title[:cuts[0][0]]; isSite(head, sites) && strings.TrimSpace(title[cuts[0][1]:]) != "" {
			title = strings.TrimSpace(title[cuts[0][1]:])
			continue
		}
		return title
	}
	return title
}

func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// rawText is the text of an element whose content the parser keeps as it is.
func rawText(n *html.Node) string {
	if n.FirstChild != nil && n.FirstChild.Type == html.TextNode {
		return text.CutBytes(n.FirstChild.Data, 4*maxTitle)
	}
	return ""
}
