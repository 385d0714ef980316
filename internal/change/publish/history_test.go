package publish

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// random is a life of a list: things come, change, go and come back, while the page
// spells them in ever other ways.
type random struct {
	*rand.Rand
	next  int
	alive []SeenRecord
	gone  []SeenRecord
}

func (r *random) make() SeenRecord {
	r.next++
	fields := []any{"name", fmt.Sprintf("Thing number %d of %s", r.next, pick(r, "brass", "hemp", "tar", "canvas")), "price", r.Int64N(1e6),
		"url", fmt.Sprintf("https://shop.test/p/%d", r.next), "image_url", fmt.Sprintf("https://shop.test/i/%d.jpg", r.next),
		"description", fmt.Sprintf("Made in %d. Posted 3 days ago by “us”.", 1900+r.IntN(100))}
	return thing(fmt.Sprint("sku-", r.next), fields...)
}

func pick[T any](r *random, all ...T) T { return all[r.IntN(len(all))] }

// edit changes one or two facts and says which.
func (r *random) edit(s *SeenRecord) []string {
	fields := curlew.Values{}
	for name, v := range s.Record.Fields {
		fields[name] = v
	}
	edited := map[string]bool{}
	for range 1 + r.IntN(2) {
		switch name := pick(r, "price", "brand", "availability", "rating"); name {
		case "price":
			fields[name], edited[name] = fields[name].(int64)+1+r.Int64N(50), true
		case "brand":
			if fields[name] != nil {
				delete(fields, name)
			} else {
				fields[name] = "Tern & Co"
			}
			edited[name] = !edited[name]
		case "availability":
			old, _ := fields[name].(string)
			if fields[name] = "in_stock"; old == "in_stock" {
				fields[name] = "out_of_stock"
			}
			edited[name] = s.Record.Fields[name] != fields[name]
		case "rating":
			fields[name] = 1 + float64(r.IntN(40))/10
			edited[name] = s.Record.Fields[name] != fields[name]
		}
	}
	s.Record.Fields, s.Record.Hash = fields, contentHash(fields)
	var names []string
	for name, is := range edited {
		if is {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// noisy spells a record in another way that means the same.
func (r *random) noisy(s SeenRecord) SeenRecord {
	fields := curlew.Values{}
	for name, v := range s.Record.Fields {
		text, isText := v.(string)
		switch {
		case name == "url":
			v = text + pick(r, "", "/", "?utm_source=x", "#top", "?gclid=1&fbclid=2")
		case name == "image_url":
			v = strings.Replace(text, ".jpg", pick(r, ".jpg", "-300x200.jpg", "_thumb.jpg", ".webp", ".jpg?v=9"), 1)
		case name == "description":
			v = strings.NewReplacer("3 days", fmt.Sprint(2+r.IntN(9), " days"), "“", pick(r, "“", `"`), " by", pick(r, " by", "\u00a0 by")).Replace(text)
		case isText && name != "availability":
			v = pick(r, "", " ") + strings.ReplaceAll(text, " ", pick(r, " ", "\u00a0", "  ", "\u200b ")) + pick(r, "", "\n", "\u00ad")
		}
		fields[name] = v
	}
	s.Record.Fields, s.Record.Hash = fields, contentHash(fields)
	return s
}

func (r *random) page() []SeenRecord {
	all := make([]SeenRecord, 0, len(r.alive)+1)
	for _, s := range r.alive {
		all = append(all, r.noisy(s))
	}
	if len(all) > 0 && r.IntN(3) == 0 {
		all = append(all, r.noisy(pick(r, r.alive...))) // a copy for small screens
	}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

func newRandom(seed uint64, n int) *random {
	r := &random{Rand: rand.New(rand.NewPCG(seed, 7))}
	for range n {
		r.alive = append(r.alive, r.make())
	}
	return r
}

func TestNoiseAloneNeverChangesAnything(t *testing.T) {
	for seed := range uint64(2) {
		r := newRandom(seed, 15)
		w := newWorld(t, curlew.SchemaProduct)
		w.see(r.page())
		for range 200 {
			page := r.page()
			if r.IntN(4) == 0 {
				w.expect(w.see(page[:r.IntN(len(page)+1)], partial("cut short")))
				continue
			}
			plan := w.see(page)
			w.expect(plan)
			if len(plan.Updated) > 0 || plan.Publication.Class != curlew.NoChange {
				t.Fatalf("seed %d: %d updates, %s", seed, len(plan.Updated), plan.Publication.Reason)
			}
		}
	}
}

func TestExactlyTheEditsAreTold(t *testing.T) {
	for seed := range uint64(2) {
		r := newRandom(seed, 15)
		w := newWorld(t, curlew.SchemaProduct)
		w.see(r.page())
		for range 200 {
			want := map[string]string{}
			for range r.IntN(4) {
				i := r.IntN(len(r.alive))
				if id := r.alive[i].Record.ExternalID; want[id] == "" {
					want[id] = strings.Join(r.edit(&r.alive[i]), " ")
				}
			}
			if r.IntN(12) == 0 {
				r.alive = append(r.alive, r.make())
				want[r.alive[len(r.alive)-1].Record.ExternalID] = "appeared"
			}
			got := changedFields(t, w.see(r.page()), w.see(r.page())) // what is lost is told by the second reading
			for id, fields := range want {
				if fields == "" {
					delete(want, id)
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("seed %d: told %v, and it was %v", seed, got, want)
			}
		}
	}
}

// changedFields are the fields that plans change, by the id of their entity.
func changedFields(t *testing.T, plans ...ChangeSet) map[string]string {
	got := map[string]string{}
	fields := map[string][]string{}
	for _, plan := range plans {
		for _, n := range plan.New {
			got[n.Entity.ExternalID] = "appeared"
		}
		for _, u := range plan.Updated {
			for _, c := range u.Changes {
				var p curlew.ChangePayload
				if err := json.Unmarshal(c.Payload, &p); err != nil {
					t.Fatal(err)
				}
				for _, f := range p.Changes {
					fields[u.Entity.ExternalID] = append(fields[u.Entity.ExternalID], f.Field)
				}
			}
		}
	}
	for id, names := range fields {
		slices.Sort(names)
		got[id] += strings.Join(names, " ")
	}
	return got
}

// past is a moment of an entity's life, as the database had it.
type past struct {
	at     time.Time
	entity curlew.Entity
}

func TestHistoryIsRebuiltFromChangesAlone(t *testing.T) {
	for seed := range uint64(3) {
		r := newRandom(seed, 8)
		w := newWorld(t, curlew.SchemaProduct)
		w.policy.RemovalShare = 1
		lives := map[curlew.EntityID][]past{}
		for range 60 {
			r.live()
			w.see(r.page())
			for id, e := range w.entities {
				lives[id] = append(lives[id], past{w.now, e})
			}
		}
		for id, life := range lives {
			if _, found, err := Rebuild(w.changes[id], life[0].at.Add(-time.Second)); found || err != nil {
				t.Fatalf("%s was there before it appeared: %v", id, err)
			}
			for _, p := range life {
				got, found, err := Rebuild(w.changes[id], p.at)
				if err != nil || !found {
					t.Fatal(found, err)
				}
				if untold := Untold(p.entity, got); len(untold) > 0 || (got.Status == curlew.EntityRemoved) != (p.entity.Status == curlew.EntityRemoved) {
					t.Fatalf("%s at %s: %v differ: %+v and %+v", id, p.at, untold, got, p.entity)
				}
			}
		}
	}
}

// live lets things come, go, come back and change.
func (r *random) live() {
	switch r.IntN(6) {
	case 0:
		r.alive = append(r.alive, r.make())
	case 1, 2:
		r.edit(&r.alive[r.IntN(len(r.alive))])
	case 3:
		if len(r.alive) > 5 {
			i := r.IntN(len(r.alive))
			r.gone = append(r.gone, r.alive[i])
			r.alive = slices.Delete(slices.Clone(r.alive), i, i+1)
		}
	case 4:
		if len(r.gone) > 0 {
			r.alive = append(r.alive, r.gone[0])
			r.gone = slices.Clone(r.gone[1:])
		}
	}
}

func TestQuietRewritesShowInTheNextChange(t *testing.T) {
	w := newWorld(t, curlew.SchemaProduct)
	w.see([]SeenRecord{lamp()}, bytes("page"))
	w.see([]SeenRecord{lamp("brand", "Northlight")}, bytes("page"), rules("better"))
	e := w.named("Harbour lamp")
	got, _, err := Rebuild(w.changes[e.ID], w.now)
	if untold := Untold(e, got); err != nil || !slices.Equal(untold, []string{"brand"}) {
		t.Fatalf("untold %v, %v", untold, err)
	}
	w.see([]SeenRecord{lamp("brand", "Northlight", "price", int64(1))}, rules("better"))
	e = w.named("Harbour lamp")
	if got, _, err = Rebuild(w.changes[e.ID], w.now); err != nil || len(Untold(e, got)) > 0 {
		t.Errorf("untold %v, %v", Untold(e, got), err)
	}
}

func TestABrokenHistoryIsRefused(t *testing.T) {
	change := func(version int, payload string) curlew.Change {
		return curlew.Change{Entity: "ent_1", Version: version, Payload: json.RawMessage(payload), OccurredAt: time.Unix(int64(version), 0)}
	}
	first := change(1, `{"entity":{"schema":"item","fields":{"title":"Pier","slots":{"a":"1"}}}}`)
	other := change(2, `{}`)
	other.Entity = "ent_2"
	for what, changes := range map[string][]curlew.Change{
		"a gap":             {first, change(3, `{}`)},
		"a version twice":   {first, change(1, `{}`)},
		"of two entities":   {first, other},
		"no beginning":      {change(1, `{"changes":[]}`)},
		"unreadable":        {change(1, `{`)},
		"empty is no error": nil,
	} {
		t.Run(what, func(t *testing.T) {
			_, found, err := Rebuild(changes, time.Unix(100, 0))
			if found || (err == nil) != (changes == nil) {
				t.Errorf("found %v, %v", found, err)
			}
		})
	}
	got, _, err := Rebuild([]curlew.Change{change(2, `{"changes":[{"field":"slots.a","new":"2"},{"field":"price","new":5}]}`), first}, time.Unix(100, 0))
	if err != nil || fmt.Sprint(got.Fields) != "map[price:5 slots:map[a:2] title:Pier]" {
		t.Errorf("an event without a picture gives %v, %v", got.Fields, err)
	}
}
