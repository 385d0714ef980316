package extract

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/curlew-data/curlew/internal/read/blueprint"
)

func extractFrom(t *testing.T, page string, o ExtractOptions) Extraction {
	t.Helper()
	return Extract(t.Context(), Material{Body: []byte(page), Charset: "utf-8", URL: "https://site.example/page", Now: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)}, o)
}

// only gives the one record of a page.
func only(t *testing.T, e Extraction) curlew.Record {
	t.Helper()
	if len(e.Readings) != 1 {
		t.Fatalf("%d records, want one; notes %q", len(e.Readings), e.Notes)
	}
	return e.Readings[0].Record
}

const lamp = `<html lang="en"><head><title>Brass lamp</title><script type="application/ld+json">
{"@context":"https://schema.org","@type":"Product","name":"Brass lamp","sku":"L-1","offers":{"@type":"Offer","price":"%PRICE%","priceCurrency":"EUR"}}
</script></head><body><main><h1>Brass lamp</h1><p class="price">€ 49.00</p><button>Add to basket</button><p>A lamp made of brass, by hand.</p></main></body></html>`

func TestEachValueTellsWhetherThePageShowsIt(t *testing.T) {
	r := only(t, extractFrom(t, replace(lamp, "49.00"), ExtractOptions{}))
	for name, want := range map[string]curlew.Seen{"name": curlew.SeenVisible, "price": curlew.SeenVisible, "sku": curlew.SeenEmbedded, "currency": curlew.SeenDerived} {
		t.Run(name, func(t *testing.T) {
			if got := r.Provenance[name].Seen; got != want {
				t.Errorf("%s is %s, want %s", name, got, want)
			}
		})
	}
	shown := only(t, extractFrom(t, strings.Replace(replace(lamp, "49.00"), "by hand.", "by hand. Number L-1", 1), ExtractOptions{}))
	if r.Provenance["sku"].Confidence >= shown.Provenance["sku"].Confidence {
		t.Error("what nobody sees is trusted as much as what everybody sees")
	}
}

func TestASharedSignMeansTheCurrencyOfThePagesCountry(t *testing.T) {
	for _, c := range []struct{ lang, url, price, want string }{
		{"en-SE", "https://shop.example/all", "4 499 kr", "SEK"}, {"en", "https://shop.dk/all", "499 kr.", "DKK"},
		{"en-US", "https://shop.example/all", "$34.99", "USD"}, {"en", "https://shop.example/en-ca/all", "$34.99", "CAD"},
		{"en-IN", "https://shop.example/all", "Rs. 450", "INR"}, {"de-CH", "https://shop.example/all", "Fr. 1450.-", "CHF"},
	} {
		t.Run(c.lang, func(t *testing.T) {
			page := `<html lang="` + c.lang + `"><body><main><h1>Shop</h1><ul>`
			for i, name := range []string{"Down Parka", "Wool Beanie", "Camp Stove", "Headlamp", "Rain Set"} {
				page += `<li><a href="/p/` + name[:4] + `"><h3>` + name + `</h3></a><p class="price">` + strings.ReplaceAll(c.price, "4", strconv.Itoa(i+4)) + `</p><button>Add to cart</button></li>`
			}
			e := Extract(t.Context(), Material{Body: []byte(page + "</ul></main></body></html>"), Charset: "utf-8", URL: c.url, Now: time.Now()},
				ExtractOptions{Schema: curlew.SchemaProduct, Asserted: true})
			if len(e.Readings) != 5 || e.Readings[0].Record.Fields["currency"] != c.want {
				t.Errorf("%s of %s on %s: %+v, want %s", c.price, c.lang, c.url, e.Readings, c.want)
			}
		})
	}
}

func TestTheShownPriceWinsAndTheOtherIsTold(t *testing.T) {
	r := only(t, extractFrom(t, replace(lamp, "59.00"), ExtractOptions{Schema: curlew.SchemaProduct}))
	if r.Fields["price"] != int64(4900) {
		t.Fatalf("price %v, want the one on the page", r.Fields["price"])
	}
	rivals := r.Provenance["price"].Rivals
	if len(rivals) != 1 || rivals[0].Value != "5900" || rivals[0].Tier != curlew.TierStructured {
		t.Errorf("rivals %+v", rivals)
	}
}

func TestAPageAboutOneThingNamesItByItsAddress(t *testing.T) {
	r := only(t, extractFrom(t, replace(lamp, "49.00"), ExtractOptions{}))
	if r.Fields["url"] != "https://site.example/page" {
		t.Errorf("url %v", r.Fields["url"])
	}
}

func TestMarkupThatPeopleReadIsKept(t *testing.T) {
	page := `<script type="application/ld+json">{"@type":"Event","name":"Use of <b> in HTML","startDate":"2026-05-03"}</script><h1>Use of &lt;b&gt; in HTML</h1><p>3 May 2026</p>`
	if r := only(t, extractFrom(t, page, ExtractOptions{})); r.Fields["title"] != "Use of <b> in HTML" {
		t.Errorf("title %q", r.Fields["title"])
	}
}

func TestAnAnswerOfAnAPIIsRead(t *testing.T) {
	answer := `{"events":[{"id":1,"title":"Opening","startDate":"2026-05-03T19:00:00+02:00","venue":{"name":"Hall"}},
		{"id":2,"title":"Closing","startDate":"2026-05-04T19:00:00+02:00","venue":{"name":"Hall"}},
		{"id":3,"title":"After","startDate":"2026-05-05T19:00:00+02:00","venue":{"name":"Yard"}}],"total":3}`
	e := extractFrom(t, answer, ExtractOptions{})
	if e.Tier != curlew.TierAPI || e.Schema != curlew.SchemaEvent || len(e.Readings) != 3 {
		t.Fatalf("%d records of %s by %s", len(e.Readings), e.Schema, e.Tier)
	}
	if first := e.Readings[0].Record.Fields; first["title"] != "Opening" || first["venue_name"] != "Hall" || first["starts_at"] != "2026-05-03T19:00:00+02:00" {
		t.Errorf("first record %v", first)
	}
}

func TestACalendarIsRead(t *testing.T) {
	calendar := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1@x\r\nSUMMARY:Choir\r\nDTSTART:20260503T180000Z\r\nLOCATION:Hall\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
	if r := only(t, extractFrom(t, calendar, ExtractOptions{})); r.Fields["title"] != "Choir" || r.Fields["starts_at"] != "2026-05-03T18:00:00Z" {
		t.Errorf("fields %v", r.Fields)
	}
}

func TestAPageWithoutEntitiesGivesNone(t *testing.T) {
	if e := extractFrom(t, `<h1>Contact</h1><p>Write to us.</p>`, ExtractOptions{}); len(e.Readings) != 0 {
		t.Errorf("read %v", e.Readings[0].Record.Fields)
	}
}

func TestBrokenDataAreToldAndDoNoHarm(t *testing.T) {
	page := `<script type="application/ld+json">{"@type":"Event","name":"A" "startDate":</script><script type="application/ld+json">{"@type":"Event","name":"B","startDate":"2026-05-03"}</script><h1>B</h1>`
	e := extractFrom(t, page, ExtractOptions{})
	if r := only(t, e); r.Fields["title"] != "B" {
		t.Errorf("title %v", r.Fields["title"])
	}
	if len(e.Notes) == 0 {
		t.Error("nobody is told that a script was broken")
	}
}

func replace(page, price string) string { return strings.ReplaceAll(page, "%PRICE%", price) }

func TestAReaderThatFailsIsAFault(t *testing.T) {
	m := Material{URL: "https://example.org/", Archived: "2026/11.warc.gz:12:345"}
	fault := m.Guarded(guard.Extract, func() { panic("index out of range") })
	if !errors.Is(fault, guard.ErrReaderFailed) || m.Guarded(guard.Extract, func() {}) != nil {
		t.Errorf("%+v", fault)
	}
}

func TestAFileThatMakesItsReaderFailIsAFaultForAllWhoReadIt(t *testing.T) {
	was := pageOf
	t.Cleanup(func() { pageOf = was })
	pageOf = func([]byte, string, string, func(string) string) ([]byte, bool) { panic("index out of range") }
	m := Material{Body: []byte("<p>Hello"), URL: "https://example.org/"}
	compiled, err := Compile(blueprint.LeftToReaders(curlew.SchemaItem.Kind(), curlew.PageList, curlew.TierHTML))
	if err != nil {
		t.Fatal(err)
	}
	for by, fault := range map[string]*curlew.Fault{"extracting": Extract(t.Context(), m, ExtractOptions{}).Fault,
		"applying": compiled.Apply(t.Context(), m, ApplyOptions{}).Fault, "asking": m.FileFault()} {
		t.Run(by, func(t *testing.T) {
			if !errors.Is(fault, guard.ErrReaderFailed) {
				t.Errorf("%v", fault)
			}
		})
	}
	_, markdown := m.Markdown()
	if all := Readings(t.Context(), m, ExtractOptions{}); len(all) > 0 || markdown != "" || len(m.Document().Body()) > 0 {
		t.Errorf("%d readings, %q, %q", len(all), markdown, m.Document().Body())
	}
}
