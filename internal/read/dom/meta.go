package dom

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Meta is a meta element with a name and a content.
type Meta struct {
	Name    string // its name, property, itemprop or http-equiv, in lower case
	Content string // on one line
}

// metas are the meta elements of a tree in document order.
func metas(root *html.Node) []Meta {
	var all []Meta
	for n := range elements(root) {
		if n.DataAtom != atom.Meta || n.Namespace != "" {
			continue
		}
		for _, key := range []string{"property", "name", "itemprop", "http-equiv"} {
			if name := strings.ToLower(strings.TrimSpace(Attr(n, key))); name != "" {
				all = append(all, Meta{Name: name, Content: lineOf(Attr(n, "content"))})
				break
			}
		}
	}
	return all
}

// Meta is the content of the first meta element of a name that has any.
func (d *Document) Meta(name string) string {
	if d.Head() == nil && !containsFold(d.body, name) { // no reason to parse the page
		return ""
	}
	return metaIn(d.top(), name)
}

// containsFold says whether a body holds a name of small letters, in whatever case.
func containsFold(body []byte, name string) bool {
	last := byte(name[len(name)-1]) // rarer in front of a quote than the first
	for at := len(name) - 1; at < len(body); at++ {
		if body[at]|0x20 == last|0x20 && bytes.EqualFold(body[at+1-len(name):at+1], []byte(name)) {
			return true
		}
	}
	return false
}

func metaIn(root *html.Node, name string) string {
	if root == nil {
		return ""
	}
	for _, m := range metas(root) {
		if m.Name == name && m.Content != "" {
			return m.Content
		}
	}
	return ""
}

// Title is the text of the title element, on one line.
func (d *Document) Title() string {
	for n := range elements(d.top()) {
		if n.DataAtom == atom.Title && n.Namespace == "" && n.FirstChild != nil {
			return lineOf(n.FirstChild.Data)
		}
	}
	return ""
}

// Lang is the language that the page says it is written in, as it writes it with
// hyphens: that of its root, else of its metadata. It may be wrong.
func (d *Document) Lang() string {
	if lang := languageTag(d.RootLang()); lang != "" { // without parsing the page
		return lang
	}
	for n := range elements(d.Tree()) {
		if n.DataAtom != atom.Html && n.DataAtom != atom.Body {
			continue
		}
		for _, key := range []string{"lang", "xml:lang"} {
			if lang := languageTag(Attr(n, key)); lang != "" {
				return lang
			}
		}
	}
	for _, name := range []string{"content-language", "og:locale", "language", "dc.language", "inlanguage"} {
		if lang := languageTag(d.Meta(name)); lang != "" {
			return lang
		}
	}
	return ""
}

// languageTag reads "pt_BR" or "de, en" and turns down what is no tag.
func languageTag(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), ",")
	s = strings.ReplaceAll(strings.TrimSpace(s), "_", "-")
	primary, _, _ := strings.Cut(s, "-")
	if len(primary) < 2 || len(primary) > 3 || len(s) > 35 {
		return ""
	}
	for i := range len(primary) {
		if !letter(primary[i]) {
			return ""
		}
	}
	return s
}

// Canonical is the address that the page gives itself, absolute, or "".
func (d *Document) Canonical() string {
	if found := d.survey().canonical; found != "" {
		return d.Resolve(found)
	}
	if found := metaIn(d.Front(), "og:url"); found != "" {
		return d.Resolve(found)
	}
	return ""
}

// RootLang is the language that the root element declares, as it writes it.
func (d *Document) RootLang() string { return d.survey().lang }

// Refresh is the address that the page sends its readers to by itself, absolute,
// or "". A page that sends them to itself only reloads and gives "".
func (d *Document) Refresh() string {
	_, rest, found := strings.Cut(strings.ReplaceAll(d.Meta("refresh"), ",", ";"), ";")
	key, target, named := strings.Cut(rest, "=")
	if !found || !named || !strings.EqualFold(strings.TrimSpace(key), "url") {
		return ""
	}
	to := d.Resolve(strings.Trim(strings.TrimSpace(target), `'"`))
	if to == d.address.String() {
		return ""
	}
	return to
}

// Heading is a heading with its level.
type Heading struct {
	Node  *html.Node
	Level int // 1 to 6
	Text  string
}

// Headings are the headings that show any text, in document order.
func (d *Document) Headings() []Heading {
	var all []Heading
	for n := range elements(d.Tree()) {
		level := headingLevel(n)
		if level == 0 || Hidden(n) {
			continue
		}
		if text := Line(n); text != "" {
			all = append(all, Heading{n, level, text})
		}
	}
	return all
}

func headingLevel(n *html.Node) int {
	if len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6' && n.Namespace == "" {
		return int(n.Data[1] - '0')
	}
	if Attr(n, "role") == "heading" {
		if level := Attr(n, "aria-level"); len(level) == 1 && level[0] >= '1' && level[0] <= '6' {
			return int(level[0] - '0')
		}
		return 2
	}
	return 0
}

// FileTable names, in the head of a page that was made of a file, that the file is one table.
const FileTable = "curlew-table"

// DecimalSign names the sign before decimals in the head of a page that was made of a file.
const DecimalSign = "curlew-decimal-sign"
