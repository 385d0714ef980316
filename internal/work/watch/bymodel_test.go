package watch_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/testkit/workers"
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
	observe(t, false, func(o *watching) {
		page, answer := &prose{}, &atomic.Value{}
		page.text.Store("The mill grows. We look for a Head Miller in Gdynia who knows the old stones, for a Rope Maker in Hel, and later on, as " +
			"every year, for a Choir Leader in Sopot. Write to us if you like the smell of flour and can get up early.")
		three := recordsOf("Head Miller=Gdynia", "Rope Maker=Hel", "Choir Leader=Sopot")
		answer.Store(three)
		school := o.Teaching(reads(answer))
		runner := o.Onboarding()
		runner.Teacher = func(curlew.OrgID, curlew.SourceID) onboard.Teacher { return school }
		o.Slicers[curlew.RunOnboard] = runner
		o.Checker.Models = func(ctx context.Context, _ curlew.Watch) extract.ModelReader {
			return func(kind curlew.Schema, m extract.Material) ([]curlew.Draft, error) { return school.Read(ctx, kind, m) }
		}
		o.Slicers[curlew.RunWatch] = o.Checker
		defer o.Work()()
		c, err := runner.Propose(t.Context(), curlew.DefaultOrg, curlew.Candidate{URL: o.Serve(page), Instructions: "kind: job",
			Priority: curlew.PriorityNormal, AutoDeploy: true})
		if err != nil {
			t.Fatal(err)
		}
		o.Until("the candidate to settle", func() bool { return workers.Settled(o.Candidate(c.ID)) })
		o.Quiet()
		if c = o.Candidate(c.ID); c.Status != curlew.CandidateDeployed {
			t.Fatalf("the candidate is %s: %s %s", c.Status, c.LastError, c.Report)
		}
		watch := o.WatchNow(c.Watch)
		b, err := o.Store.Org(curlew.DefaultOrg).Blueprints().Get(t.Context(), watch.Blueprint)
		if err != nil || b.Tier != curlew.TierLLM {
			t.Fatalf("%+v, %v", b, err)
		}
		o.MustVisit(watch)
		entities, err := o.Store.Org(curlew.DefaultOrg).Entities().Sighted(t.Context(), watch.ID)
		if err != nil || len(entities) != 3 || entities[0].Fields["location"] == nil {
			t.Fatalf("%+v, %v", entities, err)
		}

		at, asked := o.Sequence(), len(school.Server.Calls())
		o.MustVisit(watch)
		if now := len(school.Server.Calls()); now != asked {
			t.Errorf("of the same page it was asked %d times again", now-asked)
		}
		// It leaves out what the page shows, and invents something.
		page.text.Store(page.text.Load().(string) + " New: a Net Mender in Puck.")
		answer.Store(recordsOf("Head Miller=Gdynia", "Net Mender=Puck", "Gala Night Host=Paris"))
		o.MustVisit(watch)
		if now := len(school.Server.Calls()); now != asked+1 {
			t.Errorf("of a changed page it was asked %d times", now-asked)
		}
		o.MustVisit(watch)
		if got := o.differences(at); len(got) != 1 || !strings.HasPrefix(got[0], "entity_appeared") {
			t.Errorf("told %q", got)
		}
		for _, bad := range []llmtest.Behaviour{llmtest.Hangs(), llmtest.Raw("<html>"), llmtest.Says("nothing")} {
			page.text.Store(page.text.Load().(string) + " And more.")
			answer.Store(bad)
			if run := o.Visit(watch); run.State != curlew.RunFailed {
				t.Errorf("the run %s: %s", run.State, run.Summary)
			}
			watch = o.WatchNow(watch.ID)
		}
		if got := o.differences(at); len(got) > 2 { // at most that the watch failed
			t.Errorf("told %q", got)
		}
	})
}
