package feasibility

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode"

	"curlew/internal/curlew"
	"curlew/internal/read/dom"
)

var march = time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC)

func pageOf(body string) Snapshot {
	return Snapshot{Document: dom.New([]byte(body), "https://hall.example/agenda")}
}

func TestRobotsDecidesBeforeTheScore(t *testing.T) {
	r := Assess(Input{URL: "https://hall.example/agenda", Pages: []Snapshot{pageOf("<h1>Agenda</h1>")}, Robots: Robots{Rule: "Disallow: /agenda"}, Now: march})
	if r.Verdict != Reject || !strings.Contains(r.Reason, "robots.txt") || !strings.Contains(r.Reason, "Disallow: /agenda") {
		t.Errorf("%s: %s", r.Verdict, r.Reason)
	}
}

func TestAPageThatCannotBeReadIsRejectedWithItsFault(t *testing.T) {
	r := Assess(Input{URL: "https://hall.example/", Fault: "The site asks for a password.", Robots: Robots{Allowed: true}, Now: march})
	if r.Verdict != Reject || r.Reason != "The site asks for a password." || r.Pagination.Kind != PagesNone {
		t.Errorf("%s: %s", r.Verdict, r.Reason)
	}
}

func TestWhoRunsTheSiteIsNotWhatItIsAbout(t *testing.T) {
	r := Assess(Input{URL: "https://hall.example/", Pages: []Snapshot{pageOf(`<script type="application/ld+json">{"@context":"https://schema.org","@type":"Organization","name":"Hall","address":"1 Main St","telephone":"1"}</script><p>Welcome.</p>`)},
		Robots: Robots{Allowed: true}, Now: march})
	if r.Verdict != Reject || r.Breakdown[0].Points != 0 {
		t.Errorf("%d points, %s: %s", r.Breakdown[0].Points, r.Verdict, r.Reason)
	}
}

func TestThoseBehindAnEventAreNotWhatAPageLists(t *testing.T) {
	var events []string
	for _, day := range []string{"05", "06", "07", "08", "09"} {
		party := `{"@type":"Organization","name":"Agency ` + day + `","url":"https://agency.example/` + day + `"}`
		events = append(events, `{"@context":"https://schema.org","@type":"Event","name":"Evening `+day+`","startDate":"2026-03-`+day+`T19:30:00Z","url":"https://hall.example/`+day+`","location":"Hall","organizer":`+party+`,"offers":{"@type":"Offer","price":"9","priceCurrency":"EUR","seller":`+party+`}}`)
	}
	r := Assess(Input{URL: "https://hall.example/agenda", Pages: []Snapshot{pageOf(`<script type="application/ld+json">[` + strings.Join(events, ",") + `]</script><h1>Agenda</h1>`)}, Robots: Robots{Allowed: true}, Now: march})
	if r.Schema != curlew.SchemaEvent || r.Breakdown[0].Points == 0 {
		t.Errorf("it lists %s; %d points: %s", r.Schema, r.Breakdown[0].Points, r.Breakdown[0].Why)
	}
}

func TestAShellWithoutAnAddressOfItsDataSaysSo(t *testing.T) {
	r := Assess(Input{URL: "https://hall.example/", Pages: []Snapshot{pageOf(`<noscript>Enable JavaScript</noscript><div id="root"></div><script src="/app.js"></script>`)}, Robots: Robots{Allowed: true}, Now: march})
	if r.Verdict != Reject || !r.Rendering.Browser || !strings.Contains(r.Reason, "empty until its script runs") {
		t.Errorf("%s: %s", r.Verdict, r.Reason)
	}
}

func TestATrialIsTheProof(t *testing.T) {
	var drafts []curlew.Draft
	for _, title := range []string{"A", "B", "C", "D", "E", "F", "G", "H"} {
		drafts = append(drafts, curlew.Draft{Schema: curlew.SchemaEvent, Fields: curlew.Values{"title": title, "starts_at": "2026-04-0" + string(rune('1'+len(drafts))) + "T20:00:00", "venue_name": "Hall"}})
	}
	r := Assess(Input{URL: "https://hall.example/", Pages: []Snapshot{pageOf("<p>No list that a quick look would find.</p>")}, Robots: Robots{Allowed: true}, Now: march,
		Trials: []TierResult{{curlew.TierHTML, curlew.SchemaEvent, drafts}}})
	if r.Schema != curlew.SchemaEvent || r.Strategy != curlew.TierHTML || len(r.Sample) != 3 || r.From != "2026-04-01" || r.To != "2026-04-08" {
		t.Errorf("%s by %s, %d samples, %s to %s", r.Schema, r.Strategy, len(r.Sample), r.From, r.To)
	}
	if last := r.Breakdown[len(r.Breakdown)-1]; last.Points != 15 {
		t.Errorf("proof gives %d: %s", last.Points, last.Why)
	}
	if r.Coverage[0].Field != "title" || r.Coverage[0].Share != 1 {
		t.Errorf("coverage %v", r.Coverage)
	}
}

func TestTheReportIsSafeOnATerminal(t *testing.T) {
	evil := "\x1b[2J\x1b]0;owned\x07 \u202egnp.exe \r\n"
	r := Report{URL: "https://hall.example/" + evil, Reason: evil, Schema: curlew.SchemaEvent, Sample: []curlew.Values{{"title": evil, evil: 1}},
		Formats: []DataFormat{{Name: "json-ld", Records: 1, Evidence: []string{evil}}}, CMS: []CMS{{Name: evil}}, Risks: []string{evil}, Outreach: &EmailDraft{To: evil, Subject: evil, Body: evil},
		Pagination: DetectedPagination{Kind: PagesNext, Pattern: evil}, Probes: []ProbeResult{{Sentence: evil}}, Breakdown: []Line{{Name: "x", Why: evil}}}
	for _, width := range []int{-5, 40, 80, 1000} {
		for _, c := range r.Text(width) {
			if unicode.IsControl(c) && c != '\n' || unicode.Is(unicode.Cf, c) {
				t.Fatalf("%U reaches the terminal", c)
			}
		}
	}
}

func TestTheReportKeepsItsWidth(t *testing.T) {
	r := Assess(Input{URL: "https://hall.example/agenda", Pages: []Snapshot{pageOf("<h1>Agenda</h1>")}, Robots: Robots{Allowed: true}, Now: march})
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

func TestOnlyVariablesThatCarryEntitiesAreNamed(t *testing.T) {
	page := Snapshot{Document: dom.New([]byte(`<title>Programme</title><script>var consent = {"a": 1, "b": "x"}; var tracking = {"id": "7"};
var programme = {"events": [{"title": "Low tide", "startDate": "2026-05-02T10:00:00Z", "venue": {"name": "Pier"}},
{"title": "High tide", "startDate": "2026-05-03T10:00:00Z", "venue": {"name": "Pier"}}]};</script>`), "https://hall.example/")}
	f, ok := bundleFormat(page)
	if !ok || len(f.Evidence) != 2 || f.Evidence[0] != "programme" || f.Records != 2 {
		t.Errorf("%+v", f)
	}
	page.Document = dom.New([]byte(`<script>var consent = {"a": 1, "b": "x"};</script>`), "https://hall.example/")
	if f, ok := bundleFormat(page); ok {
		t.Errorf("a variable without entities is told: %+v", f)
	}
}
