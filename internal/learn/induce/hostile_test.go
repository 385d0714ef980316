package induce

import (
	"context"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/growth"
)

// TestHostilePagesCostLittle learns from pages that are made to take long.
func TestHostilePagesCostLittle(t *testing.T) {
	fill := growth.Fill
	growth.Inputs{
		"many texts":   fill("", "<p>12,50 €</p>", ""),
		"many dates":   fill("", "<td>1 May 2026</td>", ""),
		"deep":         fill("", "<div class=a>", "12,50 €"),
		"many classes": fill(`<p class="`, "a b c d ", `">12,50 €</p>`),
		"long text":    fill("<p>12,50 € ", "word ", "</p>"),
		"attributes":   fill("", `<a href="/12,50" title="12,50 €">x</a>`, ""),
	}.Check(t, 1<<20, func(page string) func() {
		return func() {
			doc := dom.New([]byte(page), "https://site.example/")
			_, _, _ = FewShot(context.Background(), curlew.SchemaCustom.Kind(), []LabelledPage{{Document: doc, Fields: map[string][]string{"price": {"12.50"}, "day": {"2026-05-01"}}}})
		}
	})
}
