package runs_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/learn/llmblueprint"
	"github.com/curlew-data/curlew/internal/learn/quality"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/web/llm"
	"github.com/curlew-data/curlew/internal/web/llm/llmtest"
	"github.com/curlew-data/curlew/internal/work/heal"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// school is a teacher who asks a model's server, as an installation does.
type school struct {
	client *llm.Client
	server *llmtest.Server
	tally  *llm.MemoryMeter
}

const testFence = "f3b1c9d2a7e8"

// teaching lets a model's server answer as told, one behaviour after the other.
func (o *observatory) teaching(script ...llmtest.Behaviour) *school {
	o.Helper()
	s := &school{server: llmtest.Serve(o.T, script...), tally: &llm.MemoryMeter{}}
	var err error
	if s.client, err = llm.New(llm.Settings{Provider: llm.Anthropic, BaseURL: s.server.URL, Model: "m", Timeout: time.Second, Tries: 1}, http.DefaultClient, llm.Options{Meter: s.tally}); err != nil {
		o.Fatal(err)
	}
	return s
}

func (s *school) Learn(ctx context.Context, kind curlew.Schema, page extract.Material, examples []*blueprint.Blueprint) (*blueprint.Blueprint, error) {
	asked, err := llmblueprint.Learn(ctx, s.client.For(llm.Attribution{Purpose: curlew.PurposeLearn}), kind, []induce.LabelledPage{{Document: page.Document(), Now: page.Now}}, llmblueprint.Options{Fence: testFence, Examples: examples})
	return asked.Blueprint, err
}

func (s *school) Heal(ctx context.Context, old *blueprint.Blueprint, past []induce.PastRecord, page extract.Material) (*blueprint.Blueprint, error) {
	asked, err := llmblueprint.Heal(ctx, s.client.For(llm.Attribution{Purpose: curlew.PurposeHeal}), induce.Case{Old: old, Past: past, Pages: []induce.DatedPage{{Document: page.Document(), Now: page.Now}}}, llmblueprint.Options{Fence: testFence})
	return asked.Blueprint, err
}

func (s *school) Judge(ctx context.Context, sample []onboard.SampleRecord) (onboard.Opinion, error) {
	opinion, _, err := llmblueprint.Judge(ctx, s.client.For(llm.Attribution{Purpose: curlew.PurposeJudge}), sample, llmblueprint.Options{Fence: testFence})
	return opinion, err
}

func (s *school) Read(ctx context.Context, kind curlew.Schema, page extract.Material) ([]curlew.Draft, error) {
	return llmblueprint.Read(ctx, s.client.For(llm.Attribution{Purpose: curlew.PurposeRead}), kind, induce.DatedPage{Document: page.Document(), Now: page.Now}, llmblueprint.Options{Fence: testFence})
}

func (s *school) Interpret(ctx context.Context, said string, kinds []curlew.SchemaName) ([]onboard.Interpretation, error) {
	return llmblueprint.Interpret(ctx, s.client.For(llm.Attribution{Purpose: curlew.PurposeHear}), said, kinds, llmblueprint.Options{Fence: testFence})
}

func (s *school) Name(ctx context.Context, fields []onboard.FieldSample) (map[string]string, error) {
	return llmblueprint.NameFields(ctx, s.client.For(llm.Attribution{Purpose: curlew.PurposeName}), fields, llmblueprint.Options{Fence: testFence})
}

// purposes are what the model was asked for, in order.
func (s *school) purposes() string {
	var all []string
	for _, call := range s.tally.Calls() {
		all = append(all, string(call.Purpose))
	}
	return strings.Join(all, " ")
}

// doubting answers every question about a field with the same doubt, quoting the value.
func doubting(doubt quality.Doubt, field string) llmtest.Behaviour {
	return func(w http.ResponseWriter, r *http.Request, call llmtest.ReceivedCall) {
		var answers []string
		for line := range strings.SplitSeq(call.Turns[0], "\n") {
			var id int
			rest, ok := strings.CutPrefix(line, `{"field":"`+field+`","id":`)
			if n, _ := fmt.Sscanf(rest, "%d", &id); !ok || n != 1 {
				continue
			}
			_, value, _ := strings.Cut(rest, `"value":`)
			answers = append(answers, fmt.Sprintf(`{"id": %d, "answer": %q, "quote": %s}`, id, doubt, strings.TrimSuffix(value, "}")))
		}
		llmtest.Says(`{"answers": [`+strings.Join(answers, ", ")+`]}`)(w, r, call)
	}
}

// A model that doubts what the pages bear out sends a site to a person, and does no more:
// nothing else is deployed in its place.
func TestAModelsDoubtIsForAPersonToDecide(t *testing.T) {
	observe(t, true, func(o *observatory) {
		runner := o.onboarding()
		defer o.work()()
		doubt := doubting(quality.DoubtNavigation, "title")
		teacher := o.teaching(doubt, doubt, doubt, doubt, doubt, doubt)
		runner.Teacher = func(curlew.OrgID, curlew.SourceID) onboard.Teacher { return teacher }
		o.slicers[curlew.RunOnboard] = runner
		c := o.onboarded(runner, o.serve(venue{shows: manyShows, frame: sharedFrame}))
		first := o.trials(c)[0]
		if c.Status == curlew.CandidateDeployed || !c.Review || first.Passed || first.Score < 60 || !strings.Contains(strings.Join(first.Feedback, " "), "a model says of 5 of 5 values of title") {
			o.Errorf("it is %s (review %v) after %+v", c.Status, c.Review, first)
		}
		if !strings.HasPrefix(teacher.purposes(), "judge") {
			o.Errorf("the model was asked for %s", teacher.purposes())
		}
	})
}

// A model's server that says nothing of use leaves onboarding as it is without one, and is
// asked for its opinion once.
func TestAUselessModelDoesNotKeepASiteFromBeingDeployed(t *testing.T) {
	observe(t, true, func(o *observatory) {
		runner := o.onboarding()
		defer o.work()()
		for name, behave := range map[string]llmtest.Behaviour{"garbage": llmtest.Says("no"), "hangs": llmtest.Hangs(), "fails": llmtest.Fails(500, "out of order"), "agrees": llmtest.Says(`{"answers": [{"id": 1, "answer": "yes"}]}`)} {
			teacher := o.teaching(behave, behave)
			runner.Teacher = func(curlew.OrgID, curlew.SourceID) onboard.Teacher { return teacher }
			o.slicers[curlew.RunOnboard] = runner
			c := o.onboarded(runner, o.serve(venue{shows: manyShows, frame: sharedFrame}))
			if asked := teacher.purposes(); c.Status != curlew.CandidateDeployed || asked != "judge" && name != "agrees" || !strings.HasPrefix(asked, "judge") {
				o.Errorf("%s: it is %s, and the model was asked for %s", name, c.Status, teacher.purposes())
			}
		}
	})
}

// Where values are the ones that were known, a model that doubts them keeps nobody from
// healing.
func TestALyingModelCannotKeepASourceFromHealing(t *testing.T) {
	observe(t, false, func(o *observatory) {
		lie := doubting(quality.DoubtNavigation, "name")
		teacher := o.teaching(lie, lie, lie)
		o.healing()
		heal := o.slicers[curlew.RunHeal].(heal.Heal)
		heal.Teacher = func(curlew.OrgID, curlew.SourceID) onboard.Teacher { return teacher }
		o.slicers[curlew.RunHeal] = heal
		defer o.work()()
		b, watch := o.pinned("anvil iron=10", "bell brass=20", "cart oak=30", "drum tin=40", "elk bone=50", "fife box=60")
		o.mustVisit(watch)
		b.set(func(b *board) {
			b.body = strings.NewReplacer(`<ul id="list">`, `<div class="grid">`, `</ul>`, `</div>`, `<li class="card">`, `<section class="tile">`, `</li>`, `</section>`, `<h3>`, `<b>`, `</h3>`, `</b>`).Replace(b.page())
		})
		o.visit(watch)
		o.quiet()
		healed := o.lastHeal(watch)
		if healed.Outcome != curlew.HealDone || healed.Report.Shadow == nil || !strings.Contains(healed.Report.Shadow.Model, "0 doubts") || teacher.purposes() != "judge" {
			o.Errorf("%s after %+v; the model was asked for %s; %+v", healed.Outcome, healed.Report.Timeline, teacher.purposes(), healed.Report.Shadow)
		}
	})
}

// A page that rules cannot be learned for: a model writes them, they read in the shadow
// like any others, and the watch goes on without a false word.
func TestAModelHealsWhereRulesFail(t *testing.T) {
	observe(t, false, func(o *observatory) {
		written := `{"curlew": 1, "schema": "product", "page": "list", "tier": "html", "records": {"css": "tr, .also"}, "fields": {
			"name": {"css": "a, .n", "required": true}, "price": {"css": "td:last-child, .p"}, "url": {"css": "a", "attr": "href"}}}`
		teacher := o.teaching(llmtest.Fenced(written), llmtest.Says(`{"answers": [{"id": 1, "answer": "yes"}]}`))
		o.healing()
		heal := o.slicers[curlew.RunHeal].(heal.Heal)
		heal.Teacher = func(curlew.OrgID, curlew.SourceID) onboard.Teacher { return teacher }
		o.slicers[curlew.RunHeal] = heal
		defer o.work()()
		b, watch := o.pinned("anvil iron=10", "bell brass=20", "cart oak=30", "drum tin=40", "elk bone=50", "fife box=60", "gong steel=70", "harp pine=80")
		o.mustVisit(watch)
		at := o.sequence()
		b.set(func(b *board) { b.body = b.parted() })
		o.visit(watch)
		o.quiet()
		healed := o.lastHeal(watch)
		if healed.Outcome != curlew.HealDone || healed.Report.How != "written by a model, and compared with the page" || healed.Report.Shadow == nil || healed.Report.Shadow.Known.Both != 8 {
			o.Fatalf("%s after %+v; the model was asked for %s", healed.Outcome, healed.Report.Timeline, teacher.purposes())
		}
		if teacher.purposes() != "heal judge" {
			o.Errorf("the model was asked for %s", teacher.purposes())
		}
		is, err := o.store.Org(curlew.DefaultOrg).Watches().Get(o.Context(), watch.ID)
		if err != nil {
			o.Fatal(err)
		}
		o.mustVisit(is)
		o.want(at, "source_healed")
	})
}

// parted is the board with half of it in a table and half in a sentence.
func (b *board) parted() string {
	var rows, words strings.Builder
	for i, item := range b.items {
		name, price, _ := strings.Cut(item, "=")
		if i < len(b.items)/2 {
			fmt.Fprintf(&rows, `<tr><td><a href="/p/%s">%s</a></td><td>€ %s</td></tr>`, name, name, price)
		} else {
			tag := [][3]string{{"span", "em", "b"}, {"small", "strong", "u"}, {"mark", "i", "s"}, {"cite", "q", "var"}}[i%4]
			fmt.Fprintf(&words, `%s <%s class="also"><%s class="n">%s</%s> for %s <%s class="p">€ %s</%s></%s>, `, strings.Repeat("and moreover ", i), tag[0], tag[1], name, tag[1],
				strings.Repeat("hardly ", i%3), tag[2], price, tag[2], tag[0])
		}
	}
	return `<html><body><h1>Things</h1><table>` + rows.String() + `</table><p>We also have ` + words.String() + `and more.</p></body></html>`
}
