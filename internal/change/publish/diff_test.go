package publish

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// spellings are values of a field before and after, and whether they mean the same.
var spellings = []struct {
	schema      curlew.SchemaName
	field       string
	before, now any
	same        bool
}{
	{"product", "name", "Lamp", "  Lamp ", true},
	{"product", "name", "Harbour lamp", "Harbour\u00a0 lamp", true},
	{"product", "name", "Caf\u00e9", "Cafe\u0301", true},
	{"product", "name", "Har\u00adbour", "Harbour", true},
	{"product", "name", "Rock’n’roll “live”", `Rock'n'roll "live"`, true},
	{"product", "name", "Rhythm &amp; Blues", "Rhythm & Blues", true},
	{"product", "name", "1990–2000", "1990-2000", true},
	{"product", "name", "Lamp", "lamp", false},
	{"product", "name", "Lamp", "Lamps", false},
	{"product", "name", "Lamp 2 days", "Lamp 3 days", false},
	{"product", "price", int64(100), 100.0, true},
	{"product", "price", int64(100), json.Number("100"), true},
	{"product", "price", int64(100), int64(101), false},
	{"product", "price", json.Number("9007199254740993"), int64(9007199254740993), true},
	{"product", "price", json.Number("9007199254740992"), int64(9007199254740993), false},
	{"product", "rating", 4.5, json.Number("4.50"), true},
	{"product", "rating", 4.5, 4.6, false},
	{"product", "price", json.Number("1e999"), json.Number("1e999"), true},
	{"product", "price", nil, int64(0), false},
	{"product", "brand", nil, "", true},
	{"product", "brand", "Tern", nil, false},
	{"product", "availability", "in_stock", "out_of_stock", false},
	{"product", "review_count", int64(10), int64(11), false},
	{"job", "description_snippet", "Posted 2 days ago. Welders wanted", "Posted 3 days ago. Welders wanted", true},
	{"job", "description_snippet", "Eingestellt vor 3 Tagen", "Eingestellt vor einer Woche", true},
	{"job", "description_snippet", "il y a 3 jours", "il y a 1 mois", true},
	{"job", "description_snippet", "hace 3 días", "hace 2 semanas", true},
	{"job", "description_snippet", "3 dagen geleden", "1 week geleden", true},
	{"job", "description_snippet", "Oppdatert for 2 dager siden", "Oppdatert for 3 uker siden", true},
	{"job", "description_snippet", "3 дня назад", "5 дней назад", true},
	{"job", "description_snippet", "3日前", "4日前", true},
	{"job", "description_snippet", "Posted today", "Posted yesterday", true},
	{"item", "title", "Endet in 4 Tagen 19 Std.", "Endet in 4 Tagen 18 Std.", true},
	{"item", "title", "Noch 4 Tage", "Noch 23 Std. 5 Min.", true},
	{"item", "title", "Ends in 4 days", "Ends in 19h 3m", true},
	{"item", "title", "Lot 4 · 3 days left", "Lot 4 · 2 days, 4 hours left", true},
	{"item", "title", "Ending in 12:04:33", "Ending in 11:04:33", true},
	{"item", "title", "Se termine dans 3 jours", "Se termine dans 2 jours", true},
	{"item", "title", "Quedan 2 días", "Quedan 5 horas", true},
	{"item", "title", "Koniec za 3 dni", "Koniec za 2 dni", true},
	{"item", "title", "Осталось 3 дня", "Осталось 2 дня", true},
	{"item", "title", "Nog 3 dagen", "Nog 2 dagen", true},
	{"item", "title", "Noch 4 Plätze", "Noch 3 Plätze", false},
	{"item", "title", "Noch 4 Tagestickets", "Noch 3 Tagestickets", false},
	{"item", "title", "4 places left", "3 places left", false},
	{"item", "title", "Delivery in 3 days", "Delivery in 5 days", false},
	{"item", "title", "Dauer: 3 Tage", "Dauer: 4 Tage", false},
	{"item", "title", "Lot 4 · 3 days left", "Lot 5 · 3 days left", false},
	{"job", "description_snippet", "5 days a week", "4 days a week", false},
	{"event", "starts_at", "2026-11-02T20:00:00+01:00", "2026-11-02T19:00:00Z", true},
	{"event", "starts_at", "2026-11-02T20:00:00+01:00", "2026-11-02T20:00:00", true},
	{"event", "starts_at", "2026-11-02T20:00:00+01:00", "2026-11-02T20:30:00+01:00", false},
	{"event", "starts_at", "2026-11-02", "2026-11-02T20:00:00+01:00", false},
	{"event", "starts_at", "2026-11-02T20:00:00+01:00", "2026-11-02", true},
	{"event", "starts_at", "2026-11-02T20:00:00+01:00", "2026-11-03", false},
	{"event", "performers", []any{"A", "B"}, []string{"B", "A"}, true},
	{"event", "performers", []any{"A", "B"}, []string{"B", "C"}, false},
	{"event", "timezone", nil, "Europe/Oslo", true},
	{"event", "time_known", nil, true, true},
	{"article", "text", "One two.\n\nThree.", "One two. Three.", true},
	{"article", "markdown", "**One** two\n\n* Three", "__One__ two\n\n- Three", true},
	{"article", "text", "One two.", "One three.", false},
	{"product", "url", "http://www.shop.test/p/1/?utm_source=a&b=2#top", "https://shop.test/p/1?b=2&gclid=3", true},
	{"product", "url", "https://shop.test:443/p/1?a=1&b=2", "https://shop.test/p/1?b=2&a=1", true},
	{"product", "url", "https://shop.test/p/1?ref=list", "https://shop.test/p/1", true},
	{"product", "url", "https://shop.test/p/1", "https://shop.test/p/2", false},
	{"product", "url", "https://shop.test/p?id=1", "https://shop.test/p?id=2", false},
	{"product", "url", "https://shop.test/#/p/1", "https://shop.test/#/p/2", false},
	{"product", "image_url", "https://i.test/a.jpg?w=300", "https://i.test/a.jpg?w=600&v=7", true},
	{"product", "image_url", "https://i.test/300x200/a.jpg", "https://i.test/600x400/a.jpg", true},
	{"product", "image_url", "https://i.test/a-300x200.jpg", "https://i.test/a.jpg", true},
	{"product", "image_url", "https://i.test/a_thumb.jpg", "https://i.test/a_large.webp", true},
	{"product", "image_url", "https://i.test/a_300x@2x.jpg", "https://i.test/a.jpg", true},
	{"product", "image_url", "https://img1.shop.test/a.jpg", "https://img2.shop.test/a.jpg", true},
	{"product", "image_url", "https://shop.test/_next/image?url=%2Fm%2Fa.jpg&w=640&q=75", "https://shop.test/_next/image?url=%2Fm%2Fa.jpg&w=1080&q=75", true},
	{"product", "image_url", "https://shop.test/_next/image?url=%2Fm%2Fa.jpg&w=640", "https://shop.test/_next/image?url=%2Fm%2Fb.jpg&w=640", false},
	{"product", "image_url", "https://c.test/upload/w_300,c_fill/v1699999999/a.jpg", "https://c.test/upload/w_600/v1700000000/a.jpg", true},
	{"product", "image_url", "https://i.test/styles/medium/public/a.jpg?itok=x", "https://i.test/styles/large/public/a.jpg?itok=y", true},
	{"product", "image_url", "https://i.test/pic?id=1&w=3", "https://i.test/pic?id=1&w=4", true},
	{"product", "image_url", "https://i.test/pic?id=1", "https://i.test/pic?id=2", false},
	{"product", "image_url", "https://i.test/a.jpg", "https://i.test/b.jpg", false},
	{"own", "website", "https://a.test/?utm_source=x", "https://a.test", true},
	{"own", "when", "2026-11-02T20:00:00+01:00", "2026-11-02T19:00:00Z", true},
	{"own", "kinds", []any{"a", "b"}, []any{"b", "a"}, true},
}

func TestWhatIsAChangeAndWhatIsNot(t *testing.T) {
	for i, c := range spellings {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			changes := shapeOf(c.schema.Kind()).diff(curlew.Values{c.field: c.before}, curlew.Values{c.field: c.now}, func(string) bool { return false })
			if same := len(changes) == 0; same != c.same {
				t.Errorf("%s: %v → %v: no change is %v", c.field, c.before, c.now, same)
			}
		})
	}
}

func TestSpellingsThatGoBackAndForthWriteNothing(t *testing.T) {
	w := newWorld(t, curlew.SchemaProduct)
	a := lamp("image_url", "https://i.test/a.jpg?w=300", "description", "Brass,  40 cm")
	b := lamp("image_url", "https://i.test/a.jpg?w=600", "description", "Brass, 40\u00a0cm", "name", " Harbour  lamp")
	w.see([]SeenRecord{a})
	for range 5 {
		plan := w.see([]SeenRecord{b})
		if len(plan.Updated) > 0 || plan.Publication.Class != curlew.NoChange {
			t.Fatalf("to be written: %+v", plan.Updated)
		}
		w.see([]SeenRecord{a})
	}
	// A real change takes only itself over.
	w.see([]SeenRecord{lamp("price", int64(1), "image_url", "https://i.test/a.jpg?w=600", "description", "Brass, 40\u00a0cm")})
	if e := w.named("Harbour lamp"); e.Fields["description"] != "Brass,  40 cm" || e.Fields["price"] != 1.0 {
		t.Errorf("fields %v", e.Fields)
	}
}

// The cosmetic comparisons are equalities: of oneself, and the same both ways.
func FuzzTextsAreComparedEvenly(f *testing.F) {
	for _, s := range []string{"Posted 2 days ago", "“a”", "Cafe\u0301", "\u00ad", "&amp;amp;", "\xff", "vor 3 Tagen", "3日前"} {
		f.Add(s, s+" ")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if !sameText(a, a) || sameText(a, b) != sameText(b, a) {
			t.Errorf("%q and %q", a, b)
		}
		if !sameText(a, "  "+a+"\n") {
			t.Errorf("blanks around %q count", a)
		}
		words(a)
		letters(a)
	})
}

func FuzzAddressesAreComparedEvenly(f *testing.F) {
	for _, s := range []string{"https://a.test/x?utm_source=1#y", "https://a.test/_next/image?url=%2Fa.jpg", "//x", "mailto:a@b", "http://[", "a_300x200@2x.jpg.webp", "/thumb/a.jpg/30px-a.jpg"} {
		f.Add(s, s+"?w=3")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, image := range []bool{false, true} {
			t.Run(fmt.Sprint(image), func(t *testing.T) {
				if !sameLink(a, a, image) || sameLink(a, b, image) != sameLink(b, a, image) {
					t.Errorf("%q and %q", a, b)
				}
			})
		}
		slug(a)
	})
}

func FuzzTimesAreReadSafely(f *testing.F) {
	f.Add("2026-11-02", "2026-11-02T20:00:00+01:00", "FREQ=WEEKLY;UNTIL=20261130")
	f.Fuzz(func(t *testing.T, a, b, rule string) {
		s := shapeOf(curlew.SchemaEvent.Kind())
		if !s.same("starts_at", a, a) {
			t.Errorf("%q is not itself", a)
		}
		s.same("starts_at", a, b)
		over(curlew.Values{"starts_at": a, "ends_at": b, "recurrence": rule}, newZones(""), lastPlaceNoon)
	})
}

var lastPlaceNoon = time.Date(2026, 11, 2, 12, 0, 0, 0, lastPlace)
