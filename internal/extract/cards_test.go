package extract_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"curlew/internal/curlew"
	"curlew/internal/extract"
)

func TestCardsWithoutLinksAreAListOfProducts(t *testing.T) {
	var cards strings.Builder
	for i, name := range []string{"Oak Desk Lamp", "Brass Bookend", "Walnut Tray", "Linen Cushion", "Stoneware Mug"} {
		cards.WriteString(`<div class="product"><img src="/icon.png" alt=""><h2>` + name + `</h2><span class="sku">Art. OD-` + string(rune('1'+i)) +
			`00</span><span class="price">€ ` + string(rune('2'+i)) + `9.90</span></div>`)
	}
	body := `<!doctype html><html lang="en"><title>Shop</title><main><h1>Our products</h1><div class="grid">` + cards.String() + `</div></main>`
	all := extract.Readings(context.Background(), extract.Material{URL: "https://shop.example/", ContentType: "text/html", Body: []byte(body),
		Now: time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC)}, extract.ExtractOptions{})
	if len(all) == 0 || all[0].Schema != curlew.SchemaProduct || len(all[0].Records) != 5 {
		t.Fatalf("%+v", all)
	}
}
