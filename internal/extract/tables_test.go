package extract

import (
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

func TestATableIsNotTakenForWhatItsColumnsRuleOut(t *testing.T) {
	for name, c := range map[string]struct {
		page string
		not  curlew.SchemaName
	}{
		"tenders are no goods": {`<h1>Current tenders</h1><table><tr><th>Reference</th><th>Title</th><th>Published</th><th>Estimated value</th></tr>
			<tr><td>T-101</td><td><a href="/t/101">Resurfacing of Mill Lane</a></td><td>2 November 2026</td><td>£120,000</td></tr>
			<tr><td>T-102</td><td><a href="/t/102">School meals</a></td><td>5 November 2026</td><td>£890,000</td></tr>
			<tr><td>T-103</td><td><a href="/t/103">Street lighting maintenance</a></td><td>9 November 2026</td><td>£310,000</td></tr>
			<tr><td>T-104</td><td><a href="/t/104">Library roof</a></td><td>12 November 2026</td><td>£75,000</td></tr></table>`, curlew.SchemaProduct},
		"measurements are no events": {`<h1>River levels</h1><table><tr><th>Station</th><th>River</th><th>Level (cm)</th><th>Last measured</th></tr>
			<tr><td>Elmford</td><td>Tarn</td><td>212</td><td>17.11.2026 06:00</td></tr><tr><td>Brook</td><td>Tarn</td><td>180</td><td>17.11.2026 06:00</td></tr>
			<tr><td>Lower Mill</td><td>Ash</td><td>95</td><td>17.11.2026 06:15</td></tr><tr><td>Harbour</td><td>Ash</td><td>310</td><td>16.11.2026 23:45</td></tr></table>`, curlew.SchemaEvent},
	} {
		t.Run(name, func(t *testing.T) {
			m := Material{Body: []byte("<html><body>" + c.page + "</body></html>"), URL: "https://example.org/list", ContentType: "text/html",
				Now: time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)}
			all := Readings(t.Context(), m, ExtractOptions{})
			if len(all) == 0 || all[0].Schema == c.not {
				t.Errorf("taken for %s", c.not)
			}
		})
	}
}
