package extract

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"curlew/internal/curlew"
)

// Several countries write "$": a list with such prices is one of products all the same, and
// its ratings are no days.
func TestAListWithDollarPricesIsReadAsProducts(t *testing.T) {
	var cards strings.Builder
	for i, name := range []string{"Walnut Writing Desk", "Oak Sideboard", "Pine Bench", "Elm Table"} {
		fmt.Fprintf(&cards, `<div class="card"><a href="/p/%d"><h3>%s</h3></a><span>4.%d out of 5 stars</span><p class="price">$1,%d49.00</p><p>%s</p></div>`, i, name, i, i, []string{"In stock", "Sold out"}[i%2])
	}
	m := Material{Body: []byte(`<html lang="en"><body><main><h2>All furniture</h2><div>` + cards.String() + `</div></main></body></html>`),
		URL: "https://shop.example/", ContentType: "text/html", Now: time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC)}
	all := Readings(t.Context(), m, ExtractOptions{})
	if len(all) == 0 || all[0].Schema != curlew.SchemaProduct || len(all[0].Records) != 4 {
		t.Fatalf("read as %+v", all)
	}
	for _, r := range all {
		for _, record := range r.Records {
			if record.Record.Fields["date"] != nil {
				t.Errorf("%s has the date %v", r.Schema, record.Record.Fields["date"])
			}
		}
	}
	if f := all[0].Records[0].Record.Fields; f["price"] != int64(104900) || f["rating"] != 4.0 || f["availability"] != "in_stock" {
		t.Errorf("read as %v", f)
	}
}
