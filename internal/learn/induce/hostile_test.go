package induce

import (
	"strings"
	"testing"
	"time"

	"curlew/internal/read/blueprint"
	"curlew/internal/read/dom"
)

// TestHostilePagesTakeLittleTime learns from pages that are made to take long. The
// bound is generous: the machine of a test may be busy.
func TestHostilePagesTakeLittleTime(t *testing.T) {
	for name, page := range map[string]string{
		"many texts":   strings.Repeat("<p>12,50 €</p>", 80_000),
		"many dates":   strings.Repeat("<td>1 May 2026</td>", 100_000),
		"deep":         strings.Repeat("<div class=a>", 20_000) + "12,50 €",
		"many classes": `<p class="` + strings.Repeat("a b c d ", 200_000) + `">12,50 €</p>`,
		"long text":    "<p>12,50 € " + strings.Repeat("word ", 1_000_000) + "</p>",
		"attributes":   strings.Repeat(`<a href="/12,50" title="12,50 €">x</a>`, 100_000),
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			doc := dom.New([]byte(page), "https://site.example/")
			_, _, _ = FewShot(blueprint.SchemaCustom, []LabelledPage{{Document: doc, Fields: map[string][]string{"price": {"12.50"}, "day": {"2026-05-01"}}}})
			took := time.Since(began)
			t.Logf("%s: %v", name, took)
			if took > limit {
				t.Errorf("it took %v", took)
			}
		})
	}
}
