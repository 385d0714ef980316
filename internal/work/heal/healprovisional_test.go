package heal_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/testkit/workers"
)

// rulings is a list of some years in one of two designs.
func rulings(year int, cards bool) string {
	var list strings.Builder
	for i, name := range strings.Split("Alder,Birch,Cedar,Dogwood,Elm,Fir,Gorse,Hazel,Ivy,Juniper,Kapok,Larch", ",") {
		number := fmt.Sprintf("%d-%04d", year-1, 311+i*29)
		title := fmt.Sprintf("%s %d Holdings v. County of %c", name, year, 'A'+i)
		day := time.Date(year, time.October, 2+2*i, 0, 0, 0, 0, time.UTC)
		if cards {
			fmt.Fprintf(&list, `<article class="case"><h3><a href="/cases/%s">%s</a></h3><p class="filed">Filed %s</p><p class="no">No. %s</p></article>`,
				number, title, day.Format("January 2, 2006"), number)
			continue
		}
		fmt.Fprintf(&list, `<tr><td>%s</td><td><a href="/docs/%s.pdf">%s</a></td><td>%s</td></tr>`, day.Format("01/02/2006"), number, title, number)
	}
	if cards {
		return `<html lang="en"><head><title>Opinions</title></head><body><header><h1>Appeals court</h1></header><main><h2>Recent opinions</h2>` +
			list.String() + `</main></body></html>`
	}
	return `<html lang="en"><head><title>Opinions</title></head><body><h1>Opinions</h1><table id="list"><tr><th>Date filed</th><th>Caption</th>` +
		`<th>Docket</th></tr>` + list.String() + `</table></body></html>`
}

// Where a redesigned page shows nothing that was known, its list is read provisionally: what it shows is new, and a
// person says whether what it lacks is gone.
func TestAListOfOtherThingsInAnotherDesignIsReadProvisionally(t *testing.T) {
	observe(t, false, func(o *watching) {
		o.Healing()
		defer o.Work()()
		b := &workers.Board{Body: rulings(2018, false)}
		site := demo.Site{Name: "court", Title: "Court", Base: strings.TrimSuffix(o.Serve(b), "/")}
		watch := o.Add(site, o.Propose(site))
		o.MustVisit(watch)
		at := o.Sequence()
		b.Set(func(b *workers.Board) { b.Body = rulings(2024, true) })
		for range 2 {
			if run := o.Visit(watch); run.State != curlew.RunFailed {
				t.Fatalf("%s, although nothing known can be read: %s", run.State, run.Summary)
			}
			o.Quiet()
		}
		heals, err := o.Store.Org(curlew.DefaultOrg).Heals().List(t.Context(), watch.Source, 2)
		if err != nil || len(heals) != 2 || heals[0].Outcome != curlew.HealDone || !heals[0].Report.Provisional || heals[1].Outcome != curlew.HealFailed {
			t.Fatalf("heals %+v (%v)", heals, err)
		}
		for range 3 {
			o.MustVisit(watch)
		}
		told := map[string]int{}
		for _, line := range o.Told(at) {
			told[strings.Fields(line)[0]]++
		}
		if told["entity_appeared"] != 12 || told["entity_disappeared"] != 0 || told["source_healed"] != 1 {
			t.Errorf("told %v", told)
		}
		at = o.Sequence()
		if _, err := o.AcceptRemoval(watch.ID); err != nil {
			t.Fatal(err)
		}
		o.MustVisit(watch)
		if gone := o.Told(at); len(gone) != 12 || !strings.HasPrefix(gone[0], "entity_disappeared Alder 2018") {
			t.Errorf("told %v", gone)
		}
	})
}

// A page of something else is none of these lists.
func TestAPageOfSomethingElseIsNotReadProvisionally(t *testing.T) {
	observe(t, false, func(o *watching) {
		o.Healing()
		defer o.Work()()
		b := &workers.Board{Body: rulings(2018, false)}
		site := demo.Site{Name: "court", Title: "Court", Base: strings.TrimSuffix(o.Serve(b), "/")}
		watch := o.Add(site, o.Propose(site))
		o.MustVisit(watch)
		at := o.Sequence()
		b.Set(func(b *workers.Board) {
			b.Body = `<html lang="en"><head><title>Under new ownership</title></head><body><h1>This domain is for sale</h1><ul>` +
				strings.Repeat(`<li><a href="/search?q=lawyers">Find lawyers near you</a></li><li><a href="/search?q=loans">Compare cheap loans</a></li>`+
					`<li><a href="/search?q=cars">Used cars of this week</a></li><li><a href="/search?q=flats">Flats to rent in town</a></li>`, 3) +
				`</ul></body></html>`
		})
		for range 4 {
			o.Visit(watch)
			o.Quiet()
		}
		for _, line := range o.Told(at) {
			if !strings.HasPrefix(line, "source_") && !strings.HasPrefix(line, "watch_") {
				t.Errorf("told %s", line)
			}
		}
	})
}

// A list that begins anew in its own design, as with the year, is read once a second check finds it so.
func TestAListThatBeginsAnewIsReadProvisionally(t *testing.T) {
	year := func(year, of int) string {
		var list strings.Builder
		for i := range of {
			day := time.Date(year, time.January, 3+5*i, 0, 0, 0, 0, time.UTC)
			fmt.Fprintf(&list, `<div class="day"><span>Filed: %s</span> <a href="/docs/%d-%d.pdf">In re %c%c %d</a> <i>%02d-%d</i></div>`,
				day.Format("2 January 2006"), year, i, 'A'+i%26, 'k'+i/13, year, i*7, year)
		}
		return `<html lang="en"><head><title>Opinions</title></head><body><h1>Opinions</h1><main>` + list.String() + `</main></body></html>`
	}
	observe(t, false, func(o *watching) {
		o.Healing()
		defer o.Work()()
		b := &workers.Board{Body: year(2025, 60)}
		site := demo.Site{Name: "court", Title: "Court", Base: strings.TrimSuffix(o.Serve(b), "/")}
		watch := o.Add(site, o.Propose(site))
		o.MustVisit(watch)
		at := o.Sequence()
		b.Set(func(b *workers.Board) { b.Body = year(2026, 9) })
		for range 2 {
			o.Visit(watch)
			o.Quiet()
		}
		for range 3 {
			o.MustVisit(watch)
		}
		told := map[string]int{}
		for _, line := range o.Told(at) {
			told[strings.Fields(line)[0]]++
		}
		if told["entity_appeared"] != 9 || told["entity_disappeared"] != 0 || told["entity_changed"] != 0 {
			t.Errorf("told %v", told)
		}
	})
}

// A table without its names is no list of other things while it shows the numbers of the known ones.
func TestATableWithoutItsNamesIsNotReadProvisionally(t *testing.T) {
	table := func(named bool) string {
		var rows strings.Builder
		for i, what := range []string{"Roof of the town hall", "Depot desk", "Bridge repair", "Street lights", "School kitchen", "Pool filter", "Snow plough", "Archive shelves"} {
			title := ""
			if named {
				title = "<td>" + what + "</td>"
			}
			fmt.Fprintf(&rows, "<tr><td>TN-%d</td>%s<td>%s</td><td>%s und Sohn</td><td>%d November 2026</td></tr>", 701+i, title, []string{"Roads", "Library"}[i%2],
				[]string{"Dachpro", "Buromax", "Stahlbau", "Lumen", "Kochwerk", "Aqua", "Winterdienst", "Regalia"}[i], 3+2*i)
		}
		head := ""
		if named {
			head = "<th>Title</th>"
		}
		return `<html lang="en"><head><title>Tenders</title></head><body><h1>Tenders</h1><table><tr><th>Reference</th>` + head +
			`<th>Office</th><th>Supplier</th><th>Published</th></tr>` + rows.String() + `</table></body></html>`
	}
	observe(t, false, func(o *watching) {
		o.Healing()
		defer o.Work()()
		b := &workers.Board{Body: table(true)}
		site := demo.Site{Name: "tenders", Title: "Tenders", Base: strings.TrimSuffix(o.Serve(b), "/")}
		watch := o.Add(site, o.Propose(site))
		o.MustVisit(watch)
		at := o.Sequence()
		b.Set(func(b *workers.Board) { b.Body = table(false) })
		for range 4 {
			o.Visit(watch)
			o.Quiet()
		}
		b.Set(func(b *workers.Board) { b.Body = strings.Replace(table(true), "Depot desk", "Depot desk and chair", 1) })
		for range 2 {
			o.MustVisit(watch)
			o.Quiet()
		}
		var told []string
		for _, line := range o.Told(at) {
			if strings.HasPrefix(line, "entity_") {
				told = append(told, line)
			}
		}
		if len(told) != 1 || !strings.Contains(told[0], "Depot desk and chair") {
			t.Errorf("told %q", told)
		}
	})
}
