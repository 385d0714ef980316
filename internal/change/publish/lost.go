package publish

import (
	"maps"
	"slices"
	"strings"

	"curlew/internal/curlew"
	"curlew/internal/text"
)

// How many readings in a row must lack a field before it is gone: one may have been of half a
// page. A field that the whole list lacks was more likely taken by a new design, which is healed
// first.
const (
	readingsToLose    = 2
	readingsToLoseAll = 3
)

// hold takes from what a record says otherwise whatever it merely lacks, until enough readings lack
// it too. It counts them in lost.
func (d *decision) hold(f found) found {
	before := d.sightings[d.prior.Entities[f.entity].ID].Lost
	f.lost = map[string]int{}
	held := map[string]bool{}
	for _, c := range f.changes {
		lacks := c.New == nil || f.seen.Lost[c.Field] || d.o.Lost[c.Field]
		if !lacks || before[c.Field] == 0 && (d.sameBytes || d.quietFields[c.Field] || d.follows(f, c)) {
			continue
		}
		f.lost[c.Field] = before[c.Field] + 1
		enough := readingsToLose
		if d.o.Lost[c.Field] {
			enough = readingsToLoseAll
		}
		if d.p.Replay {
			f.lost[c.Field] = max(1, before[c.Field]) // it reads what was read already
		}
		held[c.Field] = d.p.Replay || f.lost[c.Field] < enough
	}
	maps.DeleteFunc(held, func(_ string, is bool) bool { return !is })
	if f.seen.Unread {
		for field, n := range before {
			f.lost[field] = max(f.lost[field], n)
		}
	}
	if len(held) > 0 {
		d.lacking = append(d.lacking, lacking{f.seen.Record.URL, strings.Join(slices.Sorted(maps.Keys(held)), ", ")})
		d.o.Kind.AddDependents(held)
		f.changes = slices.DeleteFunc(slices.Clone(f.changes), func(c curlew.FieldChange) bool { return held[c.Field] })
	}
	f.held = held
	return f
}

// follows says whether what a record lacks goes with another field that has a new value: a former
// price ends with the price.
func (d *decision) follows(f found, c curlew.FieldChange) bool {
	return slices.ContainsFunc(f.changes, func(other curlew.FieldChange) bool {
		with := map[string]bool{other.Field: true}
		d.o.Kind.AddDependents(with)
		return other.Field != c.Field && other.New != nil && with[c.Field]
	})
}

// lacking is a page whose record lacks fields that were known.
type lacking struct{ page, fields string }

// mostLacking is how many such pages are named; of the others their number is told.
const mostLacking = 10

// noteLacking warns of what readings lack, and asks for another one soon.
func (d *decision) noteLacking() {
	for i, l := range d.lacking {
		if i == mostLacking {
			d.note(curlew.LogWarn, "%d more records lack fields", len(d.lacking)-i)
			break
		}
		d.note(curlew.LogWarn, "%s: no match for %s, which stays as it was unless another reading lacks it too",
			text.CutBytes(l.page, 300), l.fields)
	}
	d.plan.SoonAgain = d.plan.SoonAgain || len(d.lacking) > 0
}

// detailKept is what a detail page says, and what it said before of the fields that are held.
func detailKept(now, before *curlew.Draft, held map[string]bool) *curlew.Draft {
	if now == nil || before == nil {
		return now
	}
	full := *now
	full.Provenance = maps.Clone(now.Provenance)
	var back []curlew.FieldChange
	for field := range held {
		if value := before.Fields.At(field); present(value) != nil {
			back = append(back, curlew.FieldChange{Field: field, New: value})
			if full.Provenance == nil {
				full.Provenance = map[string]curlew.Evidence{}
			}
			full.Provenance[field] = before.Provenance[field]
		}
	}
	full.Fields = applied(now.Fields, back)
	return &full
}
