package curlew_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
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
	mostOperators   = 4  // && and || of one condition
	generatedMarker = "// Code generated "
)

// overOperators are the files whose conditions have more operators yet, and how many at most. The list only shrinks.
var overOperators = map[string]int{
	"internal/extract/compiled.go":             6,
	"internal/extract/contradict.go":           5,
	"internal/learn/induce/columns.go":         5,
	"internal/learn/sanitize/highlight.go":     5,
	"internal/read/article/clean.go":           6,
	"internal/read/article/date.go":            5,
	"internal/read/article/figures.go":         5,
	"internal/read/article/stamp.go":           6,
	"internal/read/article/title.go":           5,
	"internal/read/blueprint/rule.go":          6,
	"internal/read/blueprint/transform.go":     5,
	"internal/read/blueprint/visibletext.go":   5,
	"internal/read/dom/address.go":             6,
	"internal/read/dom/raised.go":              6,
	"internal/read/dom/visible.go":             8,
	"internal/read/events/hall.go":             5,
	"internal/read/events/judge.go":            5,
	"internal/read/events/lexicon.go":          5,
	"internal/read/feeds/draft.go":             5,
	"internal/read/normalise/moment.go":        5,
	"internal/read/product/pricechoice.go":     6,
	"internal/read/regions/naming.go":          6,
	"internal/read/regions/slot.go":            6,
	"internal/read/regions/unit.go":            6,
	"internal/read/structured/assignment.go":   5,
	"internal/read/structured/island.go":       5,
	"internal/read/structured/microformats.go": 6,
}

// longLines are the files with longer lines yet, and their length. The list only shrinks.
var longLines = map[string]int{
	"internal/read/article/author.go":      281,
	"internal/read/article/date.go":        145,
	"internal/read/blueprint/blueprint.go": 145,
	"internal/read/blueprint/expect.go":    210,
	"internal/read/blueprint/textpath.go":  151,
	"internal/read/events/monthrows.go":    141,
	"internal/read/events/ranges.go":       155,
	"internal/read/events/stray.go":        169,
	"internal/read/events/when.go":         154,
	"internal/read/feeds/jsontext.go":      145,
	"internal/read/feeds/modules.go":       150,
	"internal/read/product/rating.go":      144,
}

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
		text = withoutTags(files, file, text)
		n := 0
		for line := range strings.Lines(string(text)) {
			n++
			if length := utf8.RuneCountInString(strings.TrimRight(line, "\n")); length > max(longestLine, longLines[s.path]) {
				t.Errorf("%s:%d has %d characters", s.path, n, length)
			}
		}
		for at, n := range operators(file) {
			if n > max(mostOperators, overOperators[s.path]) {
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

// ownCollapse are the files that lay white space out by themselves yet. The list only shrinks.
var ownCollapse = []string{"internal/read/regions/pairs.go"}

// TestWhiteSpaceIsCollapsedByTheKit: text.Collapse is the one way to make a run of white space one space.
func TestWhiteSpaceIsCollapsedByTheKit(t *testing.T) {
	for _, s := range sources(t) {
		code, err := os.ReadFile(s.path)
		if err != nil {
			t.Fatal(err)
		}
		own := bytes.Contains(code, []byte("strings.Join(strings.Fields("))
		if own && s.pkg != "text" && !slices.Contains(ownCollapse, s.path) {
			t.Errorf("%s collapses white space by itself: use text.Collapse", s.path)
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

// withoutTags is a file without the tags of fields, which cannot be wrapped.
func withoutTags(files *token.FileSet, file *ast.File, text []byte) []byte {
	text = slices.Clone(text)
	ast.Inspect(file, func(n ast.Node) bool {
		if field, ok := n.(*ast.Field); ok && field.Tag != nil {
			clear(text[files.Position(field.Tag.Pos()).Offset:files.Position(field.Tag.End()).Offset])
		}
		return true
	})
	return bytes.ReplaceAll(text, []byte{0}, nil)
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
