package blueprint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/growth"
)

// Pages made to be slow: none may cost more than its size explains, whatever it gives.
func TestHostilePagesEndSoon(t *testing.T) {
	deep := growth.Fill(strings.Repeat("<div>", 400), "<div class=z>x</div>", "")
	flat := growth.Fill("<ul>", "<li>x<b>y</b></li>", "</ul>")
	table := growth.Fill("<table>", "<tr><td rowspan=65000 colspan=1000>x</td></tr>", "</table>")
	for _, c := range []struct {
		name            string
		page            func(size int) string
		records, fields string
	}{
		{"descendants", deep, `{"css": ".nothing div div div div div div"}`, `{"v": {}}`},
		{"nested records", deep, `{"css": "div"}`, `{"v": {}, "w": {"css": "div div div"}}`},
		{"has in has", deep, `{"css": "div:has(p:has(a))"}`, `{"v": {}}`},
		{"xpath square", flat, `{"xpath": "//li[//li[//b='z']]"}`, `{"v": {}}`},
		{"siblings", flat, `{"css": "li ~ li:nth-last-child(2n)"}`, `{"v": {"xpath": "preceding-sibling::li"}}`},
		{"many records", flat, `{"css": "li"}`, `{"v": {"css": "b"}, "w": {"css": "b", "from": "heading"}, "x": {"label": "y"}, "y": {"css": "b", "from": "page", "many": true}}`},
		{"groups", flat, `{"css": "li:first-child", "shape": "group"}`, `{"v": {"css": "b", "many": true}}`},
		{"lines", growth.Fill("", "a<br>", ""), `{"css": "body", "shape": "lines"}`, `{"v": {}}`},
		{"spans", table, `{"css": "tr"}`, `{"v": {"column": "150"}, "w": {"from": "column"}}`},
		{"labels", growth.Fill("", "<p>Price:</p>", ""), `{"css": "body"}`, `{"v": {"label": "Price", "many": true}}`},
		{"deep json", growth.Fill("", `{"a":[`, ""), `{"json": "$..a"}`, `{"v": {"json": "..a"}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			growth.Check(t, 1<<20, func(size int) func() {
				document := dom.New([]byte(c.page(size)), "https://example.org/")
				document.Tree()
				return func() {
					if result := applyDocument(t, document, c.records, c.fields); len(result.Drafts) > MostRecords {
						t.Errorf("%d records", len(result.Drafts))
					}
				}
			})
		})
	}
}

func applyDocument(t testing.TB, document *dom.Document, records, fields string) Output {
	t.Helper()
	text := fmt.Sprintf(`{"curlew": 1, "schema": "custom", "page": "list", "tier": "html", "records": %s, "fields": %s}`, records, fields)
	return compileText(t, []byte(text)).Apply(PageInput{Document: document})
}

// A long table is not hostile.
func TestALongPageIsReadToItsEnd(t *testing.T) {
	page := "<table>" + strings.Repeat("<tr><td>a</td><td><b>b</b> c</td></tr>", 8_000) + "</table>"
	result := applyText(t, page, `{"css": "tr:has(td)"}`, `{"v": {"css": "td:nth-child(2) > b"}, "w": {"column": "1"}, "x": {"css": "td:last-child"}, "y": {"xpath": "td[2]/b"}}`)
	if len(result.Drafts) != 8_000 || result.Cut != "" || result.Drafts[7_999].Fields["v"] != "b" || result.Drafts[7_999].Fields["y"] != "b" {
		t.Errorf("%d records; %s", len(result.Drafts), result.Cut)
	}
}
