package llmblueprint

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/quality"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"github.com/curlew-data/curlew/internal/text/language"
	"golang.org/x/net/html"
)

// ground is what a page can be held to: what it shows, what its attributes say, and
// where its links lead.
type ground struct {
	page       *page
	pageText   *quality.PageText
	shown      string          // in lower case, white space collapsed
	attributes string          // likewise, each between line ends
	addresses  map[string]bool // absolute
	asked      map[query]bool
}

// query is a value that the page was asked about; lists repeat many.
type query struct {
	value  string
	kind   curlew.FieldType
	pieces int
}

func newGround(p *page) *ground {
	return &ground{page: p, pageText: quality.NewPageText(p.doc, dates.Options{Now: p.now, Lang: language.Primary(p.lang)})}
}

// mostAttributes bounds the bytes of attributes that are looked through.
const mostAttributes = 4 << 20

// prepare reads the page once.
func (g *ground) prepare() {
	if g.addresses != nil {
		return
	}
	g.addresses, g.asked = map[string]bool{g.page.doc.URL().String(): true}, map[query]bool{}
	g.shown = text.Fold(text.Collapse(g.page.doc.Text()))
	var all strings.Builder
	all.WriteByte('\n')
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		for child := n.FirstChild; child != nil && all.Len() < mostAttributes; child = child.NextSibling {
			inHead := child.Data == "meta" || child.Data == "link" || child.Data == "head"
			if child.Type != html.ElementNode || !inHead && dom.Hidden(child) {
				continue
			}
			for _, a := range child.Attr {
				g.attribute(&all, a)
			}
			walk(child)
		}
	}
	walk(g.page.doc.Tree())
	g.attributes = all.String()
}

// attribute keeps what an attribute says, except code and looks.
func (g *ground) attribute(all *strings.Builder, a html.Attribute) {
	if a.Val == "" || a.Key == "style" || strings.HasPrefix(a.Key, "on") {
		return
	}
	all.WriteString(text.Fold(text.Collapse(a.Val)) + "\n")
	switch a.Key {
	case "href", "src", "data-src", "data-href", "data-url", "content", "poster", "data-lazy-src", "data-original":
		g.addresses[g.page.doc.Resolve(strings.TrimSpace(a.Val))] = true
	case "srcset", "data-srcset":
		for one := range strings.SplitSeq(a.Val, ",") {
			if address, _, _ := strings.Cut(strings.TrimSpace(one), " "); address != "" {
				g.addresses[g.page.doc.Resolve(address)] = true
			}
		}
	}
}

// supports says whether a value is a span of the page, or joined of so many.
func (g *ground) supports(value string, kind curlew.FieldType, pieces int) bool {
	g.prepare()
	q := query{strings.TrimSpace(value), kind, pieces}
	answer, known := g.asked[q]
	if !known {
		answer = g.finds(q.value, kind, pieces)
		g.asked[q] = answer
	}
	return answer
}

func (g *ground) finds(value string, kind curlew.FieldType, pieces int) bool {
	if u, err := url.Parse(value); kind == curlew.TypeURL || err == nil && u.Scheme != "" && u.Host != "" {
		return g.addresses[value] || kind != curlew.TypeURL && span(g.shown, text.Fold(text.Collapse(value)))
	}
	if g.says(value) {
		return true
	}
	return pieces > 1 && g.joined(value, pieces)
}

// says says whether a text stands on the page in one piece.
func (g *ground) says(s string) bool {
	return g.pageText.ShowsText(s) || span(g.shown, text.Fold(text.Collapse(s))) || span(g.attributes, text.Fold(text.Collapse(s)))
}

// mostWords is how many words a joined value may have.
const mostWords = 60

// joined says whether a text is made of at most so many spans. The longest span first
// needs the fewest, since every part of a span is one.
func (g *ground) joined(text string, pieces int) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) })
	if len(words) == 0 || len(words) > mostWords {
		return false
	}
	for ; pieces > 0 && len(words) > 0; pieces-- {
		n := len(words)
		for n > 0 && !g.says(strings.Join(words[:n], " ")) {
			n--
		}
		if n == 0 {
			return false
		}
		words = words[n:]
	}
	return len(words) == 0
}

// mostPlaces is how many places of a text are looked at for one where it stands alone.
const mostPlaces = 2_000

// span says whether one text stands in another without cutting a word or a number.
func span(text, part string) bool {
	if !strings.ContainsFunc(part, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
		return false
	}
	for from, n := 0, 0; n < mostPlaces; n++ {
		i := strings.Index(text[from:], part)
		if i < 0 {
			return false
		}
		at := from + i
		if edge(text, at) && edge(text, at+len(part)) {
			return true
		}
		from = at + 1
	}
	return false
}

// edge says whether a place lies between words: between letters and digits counts.
func edge(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at:])
	return !(unicode.IsLetter(before) && unicode.IsLetter(after) || unicode.IsNumber(before) && unicode.IsNumber(after))
}

// unsupported are the values of a field that the page does not say.
func (g *ground) unsupported(d curlew.Draft, name string, f blueprint.FieldRules, kind curlew.FieldType) []string {
	pieces, constants := 1, []string{}
	for _, r := range f.Rules {
		pieces = max(pieces, len(r.Join))
		if r.Constant != nil {
			constants = append(constants, text.Fold(text.Collapse(*r.Constant)))
		}
	}
	var bad []string
	for _, value := range d.Fields.Texts(name) {
		ok := g.supports(value, kind, pieces)
		for _, c := range constants { // a constant must be said where its selector points
			ok = ok && (text.Fold(text.Collapse(value)) != c || span(wordsOnly(d.Provenance[name].Text), wordsOnly(c)))
		}
		if !ok {
			bad = append(bad, value)
		}
	}
	return bad
}

// wordsOnly is a text with everything but words made a space: "sold_out" says "sold out".
func wordsOnly(s string) string {
	return text.Fold(text.Collapse(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) {
			return r
		}
		return ' '
	}, s)))
}
