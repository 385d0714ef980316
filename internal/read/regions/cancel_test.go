package regions

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/growth"
)

func TestReadingStopsSoonAfterItsContextEnds(t *testing.T) {
	var page strings.Builder
	for i := range 300 {
		fmt.Fprintf(&page, "<li><h3><a href=/e/%d>Concert %d</a></h3><p>by Band %d</p><span>%d €</span></li>", i, i, i, i+5)
	}
	body := []byte("<html><body><ul>" + page.String() + "</ul></body></html>")
	found := Main(t.Context(), dom.New(body, "https://example.org/"), Options{})
	for name, read := range map[string]func(context.Context, *dom.Document) int{
		"regions": func(ctx context.Context, d *dom.Document) int { return len(Regions(ctx, d, Options{})) },
		"main":    func(ctx context.Context, d *dom.Document) int { return len(Main(ctx, d, Options{})) },
		"slots":   func(ctx context.Context, _ *dom.Document) int { return len(Slots(ctx, found[0], Options{})) },
		"drafts":  func(ctx context.Context, d *dom.Document) int { return len(Drafts(ctx, d, found[0], Options{})) },
		"items": func(ctx context.Context, d *dom.Document) int {
			_, items := Items(ctx, d, Options{})
			return len(items)
		},
	} {
		t.Run(name, func(t *testing.T) {
			whole := growth.Endless(t)
			if n := read(whole, dom.New(body, "https://example.org/")); n == 0 || whole.Asked < 100 {
				t.Fatalf("%d were read in %d steps", n, whole.Asked)
			}
			short, doc := growth.Ending(t, whole.Asked/10), dom.New(body, "https://example.org/")
			if n := read(short, doc); n != 0 || short.Late() > 10 {
				t.Errorf("it went on for %d of %d steps and gave %d", short.Late(), whole.Asked, n)
			}
			if n := read(t.Context(), doc); n == 0 {
				t.Error("the page keeps what was not read to its end")
			}
		})
	}
}
