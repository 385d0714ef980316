package heal_test

import (
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/quality"
	"github.com/curlew-data/curlew/internal/testkit/workers"
	"github.com/curlew-data/curlew/internal/web/llm/llmtest"
	"github.com/curlew-data/curlew/internal/work/heal"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// Where values are the ones that were known, a model that doubts them keeps nobody from
// healing.
func TestALyingModelCannotKeepASourceFromHealing(t *testing.T) {
	observe(t, false, func(o *watching) {
		lie := workers.Doubting(quality.DoubtNavigation, "name")
		teacher := o.Teaching(lie, lie, lie)
		o.Healing()
		heal := o.Slicers[curlew.RunHeal].(heal.Heal)
		heal.Teacher = func(curlew.OrgID, curlew.SourceID) onboard.Teacher { return teacher }
		o.Slicers[curlew.RunHeal] = heal
		defer o.Work()()
		b, watch := o.Pinned("anvil iron=10", "bell brass=20", "cart oak=30", "drum tin=40", "elk bone=50", "fife box=60")
		o.MustVisit(watch)
		b.Set(func(b *workers.Board) {
			b.Body = strings.NewReplacer(`<ul id="list">`, `<div class="grid">`, `</ul>`, `</div>`, `<li class="card">`, `<section class="tile">`, `</li>`, `</section>`, `<h3>`, `<b>`, `</h3>`, `</b>`).Replace(b.Page())
		})
		o.Visit(watch)
		o.Quiet()
		healed := o.lastHeal(watch)
		if healed.Outcome != curlew.HealDone || healed.Report.Shadow == nil || !strings.Contains(healed.Report.Shadow.Model, "0 doubts") || teacher.Purposes() != "judge" {
			o.Errorf("%s after %+v; the model was asked for %s; %+v", healed.Outcome, healed.Report.Timeline, teacher.Purposes(), healed.Report.Shadow)
		}
	})
}

// A page that rules cannot be learned for: a model writes them, they read in the shadow
// like any others, and the watch goes on without a false word.
func TestAModelHealsWhereRulesFail(t *testing.T) {
	observe(t, false, func(o *watching) {
		written := `{"curlew": 1, "schema": "product", "page": "list", "tier": "html", "records": {"css": "tr, .also"}, "fields": {
			"name": {"css": "a, .n", "required": true}, "price": {"css": "td:last-child, .p"}, "url": {"css": "a", "attr": "href"}}}`
		teacher := o.Teaching(llmtest.Fenced(written), llmtest.Says(`{"answers": [{"id": 1, "answer": "yes"}]}`))
		o.Healing()
		heal := o.Slicers[curlew.RunHeal].(heal.Heal)
		heal.Teacher = func(curlew.OrgID, curlew.SourceID) onboard.Teacher { return teacher }
		o.Slicers[curlew.RunHeal] = heal
		defer o.Work()()
		b, watch := o.Pinned("anvil iron=10", "bell brass=20", "cart oak=30", "drum tin=40", "elk bone=50", "fife box=60", "gong steel=70", "harp pine=80")
		o.MustVisit(watch)
		at := o.Sequence()
		b.Set(func(b *workers.Board) { b.Body = b.Parted() })
		o.Visit(watch)
		o.Quiet()
		healed := o.lastHeal(watch)
		if healed.Outcome != curlew.HealDone || healed.Report.How != "written by a model, and compared with the page" || healed.Report.Shadow == nil || healed.Report.Shadow.Known.Both != 8 {
			o.Fatalf("%s after %+v; the model was asked for %s", healed.Outcome, healed.Report.Timeline, teacher.Purposes())
		}
		if teacher.Purposes() != "heal judge" {
			o.Errorf("the model was asked for %s", teacher.Purposes())
		}
		is, err := o.Store.Org(curlew.DefaultOrg).Watches().Get(o.Context(), watch.ID)
		if err != nil {
			o.Fatal(err)
		}
		o.MustVisit(is)
		o.Want(at, "source_healed")
	})
}
