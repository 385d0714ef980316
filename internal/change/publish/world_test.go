package publish

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// world keeps what a database would keep between checks, and checks at every check
// what must always hold.
type world struct {
	t         *testing.T
	schema    curlew.SchemaName
	policy    ChangePolicy
	watch     curlew.Watch
	now       time.Time
	entities  map[curlew.EntityID]curlew.Entity
	sightings map[curlew.EntityID]curlew.Sighting
	aliases   []curlew.Alias
	changes   map[curlew.EntityID][]curlew.Change
	latest    *curlew.Publication
	hold      *curlew.Hold
	elsewhere map[curlew.EntityID]bool
	snapshot  string
	rules     string
	checks    int
}

func newWorld(t *testing.T, schema curlew.SchemaName) *world {
	return &world{t: t, schema: schema, now: time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC),
		watch:    curlew.Watch{ID: "wat_1", Org: "org_1", Source: "src_1", URL: "https://shop.test/list"},
		entities: map[curlew.EntityID]curlew.Entity{}, sightings: map[curlew.EntityID]curlew.Sighting{},
		changes: map[curlew.EntityID][]curlew.Change{}, elsewhere: map[curlew.EntityID]bool{}}
}

// thing is a record in a test: its id and its fields.
func thing(id string, pairs ...any) SeenRecord {
	fields := curlew.Values{}
	proof := map[string]curlew.Evidence{}
	for i := 0; i < len(pairs); i += 2 {
		name := pairs[i].(string)
		if pairs[i+1] == nil {
			continue
		}
		fields[name] = pairs[i+1]
		proof[name] = curlew.Evidence{Rule: "css:" + name, Text: fmt.Sprint(pairs[i+1])}
	}
	url, _ := fields["url"].(string)
	return SeenRecord{Record: curlew.Record{ExternalID: id, URL: url, Fields: fields, Provenance: proof, Hash: contentHash(fields), Page: "pag_1"}, Listed: "listed"}
}

func (w *world) prior() Prior {
	p := Prior{Aliases: w.aliases, Latest: w.latest, Hold: w.hold, Elsewhere: w.elsewhere, SnapshotHash: w.snapshot, RulesHash: w.rules}
	for _, id := range slices.Sorted(maps.Keys(w.entities)) {
		p.Entities = append(p.Entities, w.entities[id])
		if s, ok := w.sightings[id]; ok {
			p.Sightings = append(p.Sightings, s)
		}
	}
	return p
}

type option func(*CheckResult)

func partial(why string) option { return func(o *CheckResult) { o.Complete, o.Why = false, why } }

func bytes(hash string) option { return func(o *CheckResult) { o.SnapshotHash = hash } }

func rules(hash string) option { return func(o *CheckResult) { o.RulesHash = hash } }

func check(at curlew.EntityID, l DetailCheck) option {
	return func(o *CheckResult) {
		if o.DetailChecks == nil {
			o.DetailChecks = map[curlew.EntityID]DetailCheck{}
		}
		o.DetailChecks[at] = l
	}
}

func (w *world) observe(seen []SeenRecord, options ...option) CheckResult {
	o := CheckResult{Run: curlew.RunID(fmt.Sprintf("run_%d", w.checks+1)), Watch: w.watch, Kind: w.schema.Kind(), Blueprint: "bp_1", At: w.now,
		Seen: seen, Complete: true, SnapshotHash: fmt.Sprintf("bytes %d", w.checks+1), RulesHash: "rules"}
	for _, set := range options {
		set(&o)
	}
	return o
}

// see makes one check, an hour after the one before, and writes its plan down.
func (w *world) see(seen []SeenRecord, options ...option) ChangeSet {
	w.t.Helper()
	w.now = w.now.Add(time.Hour)
	o := w.observe(seen, options...)
	plan := Decide(w.prior(), o, w.policy)
	w.checks++
	w.apply(plan)
	w.snapshot, w.rules = o.SnapshotHash, o.RulesHash
	return plan
}

func (w *world) apply(plan ChangeSet) {
	w.t.Helper()
	for _, n := range plan.New {
		id := curlew.EntityID(fmt.Sprintf("ent_%05d", len(w.entities)+1))
		n.Entity.ID, n.Sighting.Entity, n.Change.Entity = id, id, id
		for _, other := range w.entities {
			if other.ExternalID == n.Entity.ExternalID {
				w.t.Fatalf("a new entity takes the id %q of %s", n.Entity.ExternalID, other.ID)
			}
		}
		w.keep(n.Entity)
		w.sightings[id] = n.Sighting
		if n.Change.Kind != "" {
			w.tell(n.Change)
		}
	}
	for _, u := range plan.Updated {
		if u.Entity.Version != w.entities[u.Entity.ID].Version+len(u.Changes) {
			w.t.Fatalf("version %d after %d changes of version %d", u.Entity.Version, len(u.Changes), w.entities[u.Entity.ID].Version)
		}
		w.keep(u.Entity)
		for _, c := range u.Changes {
			w.tell(c)
		}
	}
	for _, s := range plan.Sightings {
		w.sightings[s.Entity] = s
	}
	for _, id := range plan.SeenAgain {
		s := w.sightings[id]
		s.SeenAt = w.now
		w.sightings[id] = s
	}
	w.aliases = append(w.aliases, plan.Aliases...)
	w.hold = plan.Hold
	if p := plan.Publication; p.Decision != curlew.SkipNoChange {
		p.ID = curlew.PublicationID(fmt.Sprintf("pub_%d", w.checks))
		w.latest = &p
	}
}

// keep writes an entity as a database does: through JSON.
func (w *world) keep(e curlew.Entity) {
	body, err := json.Marshal(e.Fields)
	if err != nil {
		w.t.Fatal(err)
	}
	e.Fields = nil
	if err := json.Unmarshal(body, &e.Fields); err != nil {
		w.t.Fatal(err)
	}
	w.entities[e.ID] = e
}

func (w *world) tell(c curlew.Change) { w.changes[c.Entity] = append(w.changes[c.Entity], c) }

// told writes the change events of a plan as people would say them.
func told(plan ChangeSet) []string {
	var all []string
	say := func(e curlew.Entity, c curlew.Change) {
		var p curlew.ChangePayload
		if err := json.Unmarshal(c.Payload, &p); err != nil {
			panic(err)
		}
		line := string(c.Kind) + " " + e.Schema.Kind().TitleOf(e.Fields)
		for _, f := range p.Changes {
			line += fmt.Sprintf(" %s:%v→%v", f.Field, f.Old, f.New)
		}
		all = append(all, strings.TrimPrefix(strings.TrimPrefix(line, "entity_"), "position_"))
	}
	for _, n := range plan.New {
		if n.Change.Kind == "" {
			continue
		}
		say(n.Entity, n.Change)
	}
	for _, u := range plan.Updated {
		for _, c := range u.Changes {
			say(u.Entity, c)
		}
	}
	slices.Sort(all)
	return all
}

func (w *world) expect(plan ChangeSet, want ...string) {
	w.t.Helper()
	slices.Sort(want)
	if got := told(plan); !slices.Equal(got, want) {
		w.t.Errorf("told:\n  %s\nwant:\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// named returns the one entity of a name.
func (w *world) named(name string) curlew.Entity {
	w.t.Helper()
	var found []curlew.Entity
	for _, e := range w.entities {
		if e.Schema.Kind().TitleOf(e.Fields) == name {
			found = append(found, e)
		}
	}
	if len(found) != 1 {
		w.t.Fatalf("%d entities are named %q", len(found), name)
	}
	return found[0]
}

func noted(plan ChangeSet, part string) bool {
	return slices.ContainsFunc(plan.Notes, func(l curlew.LogLine) bool { return strings.Contains(l.Text, part) })
}
