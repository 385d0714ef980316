package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// span is a part of a source, by offsets.
type span struct{ from, to int }

// edit puts some parts of what stands in a span in its place, or a text.
type edit struct {
	span
	parts []span
	text  string
}

// cutter takes conditions out of one file.
type cutter struct {
	src     []byte
	file    *token.File
	never   map[span]bool // conditions that never hold
	always  map[span]bool // and such that always do
	edits   []edit
	parents map[ast.Node]ast.Node
}

// cut deletes from the repository what the table says can go: if statements and cases that are never
// taken, the sides of conditions that decide nothing.
func cut(repository, copied, list string) error {
	table, err := readMutants(copied)
	if err != nil {
		return err
	}
	left := map[int]uint8{}
	data, err := os.ReadFile(list)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, &left); err != nil {
		return err
	}
	files := map[string][]Mutant{}
	for _, m := range table {
		if left[m.ID] != 0 {
			files[m.File] = append(files[m.File], m)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := cutFile(filepath.Join(repository, name), files[name]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func cutFile(path string, mutants []Mutant) error {
	src, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, src, parser.ParseComments)
	if err != nil {
		return err
	}
	c := &cutter{src: src, file: set.File(file.Pos()), never: map[span]bool{}, always: map[span]bool{}, parents: map[ast.Node]ast.Node{}}
	for _, m := range mutants {
		if string(src[m.From:m.To]) != m.Text {
			return fmt.Errorf("line %d is not as it was", m.Line)
		}
		(map[bool]map[span]bool{false: c.never, true: c.always})[m.Kind == "and"][span{m.From, m.To}] = true
	}
	var above []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			above = above[:len(above)-1]
			return true
		}
		if len(above) > 0 {
			c.parents[n] = above[len(above)-1]
		}
		above = append(above, n)
		return true
	})
	ast.Inspect(file, func(n ast.Node) bool {
		c.node(n)
		return true
	})
	out := tidy(c.text(span{0, len(src)}, nil))
	formatted, err := format.Source([]byte(out))
	if err != nil {
		_ = os.WriteFile(path+".bad", []byte(out), 0o644)
		return err
	}
	if err := os.WriteFile(path, formatted, 0o644); err != nil {
		return err
	}
	for {
		more, err := deleteEmpty(path)
		if err != nil || !more {
			return err
		}
	}
}

// deleteEmpty deletes loops, switches and conditions in which nothing is left.
func deleteEmpty(path string) (bool, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return false, err
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, src, parser.ParseComments)
	if err != nil {
		return false, err
	}
	c := &cutter{src: src, file: set.File(file.Pos())}
	commented := func(b *ast.BlockStmt) bool {
		return slices.ContainsFunc(file.Comments, func(g *ast.CommentGroup) bool { return b.Pos() < g.Pos() && g.Pos() < b.End() })
	}
	ast.Inspect(file, func(n ast.Node) bool {
		var body *ast.BlockStmt
		switch n := n.(type) {
		case *ast.RangeStmt:
			body = n.Body
		case *ast.ForStmt:
			if n.Cond != nil {
				body = n.Body
			}
		case *ast.SwitchStmt:
			if n.Tag == nil {
				body = n.Body
			}
		}
		if body != nil && len(body.List) == 0 && !commented(body) {
			c.edits = append(c.edits, edit{span: c.lines(n)})
			return false
		}
		return true
	})
	if len(c.edits) == 0 {
		return false, nil
	}
	out, err := format.Source([]byte(tidy(c.text(span{0, len(src)}, nil))))
	if err != nil {
		return false, err
	}
	return true, os.WriteFile(path, out, 0o644)
}

var (
	afterBrace  = regexp.MustCompile(`\{\n\n+`)
	beforeBrace = regexp.MustCompile(`\n\n+(\t*\})`)
	blankLines  = regexp.MustCompile(`\n\n\n+`)
)

func tidy(src string) string {
	src = blankLines.ReplaceAllString(src, "\n\n")
	src = afterBrace.ReplaceAllString(src, "{\n")
	return beforeBrace.ReplaceAllString(src, "\n$1")
}

func (c *cutter) span(n ast.Node) span {
	return span{c.file.Offset(n.Pos()), c.file.Offset(n.End())}
}

// text is what a span says after all edits in it.
func (c *cutter) text(s span, within *edit) string {
	var out strings.Builder
	at := s.from
	for at < s.to {
		var next *edit
		for i := range c.edits {
			e := &c.edits[i]
			if e == within || e.from < at || e.to > s.to {
				continue
			}
			if next == nil || e.from < next.from || e.from == next.from && e.to > next.to {
				next = e
			}
		}
		if next == nil {
			break
		}
		out.Write(c.src[at:next.from])
		out.WriteString(next.text)
		for _, p := range next.parts {
			out.WriteString(c.text(p, next))
		}
		at = next.to
	}
	out.Write(c.src[min(at, s.to):s.to])
	return out.String()
}

// holds is 1 where an expression never holds, 2 where it always does, else 0.
func (c *cutter) holds(e ast.Expr) int {
	s := c.span(e)
	switch {
	case c.never[s]:
		return 1
	case c.always[s]:
		return 2
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return c.holds(e.X)
	case *ast.UnaryExpr:
		if h := c.holds(e.X); e.Op == token.NOT && h != 0 {
			return 3 - h
		}
	case *ast.BinaryExpr:
		x, y := c.holds(e.X), c.holds(e.Y)
		switch e.Op {
		case token.LOR:
			if x == 2 || y == 2 {
				return 2
			}
			if x == 1 && y == 1 {
				return 1
			}
		case token.LAND:
			if x == 1 || y == 1 {
				return 1
			}
			if x == 2 && y == 2 {
				return 2
			}
		}
	}
	return 0
}

func (c *cutter) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.IfStmt:
		c.ifStatement(n)
	case *ast.CaseClause:
		c.caseClause(n)
	case *ast.BinaryExpr:
		c.binary(n)
	}
}

func (c *cutter) binary(n *ast.BinaryExpr) {
	if n.Op != token.LAND && n.Op != token.LOR {
		return
	}
	if c.holds(n) != 0 {
		return // the statement goes, or a person decides what a constant stands for
	}
	switch {
	case c.holds(n.X) != 0:
		c.keep(n, n.Y)
	case c.holds(n.Y) != 0:
		c.keep(n, n.X)
	}
}

// keep leaves of a condition one side, and its parentheses only where it needs them.
func (c *cutter) keep(n *ast.BinaryExpr, side ast.Expr) {
	whole, rest := c.span(n), side
	for {
		p, ok := rest.(*ast.ParenExpr)
		if !ok {
			break
		}
		if b, ok := p.X.(*ast.BinaryExpr); ok && (b.Op == token.LOR || b.Op == token.LAND) {
			if _, in := c.parents[n].(*ast.BinaryExpr); in && b.Op == token.LOR {
				break
			}
		}
		rest = p.X
	}
	if p, ok := c.parents[n].(*ast.ParenExpr); ok {
		if b, is := rest.(*ast.BinaryExpr); !is || b.Op != token.LOR && b.Op != token.LAND {
			if _, not := c.parents[p].(*ast.UnaryExpr); !not || !isBinary(rest) {
				whole = c.span(p)
			}
		}
	}
	c.edits = append(c.edits, edit{span: whole, parts: []span{c.span(rest)}})
}

func isBinary(e ast.Expr) bool {
	_, ok := e.(*ast.BinaryExpr)
	return ok
}

func (c *cutter) ifStatement(n *ast.IfStmt) {
	h := c.holds(n.Cond)
	if h == 0 {
		return
	}
	if a, ok := n.Init.(*ast.AssignStmt); n.Init != nil && (!ok || a.Tok != token.DEFINE || n.Else != nil || h == 2) {
		return // what begins the statement does something
	}
	if h == 2 {
		c.edits = append(c.edits, edit{span: c.span(n), parts: []span{c.inside(n.Body)}})
		return
	}
	parent, chained := c.parents[n].(*ast.IfStmt)
	chained = chained && parent.Else == n
	switch {
	case n.Else == nil && chained:
		c.edits = append(c.edits, edit{span: span{c.file.Offset(parent.Body.End()), c.file.Offset(n.End())}})
	case n.Else == nil:
		c.edits = append(c.edits, edit{span: c.lines(n)})
	case chained:
		c.edits = append(c.edits, edit{span: span{c.file.Offset(n.Pos()), c.file.Offset(n.Else.Pos())}})
	default:
		if block, ok := n.Else.(*ast.BlockStmt); ok {
			c.edits = append(c.edits, edit{span: c.span(n), parts: []span{c.inside(block)}})
			return
		}
		c.edits = append(c.edits, edit{span: span{c.file.Offset(n.Pos()), c.file.Offset(n.Else.Pos())}})
	}
}

func (c *cutter) inside(b *ast.BlockStmt) span {
	return span{c.file.Offset(b.Lbrace) + 1, c.file.Offset(b.Rbrace)}
}

func (c *cutter) caseClause(n *ast.CaseClause) {
	dead := 0
	for _, e := range n.List {
		if c.holds(e) == 1 {
			dead++
		}
	}
	if dead == 0 {
		return
	}
	if dead == len(n.List) {
		c.edits = append(c.edits, edit{span: c.lines(n)})
		return
	}
	var parts []span
	var text string
	for _, e := range n.List {
		if c.holds(e) != 1 {
			parts = append(parts, c.span(e))
		}
	}
	whole := span{c.file.Offset(n.List[0].Pos()), c.file.Offset(n.List[len(n.List)-1].End())}
	if len(parts) == 1 {
		c.edits = append(c.edits, edit{span: whole, parts: parts})
		return
	}
	var texts []string
	for _, p := range parts {
		texts = append(texts, c.text(p, nil))
	}
	text = strings.Join(texts, ", ")
	c.edits = append(c.edits, edit{span: whole, text: text})
}

// lines are those of a statement, with the comment right above it.
func (c *cutter) lines(n ast.Node) span {
	s := c.span(n)
	for s.from > 0 && c.src[s.from-1] != '\n' {
		if b := c.src[s.from-1]; b != '\t' && b != ' ' {
			return c.span(n) // something stands before it
		}
		s.from--
	}
	for s.from > 0 {
		start := strings.LastIndexByte(string(c.src[:s.from-1]), '\n') + 1
		if !strings.HasPrefix(strings.TrimSpace(string(c.src[start:s.from])), "//") {
			break
		}
		s.from = start
	}
	for s.to < len(c.src) && c.src[s.to] != '\n' {
		s.to++
	}
	s.to = min(s.to+1, len(c.src))
	return s
}
