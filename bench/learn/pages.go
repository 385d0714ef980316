package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// today is the day on which the made pages are read.
var today = time.Date(2026, time.March, 2, 0, 0, 0, 0, time.UTC)

// listKind is a kind of list page as sites have them.
type listKind struct {
	name   string
	schema curlew.SchemaName
	start  string // of the part that holds the records
	end    string
	mark   string // stands once in every record
	record func(b *strings.Builder, i int)
}

var listKinds = []listKind{
	{"events", curlew.SchemaEvent, `<section class="programme"><h1>Programme</h1>`, `</section>`, `<article `, writeEvent},
	{"products", curlew.SchemaProduct, `<h1>Lamps</h1><div class="grid">`, `</div>`, `<div class="card" `, writeProduct},
	{"meetings", curlew.SchemaEvent, `<h1>Meetings</h1><table class="meetings"><thead><tr>` +
		`<th>Date</th><th>Time</th><th>Committee</th><th>Room</th><th>Documents</th></tr></thead><tbody>`,
		`</tbody></table>`, `<tr class="row`, writeMeeting},
}

// page writes a page of a kind with about so many bytes: a head, a menu, the list, a
// footer.
func (k listKind) page(size int) []byte {
	var b strings.Builder
	b.WriteString(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>` + k.name +
		` – Harbour House</title></head><body><header><nav><ul>`)
	for i := range 24 {
		fmt.Fprintf(&b, `<li class="menu__item"><a href="/section/%d">%s</a></li>`, i, pick(subjects, i))
	}
	b.WriteString(`</ul></nav></header><main>` + k.start)
	for i := 0; b.Len() < size-1200; i++ {
		k.record(&b, i)
	}
	b.WriteString(k.end + `</main><footer><p>Harbour House, 12 Quay Street</p><ul>`)
	for i := range 8 {
		fmt.Fprintf(&b, `<li><a href="/about/%d">%s</a></li>`, i, pick(adjectives, i))
	}
	b.WriteString(`</ul></footer></body></html>`)
	return []byte(b.String())
}

func writeEvent(b *strings.Builder, i int) {
	day := today.AddDate(0, 0, i/3)
	fmt.Fprintf(b, `<article class="event event--%s" id="event-%d">`, pick(subjects, i), i)
	fmt.Fprintf(b, `<a class="event__link" href="/events/%d-%s"><img class="event__image" src="/images/%d.jpg" alt=""></a>
`, i, thingSlug(i), i)
	fmt.Fprintf(b, `<div class="event__body"><time datetime="%s">%s, %d:30 pm</time>`, day.Format(time.DateOnly),
		day.Format("Monday 2 January 2006"), 5+i%5)
	fmt.Fprintf(b, `<h3 class="event__title"><a href="/events/%d-%s">%s</a></h3>
<p class="event__venue">%s</p><p class="event__text">%s</p><p class="event__price">from £%d.50</p></div></article>
`, i, thingSlug(i), thingName(i), pick(halls, i), sentence(i), 8+i%30)
}

func writeProduct(b *strings.Builder, i int) {
	slug, name := thingSlug(i), thingName(i)
	fmt.Fprintf(b, `<div class="card" data-id="%d"><a class="card__image" href="/p/%d-%s">`, 1000+i, i, slug)
	fmt.Fprintf(b, `<img src="/i/%d.jpg" alt="%s" loading="lazy"></a>`, i, name)
	fmt.Fprintf(b, `<h2 class="card__title"><a href="/p/%d-%s">%s</a></h2>
<p class="card__text">%s</p><div class="card__foot"><span class="price">€%d.95</span>`, i, slug, name, sentence(i), 10+(i*37)%900)
	fmt.Fprintf(b, `<span class="stock">%s</span><button class="buy" type="button">Add to basket</button></div></div>
`, []string{"In stock", "Only a few left", "Back in two weeks"}[i%3])
}

func writeMeeting(b *strings.Builder, i int) {
	day := today.AddDate(0, 0, i)
	fmt.Fprintf(b, `<tr class="row%d"><td>%s</td><td>%d:00 pm</td><td><a href="/meetings/%d">%s Committee</a></td><td>%s</td><td>`,
		i%2, day.Format("Mon 2 Jan 2006"), 1+i%8, i, thingName(i), pick(halls, i))
	fmt.Fprintf(b, `<a href="/docs/%d-agenda.pdf">Agenda</a> <a href="/docs/%d-minutes.pdf">Minutes</a></td></tr>
`, i, i)
}

var (
	subjects   = strings.Fields("harbour garden theatre river library school bridge market station mill chapel orchard museum quarry")
	adjectives = strings.Fields("quiet northern copper early winter open painted second hollow bright distant common")
	halls      = []string{"Great Hall", "Room 4", "The Old Chapel", "Council Chamber", "Studio Two", "Riverside Stage", "Upper Gallery"}
	verbs      = strings.Fields("follows remembers gathers explores shows repairs invites questions")
)

func pick(words []string, i int) string { return words[i%len(words)] }

func thingName(i int) string {
	return fmt.Sprintf("The %s %s of %s %d", pick(adjectives, i), pick(subjects, i/3), pick(subjects, i*5+1), i)
}

func thingSlug(i int) string { return pick(adjectives, i) + "-" + pick(subjects, i/3) }

func sentence(i int) string {
	return fmt.Sprintf("A %s evening that %s the %s and everyone who ever came through the %s %s, told by people who were there.",
		pick(adjectives, i+2), pick(verbs, i), pick(subjects, i+3), pick(adjectives, i/2), pick(subjects, i*3))
}
