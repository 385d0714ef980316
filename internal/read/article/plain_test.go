package article_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/article"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/growth"
)

var noon = time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)

func read(t *testing.T, body string) curlew.Values {
	t.Helper()
	draft, ok := article.Plain(dom.New([]byte(body), "https://lib.example/hours"), article.PlainOptions{Now: noon})
	if !ok {
		t.Fatal("nothing was read")
	}
	return draft.Fields
}

const library = `<!doctype html><html lang="en"><title>Hours | Library</title><body><header>Library of the town</header><nav><a href="/">Home</a></nav>
<main><h1>Opening hours</h1><p>Monday to Friday from 9 to 17.</p><p>Closed for works until 30 May 2026.</p><p>Visitors today: 1,204</p>
<p>Last loan 5 minutes ago</p></main><footer>© 2026</footer>`

func TestAPageIsItsMainText(t *testing.T) {
	got := read(t, library)
	want := "Opening hours\nMonday to Friday from 9 to 17.\nClosed for works until 30 May 2026."
	if body, _ := got["text"].(string); !strings.HasPrefix(body, want) || strings.Contains(body, "Home") || strings.Contains(body, "©") {
		t.Errorf("%q", got["text"])
	}
	if got["title"] != "Opening hours" {
		t.Errorf("the title is %q", got["title"])
	}
}

func TestAgesOfThingsAreNoText(t *testing.T) {
	got := read(t, library)
	if body, _ := got["text"].(string); !strings.Contains(body, "Last loan") || strings.Contains(body, "minutes") {
		t.Errorf("%q", body)
	}
	later := read(t, strings.Replace(library, "5 minutes", "9 minutes", 1))
	if got["text"] != later["text"] {
		t.Errorf("a page that only grew older changed from %q to %q", got["text"], later["text"])
	}
}

func TestAnAgeSwallowsNothingBesideIt(t *testing.T) {
	for line, want := range map[string]struct{ text, day string }{
		"The meeting was moved from yesterday to 9 December 2026.": {"The meeting was moved from yesterday to 9 December 2026.", "2026-12-09"},
		"Posted 3 hours ago – 9 December 2026":                     {"Posted – 9 December 2026", "2026-12-09"},
		"Updated 2 days ago to 9 December 2026":                    {"Updated to 9 December 2026", "2026-12-09"},
		"Yesterday, 14:00: Doors open on 9 December 2026":          {"Doors open on 9 December 2026", "2026-12-09"},
	} {
		t.Run(line, func(t *testing.T) {
			got := read(t, "<html lang=en><body><p>"+line+"</p>")
			days, _ := got["dates"].([]any)
			if strings.TrimPrefix(got["text"].(string), ": ") != want.text || len(days) != 1 || days[0] != want.day {
				t.Errorf("%q, %v", got["text"], days)
			}
		})
	}
}

func TestTermsAndOpeningHoursAreText(t *testing.T) {
	for _, line := range []string{"Notice must be given within 30 days of receipt.", "Open today until 18:00.", "It ends in 14 days.",
		"The office is open Monday to Friday 9:00 - 17:00 except on holidays.", "Montag bis Freitag 08:00 - 12:00 Uhr",
		"Lundi au vendredi 08:30 - 12:00", "Monday 9:00 - 12:00", "Every Tuesday and Thursday at 14:00"} {
		t.Run(line, func(t *testing.T) {
			if got := read(t, "<body><p>"+line+"</p>"); got["text"] != line {
				t.Errorf("%q became %q", line, got["text"])
			}
		})
	}
}

func TestWhatDiffersBetweenTwoCopiesIsUnsteady(t *testing.T) {
	page := `<body><h1>Hours</h1><p>From 9 to 17.</p><p class="n">Visitor 12</p><div><p>Buy a book</p></div><p>Closed on Monday.</p><p>Call us.</p>`
	lines := func(body string) []article.PlainBlock {
		return article.PlainBlocks(dom.New([]byte(body), "https://lib.example/"), article.PlainOptions{Now: noon})
	}
	other := strings.NewReplacer("Visitor 12", "Visitor 13", "Buy a book", "Become a member").Replace(page)
	got := article.Unsteady(lines(page), lines(other))
	if want := "body > p:nth-of-type(2), body > div:nth-of-type(1) > p:nth-of-type(1)"; strings.Join(got, ", ") != want {
		t.Errorf("%q", got)
	}
	if got := article.Unsteady(lines(page), lines(`<body><p>Quite</p><p>another</p><p>page</p>`)); got != nil {
		t.Errorf("of another page was learned %q", got)
	}
}

func TestOnlyTheFiguresOfAParagraphThatDifferAreUnsteady(t *testing.T) {
	page := func(hours, number string) *dom.Document {
		return dom.New([]byte(`<body><h1>Visa</h1><p>Bring a photo.</p><p id="queue">Apply in person from Monday to Thursday, `+hours+
			`. You are number `+number+` in the queue.</p><p>Call us.</p>`), "https://consul.example/")
	}
	lines := func(d *dom.Document) []article.PlainBlock {
		return article.PlainBlocks(d, article.PlainOptions{Now: noon})
	}
	got := article.Unsteady(lines(page("9:00 to 12:00", "48")), lines(page("9:00 to 12:00", "51")))
	if want := "#queue##You are number … in the queue."; strings.Join(got, ", ") != want {
		t.Fatalf("%q", got)
	}
	left := article.PlainBlocks(page("10:00 to 13:00", "77"), article.PlainOptions{Now: noon, Noise: map[string]bool{got[0]: true}})
	if want := "Apply in person from Monday to Thursday, 10:00 to 13:00. You are number in the queue."; left[2].Text != want {
		t.Errorf("%q", left[2].Text)
	}
}

func TestAClockInALineOfATextIsLeftOutByTheWordsBesideIt(t *testing.T) {
	lines := func(clock, request string) []article.PlainBlock {
		d := dom.New([]byte("<body><pre>River levels\nas of "+clock+" UTC, request "+request+"\n\nKiln Weir   1.20\n\nSalt Quay   2.11</pre>"), "https://river.example/")
		return article.PlainBlocks(d, article.PlainOptions{Now: noon})
	}
	for _, later := range []string{"18.11.2026 09:00:03", "18.11.2026 09:00:01"} {
		t.Run(later, func(t *testing.T) { // also where both copies are of one second
			got := article.LeftOut(lines("18.11.2026 09:00:01", "a1f"), lines(later, "07c"))
			if len(got) != 2 || !strings.HasSuffix(got[0], "as of … UTC, request") || !strings.HasSuffix(got[1], "UTC, request …") {
				t.Errorf("%q", got)
			}
		})
	}
}

func TestTheDatesOfAPageTellTheOrderOfDayAndMonth(t *testing.T) {
	got := read(t, `<html lang="en"><body><main><h1>Applications</h1><p>Received 02/11/2026</p><p>Received 30/10/2026</p></main></body></html>`)
	if days := got["dates"]; !reflect.DeepEqual(days, []any{"2026-11-02", "2026-10-30"}) {
		t.Errorf("%#v", days)
	}
}

func TestFiguresAndDatesArePulledOut(t *testing.T) {
	got := read(t, library)
	figures, _ := got["figures"].(map[string]any)
	days, _ := got["dates"].([]any)
	if figures["Visitors today"] != "1204" || len(days) == 0 || days[0] != "2026-05-30" {
		t.Errorf("figures %v, dates %v", figures, days)
	}
}

func TestFiguresAreNamedByTheWordsBesideThem(t *testing.T) {
	for body, want := range map[string]map[string]any{
		"<p>We have 14 boats and 3 kayaks": {"We have boats": "14", "kayaks": "3"},
		"<p>The water level at the bridge is 312 cm this morning. The lock stays closed until 3 December 2026.": {"water level at the bridge is cm this morning": "312"},
		"<p>The council approved the budget of 1,200,000 EUR. Next meeting on 1 December 2026 at 19:00.":        {"The council approved the budget of EUR": "1200000"},
		"<p>Adults: 12 EUR, children: 6 EUR":      {"Adults: EUR": "12", "children: EUR": "6"},
		"<p>Tickets 12 EUR until 3 December 2026": {"Tickets EUR": "12"},
		"<p>Article A-2 and B12 of T-2026-101":    nil,
		"<p>Open from 9:00 to 17:00":              nil,
		"<p>Ring 0123 4567 for details":           nil,
		"<p>Fix crash 2.4.1":                      nil,
		"<p>Eichenallee 3, 22303 Hamburg":         {"Eichenallee": "3", "Hamburg": "22303"},
		"<p>The budget of 2026 is 700 EUR":        {"The budget of 2026 is EUR": "700"},
		"<p>Visitors today: 1,204":                {"Visitors today": "1204"},
		"<h2>Rate</h2><p>1.250</p>":               {"Rate": "1.250"},
		"<p>Rate: 1.0832. Krone: 11.402":          {"Rate": "1.0832", "Krone": "11.402"},
		"<p>Members: 1.250, dues: 7,25":           {"Members": "1250", "dues": "7.25"},
		"<table><tr><th>sku<th>name<th>price<th>stock<tr><td>A-1<td>Kettle 2<td>39.90<td>12<tr><td>A-2<td>Tin<td>7.25 EUR<td>0</table>": {
			"A-1 price": "39.90", "A-1 stock": "12", "A-2 price": "7.25", "A-2 stock": "0"},
		`<p data-path="items[0].fee">items[0].fee: 100</p><p data-path="items[0].title">items[0].title: Course 0: Welding</p>`: {"items[0].fee": "100"},
	} {
		t.Run(body, func(t *testing.T) {
			got, _ := read(t, "<html lang=en><body><main>"+body)["figures"].(map[string]any)
			if !reflect.DeepEqual(got, want) && len(got)+len(want) > 0 {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}

func TestFiguresAreReadInTheLanguageOfThePage(t *testing.T) {
	for body, want := range map[string]string{
		`<html lang=de><p>Mitglieder: 1.250`:            "1250",
		`<html lang=de><p>Kurs: 1.0832. Krone: 11.402`:  "11.402",
		`<html lang=en><p>Members: 1,250`:               "1250",
		`<html lang=en><p>Members: 1.250. Fee: 7,50`:    "1250",
		`<html lang=en><p>Kurs: 1.250. A: 7,5. B: 7.5`:  "1.250",
		`<html lang=de><p>Kurs: 1.250. A: 7,5. B: 7.5`:  "1250",
		`<html lang=de><p>Kurs: 0.834`:                  "0.834",
		`<html lang=pl><p>Kurs: 1 250,5`:                "1250.5",
		`<html lang=en><p>Balance: −1,250.75 this year`: "-1250.75",
	} {
		t.Run(body, func(t *testing.T) {
			figures, _ := read(t, body)["figures"].(map[string]any)
			if !slices.Contains(slices.Collect(maps.Values(figures)), any(want)) {
				t.Errorf("%s: %v, want %s", body, figures, want)
			}
		})
	}
}

func TestAPageWithoutAMainPartIsReadWhole(t *testing.T) {
	if got := read(t, `<body><p>Just one sentence.</p><div role="navigation">Menu</div>`); got["text"] != "Just one sentence." {
		t.Errorf("%q", got["text"])
	}
	if _, ok := article.Plain(dom.New([]byte(`<body><script>x()</script>`), "https://lib.example/"), article.PlainOptions{Now: noon}); ok {
		t.Error("a page without text was read")
	}
}

func TestHostilePagesEndSoon(t *testing.T) {
	growth.Inputs{"nested": growth.Fill("", "<div>x", ""), "numbers": growth.Fill("<p>", "1 2 3 5 May ", ""), "blocks": growth.Fill("", "<p>in 5 minutes", "")}.
		Check(t, 256<<10, func(body string) func() {
			d := dom.New([]byte(body), "https://lib.example/")
			return func() { article.Plain(d, article.PlainOptions{Now: noon}) }
		})
}
