package demo

import (
	"encoding/json"
	"fmt"
	"testing"
)

func jobsReading() reading {
	return reading{site: "jobs", list: numbered("/jobs", "/jobs?page=%d"), pages: 6, designs: []appearance{
		{mark: `<div[^>]*"job"`, money: "$1,234"},
		{mark: `<tr[^>]*Board_row`, money: "1,234"},
		{mark: `<li[^>]*vacancy`, date: "en:MMM d, yyyy"},
	}}
}

func TestLoadMoreGivesEveryJobOnce(t *testing.T) {
	w := New(Options{})
	seen, offset := map[string]bool{}, 0
	for {
		var answer struct {
			Jobs []struct{ ID string }
			Next *int `json:"next_offset"`
		}
		must(t, json.Unmarshal(get(t, w, "jobs", fmt.Sprintf("/api/jobs?offset=%d&limit=20", offset)).Body.Bytes(), &answer))
		for _, j := range answer.Jobs {
			if seen[j.ID] {
				t.Errorf("job %s came twice", j.ID)
			}
			seen[j.ID] = true
		}
		if answer.Next == nil {
			break
		}
		offset = *answer.Next
	}
	if want := len(truthOf(t, w, "jobs")); len(seen) != want {
		t.Errorf("the endpoint gave %d of %d jobs", len(seen), want)
	}
}

// The words about time move with the day; the date that they mean does not.
func TestPostedDatesStayWhenTheDayMoves(t *testing.T) {
	w := New(Options{})
	before := byID(truthOf(t, w, "jobs"))
	w.AdvanceAll()
	for _, r := range truthOf(t, w, "jobs") {
		if was, known := before[r.ExternalID]; known && was.Fields["posted_date"] != r.Fields["posted_date"] {
			t.Errorf("job %s moved from %s to %s", r.ExternalID, was.Fields["posted_date"], r.Fields["posted_date"])
		}
	}
}
