package publish

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// maxProof is how much of the original text of a field a change event carries.
const maxProof = 500

// maxNotes is how many notes one check may leave.
const maxNotes = 50

// appear makes a new entity.
func (d *decision) appear(f found) {
	record := f.seen.Record
	fields := maps.Clone(f.fields)
	if fields == nil {
		fields = curlew.Values{}
	}
	if d.p.Ranked && f.seen.Position > 0 {
		fields[positionField] = int64(f.seen.Position)
	}
	if _, placed := record.Fields[positionField]; placed || len(fields) != len(record.Fields) || record.Hash == "" {
		record.Hash = d.p.Hash(fields)
	}
	record.Fields = fields
	e := curlew.Entity{Org: d.o.Watch.Org, Source: d.o.Watch.Source, Schema: d.o.Kind.Name, ExternalID: f.id, URL: record.URL,
		Status: curlew.EntityActive, Version: 1, Fields: fields, Hash: record.Hash, FirstSeenAt: d.o.At, LastSeenAt: d.o.At}
	if d.isOver(fields) {
		e.Status = curlew.EntityFinished
	}
	payload := curlew.ChangePayload{Entity: picture(e), Evidence: d.proof(f, nil)}
	if d.sameBytes {
		payload.Reason = "the page is the same as before; it is read better now"
	}
	added := NewEntity{Entity: e, Record: record, Sighting: d.sighting(curlew.Sighting{}, f)}
	if d.newlyRead(f) {
		added.Entity.Version = 0
		d.note(curlew.LogInfo, "%q is read now, and the page showed it before: taken over without a change event", text.CutBytes(f.id, 120))
	} else {
		added.Change = d.change(e, curlew.EntityAppeared, payload)
		d.plan.Figures.Appeared++
	}
	d.plan.New = append(d.plan.New, added)
}

// tell adds the change events about a known entity that was seen.
func (d *decision) tell(e *curlew.Entity, before curlew.Entity, f found, told []curlew.FieldChange) {
	switch {
	case before.Status == curlew.EntityRemoved:
		if e.Status == curlew.EntityFinished && d.passed(before) { // it came back after it was over
			return
		}
		if d.records[f.entity] == nil {
			d.keepRecord(e, f)
		}
		d.event(f.entity, e, curlew.EntityAppeared, curlew.ChangePayload{Evidence: d.proof(f, nil),
			Reason: "back: it was removed, and is listed again"})
		d.plan.Figures.Appeared++
	case len(told) == 1 && told[0].Field == positionField:
		d.event(f.entity, e, curlew.PositionChanged, curlew.ChangePayload{Changes: told, Evidence: d.proof(f, told)})
		d.plan.Figures.Moved++
	case len(told) > 0:
		d.event(f.entity, e, curlew.EntityChanged, curlew.ChangePayload{Changes: told, Evidence: d.proof(f, told)})
		d.plan.Figures.Changed++
	}
	if since, ok := d.open(*e); ok {
		e.StaleSaid = true
		days := int(d.o.At.Sub(since).Hours() / 24)
		d.event(f.entity, e, curlew.EntityWentStale, curlew.ChangePayload{Evidence: d.proof(f, []curlew.FieldChange{{Field: "posted_date"}}),
			Reason: fmt.Sprintf("listed for %s, since %s", curlew.Counted(days, "day"), since.Format(time.DateOnly))})
		d.plan.Figures.WentStale++
	}
}

// open says since when an entity has been listed, if that is too long and has not
// been said before.
func (d *decision) open(e curlew.Entity) (time.Time, bool) {
	if d.p.StaleAfter <= 0 || e.StaleSaid || e.Status != curlew.EntityActive {
		return time.Time{}, false
	}
	since := e.FirstSeenAt
	if posted, ok := readMoment(e.Fields["posted_date"]); ok && d.shape.schema == curlew.SchemaJob {
		if at := posted.begins(d.m.zones.of(e.Fields)); at.Before(since) {
			since = at
		}
	}
	return since, d.o.At.Sub(since) >= d.p.StaleAfter
}

// event adds a change event about an entity and raises its version.
func (d *decision) event(entity int, e *curlew.Entity, kind curlew.ChangeKind, payload curlew.ChangePayload) {
	e.Version++
	payload.Entity = picture(*e)
	d.changes[entity] = append(d.changes[entity], d.change(*e, kind, payload))
}

func (d *decision) change(e curlew.Entity, kind curlew.ChangeKind, payload curlew.ChangePayload) curlew.Change {
	payload.Probation = d.o.Probation
	body, err := json.Marshal(payload)
	if err != nil { // a number that JSON cannot carry: say at least what is known of it
		payload.Entity.Fields, payload.Changes = nil, nil
		body, _ = json.Marshal(payload)
	}
	return curlew.Change{Org: d.o.Watch.Org, Kind: kind, Source: d.o.Watch.Source, Watch: d.o.Watch.ID, Entity: e.ID,
		Version: e.Version, Run: d.o.Run, Payload: body, OccurredAt: d.o.At}
}

func picture(e curlew.Entity) *curlew.EntityPicture {
	return &curlew.EntityPicture{Schema: e.Schema, ExternalID: e.ExternalID, URL: e.URL, Status: e.Status, Fields: e.Fields}
}

// proof says where a change was seen: of the changed fields, or of all.
func (d *decision) proof(f found, changes []curlew.FieldChange) *curlew.ChangeProof {
	record := f.seen.Record
	proof := curlew.ChangeProof{Page: record.Page, URL: record.URL, Blueprint: record.Blueprint, Record: record.ID,
		Fields: map[string]curlew.Evidence{}}
	if proof.Blueprint == "" {
		proof.Blueprint = d.o.Blueprint
	}
	add := func(name string) {
		if evidence, ok := record.Provenance[name]; ok {
			evidence.Text, evidence.Rivals = text.CutBytes(evidence.Text, maxProof), nil
			proof.Fields[name] = evidence
		}
	}
	for _, c := range changes {
		add(c.Field)
		field, _, _ := strings.Cut(c.Field, ".")
		add(field)
	}
	if changes == nil {
		for name := range record.Provenance {
			add(name)
		}
	}
	return &proof
}

func (d *decision) note(level curlew.LogLevel, format string, args ...any) {
	d.m.notes = append(d.m.notes, note{level, fmt.Sprintf(format, args...)})
}

func (m *matcher) warn(format string, args ...any) {
	m.notes = append(m.notes, note{curlew.LogWarn, fmt.Sprintf(format, args...)})
}
