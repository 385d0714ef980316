package publish

import (
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

func TestAPublicationSaysWhatBecameOfACheck(t *testing.T) {
	w := newWorld(t, curlew.SchemaProduct)
	steps := []struct {
		what     string
		seen     []SeenRecord
		force    bool
		opts     []option
		class    curlew.ChangeClass
		decision curlew.Decision
	}{
		{"nothing yet", nil, false, []option{partial("403")}, curlew.NoChange, curlew.SkipNoChange},
		{"the first check", []SeenRecord{lamp(), rope()}, false, []option{bytes("a")}, curlew.ContentChanged, curlew.PublishChanged},
		{"the same again", []SeenRecord{rope(), lamp()}, false, []option{bytes("a")}, curlew.NoChange, curlew.SkipNoChange},
		{"other bytes, same content", []SeenRecord{rope(), lamp()}, false, []option{bytes("b")}, curlew.NoChange, curlew.SkipNoChange},
		{"forced", []SeenRecord{rope(), lamp()}, true, []option{bytes("b")}, curlew.RepublishForced, curlew.PublishForced},
		{"other rules", []SeenRecord{rope("brand", "Tern"), lamp()}, false, []option{bytes("b"), rules("new")}, curlew.NormalizationChanged, curlew.PublishChanged},
		{"forced, and something changed", []SeenRecord{rope("brand", "Tern", "price", int64(1)), lamp()}, true, []option{bytes("c")}, curlew.ContentChanged, curlew.PublishChanged},
		{"one is missing", []SeenRecord{lamp()}, false, []option{bytes("d")}, curlew.NoChange, curlew.SkipNoChange},
		{"one is gone, on the same page", []SeenRecord{lamp()}, false, []option{bytes("d")}, curlew.ContentChanged, curlew.PublishChanged},
	}
	envelopes := map[string]bool{}
	for _, s := range steps {
		t.Run(s.what, func(t *testing.T) {
			w.policy.ForceRepublish = s.force
			before := w.latest
			p := w.see(s.seen, s.opts...).Publication
			if p.Class != s.class || p.Decision != s.decision || p.Reason == "" || p.Scope != "watch:wat_1" {
				t.Errorf("%s: %+v", s.what, p)
			}
			if before != nil && p.Supersedes != before.ID {
				t.Errorf("%s: supersedes %q", s.what, p.Supersedes)
			}
			if p.Decision != curlew.SkipNoChange && envelopes[p.EnvelopeHash] {
				t.Errorf("%s: the envelope is one of those before", s.what)
			}
			envelopes[p.EnvelopeHash] = true
		})
	}
}

func TestTheNormalizedHashKnowsNoTimesAndNoRuns(t *testing.T) {
	hashes := map[string]bool{}
	for _, start := range []time.Time{{}, time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)} {
		w := newWorld(t, curlew.SchemaProduct)
		w.now, w.checks = start, start.Year()
		p := w.see([]SeenRecord{lamp(), rope()}, bytes("a")).Publication
		hashes[p.NormalizedHash+p.EnvelopeHash] = true
	}
	if len(hashes) != 1 {
		t.Error("the same content has two hashes")
	}
}

func TestAnEventThatEndsChangesWhatIsPublished(t *testing.T) {
	w := newWorld(t, curlew.SchemaEvent)
	both := []SeenRecord{concert("a", "Tide songs", "2026-11-02T20:00:00Z"), concert("b", "Long night", "2026-12-02T20:00:00Z")}
	w.see(both, bytes("a"))
	w.now = time.Date(2026, 11, 3, 0, 0, 0, 0, time.UTC)
	plan := w.see(both, bytes("a"))
	w.expect(plan)
	if p := plan.Publication; p.Class != curlew.ContentChanged || p.Entities != 1 || p.Reason != "1 over" {
		t.Errorf("the publication is %+v", p)
	}
}

func BenchmarkDecide(b *testing.B) {
	r := newRandom(1, 1000)
	w := newWorld(&testing.T{}, curlew.SchemaProduct)
	w.see(r.alive)
	prior := w.prior()
	for i := range 10 {
		r.edit(&r.alive[i*100])
	}
	w.now = w.now.Add(time.Hour)
	o := w.observe(r.alive)
	b.Run("1000 entities, 1 % changed", func(b *testing.B) {
		for b.Loop() {
			if plan := Decide(prior, o, ChangePolicy{}); plan.Figures.Changed == 0 || plan.Figures.Changed > 10 {
				b.Fatal(plan.Figures)
			}
		}
	})
	noisy := make([]SeenRecord, len(r.alive))
	for i, s := range r.alive {
		noisy[i] = r.noisy(s)
	}
	b.Run("1000 entities, all spelled otherwise", func(b *testing.B) {
		for b.Loop() {
			Decide(prior, w.observe(noisy), ChangePolicy{})
		}
	})
	renamed := make([]SeenRecord, len(noisy))
	for i, s := range noisy {
		s.Record.ExternalID = "new " + s.Record.ExternalID
		s.Record.Fields["url"] = s.Record.Fields["url"].(string) + "/new"
		renamed[i] = s
	}
	b.Run("1000 entities, all ids new", func(b *testing.B) {
		for b.Loop() {
			if plan := Decide(prior, w.observe(renamed), ChangePolicy{}); len(plan.Aliases) < 900 {
				b.Fatal(len(plan.Aliases), len(plan.New))
			}
		}
	})
}
