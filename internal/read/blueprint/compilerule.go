package blueprint

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/text"
)

// records compiles the selector of records.
func (c *compiler) records(place string, b *Blueprint) *records {
	s := b.Records
	out := &records{shape: s.Shape, days: s.Days}
	out.rule = *c.selector(place, *s)
	kinds := given(*s)
	wholePage := s.Shape == ShapeDated || s.Shape == ShapeReaders
	if len(kinds) == 0 && !wholePage {
		c.add(place, "give one of css, xpath, items or json")
	}
	c.oneOf(place+"/shape", string(s.Shape), "", string(ShapeGroup), string(ShapeBetween), string(ShapeLines), string(ShapeParagraphs),
		string(ShapeDated), string(ShapeReaders))
	if s.Shape != ShapeNode && s.CSS == "" && s.XPath == "" && !(wholePage && len(kinds) == 0) {
		c.add(place+"/shape", "shapes are for css and xpath")
	}
	c.part(place, b, out)
	c.datedRecords(place, b)
	c.bounds(place, s, out)
	return out
}

// bounds compiles what begins and ends records.
func (c *compiler) bounds(place string, s *Selector, out *records) {
	if s.Until != "" {
		if s.Shape != ShapeGroup {
			c.add(place+"/until", "it ends groups: set shape to group")
		}
		out.until = c.css(place+"/until", s.Until)
	}
	if s.Starts != "" {
		if s.Shape != ShapeLines && s.Shape != ShapeParagraphs {
			c.add(place+"/starts", "it begins records among lines: set shape to lines or paragraphs")
		}
		out.starts = c.pattern(place+"/starts", s.Starts)
	}
}

// given names the ways of selecting that a selector has.
func given(s Selector) []string {
	var kinds []string
	for _, k := range []struct {
		name string
		has  bool
	}{{"css", s.CSS != ""}, {"xpath", s.XPath != ""}, {"items", len(s.Items) > 0}, {"json", s.JSON != ""}} {
		if k.has {
			kinds = append(kinds, k.name)
		}
	}
	return kinds
}

// selector compiles what records and rules have in common.
func (c *compiler) selector(place string, s Selector) *rule {
	out := &rule{items: s.Items, in: s.In}
	kinds := given(s)
	if len(kinds) > 1 && !slices.Equal(kinds, []string{"items", "json"}) {
		c.add(place, "%s are given together: give one, and the others as further rules", list(kinds))
	}
	if s.CSS != "" {
		out.css = c.css(place+"/css", s.CSS)
	}
	if s.XPath != "" {
		out.xpath = c.xpath(place+"/xpath", s.XPath)
	}
	if s.JSON != "" {
		out.path = c.path(place+"/json", s.JSON)
	}
	for i, t := range s.Items {
		if strings.TrimSpace(t) == "" {
			c.add(place+"/items/"+strconv.Itoa(i), "name a type, like Event")
		}
	}
	if s.In != "" && s.JSON == "" {
		c.add(place+"/in", "it names the state for a JSON path: give json too")
	}
	return out
}

func (c *compiler) css(place, text string) *cssSelector {
	if len(text) > maxSelector {
		c.add(place, "at most %d characters", maxSelector)
		return nil
	}
	if c.known != nil && c.known.css[text] != nil {
		return c.known.css[text]
	}
	s, err := compileCSS(text)
	if err != nil {
		c.add(place, "%q is not a CSS selector: %s", text, err)
	}
	if c.known != nil {
		c.known.css[text] = s
	}
	return s
}

func (c *compiler) xpath(place, text string) *xpathSelector {
	if len(text) > maxSelector {
		c.add(place, "at most %d characters", maxSelector)
		return nil
	}
	if c.known != nil && c.known.xpath[text] != nil {
		return c.known.xpath[text]
	}
	s, err := newXPath(text)
	if err != nil {
		c.add(place, "%q is not an XPath: %s", text, err)
		return nil
	}
	if c.known != nil {
		c.known.xpath[text] = s
	}
	return s
}

func (c *compiler) path(place, text string) *jsonPath {
	if len(text) > maxSelector {
		c.add(place, "at most %d characters", maxSelector)
		return &jsonPath{}
	}
	p, err := compilePath(text)
	if err != nil {
		c.add(place, "%q is not a path: %s", text, err)
	}
	return &p
}

// rule compiles one rule.
func (c *compiler) rule(place string, r Rule, depth int) *rule {
	out := c.selector(place, r.Selector)
	out.label, out.column, out.after, out.before = labelKey(r.Label), labelKey(r.Column), labelKey(r.After), labelKey(r.Before)
	out.constant, out.from, out.attr, out.last = r.Constant, r.From, strings.ToLower(r.Attr), r.Last
	out.with, out.readable, out.byCell = r.With, readable(r), byCell(r)
	out.place = strings.Join([]string{r.CSS, r.XPath, out.label, out.column, out.after, out.before, out.attr}, "\x00")
	out.with = cmp.Or(out.with, " ")
	c.together(place, r)
	for _, t := range []struct{ name, text, folded string }{{"label", r.Label, out.label}, {"column", r.Column, out.column},
		{"after", r.After, out.after}, {"before", r.Before, out.before}} {
		if t.text != "" && (t.folded == "" || len(t.text) > maxSelector) {
			c.add(place+"/"+t.name, "%q holds no words, or too many", text.CutBytes(t.text, 40))
		}
	}
	c.oneOf(place+"/from", string(r.From), "", string(FromPage), string(FromHeading), string(FromColumn), string(FromRow))
	if len(r.Join) > maxRules || len(r.Join) > 0 && depth >= maxJoin {
		c.add(place+"/join", "at most %d rules, joined at most %d deep", maxRules, maxJoin)
		return out
	}
	for i, part := range r.Join {
		joined := c.rule(place+"/join/"+strconv.Itoa(i), part, depth+1)
		if text, err := json.Marshal(part); err == nil {
			joined.identity = string(text)
		}
		out.join = append(out.join, joined)
	}
	if len(r.Do) > maxDo {
		c.add(place+"/do", "at most %d steps", maxDo)
		return out
	}
	for i, t := range r.Do {
		out.do = append(out.do, c.transform(place+"/do/"+strconv.Itoa(i), t))
	}
	return out
}

// together reports parts of a rule that do not go together.
func (c *compiler) together(place string, r Rule) {
	at, why := r.clash()
	if why == "" {
		at, why = r.dataClash()
	}
	if why != "" {
		c.add(place+at, "%s", why)
	}
	if cmp.Or(string(r.Shape), r.Until, r.Starts) != "" || r.Days != nil {
		c.add(place, "shape, until, starts and days are for records")
	}
}

// relative says whether a rule finds a value by what stands beside it.
func (r Rule) relative() bool { return cmp.Or(r.Column, r.After, r.Before) != "" }

// clash is the part of a rule that excludes others, and why.
func (r Rule) clash() (at, why string) {
	located := len(given(r.Selector)) > 0 || r.relative() || r.Attr != ""
	switch {
	case len(r.Items) > 0 && r.JSON == "":
		return "/items", "say which property of the items: give json too, like \"name\""
	case len(r.Join) > 0 && (located || cmp.Or(r.Label, string(r.From)) != "" || r.Constant != nil || r.Last):
		return "/join", "the joined rules locate the values: a rule with join allows only with and do"
	case r.Label != "" && located:
		return "/label", "a label locates its value: leave out the other selectors"
	}
	return "", ""
}

// dataClash is the part of a rule that does not suit what it reads, and why.
func (r Rule) dataClash() (at, why string) {
	data := len(r.Items) > 0 || r.JSON != ""
	switch {
	case data && (r.relative() || r.Attr != ""):
		return "", "attr, column, after and before are for nodes, not for data: use the path alone"
	case data && r.From != "" && r.From != FromPage:
		return "/from", "data have no headings: use page or leave it out"
	case r.Column != "" && cmp.Or(r.After, r.Before, string(r.From)) != "":
		return "/column", "a column is looked up in the row of the record: leave out after, before and from"
	case r.With != "" && len(r.Join) == 0:
		return "/with", "it separates joined texts: give join too"
	}
	return "", ""
}

// readable is a rule in short, for people who look at a value.
func readable(r Rule) string {
	var parts []string
	add := func(kind, text string) {
		if text != "" {
			parts = append(parts, kind+":"+text)
		}
	}
	add("items", strings.Join(r.Items, ","))
	add("in", r.In)
	add("css", r.CSS)
	add("xpath", r.XPath)
	add("json", r.JSON)
	add("label", r.Label)
	add("column", r.Column)
	add("after", r.After)
	add("before", r.Before)
	if r.Constant != nil {
		parts = append(parts, "constant")
	}
	for _, part := range r.Join {
		parts = append(parts, readable(part))
	}
	text := strings.Join(parts, " ")
	text = cmp.Or(text, "record")
	if r.Attr != "" {
		text += "@" + r.Attr
	}
	if r.From != "" {
		text += " from " + string(r.From)
	}
	for _, t := range r.Do {
		text += " | " + t.Op
	}
	return text
}

// maxMinorDigits is the most decimals that the step minor makes; no currency has
// more than four.
const maxMinorDigits = 9

// transform compiles one step.
func (c *compiler) transform(place string, t Transform) transform {
	out := transform{Transform: t}
	known, ok := transforms[t.Op]
	if !ok {
		c.add(place+"/op", "unknown step %q%s", t.Op, suggest(t.Op, sortedKeys(transforms)))
		return out
	}
	for _, a := range []struct {
		name, takes, needs string
		has                bool
	}{{"text", "tT", "T", t.Text != ""}, {"with", "w", "", t.With != ""}, {"n", "nN", "N", t.N != 0}, {"to", "o", "", t.To != 0}} {
		switch {
		case a.has && !strings.ContainsAny(known.takes, a.takes):
			c.add(place+"/"+a.name, "the step %s takes none", t.Op)
		case !a.has && strings.ContainsAny(known.takes, a.needs):
			c.add(place+"/"+a.name, "the step %s needs it", t.Op)
		}
	}
	switch {
	case t.Op == "minor" && (t.N < 0 || t.N > maxMinorDigits):
		c.add(place+"/n", "an amount has 1 to %d decimals; without n it has %d", maxMinorDigits, minorDigits)
	case t.Op == "match" && t.Text != "":
		out.pattern = c.pattern(place+"/text", t.Text)
	case t.Op == "json" && t.Text != "":
		out.path = *c.path(place+"/text", t.Text)
	}
	return out
}
