package publish

import (
	"maps"
	"net/url"
	"strconv"
)

// leastPlaces is how many addresses must count the places of a list for it not to be chance.
const leastPlaces = 3

// withoutPlaces takes the addresses off records whose addresses count the places of their list, as in "details?index=0": tomorrow
// each leads to another thing. They are known by what they say.
func withoutPlaces(o CheckResult) CheckResult {
	if !countPlaces(o.Seen) {
		return o
	}
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

// countPlaces says whether the ids of all records are addresses that one parameter tells apart, which counts from zero; a few of
// the places may be those of rows that are no records.
func countPlaces(seen []SeenRecord) bool {
	ids := map[string]url.Values{}
	for _, s := range seen {
		u, err := url.Parse(s.Record.ExternalID)
		if err != nil || u.Host == "" || u.RawQuery == "" {
			return false
		}
		ids[s.Record.ExternalID] = u.Query()
	}
	if len(ids) < leastPlaces {
		return false
	}
	for name := range ids[seen[0].Record.ExternalID] {
		places := map[int]bool{}
		for _, query := range ids {
			if place, err := strconv.Atoi(query.Get(name)); err == nil && place >= 0 && place <= len(ids)+len(ids)/5 {
				places[place] = true
			}
		}
		if places[0] && len(places) == len(ids) {
			return true
		}
	}
	return false
}
