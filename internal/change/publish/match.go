package publish

import (
	"fmt"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// match is a record and the entity that it is about.
type match struct {
	seen   SeenRecord
	id     string // its external id; for a new entity, the one it gets
	entity int    // in Prior.Entities; -1: a new one
	known  bool   // of a family that shares an id which is known: settled by likeness
	anew   bool   // the entity was known by another id before this check
	sure   float64
	why    string
}

// matcher finds which entity each record is about.
type matcher struct {
	shape    shape
	prior    Prior
	o        CheckResult
	watched  map[curlew.EntityID]bool // seen by this watch before
	byID     map[string]int
	matches  []match
	taken    []bool // by entity
	features []*features
	own      []*features // by match
	notes    []note
	zones    zones
}

type note struct {
	level curlew.LogLevel
	text  string
}

func newMatcher(prior Prior, o CheckResult) *matcher {
	m := &matcher{shape: shapeOf(o.Kind), prior: prior, o: o, watched: make(map[curlew.EntityID]bool, len(prior.Sightings)),
		byID: make(map[string]int, len(prior.Entities)), taken: make([]bool, len(prior.Entities)),
		features: make([]*features, len(prior.Entities)), zones: newZones(o.Watch.Settings.Zone)}
	for _, s := range prior.Sightings {
		m.watched[s.Entity] = true
	}
	for i, e := range prior.Entities {
		m.byID[e.ExternalID] = i
	}
	return m
}

// match settles the identity of every record: by its id, by an id that the entity
// had before, else by likeness.
func (m *matcher) match() {
	families := m.families()
	m.matches = make([]match, 0, len(m.o.Seen))
	for _, g := range m.shape.groups(m.o.Seen, m.o.Watch.URL) {
		if len(g.copies) > 1 || len(families[g.id]) > 0 {
			m.matchFamily(g, families[g.id])
			continue
		}
		m.matches = append(m.matches, match{seen: g.copies[0], id: g.id, entity: -1})
	}
	m.own = make([]*features, len(m.matches))
	m.byExternalID()
	m.straighten()
	m.byAlias()
	m.byRestlessParameter()
	m.byOwnIdentity()
	m.infer()
	m.nameNew()
}

// families are the entities that shared an id when they were first seen, by that id.
func (m *matcher) families() map[string][]int {
	families := map[string][]int{}
	for i, e := range m.prior.Entities {
		if at := strings.LastIndex(e.ExternalID, sharedMark); at > 0 {
			families[e.ExternalID[:at]] = append(families[e.ExternalID[:at]], i)
		}
	}
	return families
}

// matchFamily tells apart things that share an id, by their content alone.
func (m *matcher) matchFamily(g group, family []int) {
	if len(g.copies) > 1 {
		m.warn("%d different records share the id %q; they are distinguished by their content", len(g.copies), text.CutBytes(g.id, 120))
	}
	candidates := slices.Clone(family)
	if i, ok := m.byID[g.id]; ok {
		candidates = append(candidates, i)
	}
	type pair struct {
		copy, entity int
		score        float64
	}
	var pairs []pair
	for c, seen := range g.copies[:min(len(g.copies), maxShared)] {
		own := m.shape.featuresOf(seen.Record.Fields, seen.Record.URL, m.o.Watch.URL)
		for _, e := range candidates[:min(len(candidates), maxShared)] {
			if score, ok := m.closeness(own, *m.featuresOf(e)); ok {
				pairs = append(pairs, pair{c, e, score})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int {
		switch {
		case a.score != b.score:
			return sign(b.score - a.score)
		case a.entity != b.entity:
			return strings.Compare(m.prior.Entities[a.entity].ExternalID, m.prior.Entities[b.entity].ExternalID)
		}
		return a.copy - b.copy
	})
	found := map[int]int{}
	for _, p := range pairs {
		if _, done := found[p.copy]; !done && !m.taken[p.entity] {
			found[p.copy], m.taken[p.entity] = p.entity, true
		}
	}
	ids := m.shape.sharedIDs(g, m.o.Watch.URL)
	for c, seen := range g.copies {
		made := match{seen: seen, id: ids[c], entity: -1, known: len(candidates) > 0} // of a new id, it is told as any other
		if e, ok := found[c]; ok {
			made.entity = e
		} else if e, ok := m.byID[ids[c]]; ok && !m.taken[e] { // its twin in all that decides
			made.entity, m.taken[e] = e, true
		}
		m.matches = append(m.matches, made)
	}
}

func sign(f float64) int {
	switch {
	case f > 0:
		return 1
	case f < 0:
		return -1
	}
	return 0
}

// closeness orders the members of a family: how alike they are, and how many of
// their fields are the same. Where something decisive differs they are two things.
func (m *matcher) closeness(a, b features) (float64, bool) {
	if m.shape.decisive(a, b) {
		return 0, false
	}
	same, all := 0, 0
	for name, x := range a.fields {
		if y := present(b.fields[name]); name != positionField && present(x) != nil && y != nil {
			all++
			if m.shape.same(name, y, x) {
				same++
			}
		}
	}
	sure, _ := m.shape.likeness(a, b)
	share := float64(same) / float64(max(all, 1))
	return sure + share, share >= 0.3
}

func (m *matcher) byExternalID() {
	for i := range m.matches {
		if e, ok := m.byID[m.matches[i].id]; ok && !m.matches[i].known && !m.taken[e] {
			m.matches[i].entity, m.taken[e] = e, true
		}
	}
}

// byAlias follows ids that an entity had before. Its id stays as it is, so that a
// site that goes back and forth writes nothing.
func (m *matcher) byAlias() {
	at := make(map[curlew.EntityID]int, len(m.prior.Entities))
	for i, e := range m.prior.Entities {
		at[e.ID] = i
	}
	former := make(map[string]int, len(m.prior.Aliases))
	for _, a := range m.prior.Aliases {
		if i, ok := at[a.Entity]; ok {
			former[a.ExternalID] = i
		}
	}
	for i := range m.matches {
		made := &m.matches[i]
		e, ok := former[made.id]
		switch {
		case made.entity >= 0 || made.known || !ok:
		case m.taken[e]:
			m.warn("the id %q was %q before, which is listed too: they are taken as two things",
				text.CutBytes(made.id, 120), text.CutBytes(m.prior.Entities[e].ExternalID, 120))
		default:
			made.entity, m.taken[e] = e, true
		}
	}
}

// straighten undoes ids that slid along a list: ids that count the places of a page
// lead to other things as soon as something is inserted. A record whose name has
// nothing of the entity's that its id leads to, and which is to the letter another
// entity that has lost its own record, is that other one.
func (m *matcher) straighten() {
	var doubted []int
	for i, made := range m.matches {
		if made.entity < 0 || made.known {
			continue
		}
		if sameText(m.shape.kind.TitleOf(made.seen.Record.Fields), m.shape.kind.TitleOf(m.prior.Entities[made.entity].Fields)) {
			continue
		}
		own, old := m.ownOf(i), m.featuresOf(made.entity)
		if sure, _ := m.shape.likeness(*own, *old); overlap(own.name, old.name) < 0.34 && sure < sureEnough {
			doubted = append(doubted, i)
		}
	}
	if len(doubted) == 0 {
		return
	}
	free := map[int]bool{}
	for _, i := range doubted {
		free[m.matches[i].entity] = true
	}
	for e, entity := range m.prior.Entities {
		if !m.taken[e] && m.watched[entity.ID] && entity.Status != curlew.EntityRemoved {
			free[e] = true
		}
	}
	entities := map[string][]int{}
	for e := range free {
		entities[m.shape.key(*m.featuresOf(e))] = append(entities[m.shape.key(*m.featuresOf(e))], e)
	}
	records := map[string]int{}
	for _, i := range doubted {
		records[m.shape.key(*m.ownOf(i))]++
	}
	m.slide(doubted, entities, records)
}

// slide gives the doubted records the entities that they are to the letter.
func (m *matcher) slide(doubted []int, entities map[string][]int, records map[string]int) {
	moved := map[int]bool{}
	for _, i := range doubted {
		key := m.shape.key(*m.ownOf(i))
		if found := entities[key]; len(found) == 1 && records[key] == 1 {
			moved[i] = true
		}
	}
	for i := range moved {
		m.taken[m.matches[i].entity] = false
	}
	claimed := map[int]bool{}
	for i := range moved {
		e := entities[m.shape.key(*m.ownOf(i))][0]
		m.matches[i].entity, m.taken[e], m.matches[i].known = e, true, true
		claimed[e] = true
	}
	for _, i := range doubted {
		if !moved[i] && claimed[m.matches[i].entity] { // what its id led to has gone elsewhere
			m.matches[i].entity, m.matches[i].known = -1, true
		}
	}
	if len(moved) > 0 {
		m.warn("the ids of %d things slid along the list; they were recognised by what they say", len(moved))
	}
}

// nameNew gives every new entity an id that is free.
func (m *matcher) nameNew() {
	used := map[string]bool{}
	for i := range m.matches {
		made := &m.matches[i]
		if made.entity >= 0 {
			continue
		}
		_, exists := m.byID[made.id]
		if exists || used[made.id] {
			base, _, _ := strings.Cut(made.id, sharedMark)
			for n := 0; exists || used[made.id]; n++ {
				made.id = base + sharedMark + shortHash(fmt.Sprint(m.shape.key(*m.ownOf(i)), contentHash(made.seen.Record.Fields), n))
				_, exists = m.byID[made.id]
			}
		}
		used[made.id] = true
	}
}

func (m *matcher) featuresOf(entity int) *features {
	if m.features[entity] == nil {
		e := m.prior.Entities[entity]
		f := m.shape.featuresOf(e.Fields, e.URL, m.o.Watch.URL)
		m.features[entity] = &f
	}
	return m.features[entity]
}

func (m *matcher) ownOf(i int) *features {
	if m.own[i] == nil {
		r := m.matches[i].seen.Record
		f := m.shape.featuresOf(r.Fields, r.URL, m.o.Watch.URL)
		m.own[i] = &f
	}
	return m.own[i]
}
