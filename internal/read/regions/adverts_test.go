package regions

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
)

// An advert between the entries of a list is none of them, and leaves their columns as they are. Where all links are paid
// for, the list is what they are there for.
func TestAnAdvertInAListIsNoEntry(t *testing.T) {
	list := func(rel string, more ...string) string {
		var all []string
		for i, name := range []string{"Harbour lamp", "Hemp rope", "Brass bell", "Cork buoy", "Oak oar", "Signal flag"} {
			all = append(all, fmt.Sprintf(`<li><a href="/p/%d"%s>%s</a> <span>€ %d.50</span> <em>Pier %d</em></li>`, i, rel, name, 20+7*i, i%3))
		}
		return `<html lang="en"><body><h1>Shop</h1><a href="/">Home</a><ul>` + strings.Join(slices.Insert(all, 3, more...), "") + `</ul></body></html>`
	}
	read := func(page string) (all []string) {
		_, items := Items(context.Background(), dom.New([]byte(page), "https://shop.example/"), Options{})
		for _, item := range items {
			all = append(all, fmt.Sprint(item.Fields["title"], item.Fields["slots"]))
		}
		return all
	}
	want := read(list(""))
	if len(want) != 6 {
		t.Fatalf("read as %q", want)
	}
	for i, advert := range []string{
		`<li class="ad"><span>Advertisement</span><a href="https://ads.example/c?id=1" rel="nofollow sponsored">Save on tyres</a></li>`,
		`<li><div><div>Advertisement</div><a href="https://ads.example/c?id=1" rel="sponsored"><b>Learn Italian</b> in a week</a></div></li>`,
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := read(list("", advert)); !slices.Equal(got, want) {
				t.Errorf("with an advert it is read as\n%q, without one as\n%q", got, want)
			}
		})
	}
	if got := read(list(` rel="sponsored"`)); len(got) != 6 {
		t.Errorf("a list of offers is read as %q", got)
	}
}

// An advert that stands within an entry is no part of it, unless most entries have one, or the same part of another
// is no advert.
func TestAnAdvertWithinAnEntryIsNoPartOfIt(t *testing.T) {
	list := func(advert, usual string) string {
		var page strings.Builder
		page.WriteString("<ul>")
		for n, place := range []string{"Harbour", "Meadow", "Lantern", "Orchard", "Granite", "Willow"} {
			beside := usual
			if n == 3 {
				beside = advert
			}
			fmt.Fprintf(&page, `<li class="set">%s<div class="content"><span>Gym %d</span><h3><a href="/sets/%d">%s workouts</a></h3>`+
				`<p>Weeks of training at the %[4]s, day by day.</p></div></li>`, beside, n, n, place)
		}
		return page.String() + "</ul>"
	}
	const advert = `<div class="ad"><span>Advertisement</span><a href="https://ads.example/c?id=1" rel="sponsored">Save on tyres</a></div>`
	if want := drafted(list("", "")); !strings.Contains(want, "Orchard workouts") {
		t.Fatalf("read as\n%s", want)
	}
	if got := drafted(list(advert, "")); strings.Contains(got, "tyres") || got != drafted(list("", "")) {
		t.Errorf("with an advert it is read as\n%s", got)
	}
	const shop = `<div class="ad"><span>Shop</span><a href="/shop/1">Tyres of all sizes</a></div>`
	if got := drafted(list(advert, shop)); !strings.Contains(got, "Save on tyres") {
		t.Errorf("a part that is paid for once is left out:\n%s", got)
	}
	if got := drafted(list(advert, advert)); !strings.Contains(got, "Advertisement") {
		t.Errorf("a part of all entries is left out:\n%s", got)
	}
}

// drafted are the entries of a page, as text.
func drafted(page string) string {
	_, items := Items(context.Background(), dom.New([]byte(`<html lang="en"><body><h1>Sets</h1>`+page+"</body></html>"), "https://gym.example/sets"), Options{})
	var all strings.Builder
	for _, item := range items {
		fmt.Fprintln(&all, item.Fields)
	}
	return all.String()
}
