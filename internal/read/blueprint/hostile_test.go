package blueprint

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"curlew/internal/read/dom"
)

// processorTime is what this process has computed so far: unlike the clock on the
// wall it does not count the work of others.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// Pages made to be slow: each must end soon, whatever it gives.
func TestHostilePagesEndSoon(t *testing.T) {
	deep := strings.Repeat("<div>", 400) + strings.Repeat("<div class=z>x</div>", 20_000)
	flat := "<ul>" + strings.Repeat("<li>x<b>y</b></li>", 100_000) + "</ul>"
	table := "<table>" + strings.Repeat("<tr><td rowspan=65000 colspan=1000>x</td></tr>", 20_000) + "</table>"
	for _, c := range []struct{ name, page, records, fields string }{
		{"descendants", deep, `{"css": ".nothing div div div div div div"}`, `{"v": {}}`},
		{"nested records", deep, `{"css": "div"}`, `{"v": {}, "w": {"css": "div div div"}}`},
		{"has in has", deep, `{"css": "div:has(p:has(a))"}`, `{"v": {}}`},
		{"xpath square", flat, `{"xpath": "//li[//li[//b='z']]"}`, `{"v": {}}`},
		{"siblings", flat, `{"css": "li ~ li:nth-last-child(2n)"}`, `{"v": {"xpath": "preceding-sibling::li"}}`},
		{"many records", flat, `{"css": "li"}`, `{"v": {"css": "b"}, "w": {"css": "b", "from": "heading"}, "x": {"label": "y"}, "y": {"css": "b", "from": "page", "many": true}}`},
		{"groups", flat, `{"css": "li:first-child", "shape": "group"}`, `{"v": {"css": "b", "many": true}}`},
		{"lines", strings.Repeat("a<br>", 200_000), `{"css": "body", "shape": "lines"}`, `{"v": {}}`},
		{"spans", table, `{"css": "tr"}`, `{"v": {"column": "150"}, "w": {"from": "column"}}`},
		{"labels", strings.Repeat("<p>Price:</p>", 100_000), `{"css": "body"}`, `{"v": {"label": "Price", "many": true}}`},
		{"deep json", strings.Repeat(`{"a":[`, 4_000) + strings.Repeat(`]}`, 4_000), `{"json": "$..a"}`, `{"v": {"json": "..a"}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			document := dom.New([]byte(c.page), "https://example.org/")
			document.Tree()
			start := processorTime(t)
			result := applyDocument(t, document, c.records, c.fields)
			if took := processorTime(t) - start; took > hostileLimit {
				t.Errorf("took %v for %d records", took, len(result.Drafts))
			} else {
				t.Logf("%v, %d records, %s", took.Round(time.Millisecond), len(result.Drafts), result.Cut)
			}
			if len(result.Drafts) > maxRecords {
				t.Errorf("%d records", len(result.Drafts))
			}
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
