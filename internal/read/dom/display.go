package dom

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// display is how an element stands among the text around it.
type display uint8

const (
	inline    display = iota // no gap: word processors split words with such markup
	gapped                   // stands apart on the same line: buttons, images, custom elements
	block                    // begins and ends a line
	lineBreak                // br
	row                      // ends the line of the cells in it
	cell                     // stands beside other cells
	unseen                   // never shown
)

// displayOf knows the elements of HTML by their tag alone, as browsers show them
// without a style sheet.
func displayOf(a atom.Atom) display {
	switch a {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Caption, atom.Center,
		atom.Dd, atom.Details, atom.Dialog, atom.Dir, atom.Div, atom.Dl, atom.Dt, atom.Fieldset,
		atom.Figcaption, atom.Figure, atom.Footer, atom.Form, atom.H1, atom.H2, atom.H3, atom.H4,
		atom.H5, atom.H6, atom.Header, atom.Hgroup, atom.Hr, atom.Html, atom.Legend, atom.Li,
		atom.Listing, atom.Main, atom.Marquee, atom.Menu, atom.Nav, atom.Ol, atom.Optgroup, atom.Option,
		atom.P, atom.Plaintext, atom.Pre, atom.Section, atom.Summary, atom.Table, atom.Tbody,
		atom.Tfoot, atom.Thead, atom.Ul, atom.Xmp:
		return block
	case atom.Br:
		return lineBreak
	case atom.Tr:
		return row
	case atom.Td, atom.Th:
		return cell
	case atom.Button, atom.Img, atom.Input, atom.Select, atom.Meter, atom.Progress, atom.Image:
		return gapped
	case atom.Head, atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Svg, atom.Math, atom.Title,
		atom.Iframe, atom.Noframes, atom.Noembed, atom.Object, atom.Embed, atom.Applet, atom.Audio,
		atom.Video, atom.Canvas, atom.Textarea, atom.Datalist, atom.Rp, atom.Rt, atom.Frameset: // ruby: how a word is read is no word of the text
		return unseen
	}
	return inline
}

// shown is how an element stands in the text. The boxes of custom elements are
// unknown, but nobody splits words with them.
func shown(n *html.Node) display {
	d := displayOf(n.DataAtom)
	if n.Namespace != "" || Footnote(n) {
		return unseen
	}
	if d == inline && n.DataAtom == 0 && strings.IndexByte(n.Data, '-') > 0 {
		return gapped
	}
	return d
}

// Hidden says whether a node itself is never shown: by its tag, the hidden
// attribute, aria-hidden or an inline style. It does not look at its ancestors.
//
// Text for screen readers only counts as shown: it says in words what the page
// shows in another way. aria-hidden in turn hides nothing from the eye, so it
// counts only for decoration and for doubles of such text.
func Hidden(n *html.Node) bool {
	if n.Type != html.ElementNode {
		return n.Type == html.CommentNode || n.Type == html.DoctypeNode
	}
	return shown(n) == unseen || hiddenByAttributes(n)
}

func hiddenByAttributes(n *html.Node) bool {
	for i := range n.Attr {
		a := &n.Attr[i]
		switch a.Key {
		case "hidden":
			if !strings.EqualFold(a.Val, "until-found") {
				return true
			}
		case "style":
			if hidingStyle(a.Val) {
				return true
			}
		case "aria-hidden":
			if strings.EqualFold(a.Val, "true") && decoration(n) {
				return true
			}
		case "type":
			if n.DataAtom == atom.Input && strings.EqualFold(a.Val, "hidden") {
				return true
			}
		}
	}
	return n.DataAtom == atom.Dialog && !HasAttr(n, "open")
}

// hidingStyle reads an inline style.
func hidingStyle(style string) bool {
	if len(style) < len("display:none") {
		return false
	}
	if styleValue(style, "display") == "none" {
		return true
	}
	value := styleValue(style, "visibility")
	return value == "hidden" || value == "collapse"
}

// styleValue is the value of one property of an inline style; the last one wins.
func styleValue(style, property string) (value string) {
	for declaration := range strings.SplitSeq(style, ";") {
		name, rest, ok := strings.Cut(declaration, ":")
		if ok && strings.EqualFold(strings.TrimSpace(name), property) {
			rest, _, _ = strings.Cut(rest, "!")
			value = strings.ToLower(strings.TrimSpace(rest))
		}
	}
	return value
}

// decoration says whether an element with aria-hidden is an icon or repeats what
// stands beside it, rather than being a panel or the only text of its parent.
func decoration(n *html.Node) bool {
	if shown(n) != inline && shown(n) != gapped {
		return false
	}
	if n.DataAtom == atom.I {
		return true
	}
	for _, class := range Classes(n) {
		if strings.Contains(class, "icon") || strings.HasPrefix(class, "fa-") || strings.HasPrefix(class, "material-") {
			return true
		}
	}
	return (beside(n, previous) || beside(n, next)) && repeated(n)
}

// repeated says whether the figures of an element stand beside it too: a price that they do
// not say is none of the doubles of what they say.
func repeated(n *html.Node) bool {
	own := figures(n)
	if own == "" {
		return true
	}
	others := ""
	for _, step := range []func(*html.Node) *html.Node{previous, next} {
		s := step(n)
		for i := 0; s != nil && i < 4; i++ {
			if !strings.EqualFold(Attr(s, "aria-hidden"), "true") {
				others += figures(s) + " "
			}
			s = step(s)
		}
	}
	return strings.Contains(others, own)
}

// figures are the first digits of the texts of a node, in order.
func figures(n *html.Node) string {
	var out []byte
	looked := 0
	add := func(text string) {
		for i := 0; i < len(text) && len(out) < mostFigures; i++ {
			if text[i] >= '0' && text[i] <= '9' {
				out = append(out, text[i])
			}
		}
	}
	if n.Type == html.TextNode {
		add(n.Data)
	}
	for d := range n.Descendants() {
		if looked++; looked > mostFigures {
			break
		}
		if d.Type == html.TextNode {
			add(d.Data)
		}
	}
	return string(out)
}

// mostFigures bounds the digits, and the nodes that are looked at for them.
const mostFigures = 24

func previous(n *html.Node) *html.Node { return n.PrevSibling }
func next(n *html.Node) *html.Node     { return n.NextSibling }

// beside says whether there is anything to read on one side of an element. It
// looks at the nearest few siblings only, so that a page of icons stays cheap.
func beside(n *html.Node, step func(*html.Node) *html.Node) bool {
	s := step(n)
	for range 4 {
		if s == nil {
			return false
		}
		if s.Type == html.TextNode && strings.TrimSpace(s.Data) != "" {
			return true
		}
		if s.Type == html.ElementNode && shown(s) != unseen && s.DataAtom != atom.Br && s.FirstChild != nil &&
			!strings.EqualFold(Attr(s, "aria-hidden"), "true") {
			return true
		}
		s = step(s)
	}
	return false
}
