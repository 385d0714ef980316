package publish

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// shows says what the pages of a list showed at the check before, and show now, and what was read then.
func shows(before, now string, read ...SeenRecord) option {
	return func(o *CheckResult) {
		texts := map[string][]string{}
		for _, r := range read {
			texts[r.Record.ExternalID], texts[text.Fold(r.Record.Fields["title"].(string))] = []string{r.Text}, []string{r.Text}
		}
		earlier := EarlierCheck{Shown: NewShownText([]string{before}, nil), Texts: texts}
		o.Shown, o.Earlier = NewShownText([]string{now}, nil), []EarlierCheck{earlier}
	}
}

// card is a record with the text that the page shows of it.
func card(shown string, r SeenRecord) SeenRecord {
	r.Text = shown
	return r
}

func ruling(id, title string, slots map[string]any) SeenRecord {
	r := thing(id, "title", title, "slots", slots)
	for name, value := range slots {
		r.Record.Provenance["slots."+name] = curlew.Evidence{Text: value.(string)}
	}
	return r
}

const docket = "Rulings Byrd v State Court of Appeals decided 06/04/2024 open 7 views Dennis v State Supreme Court decided 07/04/2024 closed"

// What differs only because a page is read otherwise, cut into other columns, is no change: the page shows what it showed.
func TestWhatThePageShowsAsBeforeDidNotChange(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	const shown = "Byrd v State Court of Appeals decided 06/04/2024 open 7 views"
	first := card(shown, ruling("1", "Byrd v State", map[string]any{"a": "Court of Appeals", "b": "06/04/2024"}))
	w.see([]SeenRecord{first})
	otherwise := card(strings.Replace(shown, "7 views", "9 views", 1),
		ruling("1", "Byrd v State", map[string]any{"a": "Appeals decided 06/04/2024", "b": "open", "c": "Court of"}))
	w.expect(w.see([]SeenRecord{otherwise}, shows(docket, "Advertisement "+strings.Replace(docket, "7 views", "9 views", 1), first)))
	closed := card(strings.Replace(shown, "open", "closed", 1),
		ruling("1", "Byrd v State", map[string]any{"a": "Appeals decided 06/04/2024", "b": "closed", "c": "Court of"}))
	w.expect(w.see([]SeenRecord{closed}, shows(docket, strings.Replace(docket, "open", "closed", 1), otherwise)),
		"changed Byrd v State slots.b:open→closed")
}

// A text that is a column of its own at times did not change because what stands beside it did.
func TestATextThatIsAColumnAtTimesDidNotChangeWithItsNeighbour(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	see := func(minutes int, slots map[string]any) SeenRecord {
		return card(fmt.Sprintf("Byrd v State, No. 4711, filed May 6 posted %d minutes ago", minutes), ruling("1", "Byrd v State", slots))
	}
	page := func(minutes int) string {
		return fmt.Sprintf("Rulings Byrd v State, No. 4711, filed May 6 posted %d minutes ago Dennis v State", minutes)
	}
	first := see(4, map[string]any{"text": "Slip"})
	w.see([]SeenRecord{first})
	cut := map[string]any{"text": "Slip", "text_3": ", No. 4711, filed May 6"}
	w.expect(w.see([]SeenRecord{see(24, cut)}, shows(page(4), page(24), first)))
	first = see(24, map[string]any{"text": "Slip"})
	other := card("Byrd v State, No. 4711, filed May 8 posted 44 minutes ago",
		ruling("1", "Byrd v State", map[string]any{"text": "Slip", "text_3": ", No. 4711, filed May 8"}))
	w.expect(w.see([]SeenRecord{other}, shows(page(24), strings.Replace(page(44), "May 6", "May 8", 1), first)),
		"changed Byrd v State slots.text_3:, No. 4711, filed May 6→, No. 4711, filed May 8")
}

// A new design may put what a record always said where it counted its readers.
func TestWhatTakesThePlaceOfACountIsNoNews(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	see := func(shown, number string) SeenRecord {
		return card(shown, ruling("1", "Byrd v State", map[string]any{"number": number}))
	}
	first := see("Byrd v State 2024 NYSlipOp 97484(U) 314 views", "314 views")
	w.see([]SeenRecord{first})
	again := see("Byrd v State 2024 NYSlipOp 97484(U) 320 views", "2024 NYSlipOp 97484(U)")
	w.expect(w.see([]SeenRecord{again}, shows(first.Text, again.Text, first)))
	other := see("Byrd v State 2024 NYSlipOp 11111(U) 320 views", "2024 NYSlipOp 11111(U)")
	w.expect(w.see([]SeenRecord{other}, shows(again.Text, other.Text, again)),
		"changed Byrd v State slots.number:2024 NYSlipOp 97484(U)→2024 NYSlipOp 11111(U)")
}

// The former price of a thing is what its price was before: the card showed that, and it is a change with that of the price.
func TestAFormerPriceThatThePageShowedAsPriceIsTold(t *testing.T) {
	w := newWorld(t, curlew.SchemaProduct)
	priced := func(shown string, pairs ...any) SeenRecord {
		return card(shown, thing("1", append([]any{"name", "Saddle", "title", "Saddle", "currency", "EUR"}, pairs...)...))
	}
	first := priced("Saddle 34 in stock", "price", 34)
	w.see([]SeenRecord{first})
	now := priced("Saddle 26 34 in stock", "price", 26, "price_was", 34)
	w.expect(w.see([]SeenRecord{now}, shows("Saddle 34 in stock Lamp 12", "Saddle 26 34 in stock Lamp 12", first)),
		"changed Saddle price:34→26 price_was:<nil>→34")
}

// A column that new rules read for none of the entries goes with them, though the page still shows its words: nobody is
// told of it when these stand in another order.
func TestAColumnThatNewRulesDoNotReadGoesSilently(t *testing.T) {
	see := func(slots func(n int) map[string]any) (all []SeenRecord) {
		for n := 1; n <= 5; n++ {
			all = append(all, card(fmt.Sprintf("Byrd v State %d %d Slip opens", n, 40+n), ruling(fmt.Sprint(n), fmt.Sprint("Byrd v State ", n), slots(n))))
		}
		return append(all, card("Rulings of May", ruling("0", "Rulings", map[string]any{"text": "of May"})))
	}
	shown := func(order string) string {
		text := "Rulings of May "
		for n := 1; n <= 5; n++ {
			text += fmt.Sprintf("Byrd v State %d ", n) + fmt.Sprintf(order, 40+n) + " "
		}
		return text
	}
	w := newWorld(t, curlew.SchemaItem)
	before := see(func(n int) map[string]any {
		return map[string]any{"text": fmt.Sprint(40+n, " Slip opens"), "number": fmt.Sprint(40 + n)}
	})
	w.see(before)
	now := see(func(n int) map[string]any { return map[string]any{"number": fmt.Sprint(40 + n)} })
	w.expect(w.see(now, rules("healed"), shows(shown("%d Slip opens"), shown("opens Slip %d"), before...)))
	for range 3 {
		w.expect(w.see(now, rules("healed"), shows(shown("opens Slip %d"), shown("opens %d Slip"), now...)))
	}
	if slots := w.named("Byrd v State 3").Fields["slots"].(map[string]any); slots["text"] != nil {
		t.Errorf("kept is %v", slots)
	}
}

// Two entries that exchange a word leave the page with the same words: each of them changed all the same.
func TestEntriesThatExchangeAWordChanged(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	see := func(byrd, dennis string) []SeenRecord {
		return []SeenRecord{card("Byrd v State "+byrd, ruling("1", "Byrd v State", map[string]any{"a": byrd})),
			card("Dennis v State "+dennis, ruling("2", "Dennis v State", map[string]any{"a": dennis}))}
	}
	before := see("open", "closed")
	w.see(before)
	w.expect(w.see(see("closed", "open"), shows("Byrd v State open Dennis v State closed", "Byrd v State closed Dennis v State open", before...)),
		"changed Byrd v State slots.a:open→closed", "changed Dennis v State slots.a:closed→open")
}

// A date that is read as another day although the page writes it as before is no change.
func TestADateThatIsReadAsAnotherDayDidNotChange(t *testing.T) {
	w := newWorld(t, curlew.SchemaEvent)
	hearing := func(day, written string) SeenRecord {
		r := thing("1", "title", "Byrd v State", "starts_at", day)
		r.Record.Provenance["starts_at"] = curlew.Evidence{Text: written}
		return card("Byrd v State "+written, r)
	}
	first := hearing("2027-04-06", "06/04/2027")
	w.see([]SeenRecord{first})
	w.expect(w.see([]SeenRecord{hearing("2027-06-04", "06/04/2027")},
		shows("Hearings Byrd v State 06/04/2027 at noon", "Byrd v State 06/04/2027 Hearings at noon", first)))
	w.expect(w.see([]SeenRecord{hearing("2027-06-11", "06/11/2027")},
		shows("Byrd v State 06/04/2027 Hearings at noon", "Byrd v State 06/11/2027 Hearings at noon", first)),
		"changed Byrd v State starts_at:2027-06-04→2027-06-11")
}

// A value that the page shows as before stays known where it is not found, and one that moved to another slot goes.
// A value of which something left is another one, also where all that is left stood there before.
func TestAValueOfWhichAPartLeftChanged(t *testing.T) {
	for _, c := range []struct {
		name, before, now, field string
		was, is                  any
		written                  string
		told                     bool
	}{
		{"the end of a sale", "Brass lamp 119,00 € 89,00 € in stock", "Brass lamp 119,00 € in stock", "price_min", int64(8900), int64(11900), "119,00 €", true},
		{"cents", "Brass lamp 8,50 € in stock", "Brass lamp 8 € in stock", "price_min", int64(850), int64(800), "8 €", true},
		{"the first hour of two", "Choir 4 May 2027 18:00–20:00 Hall", "Choir 4 May 2027 20:00 Hall", "starts_at", "2027-05-04T18:00", "2027-05-04T20:00", "20:00", true},
		{"a counter elsewhere", "Choir 4 May 2027 20:00 in the old hall by the quay 17 seen", "Choir 4 May 2027 20:00 in the old hall by the quay 18 seen",
			"starts_at", "2027-05-04T18:00", "2027-05-04T20:00", "20:00", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, curlew.SchemaEvent)
			read := func(value any, shown string) SeenRecord {
				r := thing("1", "title", "Choir", c.field, value)
				r.Record.Provenance[c.field] = curlew.Evidence{Text: c.written}
				return card(shown, r)
			}
			first := read(c.was, c.before)
			w.see([]SeenRecord{first})
			plan := w.see([]SeenRecord{read(c.is, c.now)}, shows("List "+c.before+" end", "List "+c.now+" end", first))
			if all := told(plan); len(all) > 0 != c.told {
				t.Errorf("told %v, want %v", all, c.told)
			}
		})
	}
}

func TestAValueThatThePageStillShowsIsNotGone(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	first := ruling("1", "Byrd v State", map[string]any{"a": "Court of Appeals", "b": "decided"})
	w.see([]SeenRecord{first})
	for range 4 {
		w.expect(w.see([]SeenRecord{ruling("1", "Byrd v State", map[string]any{"c": "decided"})}, shows(docket, docket, first)))
	}
	slots := w.named("Byrd v State").Fields["slots"].(map[string]any)
	if slots["a"] != "Court of Appeals" || slots["b"] != nil || slots["c"] != "decided" {
		t.Errorf("known is %v", slots)
	}
}

// What the page showed already is not new when it is read for the first time, unless it was read and had to wait.
func TestWhatThePageShowedBeforeIsNotNew(t *testing.T) {
	byrd, dennis := thing("1", "title", "Byrd v State"), thing("2", "title", "Dennis v State")
	w := newWorld(t, curlew.SchemaItem)
	w.see([]SeenRecord{byrd})
	plan := w.see([]SeenRecord{byrd, dennis}, shows(docket, docket))
	w.expect(plan)
	if !noted(plan, "the page showed it before") || plan.Figures.Appeared != 0 {
		t.Errorf("noted is %v", plan.Notes)
	}
	w.expect(w.see([]SeenRecord{byrd, thing("2", "title", "Dennis v State", "date", "2027-01-02")}), "changed Dennis v State date:<nil>→2027-01-02")

	w = newWorld(t, curlew.SchemaItem)
	w.see([]SeenRecord{byrd})
	w.expect(w.see([]SeenRecord{byrd, dennis}, shows(docket, docket, dennis)), "appeared Dennis v State")

	w = newWorld(t, curlew.SchemaItem)
	w.see([]SeenRecord{byrd})
	w.expect(w.see([]SeenRecord{byrd, dennis}, shows("Byrd v State", docket)), "appeared Dennis v State")
}

// Where most of a list is shown and not read, the rules read something else: nothing is told until they read the list.
func TestNothingIsToldWhereTheListIsReadOtherwise(t *testing.T) {
	const shown = "Court of Appeals Byrd v State Dennis v State Flynn v Ada County Smith v Hippler"
	var all []SeenRecord
	for i, name := range []string{"Byrd v State", "Dennis v State", "Flynn v Ada County", "Smith v Hippler"} {
		all = append(all, card(name, thing(strconv.Itoa(i), "title", name)))
	}
	w := newWorld(t, curlew.SchemaItem)
	w.see(all)
	banner := thing("9", "title", "Compare prices")
	now := strings.Replace(shown, "Byrd", "Compare prices Byrd", 1)
	prev := card("Byrd v State", thing("0", "title", "Prev"))
	w.expect(w.see([]SeenRecord{prev, banner}, shows(shown, now, all...)))
	w.expect(w.see(append(all, banner), shows(shown, now, all...)), "appeared Compare prices")
}

// Who was not told of an entry is not told that it is gone.
func TestWhatNobodyWasToldOfGoesSilently(t *testing.T) {
	byrd, menu := thing("1", "title", "Byrd v State"), thing("2", "title", "Dennis v State")
	w := newWorld(t, curlew.SchemaItem)
	w.see([]SeenRecord{byrd})
	w.expect(w.see([]SeenRecord{byrd, menu}, shows(docket, docket)))
	for range 3 {
		w.expect(w.see([]SeenRecord{byrd}))
	}
	if w.status("Dennis v State") != curlew.EntityRemoved {
		t.Errorf("it is %s", w.status("Dennis v State"))
	}
}

// A name that was there may be that of another thing: it has an address of its own, or says otherwise.
func TestWhatIsNewUnderAKnownNameIsNew(t *testing.T) {
	byrd := thing("1", "title", "Byrd v State")
	leads := func(before, now string) option {
		return func(o *CheckResult) {
			o.Earlier[0].Shown = NewShownText([]string{"Byrd v State"}, []string{before})
			o.Shown = NewShownText([]string{"Byrd v State"}, []string{now})
		}
	}
	const old, other = "https://court.test/1", "https://court.test/2?utm_source=list"
	w := newWorld(t, curlew.SchemaItem)
	w.see([]SeenRecord{byrd})
	same := thing("2", "title", "Byrd v State", "url", other)
	w.expect(w.see([]SeenRecord{byrd, same}, shows("", ""), leads(old, other)), "appeared Byrd v State")

	w = newWorld(t, curlew.SchemaItem)
	w.see([]SeenRecord{byrd})
	later := card("Byrd v State rehearing on 4 May", thing("2", "title", "Byrd v State", "date", "2027-05-04"))
	w.expect(w.see([]SeenRecord{byrd, later}, shows("Byrd v State of 2 March", "Byrd v State rehearing on 4 May")), "appeared Byrd v State")
}

// What the page still shows is not gone when it is not read; what it shows no more is.
func TestWhatThePageStillShowsIsNotGone(t *testing.T) {
	byrd, dennis := thing("1", "title", "Byrd v State"), thing("2", "title", "Dennis v State")
	w := newWorld(t, curlew.SchemaItem)
	w.see([]SeenRecord{byrd, dennis})
	for range 4 {
		w.expect(w.see([]SeenRecord{byrd}, shows(docket, docket, byrd, dennis)))
		w.expect(w.see([]SeenRecord{byrd}, shows(docket, docket, byrd)))
	}
	related := "You may also like Dennis v State"
	w.expect(w.see([]SeenRecord{byrd}, shows(docket+related, "Byrd v State "+related, byrd, dennis)))
	w.expect(w.see([]SeenRecord{byrd}, shows("Byrd v State "+related, "Byrd v State "+related, byrd)), "disappeared Dennis v State")
}

// The evidence of a value may be all of its line: only the value itself says which of its words are new.
func TestATitleThatChangesInALongLineIsTold(t *testing.T) {
	w := newWorld(t, curlew.SchemaEvent)
	line := func(title string) string {
		return "Wednesday, September 16 at 6:00 pm – " + title + ", Community Center – Oak Room [Agenda]"
	}
	meeting := func(title string) SeenRecord {
		r := thing("M1299", "title", title, "starts_at", "2026-09-16T18:00:00", "venue_name", "Community Center – Oak Room")
		r.Record.Provenance["title"] = curlew.Evidence{Text: line(title)}
		return card(line(title), r)
	}
	first := meeting("Public Hearing: Mill Street Bridge")
	w.see([]SeenRecord{first})
	rest := "Monday, May 4 at 6:30 pm – Budget Work Session – Joint Session, Council Chambers [Agenda]"
	w.expect(w.see([]SeenRecord{meeting("Public Hearing: Mill Street Bridge – Joint Session")},
		shows(rest+line("Public Hearing: Mill Street Bridge"), rest+line("Public Hearing: Mill Street Bridge – Joint Session"), first)),
		"changed Public Hearing: Mill Street Bridge – Joint Session title:Public Hearing: Mill Street Bridge→Public Hearing: Mill Street Bridge – Joint Session")
}

// The hour that a new design keeps in an attribute is no change of a day whose record shows the same words.
func TestAnHourInNoTextIsNoChange(t *testing.T) {
	const shown = "Byrd v State Court of Appeals decided 06/04/2024"
	see := func(text, date string) SeenRecord {
		return card(text, thing("1", "title", "Byrd v State", "date", date, "slots", map[string]any{"b": "Court of Appeals"}))
	}
	w := newWorld(t, curlew.SchemaItem)
	first := see(shown, "2024-06-04")
	w.see([]SeenRecord{first})
	w.expect(w.see([]SeenRecord{see(shown, "2024-06-04T12:00:00Z")}, shows(shown, shown+" today", first)))

	w = newWorld(t, curlew.SchemaItem)
	w.see([]SeenRecord{first})
	if plan := w.see([]SeenRecord{see(shown+" at noon", "2024-06-04T12:00:00Z")}, shows(shown, shown+" at noon", first)); plan.Figures.Changed != 1 {
		t.Errorf("an hour that the record shows now: %d changes, want one", plan.Figures.Changed)
	}
}

// A record may be told by another of its links, as after a redesign, or by none: that is our reading, as long as the page has both
// before and after.
func TestAnotherLinkOfARecordIsNoChange(t *testing.T) {
	const docket, opinion, moved = "https://example.org/case/1", "https://example.org/opinion/1.pdf", "https://example.org/opinion/1-revised.pdf"
	for name, c := range map[string]struct {
		link  any
		links []string // of the page now
		want  []string
	}{
		"another link of it":        {opinion, []string{docket, opinion}, nil},
		"none of its links":         {nil, []string{docket, opinion}, nil},
		"a link that was not there": {moved, []string{docket, moved}, []string{"changed Byrd v State url:" + docket + "→" + moved}},
		"a link instead of another": {opinion, []string{opinion}, []string{"changed Byrd v State url:" + docket + "→" + opinion}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, curlew.SchemaItem)
			const shown = "Byrd v State Court of Appeals decided 06/04/2024"
			see := func(link any) SeenRecord {
				r := thing("1", "title", "Byrd v State")
				if link != nil {
					r = thing("1", "title", "Byrd v State", "url", link)
				}
				return card(shown, r)
			}
			first := see(docket)
			w.see([]SeenRecord{first})
			both := func(o *CheckResult) {
				shows(shown, shown, first)(o)
				o.Earlier[0].Shown = NewShownText([]string{shown}, []string{docket, opinion})
				o.Shown = NewShownText([]string{shown}, c.links)
			}
			w.expect(w.see([]SeenRecord{see(c.link)}, both), c.want...)
		})
	}
}

// What a record says where nobody sees it, as for readers of screens, stands in its text and not in that of the page: in another
// column it is no change either, and a new text of it is one.
func TestWhatOnlyTheRecordSaysDidNotChangeInAnotherColumn(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	const page = "Villa with a pool 250 400 10 off"
	see := func(says string, slots map[string]any) SeenRecord {
		return card(page+" "+says, ruling("1", "Villa with a pool", slots))
	}
	first := see("Previous price 400 euros", map[string]any{"previous_price": "400 euros"})
	w.see([]SeenRecord{first})
	again := see("Previous price 400 euros", map[string]any{"text_2": "Previous price 400 euros"})
	w.expect(w.see([]SeenRecord{again}, shows(page, page, first)))
	dearer := see("Previous price 450 euros", map[string]any{"text_2": "Previous price 450 euros"})
	w.expect(w.see([]SeenRecord{dearer}, shows(page, page, again)), "changed Villa with a pool slots.text_2:Previous price 400 euros→Previous price 450 euros")
}

// A slot that had all of a record is no loss while the record says it, whatever is known of its former text.
func TestASlotThatTheRecordStillSaysIsNotLost(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	see := func(slots map[string]any) SeenRecord {
		return card("9:30 10:15 Survey workshop Ada Moss Room Monge", ruling("1", "Survey workshop", slots))
	}
	w.see([]SeenRecord{see(map[string]any{"text": "Survey workshop Ada Moss Room Monge", "level": "open to all"})})
	for range 3 {
		w.expect(w.see([]SeenRecord{see(map[string]any{"level": "open to all"})}))
	}
	w.expect(w.see([]SeenRecord{see(nil)}))
	w.expect(w.see([]SeenRecord{see(nil)}), "changed Survey workshop slots.level:open to all→<nil>")
}

// Two values of a record that change places did change, though the record says no word that it did not say; so did those of two
// records between the same words, though the page says none.
func TestValuesThatChangePlacesAreTold(t *testing.T) {
	see := func(id, before, a, between, b string) SeenRecord {
		return card(id+" "+before+" "+a+" "+between+" "+b, ruling(id, id, map[string]any{"first": a, "second": b}))
	}
	t.Run("in a record", func(t *testing.T) {
		w := newWorld(t, curlew.SchemaItem)
		was, is := see("Lions match", "result", "2", "Bears", "1"), see("Lions match", "result", "1", "Bears", "2")
		w.see([]SeenRecord{was})
		w.expect(w.see([]SeenRecord{is}, shows("List "+was.Text+" end", "List "+is.Text+" end", was)),
			"changed Lions match slots.first:2→1 slots.second:1→2")
	})
	t.Run("between records", func(t *testing.T) {
		w := newWorld(t, curlew.SchemaItem)
		list := func(first, second string) []SeenRecord {
			return []SeenRecord{see("Bridge", "the current status is", first, "as far as we", "know"), see("Tunnel", "the current status is", second, "as far as we", "know")}
		}
		was, is := list("open", "closed"), list("closed", "open")
		w.see(was)
		w.expect(w.see(is, shows("List "+was[0].Text+" "+was[1].Text, "List "+is[0].Text+" "+is[1].Text, was...)),
			"changed Bridge slots.first:open→closed", "changed Tunnel slots.first:closed→open")
	})
}

// What the rules no longer find for most records that had it, while these show it, stays as it was and is learned anew; after a few
// checks in vain nobody tries again, and it stays nevertheless, also where it is another value by now.
func TestWhatMostRecordsShowAndNoRuleFindsStays(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	list := func(read bool, third string) (all []SeenRecord) {
		for i, court := range []string{"Marlow", "Tarrant", third, "Okafor"} {
			title, slots := "Case "+strings.Repeat("I", i+1), map[string]any{"room": strconv.Itoa(20 + i)}
			if read {
				slots["court"] = court
			}
			all = append(all, card(title+" "+court+" "+strconv.Itoa(20+i), ruling(strconv.Itoa(i), title, slots)))
		}
		return all
	}
	was := list(true, "Ibsen")
	w.see(was)
	unread := list(false, "Ibsen")
	for n := range 5 {
		plan := w.see(unread, shows(textOf(was), textOf(unread), was...))
		w.expect(plan)
		if learned := slices.Equal(plan.Unread, []string{"slots.court"}); learned != (n < 3) {
			t.Errorf("check %d: unread %q", n, plan.Unread)
		}
		if !noted(plan, "slots.court is no longer found for 4 of 4, which still show it: it stays as it was") {
			t.Errorf("check %d: nobody is warned", n)
		}
	}
	other := list(false, "Whitcombe")
	w.expect(w.see(other, shows(textOf(unread), textOf(other), was...)))
	if court := w.named("Case III").Fields.At("slots.court"); court != "Ibsen" {
		t.Errorf("the court is %v", court)
	}
}

// What one design shows without a rule for it, and the next no more, goes with that design: nobody is told.
func TestWhatGoesWithTheSecondOfTwoDesignsIsNotTold(t *testing.T) {
	w := newWorld(t, curlew.SchemaItem)
	list := func(read, shown bool) (all []SeenRecord) {
		for i := range 6 {
			title, slots, text := "Case "+strings.Repeat("I", i+1), map[string]any{"room": strconv.Itoa(20 + i)}, ""
			if read {
				slots["month"] = "April"
			}
			if shown {
				text = " on Monday, April 3"
			}
			all = append(all, card(title+text+" "+strconv.Itoa(20+i), ruling(strconv.Itoa(i), title, slots)))
		}
		return all
	}
	redesigned := func(o *CheckResult) { o.Moved = true }
	first, second, third := list(true, true), list(false, true), list(false, false)
	w.see(first)
	w.expect(w.see(second, redesigned, shows(textOf(first), textOf(second), first...)))
	w.expect(w.see(second, shows(textOf(first), textOf(second), first...)))
	w.expect(w.see(third, redesigned, shows(textOf(second), textOf(third), first...)))
	for range 3 {
		w.expect(w.see(third, shows(textOf(third), textOf(third), first...)))
	}
}

// textOf is what the page shows of records.
func textOf(all []SeenRecord) (words string) {
	for _, r := range all {
		words += r.Text + " "
	}
	return words
}
