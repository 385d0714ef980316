package onboard

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/web/fetch"
)

// dearShop is a site whose data tell ten times the prices that its page shows.
type dearShop struct{ counting }

func (s *dearShop) Fetch(ctx context.Context, r fetch.PageRequest) (*fetch.Capture, error) {
	c, err := s.counting.Fetch(ctx, r)
	var data, list strings.Builder
	for i, name := range strings.Fields("Apron Board Mug Pan Bowl Basket Candle Blanket") {
		fmt.Fprintf(&data, `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Linen %s","url":"https://pier.example/p/%d",`+
			`"image":"https://pier.example/%[2]d.jpg","offers":{"@type":"Offer","price":"%d0.00","priceCurrency":"EUR","availability":"https://schema.org/InStock"}}</script>`, name, i, 20+i)
		fmt.Fprintf(&list, `<li class="card"><img src="/%d.jpg"><h3><a href="/p/%[1]d">Linen %s</a></h3><div><span class="hidden">Regular price</span><span class="price">€%d.00 EUR</span></div></li>`, i, name, 20+i)
	}
	c.Body = []byte(`<html lang="en"><head><title>Shop</title>` + data.String() + `</head><body><main><h1>Shop: products</h1><ul>` + list.String() + `</ul></main></body></html>`)
	return c, err
}

func TestDataThatThePageDeniesAreNoWayToItsThings(t *testing.T) {
	p, err := Proposing{Web: &dearShop{}, Now: time.Now}.Propose(t.Context(), "https://pier.example/")
	if err != nil || p.Schema != curlew.SchemaProduct || p.Tier != curlew.TierHTML {
		t.Fatalf("proposed is %s by %s (%v)", p.Schema, p.Tier, err)
	}
	for i, one := range p.Readings {
		if got := one.Record.Fields["price"]; got != int64(100*(20+i)) {
			t.Errorf("%s costs %v", one.Record.Name(), got)
		}
	}
}
