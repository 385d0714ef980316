package publish

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Scope is the line of publications that a watch belongs to.
func Scope(watch curlew.WatchID) string { return "watch:" + string(watch) }

// finishPlan gathers what is to be written, in an order that does not depend on the
// page's.
func (d *decision) finishPlan() {
	for i, e := range d.after {
		before := d.prior.Entities[i]
		altered := e.Status != before.Status || e.URL != before.URL || e.ExternalID != before.ExternalID || e.StaleSaid != before.StaleSaid
		if len(d.changes[i]) > 0 || d.records[i] != nil || altered {
			d.plan.Updated = append(d.plan.Updated, Update{Entity: e, Record: d.records[i], Changes: d.changes[i]})
		}
	}
	slices.SortFunc(d.plan.New, func(a, b NewEntity) int { return strings.Compare(a.Entity.ExternalID, b.Entity.ExternalID) })
	slices.SortFunc(d.plan.Sightings, func(a, b curlew.Sighting) int { return strings.Compare(string(a.Entity), string(b.Entity)) })
	slices.Sort(d.plan.SeenAgain)
	effective := d.effective()
	d.plan.NextEventAt = d.nextEvent(effective)
	d.publication(effective)
	d.writeNotes()
}

// effective is what the scope holds after the check: what is there, or was until a
// moment ago and is not known to be gone.
func (d *decision) effective() []curlew.Entity {
	all := make([]curlew.Entity, 0, len(d.after)+len(d.plan.New))
	for i, e := range d.after {
		if d.m.taken[i] || d.m.watched[e.ID] {
			all = append(all, e)
		}
	}
	for _, n := range d.plan.New {
		all = append(all, n.Entity)
	}
	all = slices.DeleteFunc(all, func(e curlew.Entity) bool { return e.Status != curlew.EntityActive && e.Status != curlew.EntityStale })
	slices.SortFunc(all, func(a, b curlew.Entity) int {
		return cmp.Or(strings.Compare(a.ExternalID, b.ExternalID), strings.Compare(string(a.ID), string(b.ID)))
	})
	return all
}

// nextEvent is the soonest start of an event that is still to come.
func (d *decision) nextEvent(effective []curlew.Entity) time.Time {
	var next time.Time
	if d.shape.schema != curlew.SchemaEvent {
		return next
	}
	for _, e := range effective {
		start, ok := readMoment(e.Fields["starts_at"])
		if !ok {
			continue
		}
		if at := start.begins(d.m.zones.of(e.Fields)); at.After(d.o.At) && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next
}

// publication decides whether there is anything to publish, and why.
func (d *decision) publication(effective []curlew.Entity) {
	normalized := newDigest()
	for _, e := range effective {
		if e.Hash == "" {
			e.Hash = d.p.Hash(e.Fields)
		}
		normalized.add(e.ExternalID, e.Hash)
	}
	p := curlew.Publication{Org: d.o.Watch.Org, Scope: Scope(d.o.Watch.ID), SnapshotHash: d.o.SnapshotHash,
		NormalizedHash: normalized.hex(), Entities: len(effective), Changes: d.told()}
	if d.prior.Latest != nil {
		p.Supersedes = d.prior.Latest.ID
	}
	p.Class, p.Reason = d.classify(p)
	switch p.Class {
	case curlew.NoChange:
		p.Decision = curlew.SkipNoChange
	case curlew.RepublishForced:
		p.Decision = curlew.PublishForced
	default:
		p.Decision = curlew.PublishChanged
	}
	envelope := newDigest()
	envelope.add(p.Scope, p.NormalizedHash, p.SnapshotHash, d.o.RulesHash, string(p.Supersedes), string(p.Decision), string(p.Class))
	p.EnvelopeHash = envelope.hex()
	d.plan.Publication = p
}

func (d *decision) told() int {
	n := len(d.plan.New)
	for _, changes := range d.changes {
		n += len(changes)
	}
	return n
}

// classify compares the outcome with the latest publication. Told changes always
// count as changed content: an entity_stale says something although no field moved.
func (d *decision) classify(p curlew.Publication) (curlew.ChangeClass, string) {
	f := d.plan.Figures
	same := d.prior.Latest != nil && d.prior.Latest.NormalizedHash == p.NormalizedHash && p.Changes == 0
	nothing := d.prior.Latest == nil && p.Entities == 0 && p.Changes == 0
	switch {
	case (same || nothing) && d.p.ForceRepublish:
		return curlew.RepublishForced, "requested; nothing has changed"
	case nothing:
		return curlew.NoChange, "there is nothing to publish yet"
	case same:
		return curlew.NoChange, fmt.Sprintf("all %d are as they were", p.Entities)
	case d.prior.Latest == nil:
		return curlew.ContentChanged, fmt.Sprintf("the first publication, with %d", p.Entities)
	case d.sameBytes && f.Disappeared == 0 && f.Finished == 0 && f.WentStale == 0:
		return curlew.NormalizationChanged, fmt.Sprintf("the pages are the same as before, but the way they are read changed (%s)", d.summary())
	}
	return curlew.ContentChanged, d.summary()
}

func (d *decision) summary() string {
	f := d.plan.Figures
	var parts []string
	for _, part := range []struct {
		n    int
		word string
	}{{f.Appeared, "appeared"}, {f.Changed, "changed"}, {f.Moved, "moved in the list"}, {f.Disappeared, "gone"},
		{f.Finished, "over"}, {f.WentStale, "listed for too long"}, {d.rewritten(), "rewritten without a change"}} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.word))
		}
	}
	if len(parts) == 0 {
		return "what the scope holds is another set than before"
	}
	return strings.Join(parts, ", ")
}

// rewritten counts the entities whose fields moved without a change event.
func (d *decision) rewritten() int {
	n := 0
	for i, e := range d.after {
		if len(d.changes[i]) == 0 && d.records[i] != nil && !reflect.DeepEqual(e.Fields, d.prior.Entities[i].Fields) {
			n++
		}
	}
	return n
}

func (d *decision) writeNotes() {
	notes := d.m.notes
	if more := len(notes) - maxNotes; more > 0 {
		notes = append(slices.Clone(notes[:maxNotes]), note{curlew.LogInfo, fmt.Sprintf("and %d more of these notes", more)})
	}
	for _, n := range notes {
		d.plan.Notes = append(d.plan.Notes, curlew.LogLine{Run: d.o.Run, At: d.o.At, Level: n.level, Text: n.text})
	}
}
