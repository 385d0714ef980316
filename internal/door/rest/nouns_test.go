package rest

import (
	"bytes"
	"encoding/json"
	"flag"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite nouns.json from the comments in the sources")

// TestTheAPIDescribesItselfInTheWordsOfTheCode keeps nouns.json equal to the comments.
func TestTheAPIDescribesItselfInTheWordsOfTheCode(t *testing.T) {
	v := vocabulary{Docs: map[string]string{}, Enums: map[string][]any{}}
	for _, folder := range []string{"../../data/store", "../../work/watch", "../../work/heal", "../../work/crawl", "../../curlew", "../../app", "."} {
		t.Run(folder, func(t *testing.T) {
			files, err := filepath.Glob(filepath.Join(folder, "*.go"))
			if err != nil || len(files) == 0 {
				t.Fatalf("%s: %d files, %v", folder, len(files), err)
			}
			for _, path := range files {
				if strings.HasSuffix(path, "_test.go") {
					continue
				}
				file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
				if err != nil {
					t.Fatal(err)
				}
				v.read(file)
			}
		})
	}
	v.keep(told())
	want, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if *update {
		if err := os.WriteFile("nouns.json", want, 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(want, nounsText) {
		t.Error("nouns.json is not what the comments say: run go test ./internal/door/rest -run Words -update")
	}
}

// told are the names of all types and fields that the API shows.
func told() map[string]bool {
	names := map[string]bool{}
	var visit func(s shape)
	visit = func(s shape) {
		if s.goType != nil {
			names[plainName(s.goType)] = true
		}
		if s.elem != nil {
			visit(*s.elem)
		}
		for _, f := range s.fields {
			names[f.goName] = true
			visit(f.shape)
		}
	}
	for _, r := range Routes() {
		visit(r.in)
		visit(r.out)
	}
	for _, t := range []reflect.Type{reflect.TypeFor[Event](), reflect.TypeFor[viewing](), reflect.TypeFor[Problem]()} {
		visit(shapeOf(t))
	}
	return names
}

// keep forgets what the API does not show, so that it may change freely.
func (v vocabulary) keep(names map[string]bool) {
	maps.DeleteFunc(v.Docs, func(name, _ string) bool { return !names[name] })
	maps.DeleteFunc(v.Enums, func(name string, _ []any) bool { return !names[name] })
}

// read takes in the comments and closed sets of a file.
func (v vocabulary) read(file *ast.File) {
	for _, d := range file.Decls {
		group, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range group.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				v.readType(s, group.Doc)
			case *ast.ValueSpec:
				if group.Tok == token.CONST {
					v.readConst(s)
				}
			}
		}
	}
}

func (v vocabulary) readType(s *ast.TypeSpec, doc *ast.CommentGroup) {
	v.note(s.Name.Name, doc)
	fields, ok := s.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range fields.Fields.List {
		for _, name := range f.Names {
			v.note(s.Name.Name+"."+name.Name, f.Doc)
			v.note(s.Name.Name+"."+name.Name, f.Comment)
		}
	}
}

func (v vocabulary) note(name string, doc *ast.CommentGroup) {
	if doc == nil {
		return
	}
	v.Docs[name] = strings.Join(strings.Fields(doc.Text()), " ")
}

func (v vocabulary) readConst(s *ast.ValueSpec) {
	kind, ok := s.Type.(*ast.Ident)
	if !ok || len(s.Values) != 1 || slices.Contains([]string{"OrgID", "Counter", "Code", "SchemaName"}, kind.Name) || !ast.IsExported(kind.Name) {
		return
	}
	literal, ok := s.Values[0].(*ast.BasicLit)
	if !ok {
		return
	}
	var value any
	switch literal.Kind {
	case token.STRING:
		value, _ = strconv.Unquote(literal.Value)
	case token.INT:
		n, _ := constant.Int64Val(constant.MakeFromLiteral(literal.Value, token.INT, 0))
		value = float64(n)
	}
	if value != nil && !slices.Contains(v.Enums[kind.Name], value) {
		v.Enums[kind.Name] = append(v.Enums[kind.Name], value)
	}
}
