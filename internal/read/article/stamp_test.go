package article

import (
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/structured"
	"github.com/curlew-data/curlew/internal/text/dates"
)

func TestStampsAreDaysInIdsAddressesAndFileNames(t *testing.T) {
	for text, want := range map[string]string{
		`<body id="news20190624_k10011959621000">`: "2019-06-24",
		`/photos/2019/06/24/harbour.jpg`:           "2019-06-24",
		`harbour_20190624113000.jpg`:               "2019-06-24",
		`?v=2019-06-24`:                            "2019-06-24",
		`k10011959621000`:                          "", // not all long numbers are
		`20191324`:                                 "",
		`2019/06-24`:                               "",
		`2019-06-245`:                              "",
		`19000101`:                                 "", // before the web
		`2019-06`:                                  "",
	} {
		t.Run(text, func(t *testing.T) {
			s := stampsIn([]byte(text))
			if want == "" && len(s.counts) != 0 || want != "" && s.counts[want] != 1 {
				t.Errorf("%v, want %q", s.counts, want)
			}
		})
	}
}

func TestAStampTellsTheYearOfADayWithoutOne(t *testing.T) {
	html := `<body id="x20190514"><a href="/2018/05/15/">`
	now := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		text, want string
		now        time.Time
	}{
		{"14 May", "2019-05-14", now},
		{"14 May", "2019-05-14", time.Time{}},
		{"14 May 2021", "2021-05-14", now}, // a written year stands
		{"16 May", "2024-05-16", now},      // no stamp: the clock tells
		{"16 May", "", time.Time{}},
	} {
		t.Run(c.text, func(t *testing.T) {
			cal := calendar{page: &page{doc: dom.New([]byte(html), "")}, options: dates.Options{Now: c.now, Lang: "en", Past: true}}
			got := ""
			if found := cal.found(c.text); len(found) == 1 {
				got = found[0].Start.Format(time.DateOnly)
			}
			if got != c.want {
				t.Errorf("%s: %q, want %q", c.text, got, c.want)
			}
		})
	}
}

func TestAttributesKeepDatesForScripts(t *testing.T) {
	for text, want := range map[string]string{
		`<span data-timestamp="1557829800">`:       "2019-05-14T10:30:00Z",
		`<span data-publish-time="1557829800000">`: "2019-05-14T10:30:00Z",
		`<span data-date="2019-05-14 12:30">`:      "2019-05-14 12:30",
		`<span title="2019-05-14T12:30:00+02:00">`: "2019-05-14T12:30:00+02:00",
		`<span title="1557829800">`:                "",
		`<span data-id="1557829800">`:              "",
		`<span data-time="12">`:                    "",
	} {
		t.Run(text, func(t *testing.T) {
			body := dom.New([]byte(text), "").Tree()
			got := ""
			for n := range body.Descendants() {
				if n.Data == "span" {
					got = keptDate(n)
				}
			}
			if got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// Whoever keeps pages may know the month at best: what a page says of itself in its data is
// believed a little beyond the clock, and what stands in its text only with it.
func TestAPageMayBeYoungerThanTheClock(t *testing.T) {
	long := strings.Repeat("The council talked about the bridge for a long time and came to no end. ", 30)
	for name, c := range map[string]struct{ head, line, want string }{
		"said in its data":        {`<meta property="article:published_time" content="2019-06-13">`, "", "2019-06-13"},
		"said and shown":          {`<meta property="article:published_time" content="2019-06-13">`, "June 13, 2019", "2019-06-13"},
		"far beyond the clock":    {`<meta property="article:published_time" content="2019-12-24">`, "", ""},
		"shown in the text alone": {"", "June 13, 2019", ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := dom.New([]byte(`<html lang="en"><head><title>The bridge</title>`+c.head+`</head><body><article><h1>The bridge</h1><p>`+c.line+
				`</p><p>`+long+`</p><p>`+long+`</p></article></body></html>`), "https://paper.example/bridge")
			a, _ := Read(d, structured.Read(d), Options{Now: time.Date(2019, 6, 1, 0, 0, 0, 0, time.UTC)})
			if got, _ := a.Draft().Fields["published_at"].(string); got != c.want {
				t.Errorf("published on %q, want %q", got, c.want)
			}
		})
	}
}
