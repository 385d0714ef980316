package publish

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// How many readings in a row must lack a field before it is gone: one may have been of half a
// page. A field that the whole list lacks was more likely taken by a new design, which is healed
// first.
const (
	readingsToLose    = 2
	readingsToLoseAll = 3
)

// lostDetail stands for the detail page of an entity among what it lost.
const lostDetail = ""

// hold takes from what a record says otherwise whatever it merely lacks, until enough readings lack
// it too. What the rules no longer find though most records show it stays, and was warned of for all of them.
func (d *decision) hold(f found) found {
	s := d.sightings[d.prior.Entities[f.entity].ID]
	before := s.Lost
	f.lost = d.countLost(f, s)
	f.held = map[string]bool{}
	for field, n := range f.lost {
		f.held[field] = field != lostDetail && f.seen.Held[field] == 0 && (n < d.readingsToLose(field) || d.p.Replay || d.unread[field])
	}
	for _, c := range f.changes {
		f.held[c.Field] = f.held[c.Field] || before[c.Field] == 0 && d.unreadOnly(f, c)
	}
	maps.DeleteFunc(f.held, func(_ string, held bool) bool { return !held })
	d.holdName(f)
	single := slices.DeleteFunc(slices.Sorted(maps.Keys(f.held)), func(field string) bool { return d.unread[field] })
	if len(single) > 0 {
		d.lacking = append(d.lacking, lacking{f.seen.Record.URL, strings.Join(single, ", ")})
	}
	if len(f.held) > 0 {
		d.o.Kind.AddDependents(f.held)
		f.changes = slices.DeleteFunc(slices.Clone(f.changes), func(c curlew.FieldChange) bool { return f.held[c.Field] })
	}
	d.plan.SoonAgain = d.plan.SoonAgain || f.lost[lostDetail] == 1
	if f.seen.Unread {
		for field, n := range before {
			f.lost[field] = max(f.lost[field], n)
		}
	}
	return f
}

// holdName holds another name that came without the text that a thing has: a page that says that it is closed for a while is called so.
func (d *decision) holdName(f found) {
	bare := slices.ContainsFunc(f.changes, func(c curlew.FieldChange) bool {
		return c.New == nil && f.held[c.Field] && d.shape.types[c.Field] == curlew.TypeLong
	})
	for _, c := range f.changes {
		if bare && c.Field == d.o.Kind.Title {
			f.held[c.Field] = true
		}
	}
}

// readingsToLose is how many readings in a row must lack a field.
func (d *decision) readingsToLose(field string) int {
	if d.o.Lost[field] {
		return readingsToLoseAll
	}
	return readingsToLose
}

// countLost counts the readings in a row that lack something, up to this one. A replay reads what was read already, and one
// that comes at once may read the same half of a page: they count for none.
func (d *decision) countLost(f found, s curlew.Sighting) map[string]int {
	before, lost, more := s.Lost, map[string]int{}, 1
	if d.p.Replay || s.LostAt != nil && d.o.At.Sub(*s.LostAt) < d.p.MissesApart {
		more = 0
	}
	for _, c := range f.changes {
		if d.lacks(f, c, before) {
			lost[c.Field] = max(1, before[c.Field]+more)
		}
		if d.unread[c.Field] {
			lost[c.Field] = min(max(1, before[c.Field]+more), readingsToLoseAll+1)
			if lost[c.Field] <= readingsToLoseAll && !slices.Contains(d.plan.Unread, c.Field) {
				d.plan.Unread = append(d.plan.Unread, c.Field)
			}
		}
	}
	maps.Copy(lost, f.seen.Held)
	if f.seen.Gone {
		lost[lostDetail] = min(max(1, before[lostDetail]+more), readingsToLose)
	}
	return lost
}

// lacks says whether a record lacks a field, and that is no matter of how it is read.
func (d *decision) lacks(f found, c curlew.FieldChange, before map[string]int) bool {
	if c.New != nil && !f.seen.Lost[c.Field] && !d.o.Lost[c.Field] {
		return false
	}
	if d.quietFields[c.Field] || d.takenOff(c.Field) { // all lose it at once, also where they showed it still until now
		return false
	}
	byReading := d.sameBytes || d.counting && attention(c) || d.renamedSlot(f, c)
	return before[c.Field] > 0 || !(byReading || d.follows(f, c) || d.readOtherwise(f, c))
}

// lostAt is when the newest of what an entity lacks was first lacking.
func (d *decision) lostAt(s curlew.Sighting, lost map[string]int) *time.Time {
	if len(lost) == 0 {
		return nil
	}
	for field := range lost {
		if s.Lost[field] == 0 {
			return &d.o.At
		}
	}
	return s.LostAt
}

// findUnread finds the fields that the rules no longer find for most of the records that had them, and that these still show:
// they stay as they were, and are learned anew.
func (d *decision) findUnread(all []found) {
	d.unread = map[string]bool{}
	if d.rulesMoved || d.p.Replay {
		return
	}
	unread := map[string]int{}
	for _, f := range all {
		for _, c := range f.changes {
			if c.New == nil && !movedTo(f, c) && !d.takenOff(c.Field) && d.readOtherwise(f, c) {
				unread[c.Field]++
			}
		}
	}
	follow := map[string]bool{} // another field, and stay with it
	for field := range unread {
		with := map[string]bool{field: true}
		d.o.Kind.AddDependents(with)
		delete(with, field)
		maps.Copy(follow, with)
	}
	for _, field := range slices.Sorted(maps.Keys(unread)) {
		if n, of := unread[field], d.had(all, field); !follow[field] && n >= moveFloor && float64(n) > moveShare*float64(of) {
			d.unread[field] = true
			d.note(curlew.LogWarn, "%s is no longer found for %d of %d, which still show it: it stays as it was", field, n, of)
		}
	}
}

// unreadOnly says that a record shows what it lacks, and that neither another field has it nor new rules leave it out.
func (d *decision) unreadOnly(f found, c curlew.FieldChange) bool {
	return c.New == nil && !d.quietFields[c.Field] && d.readOtherwise(f, c) && !movedTo(f, c)
}

// movedTo says whether another field of a record has the value that one lacks now.
func movedTo(f found, c curlew.FieldChange) bool {
	for field, value := range f.fields.Flat() {
		if field != c.Field && sameValue(c.Old, value) {
			return true
		}
	}
	return false
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
	slices.Sort(d.plan.Unread)
	d.plan.SoonAgain = d.plan.SoonAgain || len(d.lacking)+len(d.plan.Unread) > 0
}

// keepRecord makes the record that the entity's fields come from: what the check saw,
// and for what it did not say, what was known.
func (d *decision) keepRecord(e *curlew.Entity, f found) {
	record := f.seen.Record
	if e.Hash = record.Hash; record.Hash == "" || !reflect.DeepEqual(map[string]any(record.Fields), map[string]any(e.Fields)) {
		e.Hash = d.p.Hash(e.Fields)
	}
	proof := make(map[string]curlew.Evidence, len(e.Fields))
	known := d.prior.Evidence[e.ID]
	for name := range e.Fields {
		evidence, ok := record.Provenance[name]
		if f.seen.Keep[name] || f.held[name] || !ok {
			if old, had := known[name]; had {
				evidence, ok = old, true
			}
		}
		if ok {
			proof[name] = evidence
		}
	}
	for _, read := range []map[string]curlew.Evidence{known, record.Provenance} { // of slots: "slots.NAME"
		for name, evidence := range read {
			if strings.Contains(name, ".") && e.Fields.At(name) != nil {
				proof[name] = evidence
			}
		}
	}
	record.Fields, record.Provenance, record.Hash = e.Fields, proof, e.Hash
	d.records[f.entity] = &record
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
