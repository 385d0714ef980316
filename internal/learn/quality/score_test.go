package quality

import (
	"fmt"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text/dates"
)

const page = `<!doctype html><html><head><title>Hidden title</title><script type="application/ld+json">{"name":"Only in data"}</script></head>
<body><h1>Spring&nbsp;fair &ndash; the <b>42nd</b> one</h1><p>On 14 May 2026 at 18:30, tickets from €&nbsp;12.50.</p>
<p hidden>Nobody sees this</p><a href="/fair?day=1&amp;x=2">More</a><img src="https://cdn.example.org/fair.jpg">
<p>The fair returns to the old square with forty stalls, two stages and a kitchen that cooks until the last guest has left the place.</p></body></html>`

func pageText() *PageText {
	now := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	return NewPageText(dom.New([]byte(page), "https://example.org/fair"), dates.Options{Now: now, Lang: "en"})
}

func TestAPageShowsWhatReadersSee(t *testing.T) {
	w := pageText()
	for i, c := range []struct {
		kind  curlew.FieldType
		value any
		want  curlew.Seen
	}{
		{curlew.TypeText, "SPRING FAIR: the 42nd one", curlew.SeenVisible},
		{curlew.TypeText, "Spring fair the one", curlew.SeenEmbedded},
		{curlew.TypeText, "pring fair", curlew.SeenEmbedded}, // not a word
		{curlew.TypeText, "Only in data", curlew.SeenEmbedded},
		{curlew.TypeText, "Hidden title", curlew.SeenEmbedded},
		{curlew.TypeText, "Nobody sees this", curlew.SeenEmbedded},
		{curlew.TypeText, "!", curlew.SeenEmbedded},
		{curlew.TypeTime, "2026-05-14", curlew.SeenVisible},
		{curlew.TypeTime, "2026-05-14T18:30:00+02:00", curlew.SeenVisible},
		{curlew.TypeTime, "2026-05-14T19:30:00+02:00", curlew.SeenEmbedded},
		{curlew.TypeTime, "2026-05-15", curlew.SeenEmbedded},
		{curlew.TypeMoney, int64(1250), curlew.SeenVisible},
		{curlew.TypeMoney, int64(1350), curlew.SeenEmbedded},
		{curlew.TypeURL, "https://example.org/fair", curlew.SeenVisible},
		{curlew.TypeURL, "https://example.org/fair?day=1&x=2", curlew.SeenVisible},
		{curlew.TypeURL, "https://cdn.example.org/fair.jpg", curlew.SeenVisible},
		{curlew.TypeURL, "https://cdn.example.org/other.jpg", curlew.SeenEmbedded},
		{curlew.TypeList, []string{"forty stalls", "two stages"}, curlew.SeenVisible},
		{curlew.TypeList, []string{"forty stalls", "three stages"}, curlew.SeenEmbedded},
		{curlew.TypeBool, true, curlew.SeenDerived},
		{curlew.TypeLong, "The fair returns to the old square with forty stalls, two stages and a kitchen that cooks until late.", curlew.SeenVisible},
		{curlew.TypeLong, "A text of its own that says in many words what this page never says at all to anybody who reads it.", curlew.SeenEmbedded},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := w.Seen(curlew.Field{Type: c.kind}, c.value, curlew.SeenEmbedded); got != c.want {
				t.Errorf("%v is seen %q, want %q", c.value, got, c.want)
			}
		})
	}
}

func TestWordsAreComparedWithoutPunctuationAndForm(t *testing.T) {
	for text, want := range map[string]string{
		"":                    " ",
		"?!":                  " ",
		"Don’t  STOP—now":     " dont stop now ",
		"Ｆｕｌｌ ﬁre 2³":         " full fire 23 ",
		"Zażółć GĘŚLĄ jaźń":   " zażółć gęślą jaźń ",
		"soft\u00adly a_b+c#": " softly a b c ",
	} {
		t.Run(text, func(t *testing.T) {
			if got := padded(text); got != want {
				t.Errorf("padded(%q) = %q, want %q", text, got, want)
			}
		})
	}
}
