package extract

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
)

// What people see of prices and days is believed before what the data of the page say.
func TestAListIsReadFromWhatThePageShowsWhereItsDataSayOtherwise(t *testing.T) {
	names := strings.Fields("Walnut Oak Beech Ash Pine Cherry Maple Elm Birch Larch")
	shop := func(price func(i int) string, currency string) string {
		var data []string
		page := `<h1>Shop: desks</h1><ul>`
		for i, name := range names {
			data = append(data, fmt.Sprintf(`{"@type":"Product","name":"%s desk","url":"https://shop.example/p/%d","offers":{"@type":"Offer","price":"%s",`+
				`"priceCurrency":"%s"}}`, name, i, price(i), currency))
			page += fmt.Sprintf(`<li><a href="/p/%d"><h3>%s desk</h3></a><div><span class="hidden">Regular price</span><span class="price">%d.00 €</span></div></li>`, i, name, 100+i)
		}
		return `<script type="application/ld+json">{"@context":"https://schema.org","@graph":[` + strings.Join(data, ",") + `]}</script>` + page + `</ul>`
	}
	for what, body := range map[string]string{
		"ten times as much":    shop(func(i int) string { return fmt.Sprintf("%d.00", 1000+10*i) }, "EUR"),
		"two of ten are wrong": shop(func(i int) string { return fmt.Sprintf("%d.00", 100+i+max(0, i-7)*400) }, "EUR"),
		"with tax":             shop(func(i int) string { return fmt.Sprintf("%.2f", float64(100+i)*1.19) }, "EUR"),
		"another currency":     shop(func(i int) string { return fmt.Sprintf("%d.00", 100+i) }, "USD"),
		"nothing":              shop(func(int) string { return "0" }, "EUR"),
		"the same":             shop(func(i int) string { return fmt.Sprintf("%d.00", 100+i) }, "EUR"),
	} {
		t.Run(what, func(t *testing.T) {
			m := Material{Body: []byte(`<html lang="en"><body>` + body + `</body></html>`), URL: "https://shop.example/desks", ContentType: "text/html",
				Now: time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)}
			all := Readings(t.Context(), m, ExtractOptions{})
			best := slices.IndexFunc(all, func(r Reading) bool { return r.Schema == curlew.SchemaProduct })
			if best != 0 || (all[0].Tier == curlew.TierStructured) != (what == "the same") {
				t.Fatalf("the best is %s by %s", all[0].Schema, all[0].Tier)
			}
			for i, one := range all[0].Records {
				if f := one.Record.Fields; f["price"] != int64(100*(100+i)) || f["currency"] != "EUR" {
					t.Errorf("%v costs %v %v", f["name"], f["price"], f["currency"])
				}
			}
		})
	}
}

// Paragraphs are no jobs, though the address says so, and no list of things: the page is its text.
func TestRunningTextIsNoList(t *testing.T) {
	for what, body := range map[string]string{
		"about jobs": `<p>Thank you for your interest in our practice of thirty architects in Bristol.</p><p>There are no vacancies at the moment. We post them here.</p>
			<p>Students may write to us about placements at any time of the year.</p><p>We answer every letter, though it may take us a week or two.</p>`,
		"about concerts": `<p>The winter is long, but not in the Mill Yard. Ada Brandt plays the cello on the evening of 4 December 2026, a thing we look forward to, and then
			the puppet players from Ghent come with The Grey Goose on 11 December 2026. The year ends with our Lantern Walk, on 20 December 2026, and with soup.</p>`,
	} {
		t.Run(what, func(t *testing.T) {
			m := Material{Body: []byte(`<html lang="en"><head><title>Careers, events</title></head><body><main><h1>Careers</h1>` + body + `</main></body></html>`),
				URL: "https://aw.example/careers", ContentType: "text/html", Now: time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)}
			if best := Readings(t.Context(), m, ExtractOptions{})[0]; best.Schema != curlew.SchemaPage || best.Score < Sure {
				t.Errorf("the best is %s, %.2f likely", best.Schema, best.Score)
			}
		})
	}
}

// A paragraph and the notice beside it are no two jobs for whoever asks for jobs.
func TestParagraphBesideANoticeIsNoList(t *testing.T) {
	page := `<html lang="en"><head><title>Work with us – Bakery Morgenrot</title></head><body><header><p><a href="/">Bakery Morgenrot</a></p>
		<nav><ul><li><a href="/home">Home</a></li><li><a href="/news">News</a></li><li><a href="/contact">Contact</a></li></ul></nav></header>
		<div id="content"><main><div class="entry-content"><p>Our bakery has grown, and so has the need for hands. We are at the moment looking for a Baker for
		the night shift, who knows sourdough and likes quiet hours, besides the shop in Halle wants a Sales assistant for weekends, students are welcome, and in
		the office a Bookkeeper in part time would make our lives easier.</p></div></main></div>
		<footer><div><h5>Bakery Morgenrot</h5><p>© 2026 Bakery Morgenrot.</p><ul><li><a href="/privacy">Privacy policy</a></li></ul></div></footer>
		<div class="cookie-notice"><p>We use cookies to offer you a better experience. <a href="/privacy">Read more</a></p><button>Accept all</button></div></body></html>`
	m := Material{Body: []byte(page), URL: "https://bakery.example/careers", ContentType: "text/html", Now: time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)}
	for _, jobs := range Readings(t.Context(), m, ExtractOptions{Schema: curlew.SchemaJob}) {
		if !jobs.Prose() {
			t.Errorf("%d jobs were found", len(jobs.Records))
		}
	}
}

// Data that have the price before a sale, or another day at the same hour, are not believed.
func TestSalesAndDaysOfThePageAreBelieved(t *testing.T) {
	var data, shop, events string
	for i, name := range strings.Fields("Walnut Oak Beech Ash Pine Cherry Maple Elm") {
		was, sale, day := fmt.Sprintf("%d.00", 40+i), "", 20+i
		if i < 3 {
			sale, day = fmt.Sprintf(`<del>%s €</del> <ins>%d.00 €</ins>`, was, 30+i), 19+i
		} else {
			sale = `<span>` + was + ` €</span>`
		}
		data += fmt.Sprintf(`{"@type":"Product","name":"%s desk","url":"https://shop.example/p/%d","offers":{"@type":"Offer","price":"%s","priceCurrency":"EUR"}},`, name, i, was)
		shop += fmt.Sprintf(`<li><a href="/p/%d"><h3>%s desk</h3></a><p class="price">%s</p></li>`, i, name, sale)
		events += fmt.Sprintf(`<script type="application/ld+json">{"@context":"https://schema.org","@type":"Event","name":"%s night","url":"https://shop.example/e/%d","startDate":"2026-11-%dT19:30:00+01:00"}</script>`+
			`<li><a href="/e/%[2]d"><h3>%[1]s night</h3></a><p>%[4]d November 2026, 19:30</p></li>`, name, i, day, 20+i)
	}
	pages := map[curlew.SchemaName]string{
		curlew.SchemaProduct: `<script type="application/ld+json">{"@context":"https://schema.org","@graph":[` + strings.TrimSuffix(data, ",") + `]}</script><h1>Shop</h1><ul>` + shop + `</ul>`,
		curlew.SchemaEvent:   `<h1>Events</h1><ul>` + events + `</ul>`,
	}
	for kind, body := range pages {
		t.Run(string(kind), func(t *testing.T) {
			m := Material{Body: []byte(`<html lang="en"><body><main>` + body + `</main></body></html>`), URL: "https://shop.example/all", ContentType: "text/html",
				Now: time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)}
			all := Readings(t.Context(), m, ExtractOptions{})
			if all[0].Schema != kind || all[0].Tier != curlew.TierHTML || len(all[0].Records) != 8 {
				t.Fatalf("the best is %d %s by %s", len(all[0].Records), all[0].Schema, all[0].Tier)
			}
			f := all[0].Records[0].Record.Fields
			if start, _ := f["starts_at"].(string); kind == curlew.SchemaProduct && f["price"] != int64(3000) || kind == curlew.SchemaEvent && !strings.HasPrefix(start, "2026-11-20") {
				t.Errorf("read as %v", f)
			}
		})
	}
}

// Data without hours are not believed where the page shows them, neither at first nor by the reader that goes on with it.
func TestHoursOfThePageAreBelieved(t *testing.T) {
	body := `<h1>Agenda</h1>`
	for i, name := range strings.Fields("Quartet Piano Harbour Swing Gospel Ragtime Cello Choir") {
		body += fmt.Sprintf(`<script type="application/ld+json">{"@context":"https://schema.org","@type":"Event","name":"%[1]s night","url":"https://tide.example/e/%[2]d",`+
			`"startDate":"2026-11-%[3]dT00:00:00","location":{"@type":"Place","name":"Tide House"}}</script>`+
			`<article><time>%[3]d November 2026 @ 7:30 PM</time><h3><a href="/e/%[2]d">%[1]s night</a></h3><p>Studio, Tide House</p></article>`, name, i, 20+i)
	}
	m := Material{Body: []byte(`<html lang="en"><body><main>` + body + `</main></body></html>`), URL: "https://tide.example/agenda", ContentType: "text/html",
		Now: time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)}
	first := Readings(t.Context(), m, ExtractOptions{})[0].Records
	compiled, err := Compile(blueprint.LeftToReaders(curlew.SchemaEvent.Kind(), curlew.PageList, curlew.TierHTML))
	if err != nil {
		t.Fatal(err)
	}
	for what, records := range map[string][]ReadRecord{"at first": first, "by the reader": compiled.Apply(t.Context(), m, ApplyOptions{}).Readings} {
		t.Run(what, func(t *testing.T) {
			if len(records) != 8 || records[0].Record.Fields["starts_at"] != "2026-11-20T19:30:00" {
				t.Errorf("%s: %d, the first %v", what, len(records), records[0].Record.Fields)
			}
		})
	}
}
