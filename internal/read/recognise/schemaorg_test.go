package recognise

import (
	"path/filepath"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/structured"
	"github.com/curlew-data/curlew/internal/testkit/corpus"
	"github.com/curlew-data/curlew/internal/text"
)

// TestConformanceSyntaxesBecomeTheSameDrafts reads entities that are written in three syntaxes
// and compares what becomes of them, field by field.
func TestConformanceSyntaxesBecomeTheSameDrafts(t *testing.T) {
	type example struct{ ID, Microdata, RDFa, JSONLD string }
	same, common, entities := map[structured.Syntax]int{}, map[structured.Syntax]int{}, 0
	for _, e := range rows[example](t, filepath.Join(corpus.Path(t, "schemaorg"), "examples.jsonl")) {
		if e.Microdata == "" || e.RDFa == "" || e.JSONLD == "" {
			continue
		}
		for _, schema := range curlew.Schemas() {
			want := draftOf(e.JSONLD, structured.JSONLD, schema.Name)
			if want == nil || schema.Name == curlew.SchemaItem {
				continue
			}
			entities++
			for syntax, s := range map[structured.Syntax]string{structured.Microdata: e.Microdata, structured.RDFa: e.RDFa} {
				got := draftOf(s, syntax, schema.Name)
				if got == nil {
					t.Logf("%s %s: no %s", e.ID, syntax, schema.Name)
					common[syntax]++
					continue
				}
				for _, f := range schema.Fields {
					mine, theirs := asText(got.Fields[f.Name]), asText(want.Fields[f.Name])
					if mine == "" || theirs == "" {
						continue
					}
					common[syntax]++
					if sameValue(mine, theirs) {
						same[syntax]++
					} else {
						t.Logf("%s %s %s: %q, JSON-LD %q", e.ID, syntax, f.Name, text.Clip(mine, 80), text.Clip(theirs, 80))
					}
				}
			}
		}
	}
	t.Logf("%d entities", entities)
	for _, syntax := range []structured.Syntax{structured.Microdata, structured.RDFa} {
		report(t, "drafts from "+string(syntax), same[syntax], common[syntax], "fields as from JSON-LD", 93)
	}
}

// draftOf is the first entity of a schema in a snippet.
func draftOf(text string, syntax structured.Syntax, schema curlew.SchemaName) *curlew.Draft {
	doc := dom.New([]byte("<!doctype html><body>"+text), "https://example.com/page")
	found := FromGraph(structured.ReadSyntax(doc, syntax), doc, schema.Kind())
	if len(found) == 0 {
		return nil
	}
	return found[0].Draft
}
