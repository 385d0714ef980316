package runs_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/database/databasetest"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/testkit/workers"
	"github.com/curlew-data/curlew/internal/work/queue"
)

// damage is something that must never happen, how to undo it, and what fsck says.
type damage struct {
	name     string
	do, undo []string // what cannot be undone comes last
	says     []string
}

// Each refers to the anvil, which has three versions, or to its neighbour, the bell.
var damages = []damage{
	{"a version that nobody told", []string{`UPDATE entities SET version = 4 WHERE id = {anvil}`}, []string{`UPDATE entities SET version = 3 WHERE id = {anvil}`},
		[]string{"has another version than its newest change, which is of version 3"}},
	{"an entity that nobody told", []string{`UPDATE changes SET entity_id = NULL WHERE entity_id = {bell}`},
		[]string{`UPDATE changes SET entity_id = {bell} WHERE entity_id IS NULL`},
		[]string{"has another version than its newest change, which is of version 0", "has another sequence or another entity than its change"}},
	{"a change that is gone", []string{`UPDATE changes SET version = 22 WHERE entity_id = {bell}`, `UPDATE changes SET entity_id = {bell} WHERE entity_id = {anvil} AND version = 2`},
		[]string{`UPDATE changes SET entity_id = {anvil} WHERE entity_id = {bell} AND version = 2`, `UPDATE changes SET version = 1 WHERE entity_id = {bell}`},
		[]string{"has 2 changes, fewer than its versions", "cannot be followed: version 2 was never published", "cannot be followed: version 3 was never published",
			"has another version than its newest change, which is of version 22", "has another sequence or another entity than its change"}},
	{"a delivery out of line", []string{`UPDATE deliveries SET sequence = sequence + 100 WHERE entity_id = {bell}`},
		[]string{`UPDATE deliveries SET sequence = sequence - 100 WHERE entity_id = {bell}`},
		[]string{"has another sequence or another entity than its change"}},
	{"a delivery about another entity", []string{`UPDATE deliveries SET entity_id = {anvil} WHERE entity_id = {bell}`},
		[]string{`UPDATE deliveries SET entity_id = {bell} WHERE change_id IN (SELECT id FROM changes WHERE entity_id = {bell})`},
		[]string{"has another sequence or another entity than its change"}},
	{"a sighting by a stranger", []string{`UPDATE sightings SET watch_id = {stranger} WHERE entity_id = {bell}`},
		[]string{`UPDATE sightings SET watch_id = {watch} WHERE entity_id = {bell}`}, []string{"which is of another source"}},
	{"a publication that leads into another scope", []string{`UPDATE publications SET scope = 'watch:other' WHERE supersedes = {first}`},
		[]string{`UPDATE publications SET scope = {scope} WHERE supersedes = {first}`},
		[]string{"which is of another scope, is itself, or does not exist", "the publications of watch:other form no single line: 0 of them supersede none"}},
	{"two publications that follow one", []string{`UPDATE publications SET scope = 'watch:other', supersedes = {first} WHERE id = {third}`},
		[]string{`UPDATE publications SET scope = {scope}, supersedes = {second} WHERE id = {third}`},
		[]string{"is superseded by 2 others", "which is of another scope, is itself, or does not exist", "the publications of watch:other form no single line: 0 of them supersede none"}},
	{"a publication that begins a second line", []string{`DROP INDEX publications_lineage`, `UPDATE publications SET supersedes = NULL WHERE id = {third}`},
		[]string{`UPDATE publications SET supersedes = {second} WHERE id = {third}`}, []string{"form no single line: 2 of them supersede none"}},
	{"words of another", []string{`UPDATE entity_words SET postings = replace(postings, 'bell', 'ball')`}, []string{`UPDATE entity_words SET postings = replace(postings, 'ball', 'bell')`},
		[]string{"is not found by its words, or by words that are not its own"}},
	{"values that nobody told", []string{`UPDATE entities SET fields = (SELECT fields FROM entities WHERE id = {bell}) WHERE id = {anvil}`}, nil,
		[]string{"has other values than its changes say: name, price, url", "is not found by its words, or by words that are not its own"}},
}

func TestDamageIsFound(t *testing.T) {
	databasetest.Each(t, []database.Migrations{queue.Migrations(), store.Migrations()}, func(t *testing.T, db *database.DB) {
		o := &watching{workers.New(t, db)}
		names := o.history()
		if found := o.sentences(); len(found) > 0 {
			t.Fatalf("before any damage: %q", found)
		}
		for _, d := range damages {
			o.spoil(names, d.do)
			o.finds(d)
			o.spoil(names, d.undo)
			if found := o.sentences(); len(found) > 0 && len(d.undo) > 0 {
				t.Fatalf("%s, undone: %q", d.name, found)
			}
		}
	})
}

// history lets a watch see an anvil at three prices and tell of it, and returns what
// the damages refer to.
func (o *watching) history() *strings.Replacer {
	o.Helper()
	stop := o.Work()
	b, watch := o.Pinned("anvil=10", "bell=20", "cart=30", "drum=40")
	_, stranger := o.Pinned("elk=10", "fife=20", "gong=30", "harp=40")
	_, _ = o.Subscribe(curlew.Subscription{Name: "everything"})
	o.MustVisit(watch)
	for _, price := range []string{"11", "12"} {
		b.Set(func(b *workers.Board) { b.Items[0] = "anvil=" + price })
		o.MustVisit(watch)
	}
	stop()
	entities, err := o.Store.Org(curlew.DefaultOrg).Entities().Sighted(o.Context(), watch.ID)
	if err != nil || len(entities) != 4 {
		o.Fatalf("%d entities (%v)", len(entities), err)
	}
	pairs := []string{"{watch}", quote(string(watch.ID)), "{stranger}", quote(string(stranger.ID)), "{scope}", quote("watch:" + string(watch.ID))}
	for _, e := range entities {
		pairs = append(pairs, "{"+e.Fields["name"].(string)+"}", quote(string(e.ID)))
	}
	latest, err := o.Store.Org(curlew.DefaultOrg).Publications().Latest(o.Context(), "watch:"+string(watch.ID))
	if err != nil {
		o.Fatal(err)
	}
	second, err := o.Store.Org(curlew.DefaultOrg).Publications().Get(o.Context(), latest.Supersedes)
	if err != nil {
		o.Fatal(err)
	}
	pairs = append(pairs, "{third}", quote(string(latest.ID)), "{second}", quote(string(second.ID)), "{first}", quote(string(second.Supersedes)))
	return strings.NewReplacer(pairs...)
}

func quote(text string) string { return "'" + text + "'" }

func (o *watching) spoil(names *strings.Replacer, statements []string) {
	o.Helper()
	err := o.Store.Write(o.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
		for _, s := range statements {
			if _, err := w.Tx.Exec(o.Context(), names.Replace(s)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		o.Fatal(err)
	}
}

func (o *watching) sentences() []string {
	o.Helper()
	violations, err := o.Check(o.Context())
	if err != nil {
		o.Fatal(err)
	}
	var all []string
	for _, v := range violations {
		all = append(all, v.Sentence)
	}
	return all
}

// finds wants fsck to say what it should, and nothing else.
func (o *watching) finds(d damage) {
	o.Helper()
	left := o.sentences()
	for _, want := range d.says {
		i := slices.IndexFunc(left, func(s string) bool { return strings.Contains(s, want) })
		if i < 0 {
			o.Errorf("%s: fsck does not say %q, only %q", d.name, want, o.sentences())
			return
		}
		left = slices.DeleteFunc(left, func(s string) bool { return strings.Contains(s, want) })
	}
	for _, sentence := range left {
		o.Errorf("%s: fsck also says %q", d.name, sentence)
	}
}
