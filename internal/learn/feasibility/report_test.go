package feasibility

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
)

var march = time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC)

func pageOf(body string) Snapshot {
	return Snapshot{Document: dom.New([]byte(body), "https://hall.example/agenda")}
}

func TestRobotsDecidesBeforeTheScore(t *testing.T) {
	r := Assess(t.Context(), Input{URL: "https://hall.example/agenda", Page: pageOf("<h1>Agenda</h1>"), Robots: Robots{Rule: "Disallow: /agenda"}, Now: march})
	if r.Verdict != Reject || !strings.Contains(r.Reason, "robots.txt") || !strings.Contains(r.Reason, "Disallow: /agenda") {
		t.Errorf("%s: %s", r.Verdict, r.Reason)
	}
}

func TestAPageThatCannotBeReadIsRejectedWithItsFault(t *testing.T) {
	r := Assess(t.Context(), Input{URL: "https://hall.example/", Fault: "The site asks for a password.", Robots: Robots{Allowed: true}, Now: march})
	if r.Verdict != Reject || r.Reason != "The site asks for a password." || r.Pagination.Kind != PagesNone {
		t.Errorf("%s: %s", r.Verdict, r.Reason)
	}
}

func TestAShellWithoutAnAddressOfItsDataSaysSo(t *testing.T) {
	r := Assess(t.Context(), Input{URL: "https://hall.example/", Page: pageOf(`<noscript>Enable JavaScript</noscript><div id="root"></div><script src="/app.js"></script>`),
		Robots: Robots{Allowed: true}, Now: march})
	if r.Verdict != Reject || !r.Rendering.Browser || !strings.Contains(r.Reason, "empty until its script runs") {
		t.Errorf("%s: %s", r.Verdict, r.Reason)
	}
}

func eventsFrom(n int) []curlew.Values {
	var all []curlew.Values
	for i := range n {
		all = append(all, curlew.Values{"title": string(rune('A' + i)), "starts_at": "2026-04-0" + string(rune('1'+i)) + "T20:00:00", "venue_name": "Hall"})
	}
	return all
}

func TestTheReportTellsWhatWasRead(t *testing.T) {
	r := Assess(t.Context(), Input{URL: "https://hall.example/", Page: pageOf("<p>Any page.</p>"), Robots: Robots{Allowed: true}, Now: march,
		Readings: []TierResult{{Tier: curlew.TierHTML, Schema: curlew.SchemaEvent, Records: eventsFrom(8), Sure: 0.7},
			{Tier: curlew.TierHTML, Schema: curlew.SchemaItem, Records: eventsFrom(9), Sure: 0.2}}})
	if r.Verdict != Proceed || r.Schema != curlew.SchemaEvent || r.Strategy != curlew.TierHTML || len(r.Sample) != 3 || r.From != "2026-04-01" || r.To != "2026-04-08" {
		t.Errorf("%s: %s by %s, %d samples, %s to %s", r.Verdict, r.Schema, r.Strategy, len(r.Sample), r.From, r.To)
	}
	if r.Score != 70 || r.Breakdown[len(r.Breakdown)-1].Name != "Confidence in the reading" {
		t.Errorf("%d points: %+v", r.Score, r.Breakdown)
	}
	if r.Coverage[0].Field != "title" || r.Coverage[0].Share != 1 || !strings.HasPrefix(r.Reason, "About 8 events can be read") {
		t.Errorf("coverage %v: %s", r.Coverage, r.Reason)
	}
}

func TestEndpointsNameThePlainListOfAPage(t *testing.T) {
	answer := TierResult{Tier: curlew.TierAPI, Schema: curlew.SchemaEvent, Records: eventsFrom(5)}
	news := TierResult{Tier: curlew.TierAPI, Schema: curlew.SchemaArticle, Records: eventsFrom(9)}
	for shown, want := range map[curlew.SchemaName]curlew.SchemaName{"": curlew.SchemaEvent, curlew.SchemaItem: curlew.SchemaEvent, curlew.SchemaProduct: curlew.SchemaProduct} {
		t.Run(string(shown), func(t *testing.T) {
			in := Input{URL: "https://hall.example/", Page: pageOf("<p>Any page.</p>"), Robots: Robots{Allowed: true}, Now: march, Answers: []TierResult{news, answer}}
			if shown != "" {
				in.Readings = []TierResult{{Tier: curlew.TierHTML, Schema: shown, Records: eventsFrom(5), Sure: 0.9}}
			}
			if r := Assess(t.Context(), in); r.Schema != want {
				t.Errorf("a page that shows %q is read as %q, not %q", shown, r.Schema, want)
			}
		})
	}
}

func TestTheReportIsSafeOnATerminal(t *testing.T) {
	evil := "\x1b[2J\x1b]0;owned\x07 \u202egnp.exe \r\n"
	r := Report{URL: "https://hall.example/" + evil, Reason: evil, Schema: curlew.SchemaEvent, Sample: []curlew.Values{{"title": evil, evil: 1}},
		Formats: []DataFormat{{Name: "json-ld", Records: 1, Evidence: []string{evil}}}, CMS: []CMS{{Name: evil}}, Risks: []string{evil}, Outreach: &EmailDraft{To: evil, Subject: evil, Body: evil},
		Pagination: DetectedPagination{Kind: PagesNext, Pattern: evil}, Probes: []ProbeResult{{Sentence: evil}}, Breakdown: []Line{{Name: "x", Why: evil}}}
	for _, width := range []int{-5, 40, 80, 1000} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			for _, c := range r.Text(width) {
				if unicode.IsControl(c) && c != '\n' || unicode.Is(unicode.Cf, c) {
					t.Fatalf("%U reaches the terminal", c)
				}
			}
		})
	}
}

func TestTheReportKeepsItsFiguresApart(t *testing.T) {
	r := Report{Sample: []curlew.Values{{"price": 5.5e7}}, Breakdown: []Line{{Name: "Confidence in the reading", Points: 75, Most: 100, Why: "75 %"}}}
	if text := r.Text(80); !strings.Contains(text, "75/100 75 %") || !strings.Contains(text, "price: 55000000") {
		t.Error(text)
	}
}

func TestTheReportKeepsItsWidth(t *testing.T) {
	r := Assess(t.Context(), Input{URL: "https://hall.example/agenda", Page: pageOf("<h1>Agenda</h1>"), Robots: Robots{Allowed: true}, Now: march})
	text := r.Text(80)
	for line := range strings.Lines(text) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > 82 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if !strings.Contains(text, "░░░") || !strings.Contains(text, "✕ REJECT") {
		t.Error(text)
	}
}

func TestPaginationSaysNullWhenThereIsNoNext(t *testing.T) {
	out, err := json.Marshal(DetectedPagination{Kind: PagesNone})
	if err != nil || string(out) != `{"kind":"none","next":null,"pages":[],"count":0}` {
		t.Errorf("%v %s", err, out)
	}
	var back DetectedPagination
	if err := json.Unmarshal([]byte(`{"kind":"next","next":"https://hall.example/2"}`), &back); err != nil || back.Next == "" {
		t.Errorf("%v %+v", err, back)
	}
}
