package extract

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
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

// Whoever asks for a kind has judged the page: nothing has to make it likely.
func TestAListIsReadAsTheKindThatAPersonAsksFor(t *testing.T) {
	var rows strings.Builder
	for i, name := range []string{"Walnut Writing Desk", "Oak Sideboard", "Pine Bench", "Elm Table"} {
		fmt.Fprintf(&rows, `<div class="card"><h3><a href="/p/%d">%s</a></h3><p>Made by hand in our workshop, number %d.</p></div>`, i, name, i)
	}
	m := Material{Body: []byte(`<html lang="en"><body><main><h2>What we make</h2><div>` + rows.String() + `</div></main></body></html>`),
		URL: "https://shop.example/", ContentType: "text/html", Now: time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC)}
	for _, r := range Readings(t.Context(), m, ExtractOptions{}) {
		if r.Schema == curlew.SchemaProduct {
			t.Error("a list without prices is read as products by itself")
		}
	}
	for _, kind := range []curlew.SchemaName{curlew.SchemaProduct, curlew.SchemaJob} {
		t.Run(string(kind), func(t *testing.T) {
			all := Readings(t.Context(), m, ExtractOptions{Schema: kind})
			if len(all) != 1 || all[0].Schema != kind || len(all[0].Records) != 4 {
				t.Errorf("%s is read as %+v", kind, all)
			}
		})
	}
}
