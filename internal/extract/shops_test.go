package extract

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/corpus"
	"golang.org/x/text/currency"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Others say of a shop's page which sign stands beside the price; we say which currency
// that is. They agree when people who pay in the currency write it with that sign.
func TestConformanceCurrenciesOfShops(t *testing.T) {
	folder := corpus.Path(t, "product-bench", "dev")
	var truths map[string]struct {
		URL      string
		Currency []string
	}
	if err := json.Unmarshal(corpus.Read(t, filepath.Join(folder, "ground-truth.json")), &truths); err != nil {
		t.Fatal(err)
	}
	agreed, total := 0, 0
	for name, truth := range truths {
		if len(truth.Currency) == 0 {
			continue
		}
		total++
		e := Extract(t.Context(), Material{Body: unzipped(t, filepath.Join(folder, "html", name+".html.gz")), URL: truth.URL,
			Now: time.Date(2020, 12, 1, 0, 0, 0, 0, time.UTC)}, ExtractOptions{Schema: curlew.SchemaProduct, Asserted: true})
		got := ""
		if len(e.Readings) > 0 {
			got, _ = e.Readings[0].Record.Fields["currency"].(string)
		}
		if writtenWith(got, truth.Currency) {
			agreed++
		} else {
			t.Logf("%.8s: %q, where the page shows %q", name, got, truth.Currency)
		}
	}
	corpus.Report(t, "products currency, by its sign", corpus.Passed{N: agreed, Of: total}, "agree", 95)
}

// writtenWith says whether one of the signs is the currency's code or how it is written
// where it is money, by the tables of Unicode.
func writtenWith(code string, signs []string) bool {
	unit, err := currency.ParseISO(code)
	if err != nil {
		return false
	}
	// Unicode has the sign of the won, not the word.
	ways := map[string]bool{strings.ToLower(code): true, map[string]string{"KRW": "원"}[code]: true}
	for _, region := range []string{"", "-" + code[:2]} {
		p := message.NewPrinter(language.Make("und" + region))
		ways[strings.ToLower(strings.Trim(p.Sprint(currency.NarrowSymbol(unit)), "\u00a0 ."))] = true
		ways[strings.ToLower(strings.Trim(p.Sprint(currency.Symbol(unit)), "\u00a0 ."))] = true
	}
	for _, sign := range signs {
		if ways[strings.ToLower(strings.Trim(sign, " .~"))] {
			return true
		}
	}
	return false
}

func unzipped(t *testing.T, file string) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(corpus.Read(t, file)))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// Prices in rows of tables, with nothing to buy, are those of many things.
func TestPriceListIsNoProduct(t *testing.T) {
	page := `<html lang="cs"><head><title>Ceník | Salon Jana</title></head><body><main><h1>Ceník</h1>`
	for _, part := range []string{"Dámské", "Pánské"} {
		page += `<h3>` + part + `</h3><table class="cenik">`
		for i, what := range []string{"Mytí a střih", "Střih bez mytí", "Barvení odrostu", "Společenský účes"} {
			page += fmt.Sprintf(`<tr><td>%s, %s</td><td class="cena">%d Kč</td></tr>`, what, strings.ToLower(part), 390+100*i)
		}
		page += `</table>`
	}
	m := Material{Body: []byte(page + `</main></body></html>`), URL: "https://salon.example/cenik", ContentType: "text/html", Now: time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)}
	for _, asked := range []curlew.SchemaName{"", curlew.SchemaProduct} {
		t.Run(string(asked), func(t *testing.T) {
			best := Readings(t.Context(), m, ExtractOptions{Schema: asked})[0]
			if best.Schema != curlew.SchemaProduct || len(best.Records) != 8 || best.Records[0].Record.Fields["price"] != int64(39000) {
				t.Errorf("asked for %q: %d × %s, the first %v", asked, len(best.Records), best.Schema, best.Records[0].Record.Fields)
			}
		})
	}
}
