package publish

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

func concert(id, title, start string, pairs ...any) SeenRecord {
	return thing(id, append([]any{"title", title, "starts_at", start, "venue_name", "Harbour Hall"}, pairs...)...)
}

// programme is a list of n different events.
func programme(n int, site string) []SeenRecord {
	firsts := strings.Fields("Tide Long Silver Quiet Northern Broken Paper Winter Copper Salt")
	seconds := strings.Fields("Songs Night Choir Parade Lectures Lanterns Dances Stories Markets Drums")
	all := make([]SeenRecord, n)
	for i := range all {
		title := firsts[i%10] + " " + seconds[i/10%10]
		slug := strings.ToLower(strings.ReplaceAll(title, " ", "-"))
		all[i] = concert(fmt.Sprintf("%s/%s-%d", site, slug, i), title, fmt.Sprintf("2026-12-%02dT20:00:00+01:00", i%28+1),
			"url", fmt.Sprintf("%s/%s-%d", site, slug, i), "price_min", int64(1000+i))
	}
	return all
}

func TestARedesignThatChangesEveryAddressIsNotNews(t *testing.T) {
	w := newWorld(t, curlew.SchemaEvent)
	w.see(programme(40, "https://hall.test/events"))
	moved := programme(40, "https://hall.test/2027/programme")
	moved[7].Record.Fields["price_min"] = int64(1)
	moved[7].Record.Hash = ""
	plan := w.see(moved)
	w.expect(plan, "changed "+moved[7].Record.Name()+" price_min:1007→1")
	if len(plan.Aliases) != 40 || len(w.entities) != 40 {
		t.Fatalf("%d aliases, %d entities", len(plan.Aliases), len(w.entities))
	}
	if a := plan.Aliases[0]; a.Confidence < sureEnough || a.Why == "" || !strings.HasPrefix(a.ExternalID, "https://hall.test/events/") {
		t.Errorf("the alias is %+v", a)
	}
	if e := w.entities["ent_00001"]; !strings.Contains(e.ExternalID, "/2027/") || !strings.Contains(e.URL, "/2027/") || !strings.Contains(e.Fields["url"].(string), "/2027/") {
		t.Errorf("the entity is %+v", e)
	}
	// Back to the old design: the aliases lead to them, and their ids stay.
	back := programme(40, "https://hall.test/events")
	back[7].Record.Fields["price_min"] = int64(1)
	back[7].Record.Hash = ""
	plan = w.see(back)
	w.expect(plan)
	if len(plan.Aliases) > 0 || !strings.Contains(w.entities["ent_00001"].ExternalID, "/2027/") {
		t.Errorf("%d aliases, id %s", len(plan.Aliases), w.entities["ent_00001"].ExternalID)
	}
}

// TestThingsOfAnOwnKindGoByWhatItsIdentitySays gives a kind another identity, so that all
// ids are other ones, while everything else of the things changes.
func TestThingsOfAnOwnKindGoByWhatItsIdentitySays(t *testing.T) {
	kind := curlew.Schema{Name: "tender", Title: "subject", Identity: [][]string{{"reference"}}, Fields: []curlew.Field{{Name: "subject", Type: curlew.TypeText},
		{Name: "reference", Type: curlew.TypeText}, {Name: "value", Type: curlew.TypeNumber}}}.Completed()
	of := func(o *CheckResult) { o.Kind = kind }
	w := newWorld(t, "tender")
	list := func(mark, subject string, value float64) []SeenRecord {
		var all []SeenRecord
		for i := range 5 {
			all = append(all, thing(fmt.Sprint("h:", mark, i), "subject", subject, "reference", fmt.Sprint("T-", i), "value", value+float64(i)))
		}
		return all
	}
	w.see(list("a", "Road works", 100), of)
	plan := w.see(list("b", "Repair of a bridge", 900), of)
	if len(w.entities) != 5 || len(plan.Aliases) != 5 {
		t.Errorf("%d things, %d aliases: %v", len(w.entities), len(plan.Aliases), told(plan))
	}
}

func TestAnAddressOfOnesOwnThatMovesIsAChangeUnlessAllMove(t *testing.T) {
	w := newWorld(t, curlew.SchemaProduct)
	list := func(site string) []SeenRecord {
		var all []SeenRecord
		for i := range 5 {
			all = append(all, thing(fmt.Sprint("sku", i), "name", fmt.Sprint("Buoy ", i), "url", fmt.Sprint(site, i)))
		}
		return all
	}
	one := list("https://shop.test/p/")
	w.see(one)
	one[2] = thing("sku2", "name", "Buoy 2", "url", "https://shop.test/p/2-new?utm_source=x")
	w.expect(w.see(one), "changed Buoy 2 url:https://shop.test/p/2→https://shop.test/p/2-new?utm_source=x")
	plan := w.see(list("https://shop.test/products/"))
	w.expect(plan)
	if got := w.named("Buoy 3").Fields["url"]; got != "https://shop.test/products/3" || !noted(plan, "url changed for 5 of 5") {
		t.Errorf("url %v, notes %v", got, plan.Notes)
	}
}

func TestRecordsAreRecognisedUnderANewID(t *testing.T) {
	old := []SeenRecord{
		thing("a1", "name", "Harbour lamp, brass", "sku", "HL-1", "price", int64(2999)),
		thing("a2", "name", "Hemp rope 20 m", "price", int64(900), "url", "https://shop.test/p/rope"),
		thing("a4", "name", "Songs of the northern harbour choir volume 2", "brand", "Tern", "price", int64(700)),
		thing("a3", "name", "Signal mirror", "brand", "Northlight", "price", int64(1500)),
	}
	for _, c := range []struct {
		what string
		now  SeenRecord
		want string // the entity's old id; "" if it is a new one
	}{
		{"the same sku", thing("b", "name", "Lamp for the harbour", "sku", "hl-1"), "a1"},
		{"the same address", thing("b", "name", "Rope of hemp, 20 m", "url", "http://www.shop.test/p/rope/?utm_source=mail"), "a2"},
		{"the same name and brand", thing("b", "name", "Signal mirror", "brand", "Northlight", "price", int64(1700)), "a3"},
		{"another sku", thing("b", "name", "Harbour lamp, brass", "sku", "HL-2", "price", int64(2999)), ""},
		{"another number in the name", thing("b", "name", "Hemp rope 30 m", "price", int64(900)), ""},
		{"another volume", thing("b", "name", "Songs of the northern harbour choir volume 3", "brand", "Tern", "price", int64(700)), ""},
		{"a word that was added", thing("b", "name", "Songs of the northern harbour choir, volume 2 (new)", "brand", "Tern", "price", int64(700)), "a4"},
		{"another brand", thing("b", "name", "Signal mirror", "brand", "Tern"), ""},
		{"a name that is merely similar", thing("b", "name", "Signal lamp"), ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			w := newWorld(t, curlew.SchemaProduct)
			w.see(old)
			ids := map[string]curlew.EntityID{}
			for id, e := range w.entities {
				ids[e.ExternalID] = id
			}
			var now []SeenRecord
			for _, s := range old {
				if s.Record.ExternalID != c.want && (c.want != "" || overlap(words(s.Record.Name()), words(c.now.Record.Name())) < 0.5) {
					now = append(now, s)
				}
			}
			plan := w.see(append(now, c.now))
			if c.want == "" {
				if len(plan.New) != 1 || len(plan.Aliases) != 0 {
					t.Errorf("it was taken for a known one: %+v", plan.Aliases)
				}
				return
			}
			if len(plan.New) != 0 || len(plan.Aliases) != 1 || plan.Aliases[0].ExternalID != c.want || w.entities[ids[c.want]].ExternalID != "b" {
				t.Errorf("%d new, aliases %+v", len(plan.New), plan.Aliases)
			}
		})
	}
}

func TestWhoeverHasARivalIsNotRecognised(t *testing.T) {
	w := newWorld(t, curlew.SchemaJob)
	w.see([]SeenRecord{thing("1", "title", "Crane operator night shift", "company", "Quay Ltd"), thing("2", "title", "Crane operator night shift", "company", "Quay Ltd", "remote", false)})
	plan := w.see([]SeenRecord{thing("3", "title", "Crane operator night shift", "company", "Quay Ltd")})
	if len(plan.New) != 1 || !noted(plan, "more than one") {
		t.Errorf("%d new, notes %v", len(plan.New), plan.Notes)
	}
}

func TestTwinsThatAllGetNewIDsStayTwo(t *testing.T) {
	w := newWorld(t, curlew.SchemaProduct)
	twin := func(id string) SeenRecord { return thing(id, "name", "Standard ticket", "price", int64(500)) }
	w.see([]SeenRecord{twin("1"), twin("2"), rope()})
	w.expect(w.see([]SeenRecord{twin("8"), twin("9"), rope()}))

	w = newWorld(t, curlew.SchemaProduct)
	seat := func(id string, price int64) SeenRecord { return thing(id, "name", "Standard ticket", "price", price) }
	w.see([]SeenRecord{seat("1", 500), seat("2", 700)})
	w.expect(w.see([]SeenRecord{seat("8", 700), seat("9", 500)})) // their prices tell them apart
	plan := w.see([]SeenRecord{seat("14", 800), seat("15", 400)}) // now nothing does
	w.expect(plan, "appeared Standard ticket", "appeared Standard ticket")
	if !noted(plan, "more than one") {
		t.Errorf("notes %v", plan.Notes)
	}
}

func TestAWeeklyEventIsNotOneThatMoves(t *testing.T) {
	w := newWorld(t, curlew.SchemaEvent)
	open := concert("x", "Open day at the yard", "2026-12-24T10:00:00+01:00")
	w.see([]SeenRecord{open, concert("h:1", "Jazz on the quay", "2026-11-02T20:00:00+01:00", "image_url", "https://hall.test/jazz.jpg")})
	w.now = w.now.AddDate(0, 0, 3)
	w.expect(w.see([]SeenRecord{open, concert("h:2", "Jazz on the quay", "2026-11-09T20:00:00+01:00", "image_url", "https://hall.test/jazz.jpg")}), "appeared Jazz on the quay")
}

func TestAnEventWhoseIDIsItsDateMayBeRescheduled(t *testing.T) {
	w := newWorld(t, curlew.SchemaEvent)
	open := concert("x", "Open day at the yard", "2026-12-24T10:00:00+01:00")
	w.see([]SeenRecord{open, concert("h:1", "The lantern opera", "2026-12-02T20:00:00+01:00", "image_url", "https://hall.test/opera.jpg")})
	w.expect(w.see([]SeenRecord{open, concert("h:2", "The lantern opera", "2026-12-09T20:00:00+01:00", "image_url", "https://hall.test/opera.jpg")}),
		"changed The lantern opera starts_at:2026-12-02T20:00:00+01:00→2026-12-09T20:00:00+01:00")
}

func TestAnEventWhoseIDHasItsPlaceMayMoveElsewhere(t *testing.T) {
	w := newWorld(t, curlew.SchemaEvent)
	open := concert("x", "Open day at the yard", "2026-12-24T10:00:00+01:00")
	w.see([]SeenRecord{open, concert("h:1", "The lantern opera", "2026-12-02T20:00:00+01:00", "venue_name", "Gymnasium")})
	w.expect(w.see([]SeenRecord{open, concert("h:2", "The lantern opera", "2026-12-02T20:00:00+01:00", "venue_name", "Great hall")}),
		"changed The lantern opera venue_name:Gymnasium→Great hall")
}

func TestAnEventOfAListWithoutAddressesMayBeRescheduled(t *testing.T) {
	w := newWorld(t, curlew.SchemaEvent)
	row := func(id, name, start, venue string) SeenRecord {
		return thing(id, "title", name, "starts_at", start, "venue_name", venue)
	}
	open := row("h:0", "Open day at the yard", "2026-12-24T10:00:00+01:00", "Yard")
	w.see([]SeenRecord{open, row("h:1", "The lantern opera", "2026-12-02T20:00:00+01:00", "Great hall")})
	w.expect(w.see([]SeenRecord{open, row("h:2", "The lantern opera", "2026-12-09T20:00:00+01:00", "Great hall")}),
		"changed The lantern opera starts_at:2026-12-02T20:00:00+01:00→2026-12-09T20:00:00+01:00")
	w.expect(w.see([]SeenRecord{open, row("h:3", "The lantern opera", "2026-12-16T20:00:00+01:00", "Quay")}),
		"appeared The lantern opera") // another day at another place is another evening
}

func TestAShortNameWithTheSameColumnsMayBeRescheduled(t *testing.T) {
	w := newWorld(t, curlew.SchemaEvent)
	ship := func(id, name, day, berth string) SeenRecord {
		return thing(id, "title", name, "starts_at", day, "slots", map[string]any{"berth": berth})
	}
	w.see([]SeenRecord{ship("h:1", "Aurora", "2026-12-20", "A1"), ship("h:2", "Draco", "2026-12-23", "B2")})
	w.expect(w.see([]SeenRecord{ship("h:1", "Aurora", "2026-12-20", "A1"), ship("h:3", "Draco", "2026-12-24", "B2")}),
		"changed Draco starts_at:2026-12-23→2026-12-24")
	w.expect(w.see([]SeenRecord{ship("h:1", "Aurora", "2026-12-20", "A1"), ship("h:4", "Draco", "2026-12-28", "C1")}), "appeared Draco")
}

func TestAResultBetweenTheTeamsIsAChangeOfTheirMatch(t *testing.T) {
	w := newWorld(t, curlew.SchemaEvent)
	played := concert("h:1", "ASD Valmarina 2 - 1 US Torriana", "2026-10-24T15:00:00+02:00")
	at := "2026-11-07T15:00:00+01:00"
	w.see([]SeenRecord{played, concert("h:2", "US Torriana vs Virtus Adige", at), concert("h:3", "FC Castelnuovo - Audace Lago", at)})
	w.now = w.now.AddDate(0, 0, 8)
	w.expect(w.see([]SeenRecord{played, concert("h:4", "US Torriana 0 - 2 Virtus Adige", at), concert("h:5", "FC Castelnuovo 1:1 Audace Lago", at)}),
		"changed FC Castelnuovo 1:1 Audace Lago title:FC Castelnuovo - Audace Lago→FC Castelnuovo 1:1 Audace Lago",
		"changed US Torriana 0 - 2 Virtus Adige title:US Torriana vs Virtus Adige→US Torriana 0 - 2 Virtus Adige")
}

func TestAParameterThatIsAnotherAtEveryCheckIsNoPartOfAnID(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	list := func(token string, titles ...string) (all []SeenRecord) {
		for i, title := range titles {
			address := fmt.Sprintf("https://board.test/view.do?no=%d&token=%s%d", 300+i, token, i)
			all = append(all, thing(address, "title", title, "url", address))
		}
		return all
	}
	w.see(list("a", "Road works", "Library hours", "School fair", "Tax forms"))
	w.expect(w.see(list("b", "Road works", "Library hours from 23 November", "School fair", "Tax forms", "Flu shots")), "appeared Flu shots",
		"changed Library hours from 23 November title:Library hours→Library hours from 23 November")
	w.expect(w.see(list("c", "Road works", "Library hours from 24 December", "School fair", "Tax forms", "Flu shots")),
		"changed Library hours from 24 December title:Library hours from 23 November→Library hours from 24 December")
}

func TestARowWithoutAnAddressGoesByItsName(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	row := func(id, name, date string) SeenRecord {
		return thing(id, "title", name, "date", date)
	}
	w.see([]SeenRecord{row("h:1", "Unemployment rate", "2026-10-01"), row("h:2", "Building permits", "2026-10-01")})
	w.expect(w.see([]SeenRecord{row("h:3", "Unemployment rate", "2026-11-01"), row("h:2", "Building permits", "2026-10-01")}),
		"changed Unemployment rate date:2026-10-01→2026-11-01")
}

func TestAListShownTwiceIsReadOnce(t *testing.T) {
	w := newWorld(t, curlew.SchemaProduct)
	small := thing("lamp", "name", "Harbour lamp for …", "price", int64(2999), "image_url", "https://shop.test/s.jpg")
	large := thing("lamp", "name", "Harbour lamp for quays", "price", int64(2999), "brand", "Northlight", "image_url", "https://shop.test/l.jpg")
	plan := w.see([]SeenRecord{small, rope(), large})
	w.expect(plan, "appeared Harbour lamp for quays", "appeared Hemp rope")
	if plan.New[0].Entity.Fields["brand"] != "Northlight" || plan.Figures.Seen != 2 {
		t.Errorf("fields %v", plan.New[0].Entity.Fields)
	}
	w.expect(w.see([]SeenRecord{large, rope(), small}))
}

func TestDifferentThingsThatShareAnIDAreToldApartByWhatTheySay(t *testing.T) {
	w := newWorld(t, curlew.SchemaEvent)
	showing := func(day string, price int64) SeenRecord {
		return concert("show", "The lantern opera", "2026-12-"+day+"T20:00:00+01:00", "price_min", price)
	}
	plan := w.see([]SeenRecord{showing("02", 10), showing("09", 10), showing("16", 10)})
	if len(plan.New) != 3 || !noted(plan, "share the id") {
		t.Fatalf("%d new, notes %v", len(plan.New), plan.Notes)
	}
	w.expect(w.see([]SeenRecord{showing("16", 10), showing("02", 10), showing("09", 10)}))
	w.expect(w.see([]SeenRecord{showing("16", 10), showing("02", 10), showing("09", 12)}), "changed The lantern opera price_min:10→12")
	w.expect(w.see([]SeenRecord{showing("09", 12)})) // two are missing, the one that is left is the same
	w.expect(w.see([]SeenRecord{showing("23", 12), showing("16", 10), showing("09", 12)}), "appeared The lantern opera", "disappeared The lantern opera")
	if len(w.entities) != 4 {
		t.Errorf("%d entities", len(w.entities))
	}
}

// A new design gives two rulings in one matter one id, which had one each: they are those that were known.
func TestThingsThatGetOneIDAreThoseThatHadTheirOwn(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	see := func(id func(n int) string) (all []SeenRecord) {
		for n, parties := range []string{"Byrd v State Farm", "Byrd v State Farm", "Dennis v Dennis", "Roe v Wader"} {
			all = append(all, thing(id(n), "title", parties, "date", "2026-10-05", "slots", map[string]any{"docket": fmt.Sprint("2026AP00", 140+n)}))
		}
		return all
	}
	w.see(see(func(n int) string { return fmt.Sprint("https://court.test/ruling/", n) }))
	w.expect(w.see(see(func(n int) string { return []string{"h:1", "h:1", "h:2", "h:3"}[n] }), rules("healed")))
	w.expect(w.see(see(func(n int) string { return []string{"h:1", "h:1", "h:2", "h:3"}[n] }), rules("healed")))
}

func TestAnIDThatBecomesSharedStaysWithItsThing(t *testing.T) {
	w := newWorld(t, curlew.SchemaProduct)
	size := func(name string, price int64) SeenRecord {
		return thing("shirt", "name", "Deck shirt "+name, "price", price)
	}
	w.see([]SeenRecord{size("blue", 10)})
	w.expect(w.see([]SeenRecord{size("red", 12), size("blue", 10)}), "appeared Deck shirt red")
	w.expect(w.see([]SeenRecord{size("blue", 11), size("red", 12)}), "changed Deck shirt blue price:10→11")
}

func TestIDsThatCountPlacesAreSeenThrough(t *testing.T) {
	w := newWorld(t, curlew.SchemaArticle)
	numbered := func(titles ...string) []SeenRecord {
		var all []SeenRecord
		for i, title := range titles {
			all = append(all, thing(fmt.Sprint("item-", i+1), "title", title, "published_at", "2026-10-01"))
		}
		return all
	}
	w.see(numbered("Ferry returns", "Cranes repainted", "Harbour frozen"))
	for range 3 {
		plan := w.see(numbered("Lighthouse sold", "Ferry returns", "Cranes repainted", "Harbour frozen"))
		if w.checks == 2 {
			w.expect(plan, "appeared Lighthouse sold")
		} else {
			w.expect(plan)
		}
	}
}

func TestRecordsWithoutAnIDAreFoundAgain(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	w.see([]SeenRecord{thing("", "title", "Pier 4", "price", int64(3)), thing("", "title", "Pier 5")})
	w.expect(w.see([]SeenRecord{thing("", "title", "Pier 5"), thing("", "title", "Pier 4", "price", int64(4))}), "changed Pier 4 price:3→4")
}

func TestAnUnreadPartOfTheListMakesRecognisingCautious(t *testing.T) {
	w := newWorld(t, curlew.SchemaArticle)
	w.see([]SeenRecord{thing("1", "title", "Harbour report of the month", "author", "A. Tern"), thing("2", "title", "Ferry returns")})
	plan := w.see([]SeenRecord{thing("3", "title", "Harbour report of the month")}, partial("page 2 did not come"))
	if len(plan.New) != 1 {
		t.Errorf("it was recognised by its name alone: %+v", plan.Aliases)
	}
}

func TestTheOrderOfThePageDoesNotMatter(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		w := newWorld(t, curlew.SchemaEvent)
		w.see(programme(30, "https://hall.test/a"))
		next := programme(33, "https://hall.test/b")
		next = append(next, next[3], concert(next[5].Record.ExternalID, "Another thing entirely", "2026-12-30"))
		first := Decide(w.prior(), w.observe(next), w.policy)
		random.Shuffle(len(next), func(i, j int) { next[i], next[j] = next[j], next[i] })
		second := Decide(w.prior(), w.observe(next), w.policy)
		if fmt.Sprint(told(first)) != fmt.Sprint(told(second)) || first.Publication != second.Publication || fmt.Sprint(first.Aliases) != fmt.Sprint(second.Aliases) {
			t.Fatalf("in another order it says\n%v\nand not\n%v", told(second), told(first))
		}
	}
}

func TestAThousandThingsWithOneIDDoNotStopACheck(t *testing.T) {
	w := newWorld(t, curlew.SchemaProduct)
	var all []SeenRecord
	for i := range 1000 {
		all = append(all, thing("same", "name", fmt.Sprint("Buoy ", i), "price", int64(i)))
	}
	w.see(all)
	w.expect(w.see(all))
	if len(w.entities) != 1000 {
		t.Errorf("%d entities", len(w.entities))
	}
}

func TestLeadsNameEveryIDThatARecordMayHave(t *testing.T) {
	w := newWorld(t, curlew.SchemaEvent)
	seen := []SeenRecord{concert("a", "Tide songs", "2026-12-02"), concert("a", "Tide songs", "2026-12-09"), concert("b", "Long night", "2026-12-02"), concert("", "Open day", "2026-12-24")}
	leads := Leads(w.observe(seen))
	for _, n := range w.see(seen).New {
		if !slices.Contains(leads, n.Entity.ExternalID) {
			t.Errorf("%q does not lead to %q", leads, n.Entity.ExternalID)
		}
	}
	if len(leads) != 5 { // a and its two, b, and the one without an id
		t.Errorf("leads %q", leads)
	}
}

func TestAnOldIDThatComesBackBesideTheNewOneIsAThingOfItsOwn(t *testing.T) {
	w := newWorld(t, curlew.SchemaProduct)
	w.see([]SeenRecord{thing("a", "name", "Harbour lamp", "sku", "HL-1")})
	w.expect(w.see([]SeenRecord{thing("b", "name", "Harbour lamp", "sku", "HL-1")}))
	plan := w.see([]SeenRecord{thing("b", "name", "Harbour lamp", "sku", "HL-1"), thing("a", "name", "Anchor chain")})
	w.expect(plan, "appeared Anchor chain")
	if !noted(plan, "two things") {
		t.Errorf("notes %v", plan.Notes)
	}
	w.expect(w.see([]SeenRecord{thing("b", "name", "Harbour lamp", "sku", "HL-1"), thing("a", "name", "Anchor chain")}))
}

func TestAnAddressThatChangesWithTheIDIsNotToldEvenForOne(t *testing.T) {
	w := newWorld(t, curlew.SchemaProduct)
	chain := thing("chain", "name", "Anchor chain", "url", "https://shop.test/p/chain")
	w.see([]SeenRecord{chain, thing("https://shop.test/p/1", "name", "Harbour lamp", "brand", "Tern", "url", "https://shop.test/p/1")})
	w.expect(w.see([]SeenRecord{chain, thing("https://shop.test/lamps/1", "name", "Harbour lamp", "brand", "Tern", "url", "https://shop.test/lamps/1")}))
	if e := w.named("Harbour lamp"); e.Fields["url"] != "https://shop.test/lamps/1" || e.Version != 1 {
		t.Errorf("url %v, version %d", e.Fields["url"], e.Version)
	}
}

// A thing without an address may be called otherwise from one check to the next: what is as before, and as nothing else is, says
// that it is the same.
func TestAThingWithoutAnAddressIsRenamed(t *testing.T) {
	facts := func(id, title, number, day string) SeenRecord {
		return thing(id, "title", title, "date", day, "slots", map[string]any{"number": number, "label": "Opinion", "title": title})
	}
	others := []SeenRecord{facts("b", "Dennis v. State", "49001", "2025-05-19"), facts("c", "In re Doe", "49001", "2025-05-19")}
	for _, c := range []struct{ name, is, number, was, want string }{
		{"a word more", "Arellano v. Copper 101 Homes, Inc.", "49695", "", "changed"},
		{"a word more, and no address any more", "Arellano v. Copper 101 Homes, Inc.", "49695", "https://court.test/49695.pdf", "changed"},
		{"another number", "Arellano v. Copper 101 Homes, Inc.", "49700", "", "new"},
		{"another name", "Smith and Sons", "49695", "", "new"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, curlew.SchemaItem)
			counted := func(column, views string, r SeenRecord) []SeenRecord {
				slots := r.Record.Fields["slots"].(map[string]any)
				slots["views"], slots[column] = views+" views", "Summary"
				return append(slices.Clone(others), r)
			}
			first := facts("a", "Arellano v. Homes, Inc.", "49695", "2025-05-19")
			first.Record.URL = c.was
			w.see(counted("label_2", "71", first))
			plan := w.see(counted("label_3", "84", facts("a2", c.is, c.number, "2025-05-19")))
			if got := len(plan.New) == 0; got != (c.want == "changed") {
				t.Errorf("%d new things, want it to be %s", len(plan.New), c.want)
			}
		})
	}
}
