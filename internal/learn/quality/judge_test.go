package quality

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
)

// issuesOf are the issues of the first record of a sample, as "kind field".
func issuesOf(t *testing.T, sample []SampleRecord) []string {
	t.Helper()
	j := Judge(t.Context(), sample[:1], march())
	if len(j.Records) != 1 {
		t.Fatalf("%d records were heard", len(j.Records))
	}
	var all []string
	for _, issue := range j.Records[0].Issues {
		all = append(all, string(issue.Kind)+" "+issue.Field)
	}
	return all
}

func TestTheJudgeNamesWhatIsWrongWithAValue(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(f curlew.Values)
		want  string
	}{
		{"right", func(curlew.Values) {}, ""},
		{"an invented title", func(f curlew.Values) { f["title"] = "Autumn Finale" }, "invented title"},
		{"an invented price", func(f curlew.Values) { f["price_min"] = int64(9900) }, "invented price_min"},
		{"an invented date", func(f curlew.Values) { f["starts_at"] = "2026-08-19T19:30:00" }, "invented starts_at"},
		{"an invented picture", func(f curlew.Values) { f["image_url"] = "https://quay.example/img/99.jpg" }, "invented image_url"},
		{"an invented performer", func(f curlew.Values) { f["performers"] = []string{"Elm Trio", "Nobody Known"} }, "invented performers"},
		{"the date of another record", func(f curlew.Values) { f["starts_at"] = "2026-05-06T20:00:00" }, "mismatch starts_at"},
		{"the price of another record", func(f curlew.Values) { f["price_min"] = int64(1800) }, "mismatch price_min"},
		{"the organizer as venue", func(f curlew.Values) { f["venue_name"] = "Quay Arts"; delete(f, "organizer") }, "swap venue_name"},
		{"the venue as title", func(f curlew.Values) { f["title"] = "Harbour Hall"; delete(f, "venue_name") }, "swap title"},
		{"no price", func(f curlew.Values) { delete(f, "price_min"); delete(f, "currency") }, "missed price_min"},
		{"no date", func(f curlew.Values) { delete(f, "starts_at") }, "missed starts_at"},
		{"no time of day", func(f curlew.Values) { f["starts_at"] = "2026-05-04" }, "missed starts_at"},
		{"no link", func(f curlew.Values) { delete(f, "url") }, "missed url"},
		{"no picture", func(f curlew.Values) { delete(f, "image_url") }, "missed image_url"},
	} {
		t.Run(c.name, func(t *testing.T) {
			sample := readRight(season)
			c.spoil(sample[0].Record.Fields)
			if got := strings.Join(issuesOf(t, sample), ", "); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestTextOfAPageMayLeaveOutWhatChanges(t *testing.T) {
	page := dom.New([]byte(`<h1>Line 4</h1><p>So far 48211 passengers today. Closed until Friday.</p><p>Visitor 12</p><p>Take the bus.</p>`),
		"https://rail.example/")
	for text, want := range map[string]string{
		"Line 4\nSo far passengers today. Closed until Friday.\nTake the bus.": "",
		"Line 4\nSo far passengers today. Closed until Monday.\nTake the bus.": "invented text",
		"Line 4\nTake the bus.\nClosed until Friday.":                          "invented text",
	} {
		t.Run(want, func(t *testing.T) {
			record := curlew.Record{Schema: curlew.SchemaPage, Fields: curlew.Values{"text": text}}
			if got := strings.Join(issuesOf(t, []SampleRecord{{Record: record, Pages: []*dom.Document{page}}}), ", "); got != want {
				t.Errorf("%q: %q, want %q", text, got, want)
			}
		})
	}
}

func TestEveryValueIsToldWhereItStands(t *testing.T) {
	j := Judge(t.Context(), readRight(season), march())
	if !j.Passed || j.Accuracy != 100 || len(j.Records) != mostJudged {
		t.Fatalf("judged %+v", j)
	}
	first := j.Records[0]
	for field, want := range map[string]string{
		"title":      "/html[1]/body[1]/ul[1]/li[1]/h3[1]",
		"starts_at":  "/html[1]/body[1]/ul[1]/li[1]/p[1]",
		"venue_name": "/html[1]/body[1]/ul[1]/li[1]/p[2]",
		"price_min":  "/html[1]/body[1]/ul[1]/li[1]/p[3]",
	} {
		t.Run(field, func(t *testing.T) {
			i := slices.IndexFunc(first.Found, func(f Grounding) bool { return f.Field == field })
			if f := first.Found[i]; !strings.HasPrefix(f.Node, want) || f.Seen != curlew.SeenVisible || f.Page != listAddress || f.Text == "" {
				t.Errorf("%s is said to stand at %+v", field, f)
			}
		})
	}
	if last := j.Records[len(j.Records)-1]; last.ExternalID != "6" {
		t.Errorf("the last one heard is %s: the sample is not spread", last.ExternalID)
	}
}

// A page may say a value only to machines, in escapes and in other spellings.
func TestValuesForMachinesCount(t *testing.T) {
	page := dom.New([]byte(`<!doctype html><html><head><script type="application/ld+json">{"name":"Caf\u00e9 &amp; \ud83c\udfb7 Night","startDate":"2026-05-04T17:30:00Z",
		"offers":{"price":12.5},"image":"https:\/\/quay.example\/x.jpg","geo":{"latitude":53.2707}}</script></head><body data-seats="1234"><p>Loading</p></body></html>`), "https://quay.example/e")
	r := curlew.Record{Schema: curlew.SchemaEvent, Fields: curlew.Values{
		"title": "Café & 🎷 Night", "starts_at": "2026-05-04T19:30:00+02:00", "price_min": int64(1250), "currency": "EUR",
		"image_url": "https://quay.example/x.jpg", "latitude": 53.2707, "time_known": true,
	}}
	j := Judge(t.Context(), []SampleRecord{{Record: r, Pages: []*dom.Document{page}}}, march())
	for _, f := range j.Records[0].Found {
		want := curlew.SeenEmbedded
		if f.Field == "currency" || f.Field == "time_known" {
			want = curlew.SeenDerived
		}
		if f.Seen != want {
			t.Errorf("%s is seen %q, want %q", f.Field, f.Seen, want)
		}
	}
}

// Where machines are told one thing and readers another, readers are right.
func TestReadersAreBelievedBeforeMachines(t *testing.T) {
	page := dom.New([]byte(`<html><body><script type="application/json">{"venue":"Old Depot"}</script><h1>Fair</h1><p>New Depot</p></body></html>`), "https://quay.example/f")
	r := curlew.Record{Schema: curlew.SchemaEvent, Fields: curlew.Values{"title": "Fair", "venue_name": "Old Depot"},
		Provenance: map[string]curlew.Evidence{"venue_name": {Tier: curlew.TierStructured, Rivals: []curlew.Rival{{Value: "New Depot", Tier: curlew.TierHTML}}}}}
	got := issuesOf(t, []SampleRecord{{Record: r, Pages: []*dom.Document{page}}})
	if fmt.Sprint(got) != "[mismatch venue_name]" {
		t.Errorf("issues %v", got)
	}
}

// A value may be made of a text that the page has; the text must be there.
func TestDerivedValuesNeedTheirText(t *testing.T) {
	page := dom.New([]byte(`<html><body><h1>Fair</h1><p>Next Friday at eight</p><p>sold out</p><table><tr><td>May</td><td>8</td><td>8 pm</td></tr></table></body></html>`), "https://quay.example/f")
	record := func(text string) curlew.Record {
		return curlew.Record{Schema: curlew.SchemaEvent, Fields: curlew.Values{"title": "Fair", "starts_at": "2026-06-12T20:00:00", "status": "sold_out"},
			Provenance: map[string]curlew.Evidence{"starts_at": {Text: text}, "status": {Text: "sold out"}}}
	}
	if got := issuesOf(t, []SampleRecord{{Record: record("Next Friday at eight"), Pages: []*dom.Document{page}}}); len(got) != 0 {
		t.Errorf("issues %v", got)
	}
	if got := issuesOf(t, []SampleRecord{{Record: record("In a fortnight"), Pages: []*dom.Document{page}}}); fmt.Sprint(got) != "[invented starts_at]" {
		t.Errorf("issues %v", got)
	}
	assembled := record("")
	assembled.Fields["starts_at"] = "2026-05-08T20:00:00"
	if got := issuesOf(t, []SampleRecord{{Record: assembled, Pages: []*dom.Document{page}}}); len(got) != 0 {
		t.Errorf("a date in three cells: issues %v", got)
	}
}

func TestWithoutPagesNothingIsProven(t *testing.T) {
	j := Judge(t.Context(), unseen(readRight(season)), march())
	if len(j.Records) != 0 || !strings.Contains(j.Sentence, "not available") {
		t.Errorf("judged %+v", j)
	}
	if j := Judge(t.Context(), nil, march()); j.Passed || j.Sentence != "there is nothing to judge" {
		t.Errorf("judged %+v", j)
	}
}

// Codes that stand for signs, truth values, and the cells of a list have no text of
// their own; a sum in a story is no price.
func TestTheJudgeKnowsWhatPagesDoNotSpell(t *testing.T) {
	page := dom.New([]byte(`<html><body><ul><li><h3><a href="/a">Bridge fund</a></h3><p>Old mill</p><p>The trust still hopes to raise the remaining £40,000 by the end of summer.</p></li></ul><p>From £5</p></body></html>`), "https://quay.example/n")
	item := SampleRecord{Pages: []*dom.Document{page}, Node: "/html[1]/body[1]/ul[1]/li[1]", Record: curlew.Record{Schema: curlew.SchemaItem, Fields: curlew.Values{
		"title": "Bridge fund", "url": "https://quay.example/a", "slots": map[string]any{"place": "Old mill", "currency": "GBP", "link": "https://quay.example/a"}}}}
	if got := issuesOf(t, []SampleRecord{item}); len(got) != 0 {
		t.Errorf("issues %v", got)
	}
	item.Record.Fields["slots"] = map[string]string{"place": "Old mill", "town": "Nowhere"}
	if got := issuesOf(t, []SampleRecord{item}); fmt.Sprint(got) != "[invented slots]" {
		t.Errorf("issues %v", got)
	}
	event := item
	event.Record = curlew.Record{Schema: curlew.SchemaEvent, Fields: curlew.Values{"title": "Bridge fund", "time_known": true, "currency": "GBP", "url": "https://quay.example/a"},
		Provenance: map[string]curlew.Evidence{"time_known": {Text: "20 o'clock"}, "currency": {Text: "pounds"}}}
	if got := issuesOf(t, []SampleRecord{event}); len(got) != 0 {
		t.Errorf("issues %v", got)
	}
	event.Record.Fields["currency"] = "CHF"
	if got := issuesOf(t, []SampleRecord{event}); fmt.Sprint(got) != "[invented currency]" {
		t.Errorf("issues %v", got)
	}
}

func TestAFootnoteIsNotThePrice(t *testing.T) {
	page := dom.New([]byte(`<html lang="de"><main><h1>Werkzeuge</h1><div><b>Akkuschrauber</b> <i>129,00 €<sup>1</sup></i></div>
		<div><b>Stichsäge</b> <i>89,00 €<sup>1</sup></i></div><p><sup>1</sup> inkl. MwSt.</p></main>`), "https://shop.example/")
	for price, want := range map[int64]string{100: "mismatch price", 12900: ""} {
		t.Run(fmt.Sprint(price), func(t *testing.T) {
			record := curlew.Record{Schema: curlew.SchemaProduct, Fields: curlew.Values{"name": "Akkuschrauber", "price": price, "currency": "EUR"}}
			sample := []SampleRecord{{Record: record, Pages: []*dom.Document{page}, Node: "/html[1]/body[1]/main[1]/div[1]"}}
			if got := strings.Join(issuesOf(t, sample), ", "); got != want {
				t.Errorf("%d: %q, want %q", price, got, want)
			}
		})
	}
}
