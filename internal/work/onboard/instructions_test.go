package onboard

import (
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
)

func TestInstructionsNameTheRecordsByASelector(t *testing.T) {
	for text, want := range map[string]Instructions{
		"selector: .card":                                         {Selector: ".card"},
		"selector: article.teaser":                                {Selector: "article.teaser"}, // which says nothing of articles
		"Jobs. Selector: table tr:has(td). Polish language":       {Selector: "table tr:has(td)", Schema: curlew.SchemaJob, Language: "pl"},
		"selector = ul > li, .more li; Europe/Warsaw":             {Selector: "ul > li, .more li", Zone: "Europe/Warsaw"},
		"selector: li.row, English":                               {Selector: "li.row", Language: "en"},
		`selector: "a[href^='/x/']" on /agenda`:                   {Selector: "a[href^='/x/']", Path: "/agenda", Schema: curlew.SchemaEvent},
		"use the selector #list for events":                       {Selector: "#list", Schema: curlew.SchemaEvent},
		"the selector is somewhere in the news":                   {Schema: curlew.SchemaArticle, Rest: "the selector is somewhere in the news"},
		"selector: li:not(.past)\nTimes are those of Asia/Tokyo.": {Selector: "li:not(.past)", Zone: "Asia/Tokyo"},
	} {
		t.Run(text, func(t *testing.T) {
			if got := ReadInstructions(text); got != want {
				t.Errorf("%q:\n%+v, want\n%+v", text, got, want)
			}
		})
	}
}

func TestInstructionsAreShownBack(t *testing.T) {
	for said, want := range map[string]string{
		"": "",
		"events under /agenda, Polish, only jazz": "instructions understood: every event, under /agenda, in Polish, only jazz",
		"kind: product":                             "instructions understood: every product",
		"kind: page\nselector: `#hours`":            "instructions understood: the text of the page, only what is in #hours",
		"Upcoming events only. Europe/Warsaw time.": "instructions understood: every event, times in Europe/Warsaw, only upcoming ones",
		"events, times in Europe/Warschau":          "instructions understood: every event; not understood: times in Europe/Warschau",
		"take the price from the grey box, events under /agenda": "instructions understood: every event, under /agenda; " +
			"not understood: take the price from the grey box",
		"products with their prices":        "instructions understood: every product",
		"events, but nothing from the shop": "instructions understood: every event; not understood: but nothing from the shop",
		"be quick about it":                 "instructions not understood: be quick about it",
	} {
		t.Run(said, func(t *testing.T) {
			if got := ReadInstructions(said).Summary(); got != want {
				t.Errorf("%q: %q, want %q", said, got, want)
			}
		})
	}
}

func TestInstructionsNameWhatEntriesMustBeAbout(t *testing.T) {
	for said, want := range map[string]string{
		"events under /agenda, Polish, only jazz":   "instructions understood: every event, under /agenda, in Polish, only jazz",
		"only under £100":                           "instructions not understood: only under £100",
		"only free events and max 20 zł":            "instructions understood: every event; not understood: only free events and max 20 zł",
		"only the prices below 12 euro":             "instructions not understood: only the prices below 12 euro",
		"only events after 15 January":              "instructions understood: every event; not understood: only events after 15 January",
		"only jazz and blues concerts":              "instructions understood: every event, only jazz, blues",
		"only events that mention chamber music":    "instructions understood: every event, only chamber music",
		"only the jobs list":                        "instructions understood: every job",
		"just the jobs":                             "instructions understood: every job",
		"only concerts, ignore past events":         "instructions understood: every event, only upcoming ones, only concert",
		"only upcoming events":                      "instructions understood: every event, only upcoming ones",
		"only read what my colleague told you of":   "instructions not understood: only read what my colleague told you of",
		"news, ignore past ones, but only weekends": "instructions understood: every article, only upcoming ones, only weekends",
	} {
		t.Run(said, func(t *testing.T) {
			if told := ReadInstructions(said).Summary(); told != want {
				t.Errorf("told %q, want %q", told, want)
			}
		})
	}
}

// What the page does not have is said, and is not called understood.
func TestInstructionsNameWhatThePageDoesNotHave(t *testing.T) {
	body := `<html><body><main><h2>Coming up</h2><ul><li class="card"><a href="/1">One</a></li><li class="card"><a href="/2">Two</a></li></ul></main></body></html>`
	home := extract.Material{Body: []byte(body), URL: judgedAddress, ContentType: "text/html", Now: time.Now()}.Ready()
	for said, want := range map[string]string{
		"only .promo-card":                           `no element matches ".promo-card"`,
		"events, selector: li.gone":                  `instructions understood: every event; no element matches "li.gone"`,
		"events, only .card":                         "instructions understood: every event, records at .card",
		"selector: li:nosuch(":                       `no element matches "li:nosuch("`,
		`only under the heading "Coming up"`:         `instructions not understood: only under the heading "Coming up"`,
		`events in the section "Next week"`:          `instructions understood: every event; no heading says "Next week"`,
		`only jazz, below the heading "Late trains"`: `instructions understood: only jazz; no heading says "Late trains"`,
		"only .NET jobs":                             "instructions understood: every job, only .NET",
		"kind: page\nselector: `#hours`":             `instructions understood: the text of the page; no element matches "#hours"`,
	} {
		t.Run(said, func(t *testing.T) {
			if told := ReadInstructions(said).summaryOf(Inspected{Home: home}); told != want {
				t.Errorf("told %q, want %q", told, want)
			}
		})
	}
	gone := Inspected{Home: home, instead: "another page is read instead of x/agenda: it is gone"}
	if told := ReadInstructions("jobs under /agenda").summaryOf(gone); told != "instructions understood: every job; "+gone.instead {
		t.Errorf("told %q", told)
	}
}
