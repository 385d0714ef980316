package main

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

var complaints = regexp.MustCompile(`(?m)^(?:vet: )?([\w./-]+\.go):(\d+):(\d+): (declared and not used: |.* imported (?:as \w+ )?and not used|(?:func|type|const|var|field) \S+ is unused)`)

// unused deletes what the compiler and staticcheck call unused after conditions were cut, until nothing is.
func unused(repository string) error {
	for round := range 40 {
		found := map[string][]span{} // lines and columns
		build := exec.Command("go", "build", "-gcflags=-e", "./...")
		build.Dir = repository
		out, failed := build.CombinedOutput()
		if failed == nil {
			check := exec.Command("go", "run", "honnef.co/go/tools/cmd/staticcheck@latest", "-checks", "U1000", "./...")
			check.Dir = repository
			out, _ = check.CombinedOutput()
		}
		for _, m := range complaints.FindAllStringSubmatch(string(out), -1) {
			line, _ := strconv.Atoi(m[2])
			column, _ := strconv.Atoi(m[3])
			found[m[1]] = append(found[m[1]], span{line, column})
		}
		fmt.Println("round", round, len(found), "files")
		if len(found) == 0 {
			if failed != nil {
				return fmt.Errorf("%s", out)
			}
			return nil
		}
		changed := false
		for _, name := range slices.Sorted(maps.Keys(found)) {
			did, err := deleteUnused(filepath.Join(repository, name), found[name])
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			changed = changed || did
		}
		if !changed {
			return fmt.Errorf("what is left is for a person:\n%s", out)
		}
	}
	return fmt.Errorf("no end after 40 rounds")
}

func deleteUnused(path string, places []span) (bool, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return false, err
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, src, parser.ParseComments)
	if err != nil {
		return false, err
	}
	c := &cutter{src: src, file: set.File(file.Pos()), parents: map[ast.Node]ast.Node{}}
	at := map[int]bool{}
	for _, p := range places {
		at[c.file.Offset(c.file.LineStart(p.from))+p.to-1] = true
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
		switch n := n.(type) {
		case *ast.ImportSpec:
			if at[c.file.Offset(n.Pos())] {
				c.edits = append(c.edits, edit{span: c.lines(n)})
			}
		case *ast.FuncDecl:
			if at[c.file.Offset(n.Pos())] || at[c.file.Offset(n.Name.Pos())] {
				c.edits = append(c.edits, edit{span: c.lines(n)})
				return false
			}
		case *ast.AssignStmt:
			c.unusedNames(n, n.Lhs, n.Tok == token.DEFINE, at)
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if e != nil && at[c.file.Offset(e.Pos())] {
					c.edits = append(c.edits, edit{span: c.span(e), text: "_"})
				}
			}
		case *ast.GenDecl:
			c.unusedSpecs(n, at)
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

// unusedNames makes names of an assignment blank, or deletes it where none is left.
func (c *cutter) unusedNames(n *ast.AssignStmt, names []ast.Expr, defines bool, at map[int]bool) {
	left := 0
	var blank []edit
	for _, e := range names {
		id, ok := e.(*ast.Ident)
		switch {
		case !ok:
			left++
		case at[c.file.Offset(id.Pos())]:
			blank = append(blank, edit{span: c.span(id), text: "_"})
		case id.Name != "_":
			left++
		}
	}
	if len(blank) == 0 {
		return
	}
	if left > 0 {
		c.edits = append(c.edits, blank...)
		return
	}
	if parent, ok := c.parents[n].(*ast.IfStmt); ok && parent.Init == n {
		c.edits = append(c.edits, edit{span: span{c.file.Offset(n.Pos()), c.file.Offset(parent.Cond.Pos())}})
		return
	}
	if defines {
		c.edits = append(c.edits, edit{span: c.lines(n)})
	}
}

func (c *cutter) unusedSpecs(n *ast.GenDecl, at map[int]bool) {
	if n.Tok == token.IMPORT {
		return
	}
	gone := 0
	var edits []edit
	for _, s := range n.Specs {
		var name *ast.Ident
		switch s := s.(type) {
		case *ast.ValueSpec:
			if len(s.Names) == 1 {
				name = s.Names[0]
			}
		case *ast.TypeSpec:
			name = s.Name
			if st, ok := s.Type.(*ast.StructType); ok {
				for _, f := range st.Fields.List {
					if len(f.Names) == 1 && at[c.file.Offset(f.Names[0].Pos())] {
						c.edits = append(c.edits, edit{span: c.lines(f)})
					}
				}
			}
		}
		if name != nil && at[c.file.Offset(name.Pos())] {
			gone++
			edits = append(edits, edit{span: c.lines(s)})
		}
	}
	if gone == len(n.Specs) && gone > 0 {
		c.edits = append(c.edits, edit{span: c.lines(n)})
		return
	}
	c.edits = append(c.edits, edits...)
}
