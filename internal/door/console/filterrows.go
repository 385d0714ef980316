package console

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/change/filter"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// How much rows can show; a filter beyond that is written as text.
const (
	mostRows  = 60
	mostDepth = 4
)

// groupMode is how the parts of a group are joined.
type groupMode string

const (
	allOf  groupMode = "all"
	anyOf  groupMode = "any"
	notAll groupMode = "not-all"
	noneOf groupMode = "none"
)

var groupModes = []groupMode{allOf, anyOf, noneOf, notAll}

// filterPart is a group of a filter, or one condition.
type filterPart struct {
	ID    string // place in the tree: "0", "0-2", "0-2-1"
	Mode  groupMode
	Parts []*filterPart

	Field, Value string
	Test         filter.Test
	Wrong        string // what is wrong with it, in a sentence
}

// Group says whether it is one.
func (p *filterPart) Group() bool { return p.Mode != "" }

// Nests says whether a group may hold another.
func (p *filterPart) Nests() bool { return strings.Count(p.ID, "-") < mostDepth-1 }

func (p *filterPart) blank() bool { return !p.Group() && p.Field == "" && p.Value == "" }

// number gives every part its place.
func (p *filterPart) number(id string) {
	p.ID = id
	for i, part := range p.Parts {
		part.number(id + "-" + strconv.Itoa(i))
	}
}

func (p *filterPart) walk(visit func(*filterPart)) {
	visit(p)
	for _, part := range p.Parts {
		part.walk(visit)
	}
}

// partOf makes rows of an expression.
func partOf(x filter.Expr, kinds curlew.Kinds) *filterPart {
	inside := func(mode groupMode, parts []filter.Expr) *filterPart {
		g := &filterPart{Mode: mode}
		for _, part := range parts {
			g.Parts = append(g.Parts, partOf(part, kinds))
		}
		return g
	}
	switch {
	case len(x.All) > 0:
		return inside(allOf, x.All)
	case len(x.Any) > 0:
		return inside(anyOf, x.Any)
	case x.Not != nil && len(x.Not.All) > 0:
		return inside(notAll, x.Not.All)
	case x.Not != nil && len(x.Not.Any) > 0:
		return inside(noneOf, x.Not.Any)
	case x.Not != nil:
		return inside(noneOf, []filter.Expr{*x.Not})
	}
	return &filterPart{Field: x.Field, Test: x.Test, Value: x.Written(kinds...)}
}

// filterRows makes the rows of a filter; false means that it is too much for rows.
func filterRows(text string, kinds curlew.Kinds) (*filterPart, bool) {
	x, err := filter.Parse(text)
	if err != nil {
		return nil, false
	}
	root := &filterPart{Mode: allOf}
	if text = x.String(); text != "" {
		if root = partOf(x, kinds); !root.Group() {
			root = &filterPart{Mode: allOf, Parts: []*filterPart{root}}
		}
	}
	if len(root.Parts) == 0 {
		root.Parts = []*filterPart{{}}
	}
	root.number("0")
	rows, depth := 0, 0
	root.walk(func(p *filterPart) {
		rows++
		depth = max(depth, strings.Count(p.ID, "-"))
	})
	return root, rows <= mostRows && depth <= mostDepth
}

// readRows reads the rows of a form. What a form should not have is left out.
func readRows(v *visit) *filterPart {
	root := &filterPart{Mode: allOf, ID: "0"}
	parts := map[string]*filterPart{}
	for i, id := range v.PostForm["part"] {
		kind, at, _ := strings.Cut(id, ":")
		up := at[:max(0, strings.LastIndexByte(at, '-'))]
		if i > mostRows || len(at) > 40 || parts[at] != nil {
			continue
		}
		p := &filterPart{Field: v.text("f-" + at), Test: filter.Test(v.text("t-" + at)), Value: v.text("v-" + at)}
		if kind == "g" {
			p = &filterPart{Mode: groupMode(v.PostFormValue("m-" + at))}
			if !slices.Contains(groupModes, p.Mode) {
				p.Mode = allOf
			}
		}
		switch above := parts[up]; {
		case at == "0" && p.Group():
			root = p
		case above == nil || !above.Group():
			continue
		default:
			above.Parts = append(above.Parts, p)
		}
		parts[at] = p
	}
	root.number("0")
	return root
}

// change does what a button asks for: row:0 adds a condition to a group, group:0 another
// group, drop:0-1 takes a part away.
func (p *filterPart) change(do string) {
	verb, at, _ := strings.Cut(do, ":")
	rows := 0
	p.walk(func(*filterPart) { rows++ })
	p.walk(func(g *filterPart) {
		switch {
		case !g.Group():
		case verb == "row" && g.ID == at && rows < mostRows:
			g.Parts = append(g.Parts, &filterPart{})
		case verb == "group" && g.ID == at && g.Nests() && rows < mostRows:
			g.Parts = append(g.Parts, &filterPart{Mode: anyOf, Parts: []*filterPart{{}}})
		case verb == "drop":
			g.Parts = slices.DeleteFunc(g.Parts, func(part *filterPart) bool { return part.ID == at })
		}
	})
	p.number("0")
}

// expr reads the conditions of a part; what is wrong is written beside its row.
func (p *filterPart) expr(kinds curlew.Kinds) (x filter.Expr, ok bool) {
	if !p.Group() {
		x, err := filter.Row(p.Field, p.Test, p.Value, kinds...)
		if err != nil {
			p.Wrong = curlew.AsFault(err).Sentence
		}
		return x, err == nil
	}
	var parts []filter.Expr
	ok = true
	for _, part := range p.Parts {
		if part.blank() || part.Group() && part.hollow() {
			continue
		}
		one, fine := part.expr(kinds)
		ok = ok && fine
		parts = append(parts, one)
	}
	switch {
	case !ok || len(parts) == 0:
		return x, ok
	case p.Mode == anyOf:
		return filter.Expr{Any: parts}, true
	case p.Mode == notAll:
		return filter.Expr{Not: &filter.Expr{All: parts}}, true
	case p.Mode == noneOf:
		return filter.Expr{Not: &filter.Expr{Any: parts}}, true
	}
	return filter.Expr{All: parts}, true
}

// hollow says that a group holds nothing.
func (p *filterPart) hollow() bool {
	return !slices.ContainsFunc(p.Parts, func(part *filterPart) bool {
		return part.Group() && !part.hollow() ||
			!part.Group() && !part.blank()
	})
}

// filterText is the filter that rows say; false means that something is wrong beside one
// of them.
func filterText(root *filterPart, kinds curlew.Kinds) (string, bool) {
	x, ok := root.expr(kinds)
	if !ok {
		return "", false
	}
	compiled, err := filter.Compile(x.String(), kinds...)
	if err != nil {
		root.Wrong = curlew.AsFault(err).Sentence
		return "", false
	}
	return compiled.String(), true
}

// fieldGroup are fields to choose from, under a heading.
type fieldGroup struct {
	Title  string
	Fields []curlew.Field
}

// fieldGroups are all fields of a filter: those of every change, those of several
// schemas, and those of one.
func fieldGroups(kinds curlew.Kinds) []fieldGroup {
	counts := map[string]int{}
	for _, s := range kinds {
		for _, f := range s.Fields {
			counts[f.Name]++
		}
	}
	shared := fieldGroup{Title: "several schemas"}
	all := []fieldGroup{{"every change", filter.Own()}}
	seen := map[string]bool{}
	for _, f := range filter.Own() {
		seen[f.Name] = true
	}
	for _, s := range kinds {
		own := fieldGroup{Title: string(s.Name)}
		for _, f := range s.Fields {
			if seen[f.Name] || f.Type == curlew.TypeMap { // of which a part is named as text: slots.colour
				continue
			}
			seen[f.Name] = true
			if counts[f.Name] > 1 {
				shared.Fields = append(shared.Fields, f)
			} else {
				own.Fields = append(own.Fields, f)
			}
		}
		all = append(all, own)
	}
	return slices.Insert(all, 1, shared)
}

// mostFigures is how many numbers of pages can be chosen from; any other is written as text.
const mostFigures = 100

// figuresOfPages are the numbers that watched pages show, by what stands beside them.
func figuresOfPages(ctx context.Context, v *visit) (fieldGroup, error) {
	group := fieldGroup{Title: "numbers of pages"}
	watched := store.EntityFilter{Schema: curlew.SchemaPage, Status: curlew.EntityActive}
	pages, err := v.read.Entities().List(ctx, watched, store.Window{Limit: mostFigures})
	names := map[string]bool{}
	for _, page := range pages {
		figures, _ := page.Fields["figures"].(map[string]any)
		for name := range figures {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if len(group.Fields) < mostFigures {
			group.Fields = append(group.Fields, curlew.Field{Name: "figures." + name, Type: curlew.TypeNumber})
		}
	}
	return group, err
}

// filterTest is a test to choose from, in words, and the types of fields that it fits.
type filterTest struct {
	Test  filter.Test
	Words string
	Takes filter.Takes
	For   string
}

var testWords = map[filter.Test]string{filter.Equals: "is", filter.Differs: "is not", filter.In: "is one of", filter.Contains: "contains",
	filter.StartsWith: "starts with",
	filter.EndsWith:   "ends with", filter.Below: "is below", filter.AtMost: "is at most", filter.Above: "is above",
	filter.AtLeast: "is at least", filter.IsSet: "is there",
	filter.IsMissing: "is missing", filter.Within: "lies within the next", filter.WithinLast: "lies within the last",
	filter.Changed: "changed", filter.Became: "became",
	filter.Was: "was before", filter.Increased: "went up (by)", filter.Decreased: "went down (by)", filter.FallsBelow: "fell below",
	filter.RisesAbove: "rose above", filter.Gains: "gained", filter.Loses: "lost"}

func filterTests() []filterTest {
	var all []filterTest
	for _, t := range filter.Tests() {
		one := filterTest{Test: t, Words: testWords[t], Takes: t.Takes()}
		for _, kind := range curlew.FieldTypes() {
			if t.Fits(curlew.Field{Name: "x", Type: kind}) {
				one.For += string(kind) + " "
			}
		}
		one.For = strings.TrimSpace(one.For)
		all = append(all, one)
	}
	return all
}
