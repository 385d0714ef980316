package watch_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/testkit/workers"
)

// In another design, rules of the old one may read its menus. What they read there is nothing new.
func TestRulesThatReadTheMenusOfANewDesignNoLongerFit(t *testing.T) {
	observe(t, false, func(o *watching) {
		o.Healing()
		defer o.Work()()
		rules := workers.BoardRules
		rules.Records = &blueprint.Selector{CSS: "li"}
		b, watch := o.PinnedBy(rules, "anvil iron=10", "bell brass=20", "cart oak=30", "drum tin=40", "elk bone=50", "fife box=60")
		o.MustVisit(watch)
		at := o.Sequence()
		b.Set(func(b *workers.Board) {
			var menu, things strings.Builder
			for _, name := range strings.Fields("Home Shop News Help Terms Contact About Jobs Press Stores") {
				fmt.Fprintf(&menu, `<li><a href="/%[1]s"><h3>%[1]s</h3></a></li>`, name)
			}
			for i, name := range strings.Fields("Gong Harp Iron Jug Kettle Lamp Mug") {
				fmt.Fprintf(&things, `<div class="thing"><a href="/things/%[1]s">%[1]s of stone</a> <b>€ %d</b></div>`, name, 10+i)
			}
			b.Body = `<html><head><title>Shop</title></head><body><nav><ul>` + menu.String() + `</ul></nav><main>` + things.String() + `</main></body></html>`
		})
		if run := o.Visit(watch); run.State != curlew.RunFailed || !strings.Contains(run.Summary, "none of them known") {
			t.Errorf("the run %s: %s", run.State, run.Summary)
		}
		o.Quiet()
		o.Want(at)
	})
}

// Another week may list nothing of the last one, at one price, under a new note: that is the list, in its design.
func TestAListOfOtherThingsInItsDesignIsRead(t *testing.T) {
	observe(t, false, func(o *watching) {
		o.Healing()
		defer o.Work()()
		rules := workers.BoardRules
		rules.Expect = &blueprint.Expect{Fields: map[string]blueprint.Expectation{
			"name": {Present: 1, Distinct: 1}, "price": {Present: 1, Distinct: 1, Looks: "price"}}}
		b, watch := o.PinnedBy(rules, "anvil iron=10", "bell brass=20", "cart oak=30", "drum tin=40", "elk bone=50", "fife box=60")
		o.MustVisit(watch)
		at := o.Sequence()
		b.Set(func(b *workers.Board) {
			b.Items = strings.Fields("gong=10 harp=10 iron=10 jug=10 kettle=10 lamp=10")
			b.Body = strings.Replace(b.Page(), "<footer>", "<p>All at one <em>price</em></p><footer>", 1)
		})
		o.MustVisit(watch)
		o.Quiet()
		o.Want(at, "entity_appeared gong", "entity_appeared harp", "entity_appeared iron", "entity_appeared jug", "entity_appeared kettle",
			"entity_appeared lamp")
	})
}
