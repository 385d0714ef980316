package store_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/store"
)

// named is an event of a source with a title.
func named(w world, n int, title string) curlew.Entity {
	return curlew.Entity{Source: w.source.ID, Schema: curlew.SchemaEvent, ExternalID: fmt.Sprint(n), Status: curlew.EntityActive, Version: 1,
		Fields: curlew.Values{"title": title}, Hash: "h", FirstSeenAt: morning, LastSeenAt: morning}
}

// addNamed keeps entities with titles and returns them with their ids, in one batch.
func (b *bench) addNamed(t *testing.T, org curlew.OrgID, w world, titles ...string) []curlew.Entity {
	t.Helper()
	var all []curlew.Entity
	for i, id := range b.mint(len(titles)) {
		e := named(w, i, titles[i])
		e.ID, e.ExternalID = id, "1000"+e.ExternalID
		all = append(all, e)
	}
	b.write(t, org, func(s store.WriteScope) error { return s.Entities().AddAll(t.Context(), all) })
	return all
}

// mint makes ids of entities, in their order: those of one moment have none.
func (b *bench) mint(n int) (ids []curlew.EntityID) {
	for range n {
		ids = append(ids, curlew.Mint[curlew.EntityID](b.store.IDs()))
	}
	slices.Sort(ids)
	return ids
}

// wantFound checks which entities a search finds, by their titles, in their order.
func (b *bench) wantFound(t *testing.T, org curlew.OrgID, f store.BrowseFilter, want ...string) {
	t.Helper()
	got, err := b.store.Org(org).Entities().Browse(t.Context(), f, store.Window{})
	must(t, err)
	var titles []string
	for _, e := range got {
		titles = append(titles, fmt.Sprint(e.Fields["title"]))
	}
	if !slices.Equal(titles, want) {
		t.Errorf("%+v finds %q, want %q", f, titles, want)
	}
}

func searching(t *testing.T, b *bench) {
	w, other := b.fill(t, acme), b.fill(t, acme)
	ours := b.addNamed(t, acme, w, "Hamlet in Łódź", "Macbeth", "東京タワー", "Hamlet & friends")
	theirs := b.addNamed(t, birch, b.fill(t, birch), "Hamlet of another org")
	for text, want := range map[string][]string{
		"ham": {"Hamlet & friends", "Hamlet in Łódź"}, "HAMLET lodz": {"Hamlet in Łódź"}, "macbeth": {"Macbeth"}, "タワー": {"東京タワー"}, "amlet": nil,
		"hamlet macbeth": nil, "another": nil, string(ours[1].ExternalID): {"Macbeth"}, "unicode braces": {words, words}, "': --": nil,
		"%": nil, "_acbeth": nil,
		`"ham" OR "mac"`: nil, "ham* NOT friends": nil, "\x00\xff": nil, "\u202eMacb": {"Macbeth"}, "' OR 1=1 --": nil, "=active": nil,
		" \t": {"Hamlet & friends", "東京タワー", "Macbeth", "Hamlet in Łódź", words, words},
	} {
		b.wantFound(t, acme, store.BrowseFilter{Search: text}, want...)
	}
	b.wantFound(t, birch, store.BrowseFilter{Search: "hamlet"}, "Hamlet of another org")
	b.wantFound(t, empty, store.BrowseFilter{Search: "hamlet"})
	b.wantFound(t, acme, store.BrowseFilter{Search: "hamlet", Source: theirs[0].Source})
	b.wantFound(t, acme, store.BrowseFilter{Search: "ham", Source: w.source.ID, Schema: curlew.SchemaEvent,
		Status: []curlew.EntityStatus{curlew.EntityStale, curlew.EntityActive}},
		"Hamlet & friends", "Hamlet in Łódź")
	b.wantFound(t, acme, store.BrowseFilter{Search: "ham", Source: other.source.ID})
	b.wantFound(t, acme, store.BrowseFilter{Search: "ham", Schema: curlew.SchemaJob})
	b.wantFound(t, acme, store.BrowseFilter{Search: "ham", Status: []curlew.EntityStatus{curlew.EntityRemoved}})
	b.wantFound(t, acme, store.BrowseFilter{Search: "unicode", Watch: w.watch.ID}, words)
	b.wantFound(t, acme, store.BrowseFilter{Search: "ham", Watch: w.watch.ID})
	b.wantFound(t, acme, store.BrowseFilter{Search: "ham", Watch: "wat_unknown"})
	_, err := b.store.Org(acme).Entities().Browse(t.Context(), store.BrowseFilter{Search: strings.Repeat("ham ", 2500)}, store.Window{})
	wantFault(t, err, "search_too_long")
}

// searchedAsItIs: what an entity was called is forgotten.
func searchedAsItIs(t *testing.T, b *bench) {
	w := b.fill(t, acme)
	e := b.addNamed(t, acme, w, "Hamlet")[0]
	e.Fields = curlew.Values{"title": "Othello", "city": "Bergen"}
	b.write(t, acme, func(s store.WriteScope) error { return s.Entities().Save(t.Context(), e) })
	b.wantFound(t, acme, store.BrowseFilter{Search: "hamlet"})
	b.wantFound(t, acme, store.BrowseFilter{Search: "berg othello"}, "Othello")
	e.Status = curlew.EntityRemoved
	b.write(t, acme, func(s store.WriteScope) error { return s.Entities().SaveAll(t.Context(), []curlew.Entity{e}) })
	b.wantFound(t, acme, store.BrowseFilter{Search: "othello", Status: []curlew.EntityStatus{curlew.EntityActive}})
	b.wantFound(t, acme, store.BrowseFilter{Search: "othello", Status: []curlew.EntityStatus{curlew.EntityRemoved}}, "Othello")
	undone := b.store.Write(t.Context(), acme, func(s store.WriteScope) error {
		e.Fields = curlew.Values{"title": "Lear"}
		must(t, s.Entities().Save(t.Context(), e))
		return errUndo
	})
	if undone == nil {
		t.Fatal("nothing was undone")
	}
	b.wantFound(t, acme, store.BrowseFilter{Search: "lear"})
	b.wantFound(t, acme, store.BrowseFilter{Search: "othello"}, "Othello")
}

// searchedWithoutWriting compares searches among many entities, added and renamed in any
// order, with looking at each of them.
func searchedWithoutWriting(t *testing.T, b *bench) {
	w := b.fill(t, acme)
	w.source = b.addSource(t, acme)
	chance := rand.New(rand.NewPCG(3, 5))
	vocabulary := strings.Fields("alpha alphabet alps beta bet bees gamma game delta del epsilon eps zeta iota kappa lambda mu nu")
	title := func() string {
		var some []string
		for range 1 + chance.IntN(4) {
			some = append(some, vocabulary[chance.IntN(len(vocabulary))])
		}
		return strings.Join(some, " ")
	}
	var all []curlew.Entity
	for n, id := range b.mint(400) {
		e := named(w, n, title())
		e.ID = id
		all = append(all, e)
	}
	for some := range slices.Chunk(chance.Perm(len(all)), 37) { // also ids that lie between those which are there
		batch := make([]curlew.Entity, 0, len(some))
		for _, n := range some {
			batch = append(batch, all[n])
		}
		b.write(t, acme, func(s store.WriteScope) error { return s.Entities().AddAll(t.Context(), batch) })
	}
	for range 60 {
		n := chance.IntN(len(all))
		all[n].Fields = curlew.Values{"title": title()}
		b.write(t, acme, func(s store.WriteScope) error { return s.Entities().Save(t.Context(), all[n]) })
	}
	for _, text := range []string{"alp", "alpha", "bet g", "a b", "mu", "nu zeta iota", "e", "x", "alphabets"} {
		t.Run(text, func(t *testing.T) {
			var want, got []string
			for _, e := range slices.Backward(all) {
				if looksLike(fmt.Sprint(e.Fields["title"]), text) {
					want = append(want, string(e.ID))
				}
			}
			for after := ""; ; {
				some, err := b.store.Org(acme).Entities().Browse(t.Context(), store.BrowseFilter{Search: text, Source: w.source.ID},
					store.Window{After: after, Limit: 7})
				must(t, err)
				for _, e := range some {
					got, after = append(got, string(e.ID)), string(e.ID)
				}
				if len(some) < 7 {
					break
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%q finds %d page by page, want %d, or in another order", text, len(got), len(want))
			}
		})
	}
	b.wantSound(t)
}

// addSource adds a source that has no entities.
func (b *bench) addSource(t *testing.T, org curlew.OrgID) (kept curlew.Source) {
	t.Helper()
	b.write(t, org, func(s store.WriteScope) (err error) {
		kept, err = s.Sources().Add(t.Context(), curlew.Source{Name: "empty", BaseURL: "https://empty.example/", Trust: curlew.TrustStable})
		return err
	})
	return kept
}

// looksLike says whether every word of a text is the beginning of a word of a title.
func looksLike(title, text string) bool {
	for _, word := range strings.Fields(text) {
		if !slices.ContainsFunc(strings.Fields(title), func(w string) bool { return strings.HasPrefix(w, word) }) {
			return false
		}
	}
	return true
}

// wantSound checks that no invariant is broken but those that samples break: they have
// entities without changes.
func (b *bench) wantSound(t *testing.T, except ...string) {
	t.Helper()
	found, err := b.store.Check(t.Context())
	must(t, err)
	for _, v := range found {
		if strings.Contains(v.Sentence, "words") && !slices.Contains(except, v.Ref) {
			t.Errorf("%s", v.Sentence)
		}
	}
}

// changesSearched: changes are found by what their entities are called.
func changesSearched(t *testing.T, b *bench) {
	w := b.fill(t, acme)
	b.fill(t, birch)
	var titles []string
	for n := range 600 { // more than are looked up one by one
		titles = append(titles, fmt.Sprintf("Show of %d", n))
	}
	all := b.addNamed(t, acme, w, append(titles, "Hamlet")...)
	var want []int64
	b.write(t, acme, func(s store.WriteScope) error {
		for version := 1; version < 4; version++ {
			for _, e := range []curlew.Entity{all[600], all[3], w.entity, all[4]} {
				kept, err := s.Changes().Add(t.Context(), curlew.Change{Kind: curlew.EntityChanged, Source: e.Source, Entity: e.ID,
					Version: version + 1, OccurredAt: morning, Run: w.run.ID})
				if err != nil {
					return err
				}
				if e.ID == all[600].ID {
					want = append(want, kept.Sequence)
				}
			}
		}
		return nil
	})
	scope := b.store.Org(acme)
	sequences := func(changes []curlew.Change, err error) (all []int64) {
		t.Helper()
		must(t, err)
		for _, c := range changes {
			all = append(all, c.Sequence)
		}
		return all
	}
	if got := sequences(scope.Changes().List(t.Context(), store.ChangeFilter{Search: "haml"}, 0, 10)); !slices.Equal(got, want) {
		t.Errorf("in their order: %v, want %v", got, want)
	}
	if got := sequences(scope.Changes().ListBefore(t.Context(), store.ChangeFilter{Search: "haml"}, want[2], 1)); !slices.Equal(got,
		want[1:2]) {
		t.Errorf("before %d: %v, want %d", want[2], got, want[1])
	}
	many := sequences(scope.Changes().ListBefore(t.Context(), store.ChangeFilter{Search: "show"}, 0, 10))
	if slices.Reverse(many); len(many) != 6 || !slices.IsSorted(many) || slices.Contains(want, many[0]) {
		t.Errorf("of many entities: %v", many)
	}
	if got := sequences(scope.Changes().List(t.Context(), store.ChangeFilter{Search: "show"}, many[3], 10)); !slices.Equal(got, many[4:]) {
		t.Errorf("of many entities after %d: %v, want %v", many[3], got, many[4:])
	}
	for _, f := range []store.ChangeFilter{{Search: "haml", Kind: curlew.EntityAppeared}, {Search: "haml show"},
		{Search: "show", Source: "src_unknown"}, {Search: "🎭"}, {Search: "haml", Since: evening}} {
		t.Run(f.Search, func(t *testing.T) {
			if got := sequences(scope.Changes().List(t.Context(), f, 0, 10)); len(got) != 0 {
				t.Errorf("%+v finds %v", f, got)
			}
		})
	}
}

// wordsRace: of many who add at once none loses a word.
func wordsRace(t *testing.T, b *bench) {
	w := b.fill(t, acme)
	for _, err := range together(6, func(i int) error {
		for n := range 5 {
			err := b.store.Write(t.Context(), acme, func(s store.WriteScope) error {
				var some []curlew.Entity
				for k := range 9 {
					e := named(w, i*1000+n*10+k, fmt.Sprintf("Race number%d", i*1000+n*10+k))
					e.ID = curlew.Mint[curlew.EntityID](b.store.IDs())
					some = append(some, e)
				}
				return s.Entities().AddAll(t.Context(), some)
			})
			if err != nil {
				return err
			}
		}
		return nil
	}) {
		must(t, err)
	}
	found, err := b.store.Org(acme).Entities().Browse(t.Context(), store.BrowseFilter{Search: "race"}, store.Window{Limit: 1000})
	if err != nil || len(found) != 270 {
		t.Errorf("%d are found (%v), want 270", len(found), err)
	}
	b.wantSound(t)
}

// wordsMadeUp: what was there before there were words gets them; what goes astray is missed.
func wordsMadeUp(t *testing.T, b *bench) {
	w := b.fill(t, acme)
	all := b.addNamed(t, acme, w, "Hamlet", "Macbeth", "Othello")
	damage := func(query string, values ...any) {
		t.Helper()
		must(t, b.db.Write(t.Context(), func(tx *database.Tx) error {
			_, err := tx.Exec(t.Context(), query, values...)
			return err
		}))
	}
	damage(`DELETE FROM entity_words`)
	damage(`UPDATE entities SET words = 0`)
	b.wantFound(t, acme, store.BrowseFilter{Search: "macbeth"})
	b.wantSound(t)
	if orgs, err := b.store.OrgsWithoutWords(t.Context()); err != nil || !slices.Equal(orgs, []curlew.OrgID{acme}) {
		t.Errorf("nothing waits for words: %v", err)
	}
	for want := 2; want >= 0; want -= 2 {
		b.write(t, acme, func(s store.WriteScope) error {
			if n, err := s.Entities().IndexMissing(t.Context(), 2); err != nil || n != 2 {
				t.Errorf("%d got words (%v), want 2", n, err)
			}
			return nil
		})
	}
	b.wantFound(t, acme, store.BrowseFilter{Search: "macbeth"}, "Macbeth")
	if orgs, err := b.store.OrgsWithoutWords(t.Context()); err != nil || len(orgs) > 0 {
		t.Errorf("somebody waits for words still (%v)", err)
	}
	b.wantSound(t)
	damage(`UPDATE entities SET fields = (SELECT fields FROM entities WHERE id = ?) WHERE id = ?`, all[0].ID, all[1].ID)
	found, err := b.store.Check(t.Context())
	must(t, err)
	if !slices.ContainsFunc(found, func(v curlew.Violation) bool {
		return v.Org == acme && v.Ref == string(all[1].ID) && strings.Contains(v.Sentence, "words")
	}) {
		t.Errorf("an entity that is not found by its words is not missed: %v", found)
	}
	b.wantSound(t, string(all[1].ID))
}
