package extract

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
)

// TestMoreRecordsThanAreReadAreNotCutInSilence reads a list that is longer than what is
// read of a page, and one that is not.
func TestMoreRecordsThanAreReadAreNotCutInSilence(t *testing.T) {
	for rows, over := range map[int]bool{6000: false, blueprint.MostRecords + 50: true} {
		t.Run(fmt.Sprint(rows), func(t *testing.T) {
			var b strings.Builder
			b.WriteString(`<!doctype html><html lang=en><title>Tenders</title><main><h1>Tenders</h1><table><tr><th>Subject<th>Reference<th>Status</tr>`)
			for i := range rows {
				fmt.Fprintf(&b, "<tr><td>Repair of the road %d<td>T-%06d<td>Open</tr>", i*7%rows, i)
			}
			m := Material{URL: "https://example.org/tenders", Body: []byte(b.String() + "</table></main></html>"), ContentType: "text/html", Now: time.Now()}
			compiled, err := Compile(blueprint.LeftToReaders(curlew.SchemaItem.Kind(), curlew.PageList, curlew.TierHTML))
			if err != nil {
				t.Fatal(err)
			}
			a := compiled.Apply(t.Context(), m, ApplyOptions{})
			if len(a.Readings) != min(rows, blueprint.MostRecords) || (a.Over != "") != over {
				t.Errorf("of %d rows %d are read: %q", rows, len(a.Readings), a.Over)
			}
		})
	}
}

// A sitemap may name more pages than are read of it: both numbers are said.
func TestWhatALongSitemapLeavesOutIsSaid(t *testing.T) {
	for named, want := range map[int]string{10_500: "only the first 10000 of 10500 addresses of the sitemap are read", blueprint.MostRecords: ""} {
		t.Run(fmt.Sprint(named), func(t *testing.T) {
			body := `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` +
				strings.Repeat("<url><loc>https://shop.example/p/1</loc></url>", named) + "</urlset>"
			if got := over(blueprint.MostRecords, Material{Body: []byte(body)}); !strings.HasPrefix(got, want) || want == "" && got != "" {
				t.Errorf("of %d addresses: %q", named, got)
			}
		})
	}
}
