package regions

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"curlew/internal/read/dom"
)

// Bounds of selectors.
const (
	maxSteps  = 24
	maxShared = 3   // class names of one step
	maxTried  = 256 // records whose names are compared
)

// selectorStep is an element as a selector names it, with its counterparts of all
// records in mind.
type selectorStep struct {
	tag     string
	id      string
	classes []string
	parts   []string // of class names that end in letters made up by a build
	holds   string   // the tag of a child that it must have
}

func (p selectorStep) String() string {
	var b strings.Builder
	b.WriteString(p.tag)
	if p.id != "" {
		b.WriteString("#" + p.id)
	}
	for _, c := range p.classes {
		b.WriteString("." + c)
	}
	for _, part := range p.parts {
		b.WriteString(`[class*="` + part + `"]`)
	}
	if p.holds != "" {
		b.WriteString(":has(" + p.holds + ")")
	}
	return b.String()
}

func (p selectorStep) matches(n *html.Node) bool {
	if n == nil || n.Type != html.ElementNode || n.Data != p.tag || p.id != "" && dom.Attr(n, "id") != p.id {
		return false
	}
	for _, c := range p.classes {
		if !hasClass(n, c) {
			return false
		}
	}
	for _, part := range p.parts {
		if !strings.Contains(dom.Attr(n, "class"), part) {
			return false
		}
	}
	return p.holds == "" || hasChild(n, p.holds)
}

// anchors says whether a step names a part of this page rather than any element.
func (p selectorStep) anchors() bool {
	return p.id != "" || p.tag == "main" || len(p.parts) > 0 || slices.ContainsFunc(p.classes, func(c string) bool { return telling(c) != "" })
}

// builtPart is what stays of a class name that a build completes: "Board_row__" of
// "Board_row__fMyry". It is "" for names that people write.
func builtPart(name string) string {
	at := strings.LastIndex(name, "__")
	if at <= 0 || len(name)-at-2 < 5 || len(name)-at-2 > 8 {
		return ""
	}
	end := name[at+2:]
	if strings.ToLower(end) == end || strings.ContainsAny(end, "-_") {
		return ""
	}
	return name[:at+2]
}

func hasClass(n *html.Node, name string) bool {
	for class := range strings.FieldsSeq(dom.Attr(n, "class")) {
		if class == name {
			return true
		}
	}
	return false
}

func hasChild(n *html.Node, tag string) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && c.Data == tag {
			return true
		}
	}
	return false
}

// selector says how to find the records of a candidate again: by the shortest chain
// of elements above them that selects them and nothing else, if there is one.
func (s *survey) selector(c *candidate) RecordSelector {
	out := RecordSelector{}
	targets := make([]*html.Node, 0, len(c.runs))
	for _, r := range c.runs {
		n := s.spots[r.from].node
		switch c.kind {
		case Lines, Paragraphs, Between:
			n = n.Parent
		}
		if len(targets) == 0 || targets[len(targets)-1] != n {
			targets = append(targets, n)
		}
	}
	switch c.kind {
	case Groups:
		out.Shape, out.Until = "group", s.until(c)
	case Between, Lines, Paragraphs:
		out.Shape = string(c.kind)
	}
	steps, exact := s.chain(targets, needs[c.kind])
	names := make([]string, len(steps))
	for i, p := range steps {
		names[len(steps)-1-i] = p.String()
	}
	out.CSS, out.Exact = strings.Join(names, " > "), exact
	if c.kind == Between {
		out.CSS += " > hr"
	}
	return out
}

// needs are the children without which an element is no record or holds none.
var needs = map[Kind]string{Rows: "td", Lines: "br", Paragraphs: "br"}

// chain climbs from the targets until their path selects them alone and begins with
// something that has a name. The first step is the target itself.
func (s *survey) chain(targets []*html.Node, holds string) (steps []selectorStep, exact bool) {
	level, enough := someOf(targets), 0
	selected := s.named(targets[0].Data)
	for len(steps) < maxSteps {
		p, ok := common(level, len(steps) > 0)
		if !ok {
			break
		}
		if len(steps) == 0 {
			p.holds = holds
		}
		up := len(steps)
		steps = append(steps, p)
		selected = slices.DeleteFunc(selected, func(n *html.Node) bool { return !p.matches(ancestor(n, up)) })
		exact = exact || len(selected) == len(targets) && slices.Equal(selected, targets)
		if exact && enough == 0 {
			enough = len(steps)
		}
		if exact && (p.anchors() || len(steps) >= enough+3) {
			if !p.anchors() {
				steps = steps[:enough]
			}
			return steps, true
		}
		for i, n := range level {
			level[i] = n.Parent
		}
	}
	if exact {
		steps = steps[:enough]
	}
	return steps, exact
}

// someOf are nodes from all over a list.
func someOf(nodes []*html.Node) []*html.Node {
	n := min(len(nodes), maxTried)
	some := make([]*html.Node, n)
	for i := range some {
		some[i] = nodes[i*len(nodes)/n]
	}
	return some
}

// named are all elements of a name, in document order.
func (s *survey) named(tag string) (all []*html.Node) {
	for i := range s.spots {
		if n := s.spots[i].node; n.Type == html.ElementNode && n.Data == tag {
			all = append(all, n)
		}
	}
	return all
}

func ancestor(n *html.Node, up int) *html.Node {
	for ; up > 0 && n != nil; up-- {
		n = n.Parent
	}
	return n
}

// common is what elements share: their tag, an id that is not numbered, and class
// names that tell no state.
func common(level []*html.Node, above bool) (selectorStep, bool) {
	first := level[0]
	if first == nil || first.Type != html.ElementNode {
		return selectorStep{}, false
	}
	p := selectorStep{tag: first.Data}
	if id := dom.Attr(first, "id"); above && id != "" && steady(id) && plainName(id) {
		p.id = id
	}
	names := slices.DeleteFunc(dom.Classes(first), func(name string) bool { return !steady(name) || !plainName(name) })
	for _, n := range level[1:] {
		if n == nil || n.Data != p.tag {
			return selectorStep{}, false
		}
		if n == first {
			continue
		}
		if dom.Attr(n, "id") != p.id {
			p.id = ""
		}
		names = slices.DeleteFunc(names, func(name string) bool { return !hasClass(n, name) })
	}
	for _, name := range names[:min(len(names), maxShared)] {
		if part := builtPart(name); part != "" {
			p.parts = append(p.parts, part)
		} else {
			p.classes = append(p.classes, name)
		}
	}
	return p, true
}

// until names the sibling that ends the last group of a container, if any.
func (s *survey) until(c *candidate) string {
	for i, r := range c.runs {
		parent := s.spots[r.from].parent
		if parent < 0 || r.to >= s.spots[parent].end {
			continue
		}
		if i+1 < len(c.runs) && c.runs[i+1].from == r.to {
			continue
		}
		if next := s.spots[r.to].node; next.Type == html.ElementNode {
			p, _ := common([]*html.Node{next}, false)
			return p.String()
		}
	}
	return ""
}
