package watch

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/extract"
)

// One thing loses a field by itself. Where so many detail pages lack one that they said before, and more than half of those that
// did, they have another design: what they said stays until a second reading finds the same and they are learned anew.
const leastLacking = 3

// lacking is what many detail pages at once no longer say.
type lacking struct {
	fields    []string // in order
	confirmed bool     // a second reading found the same
}

// lacks counts what detail pages said before and lack, by field.
type lacks struct {
	read             int // pages at this check
	had, lost, twice map[string]int
}

// holdDetails finds what many detail pages at once no longer say, and lets them say it as before.
func (r *checkStep) holdDetails(list ListReading, known map[string]curlew.Sighting, details map[string]detail) {
	n := lacks{had: map[string]int{}, lost: map[string]int{}, twice: map[string]int{}}
	for _, one := range list.Records {
		if was := known[one.Record.ExternalID]; was.Detail != nil {
			d := details[one.Record.ExternalID]
			n.count(was, d, r.countLacks(was, d))
		}
	}
	r.lacking = lacking{}
	most := 0
	for _, name := range r.expected() {
		if lost := n.lost[name]; lost >= leastLacking && 2*lost > n.had[name] && 2*n.had[name] > n.read {
			r.lacking.fields = append(r.lacking.fields, name)
			r.lacking.confirmed = r.lacking.confirmed || n.twice[name] >= leastLacking
			most = max(most, lost)
		}
	}
	if most == 0 {
		return
	}
	for _, one := range list.Records {
		if d := r.held(details[one.Record.ExternalID], known[one.Record.ExternalID]); d.held != nil {
			details[one.Record.ExternalID] = d
		}
	}
	r.notes.lacks = append(r.notes.lacks, fmt.Sprintf("%d of %d detail pages at once no longer say %s: has their template changed? "+
		"Their values are kept until they are learned again", most, max(n.read, most), strings.Join(r.lacking.fields, ", ")))
}

// count adds the detail page of one record, and the readings in a row in which it lacks a field.
func (n *lacks) count(was curlew.Sighting, d detail, readings map[string]int) {
	if d.speaks() {
		n.read++
	}
	for name := range was.Detail.Fields {
		if d.speaks() || readings[name] > 0 {
			n.had[name]++
		}
	}
	for name, times := range readings {
		n.lost[name]++
		if times > 1 {
			n.twice[name]++
		}
	}
}

// countLacks are the readings in a row in which the detail page of a record lacks what it said, by field.
func (r *checkStep) countLacks(was curlew.Sighting, d detail) map[string]int {
	counts := map[string]int{}
	if !d.speaks() {
		for name, n := range was.Lost {
			if was.Detail.Fields.At(name) != nil {
				counts[name] = n
			}
		}
		return counts
	}
	more := 1
	if r.plan.Archive || was.LostAt != nil && r.Now().Sub(*was.LostAt) < r.policy().MissesApart {
		more = 0
	}
	for _, name := range d.lacks(was.Detail) {
		counts[name] = max(1, was.Lost[name]+more)
	}
	return counts
}

// expected are the fields that the detail pages are there for, by the rules of now, in order. What comes and goes with another
// field, such as a former price, is none.
func (r *checkStep) expected() (names []string) {
	kind, with := r.compiled.Blueprint.Kind(), map[string]bool{}
	for _, f := range kind.Fields {
		follow := map[string]bool{f.Name: true}
		kind.AddDependents(follow)
		delete(follow, f.Name)
		maps.Copy(with, follow)
	}
	for _, f := range kind.Fields {
		given := slices.ContainsFunc(r.compiled.Follow, func(l extract.Lead) bool { return l.Compiled.Blueprint.Gives(f.Name) })
		if given && !with[f.Name] && f.Name != "slots" {
			names = append(names, f.Name)
		}
	}
	return names
}

// speaks says that the pages of a record came, whether or not anything was found on them.
func (d detail) speaks() bool { return d.record != nil || d.silent }

// lacks are the fields that a detail page said before, and does not say now or not as it did.
func (d detail) lacks(before *curlew.Draft) []string {
	if d.record == nil {
		return lostSince(before, nil)
	}
	lacks := lostSince(before, d.record.Fields)
	for _, name := range d.lost {
		if before.Fields[name] != nil && !slices.Contains(lacks, name) {
			lacks = append(lacks, name)
		}
	}
	return lacks
}

// held is what the detail page of a record says, with what it said before in place of all that it lacks; as it is where
// the page has no other design.
func (r *checkStep) held(d detail, was curlew.Sighting) detail {
	if was.Detail == nil {
		return d
	}
	counts := r.countLacks(was, d)
	if !slices.ContainsFunc(r.lacking.fields, func(name string) bool { return counts[name] > 0 }) {
		return d
	}
	if d.held = counts; !d.speaks() {
		return d // it was not read now, and what it said is what is known
	}
	full := curlew.Record{Schema: was.Detail.Schema, URL: was.Detail.URL}
	if d.record != nil {
		full = *d.record
	}
	fields, proof := maps.Clone(was.Detail.Fields), maps.Clone(was.Detail.Provenance)
	for name, value := range full.Fields {
		if counts[name] > 0 {
			continue
		}
		now, _ := value.(map[string]any)
		if before, both := fields[name].(map[string]any); both && now != nil {
			slots := maps.Clone(before)
			maps.Copy(slots, now)
			value = slots
		}
		fields[name] = value
	}
	for name, evidence := range full.Provenance {
		if counts[name] == 0 {
			proof[name] = evidence
		}
	}
	full.Fields, full.Provenance = fields, proof
	d.record, d.failed, d.lost = &full, false, nil
	return d
}

// healDetails starts the healing of detail pages that lacked at a second reading what they said, until people were told that
// it fails.
func (r *checkStep) healDetails(ctx context.Context, w store.WriteScope, watch curlew.Watch) error {
	source, err := w.Sources().Get(ctx, watch.Source)
	if err != nil || !r.lacking.confirmed || source.Trust == curlew.TrustBroken {
		return err
	}
	fields := strings.Join(r.lacking.fields, ", ")
	return r.Heal(ctx, w, watch, curlew.HealPlan{Page: r.progress.List[0].Page, Cause: "its detail pages no longer say " + fields,
		Details: r.lacking.fields})
}
