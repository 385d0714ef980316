package publish

import (
	"fmt"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

// A column in which everything has a code of its own names the things of a list: what is called
// otherwise, or is on another day, is the same thing still.
func TestThingsAreKnownByTheCodesOfTheirList(t *testing.T) {
	hearing := func(docket, about, day string) SeenRecord {
		return thing(about+" "+day, "title", about, "date", day, "slots", map[string]any{"docket": docket, "room": "12"})
	}
	w := newWorld(t, curlew.SchemaItem)
	w.see([]SeenRecord{hearing("IV P 104/26", "Reinstatement", "2026-12-01"), hearing("IV P 118/26", "Wages", "2026-12-02"),
		hearing("IV P 131/26", "Wages", "2026-12-03"), hearing("IV P 140/26", "Damages", "2026-12-04")})
	w.expect(w.see([]SeenRecord{hearing("IV P 104/26", "Cancelled: reinstatement of a clerk", "2026-12-01"), hearing("IV P 118/26", "Wages", "2026-12-09"),
		hearing("IV P 131/26", "Wages", "2026-12-03"), hearing("IV P 155/26", "Damages", "2026-12-11")}),
		"appeared Damages",
		"changed Cancelled: reinstatement of a clerk title:Reinstatement→Cancelled: reinstatement of a clerk",
		"changed Wages date:2026-12-02→2026-12-09")
}

// Of a list of the last days, not read to its end, nearly all are others: the one that stays is known by its code, where all else but
// some words of its name is as before.
func TestTheOneThatStaysIsKnownByItsCode(t *testing.T) {
	lodged := func(docket, about, by string) SeenRecord {
		return thing(docket+about, "title", about, "date", "2026-06-21", "slots", map[string]any{"docket": docket, "applicant": by})
	}
	w := newWorld(t, curlew.SchemaItem)
	w.see([]SeenRecord{lodged("DA0222/19", "Patio", "Ada"), lodged("DA0223/19", "Additions and Re-Roof of Existing House", "Gemma"), lodged("DA0224/19", "Carport", "Kim")})
	const is = "Additions, alterations and re-roofing of existing Single house"
	w.expect(w.see([]SeenRecord{lodged("DA0223/19", is, "Gemma"), lodged("DA0230/19", "Shed", "Joe"), lodged("DA0231/19", "Garage", "Max"),
		lodged("DA0232/19", "Fence", "Ben")}, partial("one has no name")),
		"appeared Fence", "appeared Garage", "appeared Shed", "changed "+is+" title:Additions and Re-Roof of Existing House→"+is)
}

// A row of headings that is read as an entry has no code; the column names the others all the same.
func TestAFewWithoutACodeDoNotEndWhatTheOthersGoBy(t *testing.T) {
	ruling := func(docket, parties string) SeenRecord {
		return thing(parties, "title", parties, "date", "2026-12-01", "slots", map[string]any{"docket": docket})
	}
	rows := func(parties string) []SeenRecord {
		all := []SeenRecord{ruling("Docket#", "Case Name"), ruling("51721", parties), ruling("50600", "State v. Roe")}
		for n := range 19 {
			all = append(all, ruling(fmt.Sprint(50600+n), fmt.Sprint("State v. Doe ", n)))
		}
		return all
	}
	w := newWorld(t, curlew.SchemaItem)
	w.see(rows("Ramlow v. Mitchell"))
	w.expect(w.see(rows("Ramlow v. Harbour Meadow 101 Mitchell")),
		"changed Ramlow v. Harbour Meadow 101 Mitchell title:Ramlow v. Mitchell→Ramlow v. Harbour Meadow 101 Mitchell")
}

func TestWhatNamesNothingIsNoCode(t *testing.T) {
	for text, want := range map[string]bool{"26/01877/FUL": true, "IV P 104/26": true, "262-10101": true, "1204873": true,
		"12": false, "12.": false, "Room 12": true, "19:30": false, "12 March 2026": false, "£12.50": false, "Approved": false} {
		t.Run(text, func(t *testing.T) {
			if isCode(text) != want {
				t.Errorf("%q is a code: %t", text, !want)
			}
		})
	}
}
