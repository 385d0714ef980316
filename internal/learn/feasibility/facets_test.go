package feasibility

import (
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
)

func TestAFacetWithACountLoadsNoMore(t *testing.T) {
	const list = `<ul><li><a href="/l/1">Floor lamp</a></li><li><a href="/l/2">Desk lamp</a></li><li><a href="/l/3">Wall lamp</a></li></ul>`
	for facet, more := range map[string]bool{
		`<h3>Brand</h3><ul><li><a href="/?brand=acme">Acme (12)</a></li><li><a href="/?more=brand">Show more (14)</a></li></ul>`: false,
		`<h3>Brand</h3><ul><li><button>Acme (12)</button></li><li><button>More brands (14)</button></li></ul>`:                   false,
		`<button class="load-more">Load more</button>`:                                                                           true,
	} {
		t.Run(facet, func(t *testing.T) {
			page := dom.New([]byte(`<html lang="en"><body><main><h1>Lamps</h1>`+list+facet+`</main></body></html>`), "https://shop.example/")
			if got := ReadPagination(t.Context(), page).Kind != PagesNone; got != more {
				t.Errorf("%s: goes on is %t, want %t", facet, got, more)
			}
		})
	}
}
