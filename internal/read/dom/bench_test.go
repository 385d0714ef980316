package dom

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
)

// shopPage is a page as shops make them: some 300 KB, a third of it scripts and
// styles, two hundred cards.
func shopPage() []byte {
	var out strings.Builder
	out.WriteString("<!doctype html><html lang=en><head><title>Lamps</title><style>" + strings.Repeat(".card > .price { color: #333; margin: 0 auto }\n", 700) + "</style>")
	out.WriteString("<script>" + strings.Repeat("window.dataLayer.push({event:'view',list:[1,2,3]});if(a<b){c()}\n", 900) + "</script></head><body><nav><ul>")
	for i := range 40 {
		fmt.Fprintf(&out, `<li class="menu-item menu-item-%d"><a href="/c/%d">Category %d</a></li>`, i, i, i)
	}
	out.WriteString(`</ul></nav><main class="grid">`)
	for i := range 220 {
		fmt.Fprintf(&out, `<article class="card css-%dx%dz" data-sku="A%d" data-track='{"id":%d}'><a class="card__link" href="/lamp/%d?ref=list"><img class="card__image" src="/i/%d.jpg" alt="Lamp %d" loading="lazy" width="320" height="320"></a>
<h2 class="card__title"><a href="/lamp/%d">Reading lamp &quot;No. %d&quot; with a <b>brass</b> foot</a></h2><p class="card__text">Warm light for long evenings &ndash; the shade turns, the cable is %d cm long, and the switch sits where the hand looks for it.</p>
<div class="card__row"><span class="price">€ %d,90</span><span class="stock stock--in">In stock</span><button type="button" class="btn btn-primary" data-id="%d"><svg viewBox="0 0 24 24"><path d="M12 2 2 7l10 5 10-5z"/></svg>Add to basket</button></div></article>`,
			i, i*7, i, i, i, i, i, i, i, 100+i, 20+i, i)
	}
	out.WriteString("</main><footer><p>Lamps since 1920</p></footer></body></html>")
	return []byte(out.String())
}

func BenchmarkBareParse(b *testing.B) {
	body := shopPage()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if _, err := html.Parse(bytes.NewReader(body)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWholePath(b *testing.B) {
	body := shopPage()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		wholePath(body)
	}
}

func wholePath(body []byte) {
	d := New(body, "https://example.org/list")
	d.Tree()
	d.Blocks()
	d.Links()
	d.Scripts()
	d.Fingerprint()
}

func BenchmarkScripts(b *testing.B) {
	body := shopPage()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		d := New(body, "https://example.org/list")
		d.Scripts()
		d.Base()
	}
}

func BenchmarkVisibleText(b *testing.B) {
	body := shopPage()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		New(body, "https://example.org/list").VisibleText()
	}
}

func BenchmarkParts(b *testing.B) {
	d := New(shopPage(), "https://example.org/list")
	d.Tree()
	b.Run("tree", func(b *testing.B) {
		for b.Loop() {
			New(d.body, "https://example.org/list").Tree()
		}
	})
	b.Run("blocks", func(b *testing.B) {
		for b.Loop() {
			d.Blocks()
		}
	})
	b.Run("links", func(b *testing.B) {
		for b.Loop() {
			d.Links()
		}
	})
	b.Run("fingerprint", func(b *testing.B) {
		for b.Loop() {
			d.Fingerprint()
		}
	})
}

// BenchmarkRealPages compares bare parsing with the whole path, with the scan for
// scripts and with the visible text, page by page in turns, so that a busy machine
// slows all of them down alike.
func BenchmarkRealPages(b *testing.B) {
	var pages [][]byte
	size := 0
	eachPage(b, func(_ string, body []byte) {
		if len(body) > 20_000 && size < 30<<20 {
			pages, size = append(pages, mend(body)), size+len(body)
		}
	})
	compareSpeeds(b, pages)
}

func BenchmarkShopPage(b *testing.B) { compareSpeeds(b, [][]byte{shopPage()}) }

func compareSpeeds(b *testing.B, pages [][]byte) {
	ways := []func(body []byte){
		func(body []byte) { _, _ = html.Parse(bytes.NewReader(body)) },
		wholePath,
		func(body []byte) { New(body, "https://example.org/").Scripts() },
		func(body []byte) { New(body, "https://example.org/").VisibleText() },
	}
	best := make([]time.Duration, len(ways))
	for b.Loop() {
		clear(best)
		for _, body := range pages {
			for w, do := range ways {
				fastest := time.Hour
				for range 3 {
					start := time.Now()
					do(body)
					fastest = min(fastest, time.Since(start))
				}
				best[w] += fastest
			}
		}
	}
	b.ReportMetric(float64(best[0])/float64(best[1]), "whole/parse-speed")
	b.ReportMetric(float64(best[0])/float64(best[2]), "scripts/parse-speed")
	b.ReportMetric(float64(best[0])/float64(best[3]), "visible/parse-speed")
}
