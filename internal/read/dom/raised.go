package dom

import (
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/text/money"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// raised is what a raised text behind a price is.
type raised uint8

const (
	raisedText  raised = iota
	raisedNote         // a sign that leads to a note: "129,00 €" with a raised 1
	raisedCents        // "12" with a raised 99
)

// Footnote says whether an element is the raised sign behind a price that leads to a note.
func Footnote(n *html.Node) bool { return raisedAs(n) == raisedNote }

func raisedAs(n *html.Node) raised {
	if n.DataAtom != atom.Sup {
		return raisedText
	}
	var text strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode && text.Len() < mostRaised {
			text.WriteString(d.Data)
		}
	}
	return raisedBy(textBefore(n), text.String(), textBehind(n))
}

// raisedBy decides by what stands before and behind. The raised tenth of a cent, a 9 at every petrol
// station, belongs to the price.
func raisedBy(before, text, behind string) raised {
	sign := strings.Trim(text, " \u00a0\n\t()[]")
	digits := strings.Trim(sign, "0123456789") == ""
	if sign == "" || before == "" || len(text) >= mostRaised || digits && len(sign) > 2 || !digits && !noteSign(sign) {
		return raisedText
	}
	number := unicode.IsDigit(rune(before[len(before)-1]))
	before = apart(before)
	line := before
	if number {
		line += " " + behind // the currency may follow
	}
	p, priced := priceAt(line, len(before))
	switch cents := digits && len(sign) == 2 && !strings.Contains(p.Amount, "."); {
	case !priced, number && sign == "9", cents && !number:
		return raisedText
	case cents:
		return raisedCents
	}
	return raisedNote
}

// priceAt is the price that stands at an offset of a line, or ends there.
func priceAt(line string, at int) (money.Price, bool) {
	for _, p := range money.Find(line) {
		if p.Begin < at && p.End >= at {
			return p, true
		}
	}
	return money.Price{}, false
}

// apart puts a space between a letter and a digit: a neighbour ends before the price.
func apart(s string) string {
	var out strings.Builder
	letter := false
	for _, r := range s {
		if letter && unicode.IsDigit(r) {
			out.WriteByte(' ')
		}
		letter = unicode.IsLetter(r)
		out.WriteRune(r)
	}
	return out.String()
}

// Bounds of what is looked at, in bytes and in nodes.
const (
	mostRaised = 12
	mostBeside = 24
	mostSteps  = 8
)

// noteSign says whether a raised text is a sign such as "*", "a" or "1, 2"; "k" and "M" count thousands
// and millions.
func noteSign(sign string) bool {
	for part := range strings.FieldsFuncSeq(sign, func(r rune) bool { return r == ',' || r == ' ' }) {
		letters := []rune(part)
		switch {
		case strings.Trim(part, "*†‡§#") == "":
		case len(letters) == 1 && unicode.IsLetter(letters[0]) && !strings.Contains("kKmM", part):
		case len(part) <= 2 && part != sign && strings.Trim(part, "0123456789") == "":
		default:
			return false
		}
	}
	return true
}

// textBefore is the end of the text that stands on one line before an element, without what is raised.
func textBefore(n *html.Node) string {
	text := ""
	for range mostSteps {
		for n.PrevSibling == nil {
			if n = n.Parent; n == nil || displayOf(n.DataAtom) != inline || n.Type != html.ElementNode {
				return strings.TrimSpace(text)
			}
		}
		n = n.PrevSibling
		if displayOf(n.DataAtom) != inline || len(text) > mostBeside {
			break
		}
		for n.LastChild != nil && n.DataAtom != atom.Sup {
			n = n.LastChild
		}
		if n.Type == html.TextNode {
			text = n.Data[max(0, len(n.Data)-mostBeside):] + text
		}
	}
	return strings.TrimSpace(text)
}

// textBehind is how the text goes on behind an element, or behind the inline elements that it ends.
func textBehind(n *html.Node) string {
	for range mostSteps {
		for n.NextSibling == nil {
			if n = n.Parent; n == nil || displayOf(n.DataAtom) != inline || n.Type != html.ElementNode {
				return ""
			}
		}
		n = n.NextSibling
		if displayOf(n.DataAtom) != inline {
			return ""
		}
		for n.FirstChild != nil && n.DataAtom != atom.Sup {
			n = n.FirstChild
		}
		if n.Type == html.TextNode && strings.TrimSpace(n.Data) != "" {
			return n.Data[:min(len(n.Data), mostBeside)]
		}
	}
	return ""
}
