package extract

import (
	"fmt"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

// What a word means is asked for at each reading, and the answer
// never kept from one that did not know it.
func TestAReaderKnowsTheWordsOfAnOrg(t *testing.T) {
	page := `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Lamp","url":"https://a.example/p",` +
		`"offers":{"@type":"Offer","price":"20","priceCurrency":"EUR","availability":"Zzqx"}}</script><h1>Lamp</h1><p>20 EUR, Zzqx</p>`
	m := Material{Body: []byte(page), URL: "https://a.example/p", ContentType: "text/html"}.Ready()
	words := curlew.FieldWords{{Schema: curlew.SchemaProduct, Field: "availability", Word: "Zzqx", Value: "in_stock"}}
	for i, o := range []ExtractOptions{{}, {Words: words}, {}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			o.Schema, o.Asserted = curlew.SchemaProduct, true
			e := Extract(t.Context(), m, o)
			if len(e.Readings) != 1 {
				t.Fatalf("%d records", len(e.Readings))
			}
			got := fmt.Sprint(e.Readings[0].Record.Fields["availability"])
			if want := map[bool]string{true: "in_stock", false: "<nil>"}[len(o.Words) > 0]; got != want {
				t.Errorf("with %d words: %s, want %s", len(o.Words), got, want)
			}
		})
	}
}
