package induce

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/regions"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// announcedAs is the list of a page whose heading tells that it is of a kind, where that of
// the main list tells of another.
func announcedAs(kind curlew.SchemaName, main []regions.Region, all func() []regions.Region) (regions.Region, bool) {
	tells := func(r regions.Region, kind curlew.SchemaName) bool {
		return len(r.Records) > 1 && len(r.Records[0].Nodes) > 0 && Announces(strings.ToLower(headingAbove(r.Records[0].Nodes[0])), kind)
	}
	if len(main) == 0 || tells(main[0], kind) {
		return regions.Region{}, false
	}
	for other := range announcing {
		if !tells(main[0], other) {
			continue
		}
		for _, r := range all() {
			if tells(r, kind) {
				return r, true
			}
		}
		break
	}
	return regions.Region{}, false
}

// headingAbove is the heading before the part of the page that holds an element.
func headingAbove(n *html.Node) string {
	for n = n.Parent; n != nil; n = n.Parent {
		for before := n.PrevSibling; before != nil; before = before.PrevSibling {
			switch before.DataAtom {
			case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
				return dom.Line(before)
			}
		}
	}
	return ""
}

// announcing are words by which the title, the headings or the address of a page say what
// it lists. They begin a word, as road works (Baustellen) are no jobs; one with "*" may end
// one, too.
var announcing = map[curlew.SchemaName][]string{
	curlew.SchemaEvent: {"event", "agenda", "*calend", "*kalend", "meeting", "*termin", "veranstalt", "wydarzen", "evenement", "evento",
		"what's on", "whats-on", "schedule", "concert"},
	curlew.SchemaProduct: {"shop", "product", "price", "store", "offer"},
	curlew.SchemaJob: {"job", "career", "vacanc", "karriere", "stellen", "praca", "emploi", "empleo", "vacature", "vakan", "ваканс",
		"lediga", "ledige stilling", "työpaik", "lavor", "vagas", "zaměstnání", "volná místa", "állás", "iş ilan", "locuri de muncă",
		"θέσεις εργασίας", "求人", "채용", "招聘"},
	curlew.SchemaArticle:      {"news", "blog", "article", "press", "aktuell", "nyheter"},
	curlew.SchemaOrganization: {"members", "exhibitor", "organi", "directory", "chapter"},
}

// Announces says whether a text tells that what follows are things of a kind.
func Announces(text string, kind curlew.SchemaName) bool {
	return slices.ContainsFunc(announcing[kind], func(word string) bool {
		if part, anywhere := strings.CutPrefix(word, "*"); anywhere {
			return strings.Contains(text, part)
		}
		return beginsWord(text, word)
	})
}

// beginsWord says whether a word of a text begins with some letters.
func beginsWord(text, letters string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], letters)
		if at < 0 {
			return false
		}
		if before, _ := utf8.DecodeLastRuneInString(text[:from+at]); !unicode.IsLetter(before) {
			return true
		}
		from += at + len(letters)
	}
}
