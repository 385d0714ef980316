package publish

import (
	"fmt"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// patience is how many misses beyond the needed ones are still counted: afterwards a
// sighting stays as it is, and nobody is asked to look again soon.
const patience = 3

// checkAgain is how soon, at the earliest, the detail page of an entity is looked at
// again that was found there although the list misses it.
const checkAgain = 24 * time.Hour

// missing says whether the check should have found an entity and did not.
func (d *decision) missing(i int) bool {
	e := d.prior.Entities[i]
	if !d.complete || d.m.taken[i] || !d.m.watched[e.ID] || !d.listed(e) {
		return false
	}
	// On the same page on which other rules did not miss it, it is the rules that miss it.
	rulesMiss := d.sameBytes && d.rulesMoved && d.sightings[e.ID].Misses == 0
	return !rulesMiss && !d.stillShown(e)
}

// listed says whether an entity belongs on the list.
func (d *decision) listed(e curlew.Entity) bool {
	return e.Status != curlew.EntityRemoved && !d.passed(e)
}

// passed says whether an entity may leave the list because its day has passed. What was over when it was first seen, on
// a list that has nothing to come, such as that of rulings, leaves for another reason.
func (d *decision) passed(e curlew.Entity) bool {
	return d.isOver(e.Fields) && !(d.past && d.overAt(e.Fields, e.FirstSeenAt))
}

// checkDue says whether the detail page of a missing entity should be looked at.
func (d *decision) checkDue(i int) bool {
	e := d.prior.Entities[i]
	if d.prior.Elsewhere[e.ID] || detailPage(e, d.o.Watch.URL) == "" {
		return false
	}
	s := d.miss(d.sightings[e.ID])
	if !d.enough(s) {
		return false
	}
	if !foundThere(s) {
		return true
	}
	return d.o.At.Sub(*s.DetailAt) >= max(checkAgain, s.DetailAt.Sub(*s.MissedAt))
}

func detailPage(e curlew.Entity, list string) string {
	own := e.URL
	if text, ok := e.Fields["url"].(string); ok && text != "" {
		own = text
	}
	if own == "" || text.SameURL(own, list) {
		return ""
	}
	return own
}

// foundThere says that the detail page was read after the list had lost the entity,
// which is only kept when the page still showed it.
func foundThere(s curlew.Sighting) bool {
	return s.DetailAt != nil && s.MissedAt != nil && !s.DetailAt.Before(*s.MissedAt)
}

// miss counts one more check that did not find an entity.
func (d *decision) miss(s curlew.Sighting) curlew.Sighting {
	if s.MissedAt == nil {
		at := d.o.At
		s.MissedAt = &at
	}
	s.Misses = min(s.Misses+1, d.p.MissesToGo+patience)
	return s
}

// enough says whether an entity has been missed often and long enough.
func (d *decision) enough(s curlew.Sighting) bool {
	return s.Misses >= d.p.MissesToGo && d.o.At.Sub(*s.MissedAt) >= d.p.MissesApart
}

// judgeMissing weighs what was not found: over, missing, or gone.
func (d *decision) judgeMissing() {
	var gone []int
	there, listed := 0, 0
	d.flickers = d.flickering()
	for i, e := range d.prior.Entities {
		if !d.m.watched[e.ID] {
			continue
		}
		if d.listed(e) {
			listed++
		}
		if d.m.taken[i] {
			continue
		}
		if e.Status != curlew.EntityRemoved && e.Status != curlew.EntityFinished && d.passed(e) {
			d.after[i].Status = curlew.EntityFinished
			d.plan.Figures.Finished++
		}
		if !d.missing(i) {
			continue
		}
		switch d.countMiss(i) {
		case verdictGone:
			gone = append(gone, i)
		case verdictThere:
			there++
		}
	}
	if there > 0 {
		d.note(curlew.LogInfo, "%d are no longer listed, but their detail pages still show them: they are kept", there)
	}
	d.noteUnread(listed)
	d.settleGone(gone, listed)
}

// flickering says whether the list shows now these, now those of its things: several are missed that the check before
// saw, and they are a quarter of the list, or several of those are back that it missed.
func (d *decision) flickering() bool {
	back, others, listed := 0, 0, 0
	for i, e := range d.prior.Entities {
		if d.m.watched[e.ID] && d.listed(e) {
			listed++
		}
		switch missed := d.sightings[e.ID].Misses > 0; {
		case missed && d.m.taken[i] && e.Status == curlew.EntityStale:
			back++
		case !missed && d.missing(i):
			others++
		}
	}
	return others >= moveFloor && (back >= moveFloor || 4*others >= listed)
}

// countMiss writes down that an entity was missed once more, and says what that means.
func (d *decision) countMiss(i int) verdict {
	id := d.prior.Entities[i].ID
	before := d.sightings[id]
	s := d.miss(before)
	v := d.verdict(i, s)
	switch {
	case v == verdictThere && d.o.DetailChecks[id] == DetailThere:
		at := d.o.At
		s.DetailAt = &at
	case v == verdictOpen:
		d.plan.SoonAgain = d.plan.SoonAgain || s.Misses < d.p.MissesToGo+patience
	}
	if s.Misses != before.Misses || s.DetailAt != before.DetailAt {
		d.plan.Sightings = append(d.plan.Sightings, s)
	}
	return v
}

// noteUnread says why nothing can be gone: the list is empty, or was not read whole.
func (d *decision) noteUnread(listed int) {
	if d.o.Complete && !d.complete && listed > 0 {
		d.note(curlew.LogWarn, "the list is empty: nothing is removed")
	} else if !d.o.Complete && d.o.Why != "" {
		d.note(curlew.LogWarn, "the list was not read completely (%s): nothing is removed", d.o.Why)
	}
}

type verdict int

const (
	verdictElsewhere verdict = iota
	verdictOpen
	verdictThere
	verdictGone
)

// verdict says what a miss means, and makes the entity stale where it is missing.
func (d *decision) verdict(i int, s curlew.Sighting) verdict {
	e := &d.after[i]
	if d.prior.Elsewhere[e.ID] {
		return verdictElsewhere
	}
	e.Status = curlew.EntityStale
	d.plan.Figures.Missing++
	look := d.o.DetailChecks[e.ID]
	if look == DetailNone && foundThere(s) {
		look = DetailThere // the last look at its page counts until the next one is due
	}
	switch {
	case look == DetailThere:
		return verdictThere
	case look != DetailUnclear && d.enough(s) && !d.flickers:
		return verdictGone
	}
	return verdictOpen
}

// settleGone removes what is confirmed to be gone, unless it is so much that the
// site is more likely to be broken: then it waits for a person.
func (d *decision) settleGone(gone []int, listed int) {
	hold := d.prior.Hold
	if !d.complete {
		d.plan.Hold = hold // this check says nothing about it
		return
	}
	if d.waits(hold, len(gone)) {
		d.plan.Hold, d.plan.Figures.Held = hold, len(gone)
		return
	}
	many := len(gone) >= RemovalFloor && float64(len(gone)) > d.p.RemovalShare*float64(listed) && !d.replaced(gone)
	if many && (hold == nil || !hold.Accepted) {
		d.plan.Figures.Held = len(gone)
		why := fmt.Sprintf("%d of %d would be removed at once: check whether the site is broken", len(gone), listed)
		held := curlew.Hold{Run: d.o.Run, Since: d.o.At, Missing: len(gone), Of: listed, Why: why}
		if hold != nil {
			held.Run, held.Since = hold.Run, hold.Since
		}
		d.plan.Hold = &held
		d.note(curlew.LogWarn, "%s", why)
		return
	}
	for _, i := range gone {
		d.remove(i)
	}
}

// waits says whether a person is still to say that what is missing since a provisional healing is gone, or said so and
// some of it was not missed long enough.
func (d *decision) waits(hold *curlew.Hold, gone int) bool {
	if hold == nil || !hold.Provisional {
		return false
	}
	return !hold.Accepted && d.plan.Figures.Missing > 0 || hold.Accepted && gone == 0 && d.plan.SoonAgain
}

// replaced says whether a list is of other things now: most of what it shows came when or after those were missed that
// are gone, as in a list of this week's hearings. A site that is broken shows some of what it had.
func (d *decision) replaced(gone []int) bool {
	var missed time.Time
	for _, i := range gone {
		if at := d.sightings[d.prior.Entities[i].ID].MissedAt; at != nil && (missed.IsZero() || at.Before(missed)) {
			missed = *at
		}
	}
	came := len(d.plan.New)
	for i, e := range d.prior.Entities {
		if d.m.taken[i] && !missed.IsZero() && !e.FirstSeenAt.Before(missed) {
			came++
		}
	}
	return 2*came > d.plan.Figures.Seen
}

// remove says that an entity is gone.
func (d *decision) remove(i int) {
	e := d.after[i]
	s := d.miss(d.sightings[e.ID])
	reason := fmt.Sprintf("not listed in %d complete checks since %s", s.Misses, s.MissedAt.UTC().Format(time.RFC3339))
	if d.o.DetailChecks[e.ID] == DetailGone {
		reason += ", and its detail page no longer shows it"
	}
	e.Status = curlew.EntityRemoved
	if e.Version == 0 { // nobody was told that it came
		d.after[i] = e
		d.plan.Figures.Missing--
		return
	}
	proof := &curlew.ChangeProof{URL: d.o.Watch.URL, Blueprint: d.o.Blueprint}
	d.event(i, &e, curlew.EntityDisappeared, curlew.ChangePayload{Evidence: proof, Reason: reason})
	d.after[i] = e
	d.plan.Figures.Missing--
	d.plan.Figures.Disappeared++
}
