package blueprint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
)

// What is read where the column of a field is gone: nothing from a column that is known, and by its place alone from none
// that has another head.
func TestAFallbackReadsNoOtherColumn(t *testing.T) {
	for _, c := range []struct{ name, heads, row, css, finish string }{
		{"its own column", "Chair,Wood,Finish", "Anvil,oak,oil", "td", "oil"},
		{"the last cell of a column that is known", "Chair,Wood", "Anvil,oak", "td", ""},
		{"the last cell of a new column", "Chair,Wood,Weight", "Anvil,oak,heavy", "td", ""},
		{"a mark in a column that is known", "Chair,Wood", "Anvil,<i>oak</i>", "i", ""},
		{"a mark in a column with another head", "Chair,Wood,Surface", "Anvil,oak,<i>oil</i>", "i", "oil"},
		{"a column without a head", "Chair,Wood,", "Anvil,oak,oil", "td", "oil"},
		{"a table without known heads", "Name,Timber,Surface", "Anvil,oak,oil", "td", "oil"},
	} {
		t.Run(c.name, func(t *testing.T) {
			column := func(name string) blueprint.Rule { return blueprint.Rule{Column: name} }
			b := blueprint.Blueprint{Language: 1, Schema: curlew.SchemaItem, Page: curlew.PageList, Tier: curlew.TierHTML,
				Records: &blueprint.Selector{CSS: "tr:has(td)"}, Fields: map[string]blueprint.FieldRules{
					"slots.wood": {Rules: []blueprint.Rule{column("Wood")}},
					"slots.finish": {Rules: []blueprint.Rule{column("Finish"),
						{Selector: blueprint.Selector{CSS: c.css}, Last: true}}},
				}}
			compiled, err := blueprint.Compile(&b)
			if err != nil {
				t.Fatal(err)
			}
			cells := func(tag, texts string) string {
				return "<tr><" + tag + ">" + strings.ReplaceAll(texts, ",", "</"+tag+"><"+tag+">") + "</" + tag + "></tr>"
			}
			doc := dom.New([]byte("<table>"+cells("th", c.heads)+cells("td", c.row)+"</table>"), "https://chairs.example/")
			drafts := compiled.Apply(blueprint.PageInput{Document: doc}).Drafts
			if len(drafts) != 1 {
				t.Fatalf("%d records", len(drafts))
			}
			got := drafts[0].Fields.At("slots.finish")
			if got == nil {
				got = ""
			}
			if fmt.Sprint(got) != c.finish {
				t.Errorf("the finish is %q, want %q", got, c.finish)
			}
		})
	}
}

// A row of one cell below several columns is none of the list: the numbers of its pages, a message, a link to more.
func TestARowOfOneCellBelowColumnsIsNoRecord(t *testing.T) {
	column := func(name string) blueprint.FieldRules {
		return blueprint.FieldRules{Rules: []blueprint.Rule{{Column: name}}}
	}
	b := blueprint.Blueprint{Language: 1, Schema: curlew.SchemaItem, Page: curlew.PageList, Tier: curlew.TierHTML,
		Records: &blueprint.Selector{CSS: "tr:has(td)"}, Fields: map[string]blueprint.FieldRules{
			"title": column("Chair"), "slots.wood": column("Wood")}}
	compiled, err := blueprint.Compile(&b)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, row string
		want      int
	}{
		{"over all columns", `<td colspan="2">1 2 3</td>`, 1},
		{"narrower than the table", `<td>Next</td>`, 1},
		{"beside a cell that reaches down", `<td>Windsor</td>`, 2},
		{"with a cell that is empty", `<td>Windsor</td><td></td>`, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			first := `<tr><td>Anvil</td><td>oak</td></tr>`
			if c.name == "beside a cell that reaches down" {
				first = `<tr><td>Anvil</td><td rowspan="2">oak</td></tr>`
			}
			doc := dom.New([]byte("<table><tr><th>Chair</th><th>Wood</th></tr>"+first+"<tr>"+c.row+"</tr></table>"), "https://chairs.example/")
			if drafts := compiled.Apply(blueprint.PageInput{Document: doc}).Drafts; len(drafts) != c.want {
				t.Errorf("%d records, want %d", len(drafts), c.want)
			}
		})
	}
}
