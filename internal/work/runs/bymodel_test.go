package runs_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/web/llm/llmtest"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// prose is a page that tells of vacancies in running text, which nothing but a model reads.
type prose struct{ text atomic.Value }

func (p *prose) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/" {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><html lang="en"><head><title>The mill</title></head><body><main><p>%s</p></main></body></html>`, p.text.Load())
}

// reads answers as a model that reads well, and knows nothing else; while is what it says
// instead of the records.
func reads(answer *atomic.Value) llmtest.Behaviour {
	return func(w http.ResponseWriter, r *http.Request, call llmtest.ReceivedCall) {
		switch {
		case strings.HasPrefix(call.System, "You read web pages"):
			answer.Load().(llmtest.Behaviour)(w, r, call)
		case strings.HasPrefix(call.System, "You check"):
			llmtest.Says(`{"answers": [{"id": 1, "answer": "yes"}]}`)(w, r, call)
		default:
			llmtest.Says("I do not know.")(w, r, call)
		}
	}
}

func recordsOf(titles ...string) llmtest.Behaviour {
	var all []string
	for _, t := range titles {
		title, place, _ := strings.Cut(t, "=")
		all = append(all, fmt.Sprintf(`{"title": %q, "location": %q}`, title, place))
	}
	return llmtest.Fenced(`{"records": [` + strings.Join(all, ", ") + `]}`)
}

func TestAModelReadsAtEachCheckWhatNothingElseReads(t *testing.T) {
	observe(t, false, func(o *observatory) {
		page, answer := &prose{}, &atomic.Value{}
		page.text.Store("The mill grows. We look for a Head Miller in Gdynia who knows the old stones, for a Rope Maker in Hel, and later on, as " +
			"every year, for a Choir Leader in Sopot. Write to us if you like the smell of flour and can get up early.")
		three := recordsOf("Head Miller=Gdynia", "Rope Maker=Hel", "Choir Leader=Sopot")
		answer.Store(three)
		school := o.teaching(reads(answer))
		runner := o.onboarding()
		runner.Teacher = func(curlew.OrgID, curlew.SourceID) onboard.Teacher { return school }
		o.slicers[curlew.RunOnboard] = runner
		o.watch.Models = func(ctx context.Context, _ curlew.Watch) extract.ModelReader {
			return func(kind curlew.Schema, m extract.Material) ([]curlew.Draft, error) { return school.Read(ctx, kind, m) }
		}
		o.slicers[curlew.RunWatch] = o.watch
		defer o.work()()
		c, err := runner.Propose(t.Context(), curlew.DefaultOrg, curlew.Candidate{URL: o.serve(page), Instructions: "kind: job",
			Priority: curlew.PriorityNormal, AutoDeploy: true})
		if err != nil {
			t.Fatal(err)
		}
		o.until("the candidate to settle", func() bool { return settled(o.candidate(c.ID)) })
		o.quiet()
		if c = o.candidate(c.ID); c.Status != curlew.CandidateDeployed {
			t.Fatalf("the candidate is %s: %s %s", c.Status, c.LastError, c.Report)
		}
		watch := o.watchNow(c.Watch)
		b, err := o.store.Org(curlew.DefaultOrg).Blueprints().Get(t.Context(), watch.Blueprint)
		if err != nil || b.Tier != curlew.TierLLM {
			t.Fatalf("%+v, %v", b, err)
		}
		o.mustVisit(watch)
		entities, err := o.store.Org(curlew.DefaultOrg).Entities().Sighted(t.Context(), watch.ID)
		if err != nil || len(entities) != 3 || entities[0].Fields["location"] == nil {
			t.Fatalf("%+v, %v", entities, err)
		}

		at, asked := o.sequence(), len(school.server.Calls())
		o.mustVisit(watch)
		if now := len(school.server.Calls()); now != asked {
			t.Errorf("of the same page it was asked %d times again", now-asked)
		}
		// It leaves out what the page shows, and invents something.
		page.text.Store(page.text.Load().(string) + " New: a Net Mender in Puck.")
		answer.Store(recordsOf("Head Miller=Gdynia", "Net Mender=Puck", "Gala Night Host=Paris"))
		o.mustVisit(watch)
		if now := len(school.server.Calls()); now != asked+1 {
			t.Errorf("of a changed page it was asked %d times", now-asked)
		}
		o.mustVisit(watch)
		if got := o.differences(at); len(got) != 1 || !strings.HasPrefix(got[0], "entity_appeared") {
			t.Errorf("told %q", got)
		}
		for _, bad := range []llmtest.Behaviour{llmtest.Hangs(), llmtest.Raw("<html>"), llmtest.Says("nothing")} {
			page.text.Store(page.text.Load().(string) + " And more.")
			answer.Store(bad)
			if run := o.visit(watch); run.State != curlew.RunFailed {
				t.Errorf("the run %s: %s", run.State, run.Summary)
			}
			watch = o.watchNow(watch.ID)
		}
		if got := o.differences(at); len(got) > 2 { // at most that the watch failed
			t.Errorf("told %q", got)
		}
	})
}

func TestAModelSaysWhatInstructionsMean(t *testing.T) {
	observe(t, false, func(o *observatory) {
		school := o.teaching(llmtest.Fenced(`{"settings": [{"words": "tylko nadchodzące", "setting": "upcoming", "value": "yes"},
			{"words": "wydarzenia", "setting": "kind", "value": "unicorn"}, {"words": "po polsku", "setting": "language", "value": "pl"},
			{"words": "w strefie Warszawy", "setting": "timezone", "value": "Moon/Crater"}]}`))
		in := onboard.InterpretInstructions(t.Context(), school, "tylko nadchodzące wydarzenia, po polsku, w strefie Warszawy", nil)
		if !in.Upcoming || in.Language != "pl" || in.Schema != "" || in.Zone != "" || !strings.Contains(in.Rest, "wydarzenia") || !strings.Contains(in.Rest, "Warszawy") ||
			!strings.Contains(in.Summary(), `a model took "tylko nadchodzące" as upcoming yes`) {
			t.Errorf("%+v: %s", in, in.Summary())
		}
		if in := onboard.InterpretInstructions(t.Context(), school, "events on /agenda", nil); in.Schema != curlew.SchemaEvent || len(school.server.Calls()) != 1 {
			t.Errorf("it was asked about what is understood: %+v", in)
		}
		deaf := o.teaching(llmtest.Hangs())
		if in := onboard.InterpretInstructions(t.Context(), deaf, "tylko koncerty", nil); in.Rest == "" && in.Schema == "" {
			t.Errorf("%+v", in)
		}
	})
}
