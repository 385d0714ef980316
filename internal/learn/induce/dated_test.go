package induce

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
)

// scattered is a page of which no rule can put the dates together: the year stands in
// headings, some days in lines and some over several rows.
const scattered = `<html lang="en"><body><h1>Harbour Board</h1><p>Updated on 3 March 2026</p><div id="meetings">
<h2>2026 meetings</h2>
<p>April 7, 6:30 pm – Finance Committee<br>April 21, 7 pm – Dredging Hearing<br>May 5, 6:30 pm – Mooring Committee</p>
<table><tr><th>Day</th><th>Meeting</th></tr>
<tr><td rowspan="2">June 9</td><td>Pilots Hearing, 5:00 pm</td></tr><tr><td>Lighthouse Hearing, 8:00 pm</td></tr>
<tr><td>July 14</td><td>Ferry Hearing, 6:30 pm</td></tr></table>
<h2>2027 meetings</h2><p>January 12, 6:30 pm – Budget Committee<br>February 9, 6:30 pm – Rope Committee</p>
</div></body></html>`

func TestScatteredDatesAreLeftToTheirReader(t *testing.T) {
	doc := dom.New([]byte(scattered), "https://harbour.example/")
	read := ReadPage(t.Context(), doc, spring, curlew.SchemaEvent.Kind(), DayRange{})
	b, proof, err := Learn(t.Context(), curlew.SchemaEvent.Kind(), []Read{{Document: doc, Now: spring, Drafts: read}})
	if err != nil {
		t.Fatal(err)
	}
	if b.Records.Shape != blueprint.ShapeDated || b.Records.CSS != "#meetings" || b.Expect == nil {
		t.Errorf("the records are %+v, expected %+v", b.Records, b.Expect)
	}
	var got []string
	for _, d := range apply(t, b, doc) {
		got = append(got, fmt.Sprintf("%s %s", d.Fields["starts_at"], d.Fields["title"]))
	}
	want := `2026-04-07T18:30:00 Finance Committee
2026-04-21T19:00:00 Dredging Hearing
2026-05-05T18:30:00 Mooring Committee
2026-06-09T17:00:00 Pilots Hearing
2026-06-09T20:00:00 Lighthouse Hearing
2026-07-14T18:30:00 Ferry Hearing
2027-01-12T18:30:00 Budget Committee
2027-02-09T18:30:00 Rope Committee`
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("it gives\n%s", text)
	}
	if !proof.sure(curlew.SchemaEvent.Kind()) {
		t.Errorf("the proof is %+v", proof)
	}
}

func TestNothingIsLearnedWithoutWhatItsSchemaRequires(t *testing.T) {
	doc := dom.New([]byte(`<ul><li class="a">Red kite</li><li class="a">Blue kite</li></ul>`), "https://kites.example/")
	var drafts []curlew.Draft
	for i := range 2 {
		drafts = append(drafts, curlew.Draft{Schema: curlew.SchemaProduct, Node: fmt.Sprintf("/html[1]/body[1]/ul[1]/li[%d]", i+1),
			Fields: curlew.Values{"name": fmt.Sprintf("Kite %d of another page", i), "brand": []string{"Red kite", "Blue kite"}[i]}})
	}
	b, _, err := Learn(t.Context(), curlew.SchemaProduct.Kind(), []Read{{Document: doc, Drafts: drafts}})
	if err == nil || b != nil {
		t.Fatalf("learned %+v", b)
	}
	if fault := curlew.AsFault(err); !errors.Is(fault, curlew.Code("not_learned")) || !strings.Contains(fault.Sentence, "name") {
		t.Errorf("refused with %q", fault.Sentence)
	}
}

// minutes is a page that keeps the meetings of ten years, by year.
func minutes(last int, open, shut string) *dom.Document {
	var out strings.Builder
	out.WriteString(`<html lang="en"><body><h1>Council meetings</h1>` + open)
	for year := last; year > last-10; year-- {
		fmt.Fprintf(&out, "<h2>%d</h2><p>January 14 – Budget Session %d<br>May 12 – Spring Session %d<br>October 6 – Autumn Session %d</p>", year, year, year, year)
	}
	out.WriteString(shut + `</body></html>`)
	return dom.New([]byte(out.String()), "https://council.example/")
}

// Of a page with ten years only the meetings of two were kept, so of the page in its new
// form only theirs are. Three known meetings are too few to say so, and where all were
// known nothing is left out.
func TestHealingKeepsToTheDaysThatWereKnown(t *testing.T) {
	before, now := time.Date(2025, 3, 1, 0, 0, 0, 0, time.UTC), time.Date(2025, 4, 1, 0, 0, 0, 0, time.UTC)
	was := minutes(2025, `<div id="minutes">`, `</div>`)
	old, _, err := Learn(t.Context(), curlew.SchemaEvent.Kind(), []Read{{Document: was, Now: before, Drafts: ReadPage(t.Context(), was, before, curlew.SchemaEvent.Kind(), DayRange{})}})
	if err != nil {
		t.Fatal(err)
	}
	past := func(years ...int) []PastRecord {
		var all []PastRecord
		for _, year := range years {
			for day, title := range map[string]string{"01-14": "Budget", "05-12": "Spring", "10-06": "Autumn"} {
				all = append(all, PastRecord{Now: before, Fields: map[string][]string{"title": {fmt.Sprintf("%s Session %d", title, year)},
					"starts_at": {fmt.Sprintf("%d-%s", year, day)}}})
			}
		}
		return all
	}
	is := minutes(2025, `<section class="sessions">`, `</section>`)
	for name, c := range map[string]struct {
		known []PastRecord
		want  int
	}{
		"two years":   {past(2025, 2024), 6},
		"one year":    {past(2025), 30},
		"all of them": {past(2025, 2024, 2023, 2022, 2021, 2020, 2019, 2018, 2017, 2016), 30},
	} {
		t.Run(name, func(t *testing.T) {
			healed, err := heal(old, c.known, []DatedPage{{Document: is, Now: now}})
			if err != nil {
				t.Fatal(err)
			}
			if n := len(applyAt(t, healed.Blueprint, is, now)); n != c.want {
				t.Errorf("%d entries, not %d, by %+v", n, c.want, healed.Blueprint.Records)
			}
		})
	}
}

func applyAt(t *testing.T, b *blueprint.Blueprint, doc *dom.Document, now time.Time) []curlew.Draft {
	t.Helper()
	compiled, err := blueprint.Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	return compiled.Apply(blueprint.PageInput{Document: doc, Now: now}).Drafts
}
