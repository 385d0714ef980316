package publish

import (
	"maps"
	"net/url"
	"slices"
	"strconv"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// leastPlaces is how many addresses must count the places of a list for it not to be chance.
const leastPlaces = 3

// withoutPlaces takes the addresses off records whose addresses count the places of their list, as in "details?index=0": tomorrow
// each leads to another thing. They are known by what they say.
func withoutPlaces(o CheckResult, known []curlew.Entity) (_ CheckResult, taken bool) {
	first, count := firstPlace(o.Seen)
	if !count || first > 0 && !placesMoved(o, known) {
		return o, false
	}
	return withoutAddresses(o), true
}

// takenOff says whether a field is the address that counts places.
func (d *decision) takenOff(field string) bool { return d.placed && field == "url" }

func withoutAddresses(o CheckResult) CheckResult {
	seen := make([]SeenRecord, len(o.Seen))
	for i, s := range o.Seen {
		s.Record.Fields, s.Record.Provenance = maps.Clone(s.Record.Fields), maps.Clone(s.Record.Provenance)
		delete(s.Record.Fields, "url")
		delete(s.Record.Provenance, "url")
		s.Record.ExternalID, s.Record.URL, s.Record.Hash = "", "", ""
		seen[i] = s
	}
	o.Seen = seen
	return o
}

// firstPlace is where the ids of all records begin to count, if they are addresses that one parameter tells apart, which counts
// from zero, or from one and in the order of the page; a few of the places may be those of rows that are no records.
func firstPlace(seen []SeenRecord) (first int, count bool) {
	ids := queriesOf(seen)
	if len(ids) < leastPlaces {
		return 0, false
	}
	for name := range ids[0] {
		places := map[int]bool{}
		last, ordered := -1, true
		for _, query := range ids {
			if place, err := strconv.Atoi(query.Get(name)); err == nil && place >= 0 && place <= len(ids)+len(ids)/5 {
				places[place] = true
				last, ordered = place, ordered && place > last
			}
		}
		if all := len(places) == len(ids); all && (places[0] || places[1] && ordered) {
			return slices.Min(slices.Collect(maps.Keys(places))), true
		}
	}
	return 0, false
}

// queriesOf are the parameters of the addresses by which records are known; none where one is known by something else.
func queriesOf(seen []SeenRecord) (all []url.Values) {
	known := map[string]bool{}
	for _, s := range seen {
		u, err := url.Parse(s.Record.ExternalID)
		if err != nil || u.Host == "" || u.RawQuery == "" {
			return nil
		}
		if !known[s.Record.ExternalID] {
			known[s.Record.ExternalID] = true
			all = append(all, u.Query())
		}
	}
	return all
}

// placesMoved says whether most things that are known by the names of records have another id than these: numbers from one may
// be those of the things themselves, or places, which move.
func placesMoved(o CheckResult, known []curlew.Entity) bool {
	ids := map[string]string{}
	for _, e := range known {
		ids[text.Fold(o.Kind.TitleOf(e.Fields))] = e.ExternalID
	}
	moved, found := 0, 0
	for _, s := range o.Seen {
		if id, ok := ids[text.Fold(o.Kind.TitleOf(s.Record.Fields))]; ok {
			found++
			if id != s.Record.ExternalID {
				moved++
			}
		}
	}
	return moved >= leastPlaces && 2*moved > found
}
