package extract

import (
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
)

// A list goes on at its paginator, never at the address of one of its own records, whatever that is called.
func TestTheAddressOfARecordIsNotTheNextPage(t *testing.T) {
	page := func(cards, end string) Material {
		return Material{Body: []byte(`<html lang=en><title>Shop</title><body><h1>Shop</h1><ul>` + cards + `</ul>` + end), ContentType: "text/html",
			URL: "https://shop.test/", Now: time.Date(2026, 11, 17, 8, 0, 0, 0, time.UTC)}
	}
	cards := func(hrefs ...string) string {
		var b strings.Builder
		for i, href := range hrefs {
			b.WriteString(`<li><a href="` + href + `">` + []string{"Next", "Oak shelf", "Stool"}[i] + `</a> <span class="price">€ 12.00</span></li>`)
		}
		return b.String()
	}
	for name, c := range map[string]struct{ cards, end, next string }{
		"numbered records":       {cards("/p/2", "/p/7"), "", ""},
		"a record called Next":   {cards("/page/2", "/oak"), "", ""},
		"records and paginator":  {cards("/p/a", "/p/b", "/p/c"), `<a href="/?page=2">Next</a>`, "https://shop.test/?page=2"},
		"numbers below the list": {cards("/p/1", "/p/2", "/p/3"), `<p>1 <a href="/?page=2">2</a> <a href="/?page=3">3</a></p>`, "https://shop.test/?page=2"},
	} {
		t.Run(name, func(t *testing.T) {
			rule := func(css, attr string) blueprint.FieldRules {
				return blueprint.FieldRules{Rules: []blueprint.Rule{{Selector: blueprint.Selector{CSS: css}, Attr: attr}}}
			}
			r, err := Compile(&blueprint.Blueprint{Language: 1, Schema: curlew.SchemaProduct, Page: curlew.PageList, Tier: curlew.TierHTML,
				Records: &blueprint.Selector{CSS: "li"}, Pagination: &blueprint.Pagination{Kind: "found"},
				Fields: map[string]blueprint.FieldRules{"name": rule("a", ""), "url": rule("a", "href"), "price": rule(".price", "")}})
			if err != nil {
				t.Fatal(err)
			}
			if a := r.Apply(t.Context(), page(c.cards, c.end), ApplyOptions{}); a.Onward.Next != c.next || len(a.Readings) < 2 {
				t.Errorf("%d records, then %q, want %q", len(a.Readings), a.Onward.Next, c.next)
			}
		})
	}
}
