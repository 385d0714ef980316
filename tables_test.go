package curlew_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// inSteps are the files with loops over a literal that check something and are no cases: each
// step goes on from the one before, or the loop stands where t.Run must not be called.
var inSteps = map[string]int{
	"internal/app/cache_test.go":                2,
	"internal/change/syndicate/readers_test.go": 1,
	"internal/door/cli/addagain_test.go":        1,
	"internal/door/cli/backup_test.go":          1,
	"internal/door/cli/shardbackup_test.go":     1,
	"internal/door/cli/sharded_test.go":         2,
	"internal/door/cli/watch_test.go":           1,
	"internal/work/heal/heal_test.go":           2,
	"internal/work/runs/check_test.go":          1,
	"internal/work/runs/runs_test.go":           1,
	"internal/work/teach/detail_test.go":        1,
	"internal/work/teach/training_test.go":      1,
	"internal/work/watch/feed_test.go":          1,
	"internal/work/watch/watch_test.go":         1,
}

// TestTableCasesAreRunByName: a case that is run by t.Run has a name, can be run alone, and
// its end is not that of the others. A loop that ends early, or that changes what is outside
// of it, has no cases.
func TestTableCasesAreRunByName(t *testing.T) {
	found := map[string]int{}
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (path == "bench" || path == "third_party" || path != "." && strings.HasPrefix(entry.Name(), ".")):
			return filepath.SkipDir // modules of their own
		case entry.IsDir() || !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if loop, ok := n.(*ast.RangeStmt); ok && overLiteral(loop.X) && checks(loop.Body) && !stepwise(loop) {
				found[filepath.ToSlash(path)]++
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range slices.Sorted(maps.Keys(found)) {
		if found[path] > inSteps[path] {
			t.Errorf("%s: %d loops over tables run no case by t.Run, %d may", path, found[path], inSteps[path])
		}
	}
	for _, path := range slices.Sorted(maps.Keys(inSteps)) {
		if found[path] < inSteps[path] {
			t.Errorf("%s has %d such loops, not %d: correct the list", path, found[path], inSteps[path])
		}
	}
}

// overLiteral says whether a loop goes over a list or map that is written out, in place or in a variable of the file.
func overLiteral(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.CompositeLit:
		return len(x.Elts) > 0
	case *ast.Ident:
		if x.Obj == nil {
			return false
		}
		switch d := x.Obj.Decl.(type) {
		case *ast.AssignStmt:
			for i, name := range d.Lhs {
				if id, ok := name.(*ast.Ident); ok && id.Name == x.Name && len(d.Lhs) == len(d.Rhs) {
					list, ok := d.Rhs[i].(*ast.CompositeLit)
					return ok && len(list.Elts) > 0
				}
			}
		case *ast.ValueSpec:
			for i, id := range d.Names {
				if id.Name == x.Name && i < len(d.Values) {
					list, ok := d.Values[i].(*ast.CompositeLit)
					return ok && len(list.Elts) > 0
				}
			}
		}
	}
	return false
}

// checks says whether a body reports what is wrong itself. What only ends at an error sets something up.
func checks(body ast.Node) (found bool) {
	runs := false
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		method, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if on, ok := method.X.(*ast.Ident); ok && on.Name == "t" {
			switch method.Sel.Name {
			case "Run":
				runs = true
			case "Error", "Errorf", "Fatalf":
				found = true
			}
		}
		return true
	})
	return found && !runs
}

// stepwise says whether a loop ends early or changes what is outside of it.
func stepwise(loop *ast.RangeStmt) (found bool) {
	outside := func(x ast.Expr) bool {
		for {
			switch y := x.(type) {
			case *ast.SelectorExpr:
				x = y.X
			case *ast.IndexExpr:
				x = y.X
			case *ast.StarExpr:
				x = y.X
			case *ast.Ident:
				return y.Name != "_" && (y.Obj == nil || y.Obj.Pos() < loop.Pos() || y.Obj.Pos() >= loop.End())
			default:
				return false
			}
		}
	}
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			found = found || slices.ContainsFunc(n.Lhs, outside)
		case *ast.IncDecStmt:
			found = found || outside(n.X)
		}
		return true
	})
	var leaves func(n ast.Node, within bool)
	leaves = func(n ast.Node, within bool) {
		ast.Inspect(n, func(m ast.Node) bool {
			switch m := m.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.SelectStmt, *ast.TypeSwitchStmt:
				if m != n {
					leaves(m, true)
					return false
				}
			case *ast.ReturnStmt:
				found = true
			case *ast.BranchStmt:
				found = found || m.Label != nil || m.Tok == token.BREAK && !within
			}
			return true
		})
	}
	leaves(loop.Body, false)
	return found
}
