package demo

import (
	"net/http"
	"strings"
	"testing"
)

func shopReading() reading {
	return reading{site: "shop", list: numbered("/", "/?p=%d"), pages: 9, designs: []appearance{
		{mark: `<div[^>]*"product-card"`, money: "€ 1.234,56"},
		{mark: `<tr[^>]*Assortment_row`, money: "1.234,56 EUR"},
		{mark: `<li[^>]*mb-6 border-b`, money: "€ 1234,56"},
	}}
}

func TestShopAnswersAKnownPageWithNotModified(t *testing.T) {
	w := New(Options{})
	first := get(t, w, "shop", "/")
	again := get(t, w, "shop", "/", "If-None-Match", first.Header().Get("ETag"))
	if again.Code != http.StatusNotModified || again.Body.Len() != 0 {
		t.Fatalf("got %d with %d bytes, want 304 without a body", again.Code, again.Body.Len())
	}
	must(t, w.Advance("shop"))
	if later := get(t, w, "shop", "/", "If-None-Match", first.Header().Get("ETag")); later.Code != http.StatusOK {
		t.Fatalf("the next day answers %d, want 200", later.Code)
	}
}

func TestShopCategoriesCoverEveryArticleOnce(t *testing.T) {
	w := New(Options{})
	total := 0
	for _, link := range shopLinks() {
		for n := 1; n < 5; n++ {
			answer := get(t, w, "shop", numbered(link.Path, link.Path+"?p=%d")(n))
			if answer.Code != http.StatusOK {
				break
			}
			total += strings.Count(answer.Body.String(), `data-sku=`)
		}
	}
	if want := len(truthOf(t, w, "shop")); total != want {
		t.Errorf("the categories show %d articles, the shop has %d", total, want)
	}
}
