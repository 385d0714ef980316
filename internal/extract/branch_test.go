package extract

import (
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

func TestTheStockOfOneBranchIsNotThatOfThePage(t *testing.T) {
	const page = `<html lang="en"><title>Hammer Pro 500 | Tools</title><body><main><h1>Hammer Pro 500</h1><p class="price">$29.99</p>` +
		`<button>Add to cart</button><section><h2>Availability in stores</h2><ul><li>Springfield branch: <b>Out of stock</b></li></ul></section></main></body></html>`
	e := Extract(t.Context(), Material{Body: []byte(page), URL: "https://tools.example/hammer", ContentType: "text/html", Now: time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)},
		ExtractOptions{Schema: curlew.SchemaProduct})
	if len(e.Readings) != 1 || e.Readings[0].Record.Fields["availability"] == "out_of_stock" {
		t.Errorf("read as %+v", e.Readings)
	}
}
