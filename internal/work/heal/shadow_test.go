package heal_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/workers"
	"github.com/curlew-data/curlew/internal/work/heal"
)

// lastHeal is the newest attempt to heal the source of a watch.
func (o *watching) lastHeal(watch curlew.Watch) curlew.Heal {
	o.Helper()
	heals, err := o.Store.Org(curlew.DefaultOrg).Heals().List(o.Context(), watch.Source, 1)
	if err != nil || len(heals) == 0 {
		o.Fatalf("there is no healing (%v)", err)
	}
	return heals[0]
}

// A design that shows half of the entities in a table and half in a sentence: what is
// learned reads the table, and so it is not believed.
func TestAVersionThatMissesEntitiesInTheShadowIsNotTaken(t *testing.T) {
	observe(t, false, func(o *watching) {
		o.Healing()
		defer o.Work()()
		b, watch := o.Pinned("anvil iron=10", "bell brass=20", "cart oak=30", "drum tin=40", "elk bone=50", "fife box=60", "gong steel=70", "harp pine=80")
		o.MustVisit(watch)
		at := o.Sequence()
		b.Set(func(b *workers.Board) {
			var first, second strings.Builder
			for i, item := range b.Items {
				name, price, _ := strings.Cut(item, "=")
				if i < 4 {
					fmt.Fprintf(&first, `<tr><td><a href="/p/%s">%s</a></td><td>€ %s</td></tr>`, name, name, price)
				} else {
					fmt.Fprintf(&second, `the %s for € %s, `, name, price)
				}
			}
			b.Body = `<html><body><h1>Things</h1><table>` + first.String() + `</table><p>We also have ` + second.String() + `and more.</p></body></html>`
		})
		o.Visit(watch)
		o.Quiet()
		heal := o.lastHeal(watch)
		shadow := heal.Report.Shadow
		if heal.Outcome != curlew.HealFailed || shadow == nil || shadow.Agrees || !strings.Contains(strings.Join(shadow.Reasons, "; "), "of 8 entities that are known and that the pages show") {
			o.Fatalf("%s, shadow %+v, timeline %+v", heal.Outcome, shadow, heal.Report.Timeline)
		}
		if shadow.Known.Both != 4 || len(shadow.Known.OldOnly) != 4 || shadow.Before.Version != 1 || shadow.Archived == nil || shadow.Archived.Old != 8 {
			o.Errorf("the shadow says %+v", shadow)
		}
		is, err := o.Store.Org(curlew.DefaultOrg).Watches().Get(o.Context(), watch.ID)
		if err != nil || is.Blueprint != watch.Blueprint {
			o.Errorf("the watch was switched from %s to %s (%v)", watch.Blueprint, is.Blueprint, err)
		}
		o.Want(at)
	})
}

// What the old version still reads is compared too, and whoever is told of a healing is
// told what was before and what is after.
func TestAHealingTellsBeforeAndAfter(t *testing.T) {
	observe(t, false, func(o *watching) {
		o.Healing()
		defer o.Work()()
		b, watch := o.Pinned("anvil iron=10", "bell brass=20", "cart oak=30", "drum tin=40", "elk bone=50", "fife box=60")
		o.MustVisit(watch)
		at := o.Sequence()
		b.Set(func(b *workers.Board) {
			b.Body = strings.NewReplacer(`<span class="price">`, `<div class="deal"><em class="amount">`, `</span></li>`, `</em></div></li>`).Replace(b.Page())
		})
		o.MustVisit(watch)
		o.Quiet()
		healed := o.lastHeal(watch)
		o.picturesBoth(healed)
		shadow := healed.Report.Shadow
		if shadow == nil || !shadow.Agrees || shadow.Fresh.Old != 6 || shadow.Fresh.Both != 6 || !strings.Contains(shadow.Basis, "Both versions read 1 fresh page:") {
			o.Fatalf("the shadow says %+v", shadow)
		}
		for _, f := range shadow.Fresh.Fields {
			switch {
			case f.Field == "name" && f.Same == 6, f.Field == "price" && f.Gained == 6, f.Field == "currency":
			default:
				o.Errorf("beside each other: %+v", f)
			}
		}
		changes := o.ChangesAfter(at)
		var payload struct {
			Details struct{ Before, After curlew.ShadowSide } `json:"details"`
		}
		if len(changes) != 1 || changes[0].Kind != curlew.SourceHealed || json.Unmarshal(changes[0].Payload, &payload) != nil {
			o.Fatalf("told %+v", changes)
		}
		before, after := payload.Details.Before, payload.Details.After
		if before.Version != 1 || after.Version != 2 || before.Blueprint == after.Blueprint || before.Tier != curlew.TierHTML || after.Tier != curlew.TierHTML || after.Score < 60 {
			o.Errorf("before %+v, after %+v", before, after)
		}
	})
}

// picturesBoth expects a healing to have kept what a person needs to believe it: values
// before and after, how many were found of how many that could be, and the page on both
// sides with what is read on it marked.
func (o *watching) picturesBoth(h curlew.Heal) {
	o.Helper()
	r := h.Report
	if r.Possible != 6 || r.Found != 6 || len(r.Values) < 6 || r.Values[0].Entity == "" || r.Values[0].Old == nil || r.Values[0].Old != r.Values[0].New {
		o.Errorf("found %d of %d, values %+v", r.Found, r.Possible, r.Values)
	}
	if said := strings.Join(h.Summary(), " "); !strings.Contains(said, "found again 6 of 6 that could be found") || !strings.Contains(said, "as before") {
		o.Errorf("the summary is %q", said)
	}
	scope := o.Store.Org(curlew.DefaultOrg)
	for _, side := range []heal.Side{heal.SideBefore, heal.SideAfter} {
		copied, err := heal.Picture(o.Context(), scope, o.Checker.Watching, h, side)
		if page := string(copied.HTML); err != nil || !strings.Contains(page, "anvil iron") || !strings.Contains(page, `data-f="name"`) ||
			strings.Count(page, `data-r="`) != 6 || strings.Count(page, `data-f="currency price"`) != 6 {
			o.Errorf("%s: %v %s", side, err, page)
		}
	}
	if _, err := heal.Picture(o.Context(), scope, o.Checker.Watching, h, "beside"); curlew.AsFault(err).Code != curlew.ErrNotFound {
		o.Errorf("a side that there is not: %v", err)
	}
}
