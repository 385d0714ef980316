package quality

import (
	"slices"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

// What is odd but true, because the page bears it out, is no error.
func TestOddButTrueSamplesAreNotAccused(t *testing.T) {
	as := func(change func(g *gig)) []SampleRecord {
		gigs := slices.Clone(season)
		for i := range gigs {
			change(&gigs[i])
		}
		return readRight(gigs)
	}
	for name, sample := range map[string][]SampleRecord{
		"nothing":                  nil,
		"a season":                 readRight(season),
		"a season without pages":   unseen(readRight(season)),
		"two records":              readRight(season[:2]),
		"a festival of one day":    as(func(g *gig) { g.day = "2026-05-09" }),
		"one evening":              as(func(g *gig) { g.day, g.clock = "2026-05-09", "20:00" }),
		"one price":                as(func(g *gig) { g.price = "12.00" }),
		"free for all":             as(func(g *gig) { g.price = "0.00" }),
		"one play":                 as(func(g *gig) { g.title = "The Tempest" }),
		"one house":                as(func(g *gig) { g.venue = "Harbour Hall" }),
		"midnight screenings":      as(func(g *gig) { g.clock = "00:00" }),
		"noon concerts":            as(func(g *gig) { g.clock = "12:00" }),
		"days alone":               each(readRight(season), func(_ int, f curlew.Values) { f["starts_at"] = f["starts_at"].(string)[:10] }),
		"one artist on tour":       as(func(g *gig) { g.act = "Ida Voss" }),
		"halls in titles":          as(func(g *gig) { g.title += " at the hall" }),
		"no addresses":             each(readRight(season), func(_ int, f curlew.Values) { delete(f, "url") }),
		"first days of the months": as(func(g *gig) { g.day = g.day[:8] + "05" }),
	} {
		t.Run(name, func(t *testing.T) {
			j := Judge(t.Context(), sample, march())
			for _, e := range j.Systematic {
				t.Errorf("%s: %s", e.Code, e.Sentence)
			}
			for _, h := range j.Records {
				for _, issue := range h.Issues {
					if issue.Kind != IssueMissed {
						t.Errorf("%s: %s", issue.Kind, issue.Sentence)
					}
				}
			}
		})
	}
}

// An artist's own site names the artist as organizer and as performer, each in its
// own place: the page says so twice.
func TestWhoOrganizesMayPerform(t *testing.T) {
	sample := unseen(each(readRight(season), func(_ int, f curlew.Values) { f["performers"] = []string{f["organizer"].(string)} }))
	for i := range sample {
		sample[i].Record.Provenance["organizer"] = curlew.Evidence{Rule: "organizer.name"}
		sample[i].Record.Provenance["performers"] = curlew.Evidence{Rule: "performer.name"}
	}
	if j := Judge(t.Context(), sample, march()); len(j.Systematic) != 0 {
		t.Errorf("found %+v", j.Systematic)
	}
}
