package induce

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// route is a way to an element: an anchor that is easy to find again, and the steps
// down from it. It can be written as CSS or as XPath.
type route struct {
	anchors []mark // outermost first; the last is followed by the steps
	steps   []step
	loose   bool // the steps may skip levels
	rooted  bool // the first step is right below the root
}

// mark is what an element is recognised by.
type mark struct {
	tag   string // "" means any
	id    string
	class string
	attr  string
	value string
}

// step is one level down.
type step struct {
	tag   string
	class string
	nth   int // among siblings of the same tag, from 1; 0 means any
}

var plainName = text.Pattern(`^-?[A-Za-z_][A-Za-z0-9_-]*$`)

func (m mark) css() string {
	out := m.tag
	switch {
	case m.id != "" && plainName().MatchString(m.id):
		return out + "#" + m.id
	case m.id != "":
		return out + `[id=` + quoteCSS(m.id) + `]`
	case m.class != "" && plainName().MatchString(m.class):
		return out + "." + m.class
	case m.class != "":
		return out + `[class~=` + quoteCSS(m.class) + `]`
	case m.attr != "":
		return out + `[` + m.attr + `=` + quoteCSS(m.value) + `]`
	}
	return out
}

func quoteCSS(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\a `).Replace(s) + `"`
}

func (m mark) xpath() string {
	tag := m.tag
	tag = cmp.Or(tag, "*")
	switch {
	case m.id != "":
		return tag + "[@id=" + quoteXPath(m.id) + "]"
	case m.class != "":
		return tag + "[contains(concat(' ',normalize-space(@class),' ')," + quoteXPath(" "+m.class+" ") + ")]"
	case m.attr != "":
		return tag + "[@" + m.attr + "=" + quoteXPath(m.value) + "]"
	}
	return tag
}

// quoteXPath writes a text for XPath 1.0, which knows no escapes.
func quoteXPath(s string) string {
	switch {
	case !strings.Contains(s, "'"):
		return "'" + s + "'"
	case !strings.Contains(s, `"`):
		return `"` + s + `"`
	}
	parts := strings.Split(s, "'")
	for i := range parts {
		parts[i] = "'" + parts[i] + "'"
	}
	return "concat(" + strings.Join(parts, `,"'",`) + ")"
}

func (r route) css() string {
	var parts []string
	for _, a := range r.anchors {
		parts = append(parts, a.css())
	}
	out := strings.Join(parts, " ")
	for _, s := range r.steps {
		switch {
		case out == "" && r.rooted:
			out = "> "
		case out == "":
		case r.loose:
			out += " "
		default:
			out += " > "
		}
		out += mark{tag: s.tag, class: s.class}.css()
		if s.nth > 0 {
			out += ":nth-of-type(" + strconv.Itoa(s.nth) + ")"
		}
	}
	return out
}

func (r route) xpath() string {
	out := "."
	for _, a := range r.anchors {
		out += "//" + a.xpath()
	}
	for _, s := range r.steps {
		if r.loose || out == "." && !r.rooted {
			out += "//"
		} else {
			out += "/"
		}
		out += mark{tag: s.tag, class: s.class}.xpath()
		if s.nth > 0 {
			out += "[" + strconv.Itoa(s.nth) + "]"
		}
	}
	return out
}

// marksOf are the ways to recognise one element, the most lasting first.
func marksOf(n *html.Node) []mark {
	var all []mark
	for _, name := range words().Of("attribute").Words {
		if v := dom.Attr(n, name); v != "" && len(v) <= 60 && !(name == "name" && n.DataAtom == atom.A) {
			all = append(all, mark{tag: n.Data, attr: name, value: v})
		}
	}
	if id := dom.Attr(n, "id"); id != "" && len(id) <= 60 {
		all = append(all, mark{id: id})
	}
	classes := dom.Classes(n)
	slices.SortStableFunc(classes, func(a, b string) int { return boolOrder(generated(a), generated(b)) })
	for _, c := range classes[:min(len(classes), 4)] {
		if len(c) <= 60 {
			all = append(all, mark{tag: n.Data, class: c})
		}
	}
	return all
}

func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// telling are elements of which a page has one, or few.
var telling = map[atom.Atom]bool{atom.H1: true, atom.H2: true, atom.Title: true, atom.Main: true, atom.Article: true, atom.Time: true,
	atom.Address: true, atom.H3: true, atom.Strong: true, atom.B: true, atom.Em: true}

// Bounds of the routes to one element.
const (
	maxAbove  = 8  // levels from an anchor down
	maxRoutes = 40 // to one element
)

// routes are the ways to an element below a root (nil is the page): from itself, from
// the marked elements around it, and by counting from the root.
func routes(n, root *html.Node) []route {
	var all []route
	for _, m := range marksOf(n) {
		all = append(all, route{anchors: []mark{m}})
	}
	if telling[n.DataAtom] || root != nil {
		all = append(all, route{steps: []step{{tag: n.Data}}, loose: true})
	}
	strict := []step{stepTo(n, true)}
	plain := []step{stepTo(n, false)}
	ids, classes := 0, 0
	above := 0
	for a := n.Parent; a != nil && a != root && a.Type == html.ElementNode && above < maxAbove; a = a.Parent {
		above++
		for _, m := range marksOf(a) {
			switch {
			case m.class != "" && classes >= 5, m.class == "" && ids >= 3:
				continue
			case m.class != "":
				classes++
			default:
				ids++
			}
			all = append(all, fromAnchor(m, n, strict, plain)...)
		}
		strict = append([]step{stepTo(a, true)}, strict...)
		plain = append([]step{stepTo(a, false)}, plain...)
	}
	all = all[:min(len(all), maxRoutes)]
	return append(all, counted(n, root)...)
}

// fromAnchor are the ways from one anchor down to an element.
func fromAnchor(m mark, n *html.Node, strict, plain []step) []route {
	anchors := []mark{m}
	all := []route{{anchors: anchors, steps: slices.Clone(strict)}, {anchors: anchors, steps: slices.Clone(plain)}}
	if len(plain) > 1 {
		all = append(all, route{anchors: anchors, steps: []step{plain[len(plain)-1]}, loose: true})
	}
	for _, own := range marksOf(n) {
		if own.id == "" {
			all = append(all, route{anchors: []mark{m, own}})
		}
	}
	return all
}

// stepTo is the step from the parent to an element.
func stepTo(n *html.Node, count bool) step {
	s := step{tag: n.Data}
	if !count {
		return s
	}
	at, more := 1, false
	for c := n.PrevSibling; c != nil; c = c.PrevSibling {
		if c.Type == html.ElementNode && c.Data == n.Data {
			at++
		}
	}
	for c := n.NextSibling; c != nil && !more; c = c.NextSibling {
		more = c.Type == html.ElementNode && c.Data == n.Data
	}
	if at > 1 || more {
		s.nth = at
	}
	return s
}

// counted is the way from the root by counting alone.
func counted(n, root *html.Node) []route {
	var steps []step
	for ; n != nil && n != root && n.Type == html.ElementNode; n = n.Parent {
		steps = append([]step{stepTo(n, true)}, steps...)
		if len(steps) > 40 {
			return nil
		}
	}
	if len(steps) == 0 {
		return nil
	}
	return []route{{steps: steps, rooted: true}}
}

// generated says whether a name was made by a tool rather than by a person.
func generated(name string) bool {
	letters, digits, switches := mix(name)
	if digits == 0 {
		return false
	}
	if slices.ContainsFunc(words().Of("generated").Words, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
		return true
	}
	mixed := switches >= 3 || switches >= 2 && digits >= 3 && letters > 0
	numeric := digits > 4 || digits > 2 && digits > letters && letters > 0
	return mixed || numeric
}

// mix counts the letters and digits of a name, and how often letters and digits meet
// or a small letter is followed by a capital.
func mix(name string) (letters, digits, switches int) {
	const (
		none = iota
		digit
		capital
		small
	)
	previous := none
	for _, r := range name {
		kind := none
		switch {
		case r >= '0' && r <= '9':
			kind = digit
			digits++
		case r >= 'A' && r <= 'Z':
			kind = capital
			letters++
		case r >= 'a' && r <= 'z':
			kind = small
			letters++
		}
		meet := kind != none && previous != none && (kind == digit) != (previous == digit)
		if meet || previous == small && kind == capital {
			switches++
		}
		previous = kind
	}
	return letters, digits, switches
}
