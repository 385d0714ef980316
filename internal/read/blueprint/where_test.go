package blueprint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
)

// TestEvidenceLeadsBackToTheValue: the places are counted from record to record, so a
// mistake in one would move all after it.
func TestEvidenceLeadsBackToTheValue(t *testing.T) {
	var page strings.Builder
	page.WriteString(`<h2>Spring</h2><table><tr><th>Day</th><th>Title</th></tr>`)
	for i := range 120 {
		if i%40 == 20 {
			page.WriteString(`<tr><td colspan="2"></td></tr>`) // no record: it lacks a title
		}
		fmt.Fprintf(&page, "<tr>\n<td>%d May</td><td><p>new</p><p><a href='/%d'>Talk %d</a></p></td></tr>", i%28+1, i, i)
	}
	page.WriteString(`</table>`)
	compiled := compileText(t, []byte(`{"curlew":1,"schema":"custom","page":"list","tier":"html","records":{"css":"tr:has(td)"},"fields":{
		"day":{"column":"Day"},"title":{"css":"a","required":true},"address":{"css":"a","attr":"href"},"season":{"css":"h2","from":"heading"},"again":{"css":"a"}}}`))
	doc := dom.New([]byte(page.String()), "https://example.org/")
	result := compiled.Apply(PageInput{Document: doc})
	if len(result.Drafts) != 120 || len(result.Dropped) != 3 {
		t.Fatalf("%d records, %d dropped", len(result.Drafts), len(result.Dropped))
	}
	for i, d := range result.Drafts {
		for name, e := range d.Provenance {
			n := doc.At(e.Node)
			if n == nil || dom.Path(n) != e.Node {
				t.Fatalf("record %d: %s leads nowhere", i, e.Node)
			}
			if want := d.Fields[name]; name != "address" && dom.Line(n) != want {
				t.Errorf("record %d: %s is %q, and %s says %q", i, name, want, e.Node, dom.Line(n))
			}
			if name != "season" && !strings.HasPrefix(e.Node, d.Node+"/") {
				t.Errorf("record %d: %s is not in %s", i, e.Node, d.Node)
			}
		}
		if want := fmt.Sprintf("Talk %d", i); d.Fields["title"] != want || d.Fields["season"] != "Spring" {
			t.Errorf("got %v, want %q in spring", d.Fields, want)
		}
	}
}
