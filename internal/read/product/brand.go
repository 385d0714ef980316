package product

import (
	"strings"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/wordlist"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// brand reads who makes the subject: behind a label, in an element that goes by the
// word, or as the first word of the name where the page links to it.
func (l *layout) brand(r *PageDraft, all []labelled) {
	if known := l.knownText("brand"); known != "" {
		l.tidyBrand(r, known)
		return
	}
	if l.brandBehindLabel(r, all) {
		return
	}
	for _, find := range []func(*PageDraft) bool{
		l.brandElement, l.brandInScripts, l.brandInAttributes, l.brandBelow, l.brandInTitle, l.brandInOffer,
	} {
		if find(r) {
			return
		}
	}
}

// makers are the labels of who made or published a thing, which is often a company
// whose name nobody knows it by: a label for the brand goes before.
var makers = wordlist.Named(words, "makers")

func (l *layout) brandBehindLabel(r *PageDraft, all []labelled) bool {
	var best labelled
	for _, f := range all {
		if f.kind != brandLabel || !f.apart || len(f.value) > 60 || brandName(f.value) == "" {
			continue
		}
		if l.nearness(f.node) < -5 || f.text == l.titleText {
			continue
		}
		if best.name == "" || makers().Has(best.name) && !makers().Has(f.name) {
			best = f
		}
	}
	if best.name == "" {
		return false
	}
	r.say("brand", brandName(best.value), l.evidence(best.node, "value behind the label "+best.name, best.text, 0.8))
	return true
}

// tidyBrand takes the label off a known brand: elements that carry the data of a
// page are sometimes drawn too wide.
func (l *layout) tidyBrand(r *PageDraft, known string) {
	head, name, found := strings.Cut(known, ":")
	if name = brandName(name); !found || name == "" {
		return
	}
	words := wordsOf(head)
	if len(words) > 0 && labelOnly(words[len(words)-1]) {
		r.insist("brand", name, l.evidence(nil, "the known brand without its label", known, 0.85))
	}
}

// brandName cleans what stands behind a label; "" for what can be no name.
func brandName(text string) string {
	text, _, _ = strings.Cut(text, "|")
	text, _, _ = strings.Cut(text, "\t")
	text = strings.Trim(text, " :,.;®™\u00a0")
	if by, name, found := strings.Cut(text, " "); found && strings.EqualFold(by, "by") {
		text = name
	}
	if utf8.RuneCountInString(text) < 2 || len(wordsOf(text)) == 0 || len(wordsOf(text)) > 5 || strings.ContainsAny(text, ":?!") {
		return ""
	}
	if strings.Trim(text, "0123456789.,-/ ") == "" {
		return ""
	}
	return text
}

// brandElement takes a short text or a picture near the title whose names say that
// it is the brand.
func (l *layout) brandElement(r *PageDraft) bool {
	if l.title == nil {
		return false
	}
	for n := range l.doc.Tree().Descendants() {
		if !l.showsBrand(n) || l.away(n, l.title) > 400 || l.aside(n) {
			continue
		}
		text := lineOrAlt(n)
		name := brandName(text)
		if name == "" || labelOnly(name) || l.otherName(name) {
			continue
		}
		r.say("brand", name, l.evidence(n, "element named brand near the heading", text, 0.75))
		return true
	}
	return false
}

// showsBrand tells a small element whose names say that it is the brand.
func (l *layout) showsBrand(n *html.Node) bool {
	if n.Type != html.ElementNode || n.DataAtom == atom.Body || n.DataAtom == atom.Html {
		return false
	}
	return !l.ranges[n].hidden && l.measure(n) <= 40 && l.namesBrand(n)
}

// otherName tells the name of the subject itself, and that of the site where the name
// of the subject does not begin with it.
func (l *layout) otherName(name string) bool {
	title, folded := text.Letters(l.titleText), text.Letters(name)
	return folded == title || l.isSite(name) && !strings.HasPrefix(title, folded)
}

// lineOrAlt is the text of an element, or what its pictures say.
func lineOrAlt(n *html.Node) string {
	if text := dom.Line(n); text != "" {
		return text
	}
	return dom.Alt(n)
}

// labelOnly tells a text that is itself a label.
func labelOnly(text string) bool {
	for _, name := range words().Of(labelLists[brandLabel]).Words {
		if strings.EqualFold(strings.TrimSpace(text), name) {
			return true
		}
	}
	return false
}

// isSite says whether a name is that of the site.
func (l *layout) isSite(name string) bool {
	folded := text.Letters(name)
	if folded == "" {
		return false
	}
	host := text.Letters(strings.TrimPrefix(l.doc.URL().Hostname(), "www."))
	return strings.HasPrefix(host, folded) || text.Letters(l.doc.Meta("og:site_name")) == folded
}

// brandInTitle takes the first words of the name where a link of the page has just
// these for its text: shops link from a product to the others of its maker.
func (l *layout) brandInTitle(r *PageDraft) bool {
	if l.titleText == "" || l.title == nil {
		return false
	}
	var best *html.Node
	name := ""
	for i, n := range l.clicks {
		if i >= mostClicks || n.DataAtom != atom.A || l.measure(n) > 30 {
			continue
		}
		text := lineOrAlt(n)
		if len(text) <= len(name) || !beginsTitle(text, l.titleText) {
			continue
		}
		about := l.namesBrand(n) || l.away(n, l.title) < 100 && !l.aside(n)
		if about && brandName(text) != "" {
			best, name = n, brandName(text)
		}
	}
	if best == nil {
		return false
	}
	r.say("brand", name, l.evidence(best, "a link with the first words of the name", name, 0.6))
	return true
}

// beginsTitle tells one to three words with which a longer title begins.
func beginsTitle(text, title string) bool {
	rest, ok := strings.CutPrefix(strings.ToLower(title), strings.ToLower(text))
	return ok && len(text) >= 3 && strings.HasPrefix(rest, " ") && len(wordsOf(text)) <= 3
}

// brandInScripts takes the brand that the scripts of the page tell its analytics,
// where the name of the subject holds it too.
func (l *layout) brandInScripts(r *PageDraft) bool {
	counts := map[string]int{}
	var names []string
	for _, script := range l.doc.Scripts() {
		if len(script.Text) > mostScript {
			continue
		}
		for _, name := range brandMembers(script.Text) {
			if counts[name]++; counts[name] == 1 {
				names = append(names, name)
			}
		}
	}
	title := spaced(l.titleText)
	best, most := "", 0
	for _, name := range names {
		shown := strings.Contains(title, spaced(name))
		if shown && counts[name] > most {
			best, most = name, counts[name]
		}
	}
	if best == "" {
		return false // brands of other products, or the shop's own name
	}
	r.say("brand", best, l.evidence(nil, "brand in the data for analytics", best, 0.7))
	return true
}

// brandMembers are the texts of members that are called brand.
func brandMembers(script string) []string {
	var all []string
	for from := 0; len(all) < 500; {
		at := strings.Index(script[from:], "rand")
		if at < 0 {
			break
		}
		from += at + len("rand")
		rest := strings.TrimLeft(script[from:min(len(script), from+90)], "\\\"'Nname_ ")
		rest, ok := strings.CutPrefix(rest, ":")
		rest = strings.TrimLeft(rest, " \\")
		if !ok || rest == "" || rest[0] != '"' && rest[0] != '\'' {
			continue
		}
		if end := strings.IndexAny(rest[1:], rest[:1]+"\\"); end > 0 && utf8.ValidString(rest[1:end+1]) {
			if name := brandName(rest[1 : end+1]); name != "" {
				all = append(all, name)
			}
		}
	}
	return all
}
