package wrapper

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/regions"
	"github.com/curlew-data/curlew/internal/testkit/growth"
)

// concert is a page of a Polish venue.
func concert(title, when, where, price string) SamplePage {
	return page(fmt.Sprintf(`<html lang="pl"><head><title>%[1]s – Klub Pod Mostem</title></head><body><nav><a href="/">Start</a><a href="/o-nas">O nas</a></nav>
<main><h1>%[1]s</h1><img src="/zdjecia/%[2]d.jpg" alt=""><dl><dt>Kiedy</dt><dd>%[3]s</dd><dt>Gdzie</dt><dd>%[4]s</dd><dt>Bilety</dt><dd>%[5]s</dd></dl>
<p>Zapraszamy na wieczór pełen muzyki.</p></main><footer>Klub Pod Mostem, ul. Wodna 3</footer></body></html>`, title, len(title), when, where, price))
}

func page(body string) SamplePage {
	return SamplePage{Document: dom.New([]byte(body), "https://klub.example/koncerty/1"), Now: time.Date(2026, time.March, 2, 0, 0, 0, 0, time.UTC)}
}

func twoConcerts() []SamplePage {
	return []SamplePage{concert("Nocny Pociąg", "12 marca 2026, 20:00", "Sala Główna", "45 zł"), concert("Trio Deszcz", "3 kwietnia 2026, 19:30", "Sala Główna", "60 zł")}
}

func TestValuesAreToldFromTheTemplate(t *testing.T) {
	got := Read(t.Context(), curlew.SchemaEvent.Kind(), twoConcerts())
	for i, want := range []map[string]string{
		{"title": "Nocny Pociąg", "starts_at": "12 marca 2026, 20:00", "venue_name": "Sala Główna", "price_min": "45 zł", "image_url": "https://klub.example/zdjecia/13.jpg"},
		{"title": "Trio Deszcz", "starts_at": "3 kwietnia 2026, 19:30", "venue_name": "Sala Główna", "price_min": "60 zł", "image_url": "https://klub.example/zdjecia/11.jpg"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			for field, text := range want {
				if len(got[i][field]) != 1 || got[i][field][0] != text {
					t.Errorf("page %d: %s is %q, want %q", i+1, field, got[i][field], text)
				}
			}
			if len(got[i]) != len(want) {
				t.Errorf("page %d: got %v", i+1, got[i])
			}
		})
	}
}

func TestTheSameVenueOnAllPagesIsStillAValue(t *testing.T) {
	for _, s := range Align(t.Context(), twoConcerts()) {
		if s.Label == "Gdzie" {
			if !s.Constant || s.Type != regions.TypeText {
				t.Errorf("got %+v", s)
			}
			return
		}
	}
	t.Error("nothing stands behind Gdzie")
}

func TestMenusAndFootersAreNoValues(t *testing.T) {
	for _, fields := range Read(t.Context(), curlew.SchemaEvent.Kind(), twoConcerts()) {
		for field, values := range fields {
			if strings.Contains(values[0], "nas") || strings.Contains(values[0], "Wodna") {
				t.Errorf("%s is %q", field, values)
			}
		}
	}
}

func TestOnePageAndItsListRecord(t *testing.T) {
	one := concert("Nocny Pociąg", "12 marca 2026, 20:00", "Sala Główna", "45 zł")
	one.Known = map[string][]string{"title": {"Nocny Pociąg"}, "starts_at": {"12 marca 2026, 20:00"}}
	got := Read(t.Context(), curlew.SchemaEvent.Kind(), []SamplePage{one})[0]
	for field, want := range map[string]string{"title": "Nocny Pociąg", "starts_at": "12 marca 2026, 20:00", "venue_name": "Sala Główna", "price_min": "45 zł"} {
		t.Run(field, func(t *testing.T) {
			if len(got[field]) != 1 || got[field][0] != want {
				t.Errorf("%s is %q, want %q", field, got[field], want)
			}
		})
	}
}

func TestKnownValuesOfOnePageTellThoseOfTheOthers(t *testing.T) {
	pages := []SamplePage{concert("Nocny Pociąg", "12 marca 2026", "Sala Główna", "45 zł"), concert("Trio Deszcz", "3 kwietnia 2026", "Piwnica", "60 zł")}
	pages[0].Known = map[string][]string{"category": {"Sala Główna"}} // whoever keeps the list calls it so
	got := Read(t.Context(), curlew.SchemaEvent.Kind(), pages)
	if fmt.Sprint(got[1]["category"]) != "[Piwnica]" || got[1]["venue_name"] != nil {
		t.Errorf("got %v", got[1])
	}
}

func TestLabelsInsideOfTheText(t *testing.T) {
	made := func(name, engine string) SamplePage {
		return page(fmt.Sprintf(`<title>%[1]s</title><h1>%[1]s</h1><ul><li>Engine: %[2]s</li><li>Doors: five</li></ul>`, name, engine))
	}
	got := Read(t.Context(), curlew.SchemaItem.Kind(), []SamplePage{made("Kestrel 2", "1.6 l"), made("Heron GT", "2.0 l turbo")})
	if fmt.Sprint(got[1]["slots.engine"]) != "[2.0 l turbo]" {
		t.Errorf("got %v", got[1])
	}
}

func TestCodesOfProductsAreNamedByTheirLabels(t *testing.T) {
	made := func(name, price, brand, number string) SamplePage {
		return page(fmt.Sprintf(`<title>%[1]s</title><h1>%[1]s</h1><p class="price">%[2]s</p><form><button>Add to basket</button></form>
<table><tr><th>Brand</th><td>%[3]s</td></tr><tr><th>Article no.</th><td>%[4]s</td></tr></table>`, name, price, brand, number))
	}
	got := Read(t.Context(), curlew.SchemaProduct.Kind(), []SamplePage{made("Brass Lantern", "€49.95", "Copper & Sons", "LN-204"), made("Walking Stick", "€18.50", "Ashgrove", "WS-118")})
	for field, want := range map[string]string{"name": "Walking Stick", "price": "€18.50", "brand": "Ashgrove", "sku": "WS-118"} {
		t.Run(field, func(t *testing.T) {
			if fmt.Sprint(got[1][field]) != "["+want+"]" {
				t.Errorf("%s is %q, want %q", field, got[1][field], want)
			}
		})
	}
}

func TestHeadlinesThatDoNotDifferAreNone(t *testing.T) {
	list := func(first string) SamplePage {
		return page(`<title>Concerts</title><h1>Concerts</h1><ul><li>` + first + `</li><li>Other</li></ul>`)
	}
	if s, ok := Headline(t.Context(), curlew.SchemaEvent.Kind(), []SamplePage{list("A night"), list("B night")}); ok {
		t.Errorf("got %+v", s)
	}
}

func TestEqualRunsGiveEqualResults(t *testing.T) {
	first := fmt.Sprint(Read(t.Context(), curlew.SchemaEvent.Kind(), twoConcerts()))
	for range 10 {
		if again := fmt.Sprint(Read(t.Context(), curlew.SchemaEvent.Kind(), twoConcerts())); again != first {
			t.Fatalf("%s\n%s", first, again)
		}
	}
}

func TestHostilePagesEndSoon(t *testing.T) {
	growth.Inputs{
		"many texts":   growth.Fill("", "<p>12 March 2026: £5<b>x</b>", ""),
		"many labels":  growth.Fill("", "<dt>Price:<dd>1", ""),
		"deep":         growth.Fill("", "<div class=a>", "x"),
		"long classes": growth.Fill(`<h1 class="`, "a1 ", `">x</h1>`),
	}.Check(t, 1<<20, func(body string) func() {
		return func() { Read(t.Context(), curlew.SchemaEvent.Kind(), []SamplePage{page(body), page(body)}) }
	})
	Read(t.Context(), curlew.SchemaEvent.Kind(), []SamplePage{page(""), page("")})
}

func FuzzRead(f *testing.F) {
	f.Add(`<title>a</title><h1>A</h1><dl><dt>Price:<dd>£5</dl>`, `<title>b</title><h1>B</h1><dl><dt>Price:<dd>£6</dl>`)
	f.Add(`<p>When: 3 May 2026`, `<p>When： 4 May 2026`)
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, s := range Align(t.Context(), []SamplePage{page(a), page(b)}) {
			if len(s.Values) != 2 {
				t.Fatalf("%d values of 2 pages", len(s.Values))
			}
		}
		for _, schema := range curlew.Schemas() {
			Read(t.Context(), schema, []SamplePage{page(a), page(b)})
		}
	})
}
