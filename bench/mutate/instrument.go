package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Mutant is one piece of the program that can be switched off: an if or case that is never
// taken, one side of an "or" that never holds, one side of an "and" that always does, a
// function that returns nothing.
type Mutant struct {
	ID   int    `json:"id"`
	File string `json:"file"`
	Line int    `json:"line"`
	Kind string `json:"kind"` // if, case, or, and, func
	Text string `json:"text"`
	From int    `json:"from"` // offsets of the condition, or of the brace that opens the function
	To   int    `json:"to"`
	zero string // statements that return nothing
}

//go:embed mutant.go.txt
var mutantPackage string

//go:embed probe.go.txt
var probeProgram string

// instrument copies the repository and puts a switch around every condition of the packages.
func instrument(from, to string, packages []string) ([]Mutant, error) {
	if out, err := exec.Command("git", "clone", "-q", "--no-hardlinks", from, to).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("copy the repository: %s", out)
	}
	var mutants []Mutant
	for _, pkg := range packages {
		err := filepath.WalkDir(filepath.Join(to, pkg), func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			mutants, err = instrumentFile(to, path, mutants)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	files := map[string]string{
		"internal/mutant/mutant.go": fmt.Sprintf(mutantPackage, len(mutants)),
		"cmd/probe/main.go":         probeProgram,
	}
	for name, text := range files {
		path := filepath.Join(to, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	table, err := json.Marshal(mutants)
	if err != nil {
		return nil, err
	}
	return mutants, os.WriteFile(filepath.Join(to, "mutants.json"), table, 0o644)
}

func instrumentFile(root, path string, mutants []Mutant) ([]Mutant, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, src, 0)
	if err != nil {
		return nil, err
	}
	name, err := filepath.Rel(root, path)
	if err != nil {
		return nil, err
	}
	first := len(mutants)
	add := func(kind string, e ast.Expr) {
		from, to := set.Position(e.Pos()), set.Position(e.End())
		text := string(src[from.Offset:to.Offset])
		if !protects(text) {
			mutants = append(mutants, Mutant{ID: len(mutants), File: name, Line: from.Line, Kind: kind, Text: text, From: from.Offset, To: to.Offset})
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil && n.Name.Name != "init" {
				at := set.Position(n.Body.Lbrace)
				mutants = append(mutants, Mutant{ID: len(mutants), File: name, Line: set.Position(n.Pos()).Line, Kind: "func",
					Text: n.Name.Name, From: at.Offset + 1, To: at.Offset + 1, zero: nothing(n.Type.Results, src, set)})
			}
		case *ast.IfStmt:
			add("if", n.Cond)
		case *ast.SwitchStmt:
			if n.Tag == nil {
				for _, c := range n.Body.List {
					for _, e := range c.(*ast.CaseClause).List {
						add("case", e)
					}
				}
			}
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				kind := map[token.Token]string{token.LAND: "and", token.LOR: "or"}[n.Op]
				add(kind, n.X)
				add(kind, n.Y)
			}
		}
		return true
	})
	return mutants, os.WriteFile(path, switched(src, mutants[first:], set.Position(file.Name.End()).Offset), 0o644)
}

// nothing are the statements that return the zero values of these results.
func nothing(results *ast.FieldList, src []byte, set *token.FileSet) string {
	if results == nil {
		return "return"
	}
	var out, names []string
	for _, f := range results.List {
		text := string(src[set.Position(f.Type.Pos()).Offset:set.Position(f.Type.End()).Offset])
		for range max(1, len(f.Names)) {
			name := fmt.Sprintf("mutant%d", len(names))
			names = append(names, name)
			out = append(out, fmt.Sprintf("var %s %s; ", name, text))
		}
	}
	return strings.Join(out, "") + "return " + strings.Join(names, ", ")
}

// protects says whether a condition only keeps the program from failing: what cannot
// be there is not looked at, and what was told to end, ends.
func protects(condition string) bool {
	for _, word := range []string{"nil", "err", "ok", "!ok", "ctx."} {
		if condition == word || strings.Contains(condition, " "+word) && !strings.Contains(condition, "&&") && !strings.Contains(condition, "||") {
			return true
		}
	}
	return false
}

// switched is the source with a switch around each condition. The import stands on the
// line of the package, so that the lines keep their numbers.
func switched(src []byte, mutants []Mutant, nameEnd int) []byte {
	type insert struct {
		at, order int
		text      string
	}
	inserts := []insert{}
	if len(mutants) > 0 {
		inserts = append(inserts, insert{at: nameEnd, text: `; import mutant "github.com/curlew-data/curlew/internal/mutant"`})
	}
	for _, m := range mutants {
		if m.Kind == "func" {
			inserts = append(inserts, insert{at: m.From, text: fmt.Sprintf(" if mutant.If(%d, false) { %s };", m.ID, m.zero)})
			continue
		}
		// The longer of two conditions that begin or end together stands outside.
		length := m.To - m.From
		inserts = append(inserts, insert{at: m.From, order: -length, text: fmt.Sprintf("mutant.If(%d, ", m.ID)}, insert{at: m.To, order: length, text: ")"})
	}
	slices.SortStableFunc(inserts, func(a, b insert) int {
		if a.at != b.at {
			return a.at - b.at
		}
		return a.order - b.order
	})
	var out strings.Builder
	last := 0
	for _, i := range inserts {
		out.Write(src[last:i.at])
		out.WriteString(i.text)
		last = i.at
	}
	out.Write(src[last:])
	return []byte(out.String())
}
