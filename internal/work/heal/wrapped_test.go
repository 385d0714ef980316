package heal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/testkit/workers"
)

// A list that was put into a further box has no records for its rules, and its box is there: it is not empty while the page shows
// what is known, be it only after a script did, and is learned anew.
func TestAListThatStillShowsWhatIsKnownIsNotEmpty(t *testing.T) {
	observe(t, false, func(o *watching) {
		o.Healing()
		defer o.Work()()
		page := func(entries string) string {
			return `<html><head><title>Notices</title></head><body><h1>Notices</h1><main class="notices">` + entries + `</main></body></html>`
		}
		var was, is strings.Builder
		for n, name := range []string{"Closing of the north bridge", "Works in Harbour Street", "New opening hours", "Market moves to the square", "Water is off on Monday", "Trees are cut"} {
			fmt.Fprintf(&was, `<article class="notice"><h2><a href="/n/%d">%s</a></h2><p>No. 2018/%d</p></article>`, n, name, 40+n)
			fmt.Fprintf(&is, `<div class="x1"><h2><a href="/n/%d">%s</a></h2><p>No. 2018/%d</p></div>`, n, name, 40+n)
		}
		b := &workers.Board{Body: page(was.String())}
		site := demo.Site{Name: "notices", Title: "Notices", Base: strings.TrimSuffix(o.Serve(b), "/")}
		proposal := o.Propose(site)
		proposal.Blueprint.Records.CSS = "main.notices > article.notice"
		watch := o.Add(site, proposal)
		o.MustVisit(watch)
		sequence := o.Sequence()
		b.Set(func(b *workers.Board) { b.Body = page("<p>There are no notices today.</p>") })
		if run := o.Visit(watch); run.State != curlew.RunSucceeded {
			t.Errorf("an empty list: %s", run.Summary)
		}
		b.Set(func(b *workers.Board) {
			b.Body = page(`<div class="box" style="display:none">` + is.String() + `</div>`)
		})
		for range 3 {
			o.Visit(watch)
			o.Quiet()
		}
		heals, err := o.Store.Org(curlew.DefaultOrg).Heals().List(t.Context(), watch.Source, 5)
		if err != nil || len(heals) != 1 || heals[0].Outcome != curlew.HealDone {
			t.Errorf("heals %+v, error %v", heals, err)
		}
		o.Want(sequence, "source_healed")
	})
}

// A list that is empty today, for rules that name no box of the list, is no broken page: its title, heading and all else are there.
// A notice in its place is.
func TestAListWithoutEntriesTodayIsNotBroken(t *testing.T) {
	observe(t, false, func(o *watching) {
		o.Healing()
		defer o.Work()()
		page := func(title, content string) string {
			return `<html><head><title>` + title + `</title></head><body><nav>Home News Contact</nav><h1>Notices</h1>` + content + `<footer>Town hall, Main Street 1</footer></body></html>`
		}
		var entries strings.Builder
		for n, name := range []string{"Closing of the north bridge", "Works in Harbour Street", "New opening hours", "Market moves to the square", "Water is off on Monday"} {
			fmt.Fprintf(&entries, `<article class="notice"><h2><a href="/n/%d">%s</a></h2><p>No. 2018/%d</p></article>`, n, name, 40+n)
		}
		b := &workers.Board{Body: page("Notices", "<div>"+entries.String()+"</div>")}
		site := demo.Site{Name: "notices", Title: "Notices", Base: strings.TrimSuffix(o.Serve(b), "/")}
		proposal := o.Propose(site)
		proposal.Blueprint.Records.CSS = "article.notice"
		watch := o.Add(site, proposal)
		o.MustVisit(watch)
		sequence := o.Sequence()
		wait := page("Please wait", "<div><p>We check that you are no robot.</p></div>")
		b.Set(func(b *workers.Board) { b.Body = wait })
		o.Visit(watch)
		b.Set(func(b *workers.Board) { b.Body = page("Notices", "<div><p>There are no notices today.</p></div>") })
		for range 4 {
			o.MustVisit(watch)
			o.Quiet()
		}
		o.Want(sequence)
		b.Set(func(b *workers.Board) { b.Body = page("Notices", "<div>"+entries.String()+"</div>") })
		o.MustVisit(watch)
		o.Want(sequence)
		b.Set(func(b *workers.Board) { b.Body = wait })
		if run := o.Visit(watch); run.State != curlew.RunFailed {
			t.Errorf("another page: %s", run.Summary)
		}
	})
}
