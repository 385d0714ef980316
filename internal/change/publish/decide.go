package publish

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
)

// decision is one check being weighed.
type decision struct {
	prior     Prior
	o         CheckResult
	p         ChangePolicy
	m         *matcher
	shape     shape
	sightings map[curlew.EntityID]curlew.Sighting
	after     []curlew.Entity // the prior entities as they will be
	changes   [][]curlew.Change
	records   []*curlew.Record
	plan      ChangeSet

	complete    bool
	past        bool // nothing that the list shows is still to come
	flickers    bool // the list shows now these, now those of its things
	sameBytes   bool // the pages are those of the check before
	placed      bool // addresses that count places were taken off
	rulesMoved  bool
	quietFields map[string]bool
	own         map[ownText]bool // of those fields, what is told all the same
	restless    map[string]bool  // slots that move by themselves
	counting    bool             // slots count attention anew, whatever their names
	lacking     []lacking
	unread      map[string]bool // fields that the rules no longer find, and most records show
}

// Decide says what a check means. The order in which it saw things plays no part.
func Decide(prior Prior, o CheckResult, p ChangePolicy) ChangeSet {
	d := newDecision(prior, o, p)
	d.judgeSeen()
	d.judgeMissing()
	d.finishPlan()
	return d.plan
}

// Missing lists the entities that a complete check did not find and whose detail pages
// should be checked before they are removed; see CheckResult.DetailChecks. The page of an
// entity that was found there already is checked less and less often.
func Missing(prior Prior, o CheckResult, p ChangePolicy) []curlew.Entity {
	d := newDecision(prior, o, p)
	var due []curlew.Entity
	for i, e := range prior.Entities {
		if d.missing(i) && d.checkDue(i) {
			due = append(due, e)
		}
	}
	return due
}

func newDecision(prior Prior, o CheckResult, p ChangePolicy) *decision {
	o, placed := withoutPlaces(o, prior.Entities)
	d := &decision{prior: prior, o: o, placed: placed, p: p.settled(), m: newMatcher(prior, o),
		sightings: make(map[curlew.EntityID]curlew.Sighting, len(prior.Sightings)),
		after:     slices.Clone(prior.Entities),
		changes:   make([][]curlew.Change, len(prior.Entities)),
		records:   make([]*curlew.Record, len(prior.Entities)),
	}
	d.shape = d.m.shape
	for _, s := range prior.Sightings {
		d.sightings[s.Entity] = s
	}
	before := prior.SnapshotHash
	if before == "" && prior.Latest != nil {
		before = prior.Latest.SnapshotHash
	}
	d.sameBytes = o.SnapshotHash != "" && before == o.SnapshotHash
	d.rulesMoved = prior.RulesHash != "" && o.RulesHash != "" && prior.RulesHash != o.RulesHash
	d.m.match()
	d.complete = o.Complete && len(o.Seen) > 0 // an empty list is a broken one until somebody says otherwise
	d.past = !slices.ContainsFunc(o.Seen, func(s SeenRecord) bool { return !d.isOver(s.Record.Fields) })
	return d
}

// found is what a check says about an entity that is known.
type found struct {
	match
	fields  curlew.Values // of the record, without its place in the list
	changes []curlew.FieldChange
	lost    map[string]int  // fields that it lacks, with the number of readings in a row that do
	held    map[string]bool // of those and what comes with them, what stays as it was
}

// judgeSeen weighs every record.
func (d *decision) judgeSeen() {
	d.plan.Figures.Seen = len(d.m.matches)
	all := make([]found, 0, len(d.m.matches))
	misread := d.misread()
	for _, made := range d.m.matches {
		f := found{match: made, fields: made.seen.Record.Fields}
		if _, placed := f.fields[positionField]; placed {
			f.fields = maps.Clone(f.fields)
			delete(f.fields, positionField)
		}
		if made.entity < 0 {
			if d.wanted(f) && !misread {
				d.appear(f)
			}
			continue
		}
		if !misread {
			f.changes = d.compare(f)
		}
		all = append(all, f)
	}
	again := d.seenLast(all)
	d.findUnread(all)
	d.quietFields, d.restless, d.counting = d.movedAtOnce(all), d.restlessSlots(again), d.countsNow(all)
	d.own = d.ownTexts(all)
	for _, f := range all {
		d.judge(d.hold(f))
	}
	d.noteLacking()
}

// seenLast are those that the last check saw, too: what others said is older.
func (d *decision) seenLast(all []found) []found {
	var last time.Time
	for _, s := range d.sightings {
		if s.SeenAt.After(last) {
			last = s.SeenAt
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(f found) bool {
		s := d.sightings[d.prior.Entities[f.entity].ID]
		return s.Misses > 0 || s.SeenAt.Before(last)
	})
}

// compare lists what a record says otherwise than the entity.
func (d *decision) compare(f found) []curlew.FieldChange {
	e := d.prior.Entities[f.entity]
	if len(f.seen.Keep) == 0 && f.seen.Record.Hash != "" && f.seen.Record.Hash == e.Hash {
		return nil
	}
	elsewhere := d.prior.Elsewhere[e.ID]
	return d.shape.diff(e.Fields, f.fields, func(field string) bool {
		// Two watches see different parts of an entity: what this one lacks, the other may tell.
		return d.kept(f, e.Fields, field) || elsewhere && present(f.fields.At(field)) == nil
	})
}

// kept says whether what is known of a field stays: the check cannot tell, or counts it from the
// moment at which it reads.
func (d *decision) kept(f found, before curlew.Values, field string) bool {
	return f.seen.Keep[field] || f.held[field] || present(before.At(field)) != nil && d.relative(f, field) == dates.RelativeMoment
}

// relative says what of a time is counted from the moment of reading: that moves with the clock,
// not because anything changed.
func (d *decision) relative(f found, field string) dates.Relative {
	evidence, ok := f.seen.Record.Provenance[field]
	if !ok || !d.shape.typeOf(field, f.fields[field], f.fields[field]).Dated() {
		return dates.Absolute
	}
	date, _ := dates.Parse(evidence.Text, dates.Options{Now: d.o.At})
	return date.Relative
}

// The least number of entities, and the share of them, whose addresses must change
// in one look for it to be the site that moved and not the entities.
const (
	moveFloor = 3
	moveShare = 0.5
)

// movedAtOnce finds fields whose change says something about the site or about us
// and not about the entities: addresses and long texts that change for more than half of them, since
// a redesign moves everything, and texts that it only cuts otherwise; when the rules have
// changed, any field that changes for more than half of them, since then it is read
// otherwise; and when the rules or the structure of the pages have changed, fields that
// more than half of them have lost or gained, or that none of them had before.
func (d *decision) movedAtOnce(all []found) map[string]bool {
	moved, learnt, lost := d.countMoves(all)
	quiet := map[string]bool{}
	for _, field := range slices.Sorted(maps.Keys(moved)) {
		if n, of := moved[field], d.having(all, field); n >= moveFloor && float64(n) > moveShare*float64(of) {
			quiet[field] = true
			d.note(curlew.LogInfo, "%s changed for %d of %d at once: taken over without change events", field, n, of)
		}
	}
	for _, field := range slices.Sorted(maps.Keys(learnt)) {
		if n, had := learnt[field], d.had(all, field); d.atOnce(n, len(all)) || had == 0 && d.readAnew() {
			quiet[field] = true
			d.note(curlew.LogInfo, "%s is read now for %d of %d: taken over without change events", field, n, len(all))
		}
	}
	for _, field := range slices.Sorted(maps.Keys(lost)) {
		if n, of := lost[field], d.had(all, field); d.atOnce(n, of) {
			quiet[field] = true
			d.note(curlew.LogInfo, "%s is no longer read for %d of %d: dropped without change events", field, n, of)
		}
	}
	return quiet
}

// readAnew says whether the rules or the structure of the pages have changed.
func (d *decision) readAnew() bool { return d.rulesMoved || d.o.Moved }

// atOnce says whether so many of all entities gained or lost a field that it says nothing
// about them. On pages that stayed as they were, a list has a slot or not by how its
// records differ, so that there all of them gain or lose it.
func (d *decision) atOnce(n, of int) bool {
	if d.readAnew() {
		return float64(n) > moveShare*float64(of)
	}
	return n > moveFloor && n == of
}

// countMoves counts, by field, the changes that may say something about the site: values
// that moved, were learnt and were lost.
func (d *decision) countMoves(all []found) (moved, learnt, lost map[string]int) {
	moved, learnt, lost = map[string]int{}, map[string]int{}, map[string]int{}
	for _, f := range all {
		for _, c := range f.changes {
			switch both := c.Old != nil && c.New != nil; {
			case d.o.Lost[c.Field] || d.unread[c.Field]:
			case both && (d.rulesMoved || d.ofSite(c) || d.o.Moved && d.recut(c)):
				moved[c.Field]++
			case both || !d.readAnew() && !strings.HasPrefix(c.Field, "slots."):
			case c.New == nil:
				lost[c.Field]++
			default:
				learnt[c.Field]++
			}
		}
	}
	return moved, learnt, lost
}

// ofSite says whether a field is one that changes for most things when their site does: an address, a long text.
func (d *decision) ofSite(c curlew.FieldChange) bool {
	t := d.shape.typeOf(c.Field, c.Old, c.New)
	return t.Address() || t == curlew.TypeLong
}

// recut says whether a text is a part of what it was, or more than that, or another way to write its day: where a new design parts
// it otherwise, "Town hall, room 1" becomes "room 1".
func (d *decision) recut(c curlew.FieldChange) bool {
	was, isText := c.Old.(string)
	is, isText2 := c.New.(string)
	short, long := text.Fold(was), text.Fold(is)
	if len(short) > len(long) {
		short, long = long, short
	}
	switch t := d.shape.typeOf(c.Field, c.Old, c.New); {
	case !isText || !isText2 || t.Numeric():
		return false
	case t.Dated():
		return sameDay(c.Old, c.New) > 0.5 || sameDate(was, is) // its hour became known
	}
	return len(short) > 3 && strings.Contains(long, short) || sameDate(was, is)
}

// had counts the entities that had a field.
func (d *decision) had(all []found, field string) int {
	n := 0
	for _, f := range all {
		if d.prior.Entities[f.entity].Fields.At(field) != nil {
			n++
		}
	}
	return n
}

// having counts the entities that had a field and have it still.
func (d *decision) having(all []found, field string) int {
	n := 0
	for _, f := range all {
		if f.fields.At(field) != nil && d.prior.Entities[f.entity].Fields.At(field) != nil {
			n++
		}
	}
	return n
}

// quiet says whether a difference is taken over without telling anybody: the pages
// are the same, so only our reading differs; the entity was recognised under a new
// id, so its address had to change; "tomorrow" is another day than before; everything
// moved at once; a field says the same already; the page shows what it showed before; or it moves by itself, as it
// does of most entities.
func (d *decision) quiet(f found, c curlew.FieldChange) bool {
	switch d.relative(f, c.Field) {
	case dates.RelativeMoment:
		return true
	case dates.RelativeDay:
		if sameClock(c.Old, c.New) {
			return true
		}
	}
	if d.restless[c.Field] && d.movesByItself(f, c) || d.counting && attention(c) || d.saysHowLongAgo(c) {
		return true
	}
	byReading := d.byReading(f, c) || f.anew && d.shape.typeOf(c.Field, c.Old, c.New).Address()
	return byReading && f.lost[c.Field] <= 1 && !d.doubted(f, c) || d.catchesUp(f, c)
}

// doubted says whether the last reading had another value, too, and was not believed: what its page showed is no measure.
func (d *decision) doubted(f found, c curlew.FieldChange) bool {
	return !d.readAnew() && c.Old != nil && c.New != nil && d.sightings[d.prior.Entities[f.entity].ID].Lost[c.Field] > 0
}

// byReading says whether a difference is one of how the page is read.
func (d *decision) byReading(f found, c curlew.FieldChange) bool {
	atOnce := d.quietFields[c.Field] && !d.own[ownText{f.entity, c.Field}]
	if d.sameBytes || atOnce {
		return true
	}
	return d.takenOff(c.Field) || repeats(f.changes, c) || d.renamedSlot(f, c) || d.readOtherwise(f, c)
}

// repeats says whether a slot changes with the field of its name, which is read from it.
func repeats(all []curlew.FieldChange, c curlew.FieldChange) bool {
	name := curlew.FieldLabel(c.Field)
	return name != c.Field && slices.ContainsFunc(all, func(other curlew.FieldChange) bool { return other.Field == name })
}

// renamedSlot says whether a slot came or went whose text the record has as often as before: it is called otherwise.
func (d *decision) renamedSlot(f found, c curlew.FieldChange) bool {
	if !strings.HasPrefix(c.Field, "slots.") || c.Old != nil && c.New != nil {
		return false
	}
	more := 0 // how often the text stands in the record beyond how often it stood there
	said := curlew.ValueText(cmp.Or(c.New, c.Old))
	count := func(fields curlew.Values, by int) {
		for _, value := range fields.Flat() {
			if curlew.ValueText(value) == said {
				more += by
			}
		}
	}
	count(f.fields, 1)
	count(d.prior.Entities[f.entity].Fields, -1)
	return c.New == nil && more >= 0 || c.Old == nil && more <= 0
}

// judge brings one known entity up to date.
func (d *decision) judge(f found) {
	before := d.prior.Entities[f.entity]
	e := before
	var told []curlew.FieldChange
	for _, c := range d.tellable(f) {
		if !d.quiet(f, c) {
			told = append(told, c)
		}
	}
	told = append(told, d.rank(&e, f)...)
	if len(f.changes) > 0 {
		e.Fields = applied(e.Fields, f.changes)
	}
	e.LastSeenAt = d.o.At
	if d.placed || f.seen.Record.URL != "" && !text.SameURL(e.URL, f.seen.Record.URL) {
		e.URL = f.seen.Record.URL
	}
	if f.anew && f.seen.Record.ExternalID != "" {
		d.rename(&e, f)
	}
	e.Status = curlew.EntityActive
	if f.lost[lostDetail] >= readingsToLose { // the list may name what is not there any more
		e.Status = curlew.EntityStale
	}
	if d.isOver(e.Fields) {
		e.Status = curlew.EntityFinished
	}
	if len(f.changes) > 0 || !reflect.DeepEqual(e.Fields[positionField], before.Fields[positionField]) {
		d.keepRecord(&e, f)
	}
	d.tell(&e, before, f, told)
	d.count(before, e, f, len(told) > 0)
	d.after[f.entity] = e
	d.sight(e.ID, f)
}

// tellable are the changes that somebody may be told of.
func (d *decision) tellable(f found) []curlew.FieldChange {
	if f.seen.Before == nil || len(f.changes) == 0 {
		return f.changes
	}
	return d.shape.diff(f.seen.Before, f.fields, func(field string) bool { return d.kept(f, f.seen.Before, field) })
}

// rank moves the entity's place in a list whose order means something. A place that
// was not known before is no change.
func (d *decision) rank(e *curlew.Entity, f found) []curlew.FieldChange {
	if !d.p.Ranked || f.seen.Position <= 0 {
		return nil
	}
	old, now := e.Fields[positionField], int64(f.seen.Position)
	if old != nil && sameNumber(old, now) {
		return nil
	}
	e.Fields = maps.Clone(e.Fields)
	if e.Fields == nil {
		e.Fields = curlew.Values{}
	}
	e.Fields[positionField] = now
	if old == nil || d.sameBytes {
		return nil
	}
	return []curlew.FieldChange{{Field: positionField, Old: old, New: now}}
}

// rename lets an entity go by its new id and remembers the old one.
func (d *decision) rename(e *curlew.Entity, f found) {
	d.plan.Aliases = append(d.plan.Aliases, curlew.Alias{Source: e.Source, Schema: e.Schema, ExternalID: e.ExternalID, Entity: e.ID,
		Confidence: f.sure, Why: fmt.Sprintf("it is %q now: %s", text.CutBytes(f.id, 300), f.why), CreatedAt: d.o.At})
	d.note(curlew.LogInfo, "%q is known as %q now (%.0f %% sure: %s)", text.CutBytes(e.ExternalID, 120), text.CutBytes(f.id, 120),
		100*f.sure, f.why)
	e.ExternalID = f.id
}

func (d *decision) count(before, e curlew.Entity, f found, changed bool) {
	if len(f.seen.Keep)+len(f.held) > 0 {
		d.plan.Figures.Kept++
	}
	if e.Status == curlew.EntityFinished && before.Status != curlew.EntityFinished {
		d.plan.Figures.Finished++
	}
	if !changed && before.Status != curlew.EntityRemoved {
		d.plan.Figures.Unchanged++
	}
}

// isOver says whether an event has passed, or a job can no longer be applied for.
func (d *decision) isOver(fields curlew.Values) bool { return d.overAt(fields, d.o.At) }

func (d *decision) overAt(fields curlew.Values, at time.Time) bool {
	switch d.shape.schema {
	case curlew.SchemaEvent:
		return over(fields, d.m.zones, at)
	case curlew.SchemaJob:
		zone := d.m.zones.of(fields)
		if zone == lastPlace { // a day in the middle: nobody is told that a job is over
			zone = time.UTC
		}
		until, ok := readMoment(fields["valid_through"])
		return ok && !until.ends(zone).After(at)
	}
	return false
}

// sight writes down that the watch saw an entity.
func (d *decision) sight(id curlew.EntityID, f found) {
	before, known := d.sightings[id]
	now := d.sighting(before, f)
	now.Entity = id
	moved := before.Misses > 0 || before.Position != now.Position || before.Listed != now.Listed || !maps.Equal(before.Lost, now.Lost)
	read := f.seen.DetailAt != nil && (before.DetailAt == nil || !before.DetailAt.Equal(*f.seen.DetailAt))
	if !known || moved || read || f.seen.Newer {
		d.plan.Sightings = append(d.plan.Sightings, now)
	} else {
		d.plan.SeenAgain = append(d.plan.SeenAgain, id)
	}
}

func (d *decision) sighting(s curlew.Sighting, f found) curlew.Sighting {
	s.Watch, s.SeenAt, s.Misses, s.MissedAt, s.Listed = d.o.Watch.ID, d.o.At, 0, nil, f.seen.Listed
	if s.Position = 0; d.p.Ranked {
		s.Position = f.seen.Position
	}
	if f.seen.DetailAt != nil {
		s.DetailAt = f.seen.DetailAt
	}
	if f.seen.DetailEvery > 0 {
		s.DetailEvery = f.seen.DetailEvery
	}
	if f.seen.Detail != nil {
		s.Detail = detailKept(f.seen.Detail, s.Detail, f.held)
	}
	s.LostAt, s.Lost = d.lostAt(s, f.lost), f.lost
	return s
}
