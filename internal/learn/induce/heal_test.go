package induce

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
)

const oldProgramme = `<html lang="en"><body><h1>Mill programme</h1><ul class="dates">
<li><b>Bread Night</b> <span class="when">5 May 2026, 19:30</span></li>
<li><b>Seed Swap</b> <span class="when">8 May 2026, 18:00</span></li>
<li><b>Rope Workshop</b> <span class="when">16 May 2026, 11:00</span></li>
<li><b>Barn Choir</b> <span class="when">24 May 2026, 15:00</span></li></ul></body></html>`

// newProgramme has the same list in new clothes; the first event is over, another is new.
const newProgramme = `<html lang="en"><body><header><p>Programme of the Mill</p></header><main>
<section class="event"><h3>Seed Swap</h3><p class="d">Friday, May 8, 2026 at 6:00 pm</p><p>Bring jars.</p></section>
<section class="event"><h3>Rope Workshop</h3><p class="d">Saturday, May 16, 2026 at 11:00 am</p><p>Bring gloves.</p></section>
<section class="event"><h3>Barn Choir</h3><p class="d">Sunday, May 24, 2026 at 3:00 pm</p><p>Come and sing.</p></section>
<section class="event"><h3>Kite Morning</h3><p class="d">Saturday, May 30, 2026 at 9:00 am</p><p>Bring wind.</p></section>
</main></body></html>`

var mill = []PastRecord{
	{Fields: map[string][]string{"title": {"Bread Night"}, "starts_at": {"2026-05-05T19:30:00"}}},
	{Fields: map[string][]string{"title": {"Seed Swap"}, "starts_at": {"2026-05-08T18:00:00"}}},
	{Fields: map[string][]string{"title": {"Rope Workshop"}, "starts_at": {"2026-05-16T11:00:00"}}},
	{Fields: map[string][]string{"title": {"Barn Choir"}, "starts_at": {"2026-05-24T15:00:00"}}},
}

var spring = time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)

func TestAListInNewClothesIsHealedWithProof(t *testing.T) {
	old := learnOld(t)
	fresh := dom.New([]byte(newProgramme), "https://mill.example/")
	if fit := apply(t, old, fresh); len(fit) != 0 {
		t.Fatalf("the old blueprint still finds %d records", len(fit))
	}
	healed, err := heal(old, mill, []DatedPage{{Document: fresh, Now: spring}})
	if err != nil {
		t.Fatal(err)
	}
	drafts := apply(t, healed.Blueprint, fresh)
	var titles []string
	for _, d := range drafts {
		titles = append(titles, d.Fields["title"].(string))
	}
	if got := strings.Join(titles, ", "); got != "Seed Swap, Rope Workshop, Barn Choir, Kite Morning" {
		t.Errorf("the healed blueprint finds %s", got)
	}
	for _, f := range healed.Proof.Fields {
		if f.Known != 4 || f.Located != 3 || f.Found != 3 || f.Before != 0 || len(f.Missing) != 1 {
			t.Errorf("the proof of %s is %+v", f.Field, f)
		}
	}
}

func TestWhatCannotBeProvedIsNotHealed(t *testing.T) {
	for name, page := range map[string]string{
		"blocked":   `<html><body><h1>Checking your browser</h1><p>Please enable cookies.</p></body></html>`,
		"empty":     ``,
		"unrelated": `<html><body><h1>Imprint</h1><p>The Mill Association, Quay 4.</p></body></html>`,
	} {
		t.Run(name, func(t *testing.T) {
			healed, err := heal(learnOld(t), mill, []DatedPage{{Document: dom.New([]byte(page), "https://mill.example/"), Now: spring}})
			if err == nil || healed.Blueprint != nil {
				t.Fatalf("healed: %s", healed.How)
			}
			if fault := curlew.AsFault(err); !errors.Is(fault, curlew.Code("not_healed")) || !strings.Contains(fault.Sentence, "known records") {
				t.Errorf("refused with %q", fault.Sentence)
			}
		})
	}
}

func TestAListIsLearnedWithoutKnownValues(t *testing.T) {
	doc := dom.New([]byte(newProgramme), "https://mill.example/")
	read := ReadPage(t.Context(), doc, spring, curlew.SchemaEvent.Kind(), DayRange{})
	b, proof, err := Learn(t.Context(), curlew.SchemaEvent.Kind(), []Read{{Document: doc, Now: spring, Drafts: read}})
	if err != nil {
		t.Fatal(err)
	}
	if drafts := apply(t, b, doc); len(drafts) != len(read) || len(read) != 4 {
		t.Errorf("%d records were read, the blueprint finds %d: %+v", len(read), len(drafts), proof)
	}
	if b.Expect == nil || b.Expect.Records.Min != 4 {
		t.Errorf("it expects %+v", b.Expect)
	}
}

func learnOld(t *testing.T) *blueprint.Blueprint {
	t.Helper()
	doc := dom.New([]byte(oldProgramme), "https://mill.example/")
	var known []LabelledPage
	for _, p := range mill {
		known = append(known, LabelledPage{Document: doc, Now: spring, Fields: p.Fields})
	}
	b, _, err := FewShot(context.Background(), curlew.SchemaEvent.Kind(), known)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func apply(t *testing.T, b *blueprint.Blueprint, doc *dom.Document) []curlew.Draft {
	t.Helper()
	compiled, err := blueprint.Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	return compiled.Apply(blueprint.PageInput{Document: doc}).Drafts
}

func heal(old *blueprint.Blueprint, past []PastRecord, pages []DatedPage) (HealResult, error) {
	return Case{Old: old, Past: past, Pages: pages}.Heal(context.Background())
}

// A field that the new page hardly shows is left out and said to be lost, not read by a rule
// that finds a few of its values by chance.
func TestAFieldThatIsHardlyFoundAgainIsLeftOut(t *testing.T) {
	cities := []string{"Askøy", "Rjukan", "Bergen", "Narvik", "Hamar", "Molde", "Alta", "Voss", "Skien", "Larvik", "Halden", "Moss"}
	var before, after strings.Builder
	var past []PastRecord
	for i, city := range cities {
		title, day := fmt.Sprintf("Concert no. %d of the %s", i+1, []string{"choir", "brass band", "string trio"}[i%3]), spring.AddDate(0, 0, 3*i+2)
		fmt.Fprintf(&before, `<li><b>%s</b> <span class="when">%s</span> <i class="city">%s</i></li>`, title, day.Format("2 January 2006, 15:04"), city)
		note := "Bring a friend."
		if i%4 == 0 {
			note = city + " Vokterne plays"
		}
		fmt.Fprintf(&after, `<section class="event"><h3>%s</h3><p class="d">%s</p><p>%s</p></section>`, title, day.Format("Monday, January 2, 2006 at 3:04 pm"), note)
		past = append(past, PastRecord{Fields: map[string][]string{"title": {title}, "starts_at": {day.Format("2006-01-02T15:04:05")}, "city": {city}}})
	}
	old := dom.New([]byte(`<html lang="en"><body><h1>Programme</h1><ul class="dates">`+before.String()+`</ul></body></html>`), "https://mill.example/")
	var known []LabelledPage
	for _, p := range past {
		known = append(known, LabelledPage{Document: old, Now: spring, Fields: p.Fields})
	}
	b, _, err := FewShot(t.Context(), curlew.SchemaEvent.Kind(), known)
	if err != nil {
		t.Fatal(err)
	}
	fresh := dom.New([]byte(`<html lang="en"><body><main><h1>Programme</h1>`+after.String()+`</main></body></html>`), "https://mill.example/")
	healed, err := heal(b, past, []DatedPage{{Document: fresh, Now: spring}})
	if err != nil {
		t.Fatal(err)
	}
	if drafts := apply(t, healed.Blueprint, fresh); len(drafts) != len(cities) {
		t.Errorf("%d records", len(drafts))
	}
	if rules, ok := healed.Blueprint.Fields["city"]; ok {
		t.Errorf("city is read by %+v, proved by %+v", rules, healed.Proof)
	}
}
