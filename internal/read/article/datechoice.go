package article

import (
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// minEvidence is what a date needs to be told at all: one line at the headline, or
// two weaker signs that agree.
const minEvidence = 0.7

// decide lets the moments vote by day.
func (c *calendar) decide() (published, updated value) {
	c.localise()
	best := c.winner(false)
	change := c.winner(true)
	if change >= 0 && (best < 0 || c.all[change].Start.After(c.all[best].Start)) {
		updated = c.value(change)
	}
	switch {
	case best >= 0:
		published = c.value(best)
	case change >= 0: // the only date of this text that the page tells
		published = c.value(change)
		published.evidence.Rule += ", of the last change"
		published.evidence.Confidence /= 2
	}
	return published, updated
}

// localise sets right the day of a moment written in UTC: when the page shows the
// day before or after it, that is the day where the page was written.
func (c *calendar) localise() {
	shownDays := map[string]float64{}
	for _, m := range c.all {
		if !m.utc && !m.updated && m.evidence.Tier == curlew.TierHTML && m.weight >= 1 {
			shownDays[m.day()] += m.weight
		}
	}
	for i := range c.all {
		m := &c.all[i]
		if !m.utc || m.updated || !m.TimeKnown || shownDays[m.day()] > 0 {
			continue
		}
		for _, shift := range []time.Duration{14 * time.Hour, -12 * time.Hour} {
			if near := m.Start.UTC().Add(shift); near.Format(time.DateOnly) != m.day() && shownDays[near.Format(time.DateOnly)] > 0 {
				m.Start = time.Date(near.Year(), near.Month(), near.Day(), 0, 0, 0, 0, time.UTC)
				m.TimeKnown, m.ZoneKnown = false, false
				break
			}
		}
	}
}

// winner is the moment of the day with most evidence: of its moments the one that
// knows the time, then the heaviest. It is -1 when there is too little.
func (c *calendar) winner(updated bool) int {
	sums := map[string]float64{}
	for _, m := range c.all {
		if m.updated == updated {
			sums[m.day()] += m.weight
		}
	}
	best := -1
	for i, m := range c.all {
		if m.updated != updated || sums[m.day()] < minEvidence {
			continue
		}
		if best < 0 || c.better(m, c.all[best], sums) {
			best = i
		}
	}
	return best
}

func (c *calendar) better(a, b moment, sums map[string]float64) bool {
	if x, y := sums[a.day()], sums[b.day()]; x != y && a.day() != b.day() {
		return x > y
	}
	if a.day() != b.day() {
		return a.Start.Before(b.Start)
	}
	if a.TimeKnown != b.TimeKnown {
		return a.TimeKnown
	}
	return a.weight > b.weight
}

func (c *calendar) value(i int) value {
	m := c.all[i]
	v := value{m.format(), m.evidence}
	sum := 0.0
	for _, other := range c.all {
		switch {
		case other.updated != m.updated:
		case other.day() == m.day():
			sum += other.weight
		case len(v.evidence.Rivals) < 3 && other.weight >= 1:
			v.evidence.Rivals = append(v.evidence.Rivals, curlew.Rival{Value: other.format(), Tier: other.evidence.Tier, Rule: other.evidence.Rule})
		}
	}
	v.evidence.Confidence = min(1, 0.4+sum/6)
	return v
}
