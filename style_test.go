package curlew_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// What is over these limits is named into parts.
const (
	longestLine     = 140
	mostBranches    = 15 // cyclomatic complexity
	mostParameters  = 5
	mostLines       = 60 // of a function
	mostOperators   = 8  // && and || of one condition
	generatedMarker = "// Code generated "
)

func TestLinesBranchesAndParametersStayFew(t *testing.T) {
	for _, s := range sources(t) {
		text, err := os.ReadFile(s.path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(string(text), generatedMarker) {
			continue
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, s.path, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		raw, n := rawLines(files, file), 0
		for line := range strings.Lines(string(text)) {
			n++
			if length := utf8.RuneCountInString(strings.TrimRight(line, "\n")); length > longestLine && !raw[n] && !strings.Contains(line, "://") {
				t.Errorf("%s:%d has %d characters", s.path, n, length)
			}
		}
		for at, n := range operators(file) {
			if n > mostOperators {
				t.Errorf("%s: a condition has %d operators: name its parts", files.Position(at), n)
			}
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			complexity, parameters := branches(f), f.Type.Params.NumFields()
			lines := files.Position(f.End()).Line - files.Position(f.Pos()).Line + 1
			if complexity > mostBranches || parameters > mostParameters || lines > mostLines {
				t.Errorf("%s: %s has a complexity of %d, %d parameters and %d lines", files.Position(f.Pos()), f.Name.Name, complexity, parameters, lines)
			}
		}
	}
}

// TestOnlyTheGuardRecovers: readers leave their panics to ops/guard; a worker and a
// transaction have to outlive those of their callers.
func TestOnlyTheGuardRecovers(t *testing.T) {
	for _, s := range sources(t) {
		text, err := os.ReadFile(s.path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "recover()") && s.pkg != "ops/guard" && s.pkg != "work/queue" && s.pkg != "data/database" {
			t.Errorf("%s recovers: use ops/guard", s.path)
		}
	}
}

// comparesCodes is a comparison of the code of a fault as text.
var comparesCodes = regexp.MustCompile(`(?i)(fault|asfault\([^)]*\))\.Code( *[=!]= | *\{)|Has(Pre|Suf)fix\(string\(fault\.Code\)|` +
	`\.Code [=!]= err\w+\.Code\b|errors\.Is\(.*curlew\.Code\("`)

// TestFaultsAreComparedByErrorsIs: codes are for programs outside; within, a fault is a typed
// value, so that a misspelt code does not compile.
func TestFaultsAreComparedByErrorsIs(t *testing.T) {
	for _, s := range sources(t) {
		text, err := os.ReadFile(s.path)
		if err != nil {
			t.Fatal(err)
		}
		if found := comparesCodes.Find(text); found != nil && s.pkg != "curlew" {
			t.Errorf("%s compares the code of a fault (%s): use errors.Is", s.path, found)
		}
	}
}

// rawLines are the lines with text between backquotes: SQL, expressions, tags of fields.
func rawLines(files *token.FileSet, file *ast.File) map[int]bool {
	raw := map[int]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if text, ok := n.(*ast.BasicLit); ok && text.Value[0] == '`' {
			for line := files.Position(text.Pos()).Line; line <= files.Position(text.End()).Line; line++ {
				raw[line] = true
			}
		}
		return true
	})
	return raw
}

// operators counts the && and || of each condition, by its place.
func operators(file *ast.File) map[token.Pos]int {
	counts, parts := map[token.Pos]int{}, map[ast.Expr]bool{}
	ast.Inspect(file, func(x ast.Node) bool {
		if e, ok := x.(ast.Expr); ok && logical(e) && !parts[e] {
			counts[e.Pos()] = count(e, parts)
		}
		return true
	})
	return counts
}

// count counts the operators of a condition and marks its parts.
func count(e ast.Expr, parts map[ast.Expr]bool) int {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return count(x.X, parts)
	case *ast.UnaryExpr:
		return count(x.X, parts)
	case *ast.BinaryExpr:
		if logical(x) {
			parts[x] = true
			return 1 + count(x.X, parts) + count(x.Y, parts)
		}
	}
	return 0
}

func logical(e ast.Expr) bool {
	x, ok := e.(*ast.BinaryExpr)
	return ok && (x.Op == token.LAND || x.Op == token.LOR)
}

// branches is the cyclomatic complexity of a function.
func branches(f *ast.FuncDecl) int {
	n := 1
	ast.Inspect(f, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if x.List != nil {
				n++
			}
		case *ast.CommClause:
			if x.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if x.Op == token.LAND || x.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}
