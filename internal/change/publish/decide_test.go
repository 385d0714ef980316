package publish

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

func lamp(pairs ...any) SeenRecord {
	return thing("lamp", append([]any{"name", "Harbour lamp", "price", int64(2999), "currency", "EUR", "url", "https://shop.test/p/lamp"}, pairs...)...)
}

func rope(pairs ...any) SeenRecord {
	return thing("rope", append([]any{"name", "Hemp rope", "price", int64(900), "currency", "EUR", "url", "https://shop.test/p/rope"}, pairs...)...)
}

func TestThingsAppearOnceAndChangeFieldByField(t *testing.T) {
	w := newWorld(t, curlew.SchemaProduct)
	w.expect(w.see([]SeenRecord{lamp(), rope()}), "appeared Harbour lamp", "appeared Hemp rope")
	w.expect(w.see([]SeenRecord{rope(), lamp()}))
	plan := w.see([]SeenRecord{lamp("price", int64(2499), "availability", "out_of_stock"), rope()})
	w.expect(plan, "changed Harbour lamp price:2999→2499 availability:<nil>→out_of_stock")
	w.expect(w.see([]SeenRecord{lamp("price", int64(2499)), rope()}))
	w.expect(w.see([]SeenRecord{lamp("price", int64(2499)), rope()}), "changed Harbour lamp availability:out_of_stock→<nil>")
	if e := w.named("Harbour lamp"); e.Version != 3 || e.Fields["availability"] != nil {
		t.Errorf("after an appearance and two changes: version %d, fields %v", e.Version, e.Fields)
	}
}

func TestAChangeCarriesItsPictureAndItsEvidence(t *testing.T) {
	w := newWorld(t, curlew.SchemaProduct)
	w.see([]SeenRecord{lamp("brand", "Northlight")})
	plan := w.see([]SeenRecord{lamp("brand", "Northlight", "price", int64(2499))})
	var p curlew.ChangePayload
	change := plan.Updated[0].Changes[0]
	if err := json.Unmarshal(change.Payload, &p); err != nil {
		t.Fatal(err)
	}
	if p.Entity.Fields["price"] != 2499.0 || p.Entity.Fields["brand"] != "Northlight" || p.Entity.ExternalID != "lamp" {
		t.Errorf("the picture is %+v", p.Entity)
	}
	if p.Evidence.Page != "pag_1" || p.Evidence.Blueprint != "bp_1" || len(p.Evidence.Fields) != 1 || p.Evidence.Fields["price"].Text != "2499" {
		t.Errorf("the evidence is %+v", p.Evidence)
	}
	if change.Org != "org_1" || change.Source != "src_1" || change.Watch != "wat_1" || change.Version != 2 || !change.OccurredAt.Equal(w.now) {
		t.Errorf("the change is %+v", change)
	}
	if r := plan.Updated[0].Record; r == nil || r.Provenance["brand"].Text != "Northlight" || r.Hash != plan.Updated[0].Entity.Hash {
		t.Errorf("the record is %+v", r)
	}
}

func TestATimeCountedFromTheMomentOfReadingIsNoChange(t *testing.T) {
	for name, c := range map[string]struct{ text, before, after, change string }{
		"an age":                 {"3 hours ago", "2026-11-01T10:00:00", "2026-11-01T11:00:00", ""},
		"another age":            {"2 days ago", "2026-10-28", "2026-10-30", ""},
		"a duration as a date":   {"30 min", "2026-11-01T12:30:00", "2026-11-01T13:30:00", ""},
		"another tomorrow":       {"tomorrow", "2026-11-02", "2026-11-03", ""},
		"tomorrow at an hour":    {"tomorrow, 20:00", "2026-11-02T20:00:00", "2026-11-03T20:00:00", ""},
		"tomorrow, another hour": {"tomorrow, 21:00", "2026-11-02T20:00:00", "2026-11-02T21:00:00", "changed Notice date:2026-11-02T20:00:00→2026-11-02T21:00:00"},
		"an age that is new":     {"3 hours ago", "", "2026-11-01T11:00:00", ""},
		"a date that is new":     {"3 November 2026", "", "2026-11-03", "changed Notice date:<nil>→2026-11-03"},
		"a date":                 {"3 November 2026", "2026-11-02", "2026-11-03", "changed Notice date:2026-11-02→2026-11-03"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, curlew.SchemaItem)
			before := thing("n", "title", "Notice", "date", c.before)
			if c.before == "" {
				before = thing("n", "title", "Notice")
			}
			w.see([]SeenRecord{before})
			after := thing("n", "title", "Notice", "date", c.after)
			after.Record.Provenance["date"] = curlew.Evidence{Text: c.text}
			var want []string
			if c.change != "" {
				want = []string{c.change}
			}
			w.expect(w.see([]SeenRecord{after}), want...)
		})
	}
}

func TestFieldsThatACheckCannotJudgeStay(t *testing.T) {
	w := newWorld(t, curlew.SchemaProduct)
	w.see([]SeenRecord{lamp("description", "Brass, 40 cm")})
	blind := lamp("price", int64(2499))
	blind.Keep = map[string]bool{"description": true}
	plan := w.see([]SeenRecord{blind})
	w.expect(plan, "changed Harbour lamp price:2999→2499")
	if plan.Figures.Kept != 1 || w.named("Harbour lamp").Fields["description"] != "Brass, 40 cm" {
		t.Errorf("kept %d, fields %v", plan.Figures.Kept, w.named("Harbour lamp").Fields)
	}
	w.expect(w.see([]SeenRecord{lamp("price", int64(2499))}))
	w.expect(w.see([]SeenRecord{lamp("price", int64(2499))}), "changed Harbour lamp description:Brass, 40 cm→<nil>")
}

// A field that one reading lacks stays; a former price goes with the price that it belonged to.
func TestWhatOneReadingLacksStays(t *testing.T) {
	w := newWorld(t, curlew.SchemaProduct)
	w.see([]SeenRecord{lamp("brand", "Tern", "price_was", int64(3999))})
	plan := w.see([]SeenRecord{lamp("price", int64(3999))})
	w.expect(plan, "changed Harbour lamp price:2999→3999 price_was:3999→<nil>")
	if !plan.SoonAgain || !noted(plan, "https://shop.test/p/lamp: no match for brand") || w.named("Harbour lamp").Fields["brand"] != "Tern" {
		t.Errorf("soon again %v, notes %v", plan.SoonAgain, plan.Notes)
	}
	w.expect(w.see([]SeenRecord{lamp("brand", "Tern", "price", int64(3999))}))
	w.expect(w.see([]SeenRecord{lamp("price", int64(3999))}))
	w.policy.Replay = true
	w.expect(w.see([]SeenRecord{lamp("price", int64(3999))}))
	w.policy.Replay = false
	w.expect(w.see([]SeenRecord{lamp("price", int64(3999))}, bytes("same")), "changed Harbour lamp brand:Tern→<nil>")
	if plan = w.see([]SeenRecord{lamp("price", int64(3999))}); plan.SoonAgain || len(told(plan)) > 0 {
		t.Errorf("it is told again: %v", told(plan))
	}
}

// Values that were doubted at one reading are told at the next that is believed, although its page shows what the doubted one showed.
func TestWhatWasDoubtedIsToldOnceItIsBelieved(t *testing.T) {
	list := func(prices ...int64) (all []SeenRecord) {
		for i, price := range prices {
			title := "Lamp " + strings.Repeat("I", i+1)
			r := thing("https://shop.test/p/"+strconv.Itoa(i), "title", title, "price", price)
			r.Record.Provenance["price"] = curlew.Evidence{Text: fmt.Sprint("€", price/100)}
			all = append(all, card(fmt.Sprint(title, " €", price/100), r))
		}
		return all
	}
	first, flat, last := list(1000, 2000, 3000, 4000), list(9900, 9900, 9900, 9900), list(9900, 9900, 9900, 9800)
	w := newWorld(t, curlew.SchemaItem)
	w.see(first)
	doubted := func(o *CheckResult) { o.Lost = map[string]bool{"price": true} }
	w.expect(w.see(flat, doubted, shows(textOf(first), textOf(flat), first...)))
	w.expect(w.see(last, shows(textOf(flat), textOf(last), flat...)), "changed Lamp I price:1000→9900", "changed Lamp II price:2000→9900",
		"changed Lamp III price:3000→9900", "changed Lamp IIII price:4000→9800")
}

// A page that is called otherwise and has no text may be a message: its name waits for a second reading, too.
func TestANameWithoutItsTextWaits(t *testing.T) {
	report := func(title string, more ...any) []SeenRecord {
		return []SeenRecord{thing("r", append([]any{"title", title}, more...)...)}
	}
	whole := report("Applications", "text", "Received by the council.")
	w := newWorld(t, curlew.SchemaArticle)
	w.see(whole)
	w.expect(w.see(report("We will be back soon")))
	w.expect(w.see(whole))
	w.expect(w.see(report("Gone for good")))
	w.expect(w.see(report("Gone for good")), "changed Gone for good title:Applications→Gone for good text:Received by the council.→<nil>")
	w.expect(w.see(report("Applications", "text", "Received by the clerk.")),
		"changed Applications title:Gone for good→Applications text:<nil>→Received by the clerk.")
}

// A second reading that comes at once may be of the same half of a page.
func TestReadingsThatLackAFieldMustBeApart(t *testing.T) {
	w := newWorld(t, curlew.SchemaProduct)
	w.policy.MissesApart = 3 * time.Hour
	w.see([]SeenRecord{lamp("brand", "Tern")})
	for range 3 {
		w.expect(w.see([]SeenRecord{lamp()}))
	}
	w.expect(w.see([]SeenRecord{lamp()}), "changed Harbour lamp brand:Tern→<nil>")
}

func TestWatchesThatSeeDifferentPartsDoNotFight(t *testing.T) {
	w := newWorld(t, curlew.SchemaProduct)
	w.see([]SeenRecord{lamp("rating", 4.5)})
	w.elsewhere[w.named("Harbour lamp").ID] = true
	w.expect(w.see([]SeenRecord{lamp()}))
	w.expect(w.see([]SeenRecord{lamp("price", int64(1))}), "changed Harbour lamp price:2999→1")
}

func TestSlotsAreToldOneByOne(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	w.see([]SeenRecord{thing("1", "title", "Pier 4", "slots", map[string]any{"depth": "4 m", "note": "old"})})
	now := []SeenRecord{thing("1", "title", "Pier 4", "slots", map[string]any{"depth": "5 m", "light": "red", "empty": ""})}
	w.expect(w.see(now), "changed Pier 4 slots.depth:4 m→5 m slots.light:<nil>→red")
	w.expect(w.see(now), "changed Pier 4 slots.note:old→<nil>")
}

func TestAPageThatLeadsElsewhereIsStillTheOneThatIsWatched(t *testing.T) {
	w := newWorld(t, curlew.SchemaPage)
	w.see([]SeenRecord{thing("https://a.test/", "title", "Rules", "text", "Within 30 days", "url", "https://a.test/")})
	w.expect(w.see([]SeenRecord{thing("https://a.test/en", "title", "Rules of 2027", "text", "Within 14 days", "url", "https://a.test/en")}),
		"changed Rules of 2027 text:Within 30 days→Within 14 days title:Rules→Rules of 2027")
}

func TestASlotThatRepeatsAFieldIsNotTold(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	w.see([]SeenRecord{thing("1", "title", "Release 4", "slots", map[string]any{"title": "Release 4", "file": "4.zip"})})
	w.expect(w.see([]SeenRecord{thing("1", "title", "Release 4 LTS", "slots", map[string]any{"title": "Release 4 LTS", "file": "4-lts.zip"})}),
		"changed Release 4 LTS title:Release 4→Release 4 LTS slots.file:4.zip→4-lts.zip")
	if e := w.named("Release 4 LTS"); e.Fields.At("slots.title") != "Release 4 LTS" {
		t.Errorf("fields %v", e.Fields)
	}
}

func TestASlotThatAFieldIsReadFromIsNotTold(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	w.see([]SeenRecord{thing("2", "title", "Lamp", "price", int64(4500), "slots", map[string]any{"title": "Lamp", "price": "£45.00"})})
	w.expect(w.see([]SeenRecord{thing("2", "title", "Lamp", "price", int64(3600), "slots", map[string]any{"title": "Lamp", "price": "£36.00"})}),
		"changed Lamp price:4500→3600")
}

// Whether a list shows a slot at all is told by how its records differ: what all of them
// gain or lose at once says nothing about any of them.
func TestASlotThatAllRecordsGainOrLoseIsNoChange(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	piers := func(stock ...string) (all []SeenRecord) {
		for i, s := range stock {
			slots := map[string]any{"depth": fmt.Sprintf("%d m", i+2), "stock": s}
			all = append(all, thing(fmt.Sprint(i), "title", fmt.Sprintf("Pier %d", i), "slots", slots))
		}
		return all
	}
	w.see(piers("", "", "", "", ""))
	w.expect(w.see(piers("free", "free", "taken", "free", "free")))
	w.expect(w.see(piers("free", "free", "free", "free", "free")), "changed Pier 2 slots.stock:taken→free")
	w.expect(w.see(piers("", "", "", "", "")))
	w.expect(w.see(piers("", "", "new", "", "")), "changed Pier 2 slots.stock:<nil>→new")
}

func TestThePlaceInAListIsOnlyToldWhereItMeansSomething(t *testing.T) {
	at := func(s SeenRecord, n int) SeenRecord { s.Position = n; return s }
	w := newWorld(t, curlew.SchemaProduct)
	w.see([]SeenRecord{at(lamp(), 1), at(rope(), 2)})
	w.expect(w.see([]SeenRecord{at(lamp(), 2), at(rope(), 1)}))

	w.policy.Ranked = true
	w.expect(w.see([]SeenRecord{at(lamp(), 1), at(rope(), 2)})) // the first time that the order is looked at
	plan := w.see([]SeenRecord{at(lamp(), 2), at(rope("price", int64(800)), 1)})
	w.expect(plan, "changed Harbour lamp position:1→2", "changed Hemp rope price:900→800 position:2→1")
	if plan.Figures.Moved != 1 || plan.Figures.Changed != 1 {
		t.Errorf("figures: %+v", plan.Figures)
	}
	w.expect(w.see([]SeenRecord{lamp(), at(rope("price", int64(800)), 1)})) // a place that nobody knows says nothing
}

func TestAVacancyThatStaysOpenIsToldOnce(t *testing.T) {
	w := newWorld(t, curlew.SchemaJob)
	w.policy.StaleAfter = 90 * 24 * time.Hour
	job := func(id, posted string) SeenRecord {
		return thing(id, "title", id, "company", "Quay Ltd", "posted_date", posted)
	}
	both := []SeenRecord{job("Welder", "2026-10-30"), job("Diver", "2026-06-01")}
	w.expect(w.see(both), "appeared Diver", "appeared Welder")
	w.expect(w.see(both), "stale Diver")
	w.expect(w.see(both))
	w.now = w.now.Add(90 * 24 * time.Hour)
	plan := w.see(both)
	w.expect(plan, "stale Welder")
	if plan.Publication.Class != curlew.ContentChanged || w.named("Welder").Status != curlew.EntityActive {
		t.Errorf("class %s, status %s", plan.Publication.Class, w.named("Welder").Status)
	}
}

func TestNothingIsWrittenWhenNothingHappens(t *testing.T) {
	w := newWorld(t, curlew.SchemaProduct)
	w.see([]SeenRecord{lamp(), rope()})
	for range 1000 {
		plan := w.see([]SeenRecord{lamp(), rope()}, bytes("same"))
		if len(plan.New)+len(plan.Updated)+len(plan.Sightings)+len(plan.Aliases)+len(plan.Notes) > 0 || len(plan.SeenAgain) != 2 {
			t.Fatalf("something is to be written: %+v", plan)
		}
		if plan.Publication.Class != curlew.NoChange || plan.Publication.Decision != curlew.SkipNoChange || plan.SoonAgain {
			t.Fatalf("the publication is %+v", plan.Publication)
		}
	}
}

func TestWhatIsMerelyReadOtherwiseIsTakenOverQuietly(t *testing.T) {
	w := newWorld(t, curlew.SchemaProduct)
	w.see([]SeenRecord{lamp(), rope()}, bytes("page"))
	plan := w.see([]SeenRecord{lamp("brand", "Northlight", "price", int64(3000)), rope()}, bytes("page"), rules("better"))
	w.expect(plan)
	if e := w.named("Harbour lamp"); e.Fields["brand"] != "Northlight" || e.Version != 1 {
		t.Errorf("fields %v, version %d", e.Fields, e.Version)
	}
	if p := plan.Publication; p.Class != curlew.NormalizationChanged || p.Decision != curlew.PublishChanged {
		t.Errorf("the publication is %+v", p)
	}
	// The rules lose one on the same page: that is not the page's doing.
	w.see([]SeenRecord{rope()}, bytes("page"), rules("worse"))
	if s := w.named("Harbour lamp"); s.Status != curlew.EntityActive {
		t.Errorf("the status is %s", s.Status)
	}
}

func TestFieldsThatNewRulesLearnAreNoChanges(t *testing.T) {
	w := newWorld(t, curlew.SchemaProduct)
	w.see([]SeenRecord{lamp(), rope()})
	w.expect(w.see([]SeenRecord{lamp("brand", "Northlight"), rope("brand", "Tern", "price", int64(800))}, rules("better")),
		"changed Hemp rope price:900→800")
	w.expect(w.see([]SeenRecord{lamp("brand", "Northlight"), rope("price", int64(800))}, rules("better")))
	w.expect(w.see([]SeenRecord{lamp("brand", "Northlight"), rope("price", int64(800))}, rules("better")), "changed Hemp rope brand:Tern→<nil>")
}

// The figures of a page are told one by one too, and stay together.
func TestFiguresOfAPageStayTogetherWhenOneChanges(t *testing.T) {
	w := newWorld(t, curlew.SchemaPage)
	hall := func(free string) []SeenRecord {
		return []SeenRecord{thing("https://a.test/", "title", "Hall", "text", "Free: "+free,
			"figures", map[string]any{"Free": free, "Seats": "300"})}
	}
	w.see(hall("12"))
	w.expect(w.see(hall("11")), "changed Hall text:Free: 12→Free: 11 figures.Free:12→11")
	if e := w.named("Hall"); e.Fields.At("figures.Free") != "11" || e.Fields.At("figures.Seats") != "300" || len(e.Fields) != 3 {
		t.Errorf("fields %v", e.Fields)
	}
}

// Where the texts of most things are other ones at once, their pages are read otherwise or have a new design.
func TestTextsThatChangeForMostAtOnceAreNoChange(t *testing.T) {
	w := newWorld(t, curlew.SchemaArticle)
	news := func(texts ...string) (all []SeenRecord) {
		for i, text := range texts {
			all = append(all, thing(fmt.Sprint(i), "title", fmt.Sprintf("Ferry number %d", i), "text", text))
		}
		return all
	}
	w.see(news("Councillors voted.", "Costs have risen.", "Traffic is diverted.", "Work is due.", "Rents are saved."))
	w.expect(w.see(news("Politics, last change at four", "Sport, last change at three", "Local, last change at two", "Local, last change at one", "Rents are saved.")))
	w.expect(w.see(news("Politics, last change at four", "Sport, last change at three", "Local, the ferry is late", "Local, the ferry is full", "Rents are saved.")),
		"changed Ferry number 2 text:Local, last change at two→Local, the ferry is late",
		"changed Ferry number 3 text:Local, last change at one→Local, the ferry is full")
}

// A new design may part texts otherwise: that says nothing of the things, where most of them are
// told otherwise at once.
func TestTextsThatANewDesignCutsOtherwiseAreNoChange(t *testing.T) {
	w := newWorld(t, curlew.SchemaEvent)
	hour := ""
	show := func(venue string, prices int64) (all []SeenRecord) {
		for i := range 5 {
			all = append(all, thing(fmt.Sprint(i), "title", fmt.Sprintf("Show number %d", i), "starts_at", fmt.Sprintf("2027-01-0%d", i+1)+hour,
				"venue_name", fmt.Sprintf("%sroom %d", venue, i), "price_min", prices))
		}
		return all
	}
	w.see(show("Town hall, ", 1200))
	redesigned := func(o *CheckResult) { o.Moved = true }
	hour = "T19:00:00"
	w.expect(w.see(show("", 1200), redesigned))
	w.expect(w.see(show("Opera, ", 1200)), "changed Show number 0 venue_name:room 0→Opera, room 0", "changed Show number 1 venue_name:room 1→Opera, room 1",
		"changed Show number 2 venue_name:room 2→Opera, room 2", "changed Show number 3 venue_name:room 3→Opera, room 3",
		"changed Show number 4 venue_name:room 4→Opera, room 4")
}

// Nor may it change anything that it writes days in another way.
func TestDaysThatANewDesignWritesOtherwiseAreNoChange(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	show := func(layout string, first int) (all []SeenRecord) {
		for i := range 6 {
			day := time.Date(2026, 5, first+i, 12, 0, 0, 0, time.UTC)
			all = append(all, thing(fmt.Sprint(i), "title", fmt.Sprintf("Ruling number %d", i), "slots", map[string]any{"date": day.Format(layout)}))
		}
		return all
	}
	redesigned := func(o *CheckResult) { o.Moved = true }
	w.see(show(time.RFC3339, 4))
	w.expect(w.see(show("01/02/06", 4), redesigned))
	w.expect(w.see(show("2 January 2006", 4), redesigned))
	if all := told(w.see(show("January 2, 2006", 11), redesigned)); len(all) != 6 {
		t.Errorf("other days are told as %q", all)
	}
}
