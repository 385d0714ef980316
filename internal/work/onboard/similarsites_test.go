package onboard_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// venue is a small site on a content management system that many venues share.
type venue struct {
	shows []string // "title|when|hall"
	frame string   // %s is the list
	plain bool     // without links
}

const sharedFrame = `<!doctype html><html lang="en"><head><title>What's on</title></head><body class="vcms">
<header class="vcms-top"><a href="/">Home</a><nav><a href="/about">About us</a><a href="/hire">Hire</a></nav></header>
<main><h1>What's on</h1><div class="vcms-list">%s</div></main><footer class="vcms-foot"><p>Open all year round.</p></footer></body></html>`

func (v venue) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/" {
		http.NotFound(w, r)
		return
	}
	var list strings.Builder
	for i, show := range v.shows {
		parts := strings.Split(show, "|")
		name := fmt.Sprintf(`<a href="/show/%d">%s</a>`, i+1, parts[0])
		if v.plain {
			name = parts[0]
		}
		fmt.Fprintf(&list, `<section class="vcms-show"><h3 class="vcms-name">%s</h3><p class="vcms-when">%s</p><p class="vcms-hall">%s</p></section>`, name, parts[1], parts[2])
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, v.frame, list.String())
}

func (o *watching) trials(c curlew.Candidate) []onboard.Trial {
	o.Helper()
	var report onboard.CandidateReport
	if err := json.Unmarshal(c.Report, &report); err != nil {
		o.Fatal(err)
	}
	return report.Trials
}

var manyShows = []string{"The Cherry Orchard|14 March 2026, 19:30|Great Hall", "An Evening of Tango|17 March 2026, 20:00|Studio", "King Lear|20 March 2026, 19:00|Great Hall",
	"Mime for Beginners|22 March 2026, 11:00|Foyer", "The Seagull|2 April 2026, 19:30|Great Hall", "Jazz at Noon|5 April 2026, 12:00|Foyer",
	"Puppets by the Sea|9 April 2026, 15:00|Studio", "Uncle Vanya|11 April 2026, 19:30|Great Hall"}

// oneHall has but one hall: nothing on the page alone tells that its name is a place.
var oneHall = []string{"Hedda Gabler|18 March 2026, 19:30|№ 2", "A Night of Fado|21 March 2026, 21:00|№ 2", "Ghosts|4 April 2026, 19:30|№ 2",
	"Open Rehearsal|6 April 2026, 10:00|№ 2", "Peer Gynt|10 April 2026, 19:30|№ 2", "Little Eyolf|12 April 2026, 19:30|№ 2",
	"Songs of the North|15 April 2026, 20:00|№ 2", "The Wild Duck|18 April 2026, 19:30|№ 2"}

// A new site on the same system as one that is read already: how that one is read is
// tried on it, and wins only by what it brings.
func TestSimilarSourcesAreTriedFirstOfAllStrangers(t *testing.T) {
	observe(t, true, func(o *watching) {
		runner := o.Onboarding()
		defer o.Work()()
		first := o.onboarded(runner, o.Serve(venue{shows: manyShows, frame: sharedFrame}))
		if first.Status != curlew.CandidateDeployed || first.Fingerprint == "" {
			o.Fatalf("the first site is %s: %+v", first.Status, o.trials(first))
		}
		second := o.onboarded(runner, o.Serve(venue{shows: oneHall, frame: sharedFrame}))
		if likeness := onboard.Likeness(first.Fingerprint, second.Fingerprint); likeness < 0.9 {
			o.Errorf("two sites of one template are alike by %.2f", likeness)
		}
		trials := o.trials(second)
		if second.Status != curlew.CandidateDeployed || len(trials) != 2 || !strings.Contains(trials[0].What, "similar source") || trials[0].Score <= trials[1].Score {
			o.Fatalf("the second site is %s after %+v", second.Status, trials)
		}
		entities := o.firstLook(second)
		if len(entities) != len(oneHall) || entities[0].Fields["venue_name"] != "№ 2" {
			o.Errorf("%d entities were read: %+v", len(entities), entities)
		}
		same := o.onboarded(runner, o.Serve(venue{shows: slices.Concat(manyShows[:4], oneHall[:4]), frame: sharedFrame}))
		if trials := o.trials(same); strings.Contains(trials[0].What, "similar source") {
			o.Errorf("what the page itself teaches is as good, and yet %q was preferred", trials[0].What)
		}
	})
}

// firstLook visits the only watch of a deployed candidate, and returns what it found.
func (o *watching) firstLook(c curlew.Candidate) []curlew.Entity {
	o.Helper()
	watches, err := o.Store.Org(curlew.DefaultOrg).Watches().List(o.Context(), store.WatchFilter{Source: c.Source}, store.Window{})
	if err != nil || len(watches) != 1 {
		o.Fatalf("%d watches (%v)", len(watches), err)
	}
	o.MustVisit(watches[0])
	entities, err := o.Store.Org(curlew.DefaultOrg).Entities().Sighted(o.Context(), watches[0].ID)
	if err != nil {
		o.Fatal(err)
	}
	return entities
}

// countingTeacher is a teacher that counts.
type countingTeacher struct {
	asked  int
	answer string
}

func (t *countingTeacher) Learn(_ context.Context, _ curlew.Schema, _ extract.Material, _ []*blueprint.Blueprint) (*blueprint.Blueprint, error) {
	t.asked++
	if t.answer == "" {
		return nil, curlew.Refused("llm_budget_spent", "the budget of the month is spent")
	}
	return blueprint.Parse([]byte(t.answer))
}

func (t *countingTeacher) Heal(context.Context, *blueprint.Blueprint, []induce.PastRecord, extract.Material) (*blueprint.Blueprint, error) {
	return nil, curlew.Permanent("model_failed", "no idea")
}

func (t *countingTeacher) Judge(context.Context, []onboard.SampleRecord) (onboard.Opinion, error) {
	return onboard.Opinion{Answered: true}, nil
}

func (t *countingTeacher) Read(context.Context, curlew.Schema, extract.Material) ([]curlew.Draft, error) {
	return nil, curlew.Permanent("model_failed", "no idea")
}

func (t *countingTeacher) Interpret(context.Context, string, []curlew.SchemaName) ([]onboard.Interpretation, error) {
	return nil, curlew.Permanent("model_failed", "no idea")
}

func (t *countingTeacher) Name(context.Context, []onboard.FieldSample) (map[string]string, error) {
	return nil, curlew.Permanent("model_failed", "no idea")
}

const taughtRules = `{"curlew": 1, "schema": "event", "page": "list", "tier": "html", "records": {"css": "section"}, "fields": {
	"title": {"css": "h3", "required": true}, "starts_at": {"css": ".vcms-when", "required": true}, "venue_name": {"css": ".vcms-hall"}, "url": {"css": "a", "attr": "href"}}}`

// A model is asked when no other way passes, and only then; what it writes is tested
// like any other way, and without an answer everything is as it would be without it.
func TestAModelIsAskedOnlyWhenNothingElsePasses(t *testing.T) {
	observe(t, false, func(o *watching) {
		teacher := &countingTeacher{}
		runner := o.Onboarding()
		runner.Teacher = func(curlew.OrgID, curlew.SourceID) onboard.Teacher { return teacher }
		o.Slicers[curlew.RunOnboard] = runner
		defer o.Work()()
		poor := venue{shows: oneHall, frame: sharedFrame, plain: true}
		unaided := o.onboarded(runner, o.Serve(poor))
		trials := o.trials(unaided)
		last := trials[len(trials)-1]
		if teacher.asked != 1 || unaided.Status != curlew.CandidateDeployed || last.Passed || !slices.Contains(last.Feedback, "the budget of the month is spent") {
			o.Fatalf("asked %d times, it is %s (review %v) after %+v", teacher.asked, unaided.Status, unaided.Review, trials)
		}
		teacher.answer = taughtRules
		aided := o.onboarded(runner, o.Serve(poor))
		trials = o.trials(aided)
		if last = trials[len(trials)-1]; teacher.asked != 2 || aided.Status != curlew.CandidateDeployed || last.What != "written by a model" || last.Before != *unaided.Quality || last.Score <= last.Before {
			o.Fatalf("asked %d times, it is %s after %+v", teacher.asked, aided.Status, trials)
		}
		rich := o.onboarded(runner, o.Serve(venue{shows: manyShows, frame: sharedFrame}))
		if teacher.asked != 2 || rich.Status != curlew.CandidateDeployed {
			o.Errorf("asked %d times, it is %s after %+v", teacher.asked, rich.Status, o.trials(rich))
		}
		again := o.onboarded(runner, o.Serve(venue{shows: oneHall[:7], frame: sharedFrame, plain: true}))
		if teacher.asked != 2 || again.Status != curlew.CandidateDeployed {
			o.Errorf("what a model wrote once for such sites was there to be tried, but it is %s, and the model was asked %d times", again.Status, teacher.asked)
		}
	})
}
