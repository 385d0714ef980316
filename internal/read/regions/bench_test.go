package regions

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/read/dom"
	"golang.org/x/net/html"
)

// shopPage is a page of about 500 KB with a menu, cards and a footer.
func shopPage(cards int) []byte {
	var b strings.Builder
	b.WriteString("<html><body><nav><ul>")
	for i := range 60 {
		fmt.Fprintf(&b, `<li class="menu-item"><a href="/c/%d">Category %d</a></li>`, i, i)
	}
	b.WriteString(`</ul></nav><main><div class="grid">`)
	for i := range cards {
		fmt.Fprintf(&b, `<div class="card card--%d" data-id="%d"><a href="/p/%d"><img src="/i/%d.jpg" alt=""></a><h3 class="card__title"><a href="/p/%d">Lantern number %d</a></h3>
<p class="card__text">A lamp that burns for %d hours, made of brass and glass by people who like lamps.</p><span class="price">€ %d,00</span><ul class="facts"><li>Brass</li><li>%d cm</li></ul></div>`,
			i%3, i, i, i, i, i, i%40, i, i%90)
	}
	b.WriteString("</div></main><footer><p>Imprint</p></footer></body></html>")
	return []byte(b.String())
}

// BenchmarkShopPage compares finding the regions, and reading the items, with
// parsing the page at all.
func BenchmarkShopPage(b *testing.B) {
	body := shopPage(1100)
	best := [3]time.Duration{time.Hour, time.Hour, time.Hour}
	clock := func(way int, do func()) {
		start := time.Now()
		do()
		best[way] = min(best[way], time.Since(start))
	}
	for b.Loop() {
		clock(0, func() { _, _ = html.Parse(bytes.NewReader(body)) })
		d := dom.New(body, "https://example.org/")
		d.Tree()
		clock(1, func() { Regions(context.Background(), d, Options{}) })
		clock(2, func() { Items(context.Background(), d, Options{}) })
	}
	b.ReportMetric(float64(len(body)), "bytes")
	b.ReportMetric(float64(best[1])/float64(best[0]), "regions/parse")
	b.ReportMetric(float64(best[2])/float64(best[0]), "items/parse")
}
