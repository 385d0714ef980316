package regions

import (
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
		_, items := Items(dom.New([]byte(page), "https://shop.example/"), Options{})
		for _, item := range items {
			all = append(all, fmt.Sprint(item.Fields["title"], item.Fields["slots"]))
		}
		return all
	}
	want := read(list(""))
	if len(want) != 6 {
		t.Fatalf("read as %q", want)
	}
	for _, advert := range []string{
		`<li class="ad"><span>Advertisement</span><a href="https://ads.example/c?id=1" rel="nofollow sponsored">Save on tyres</a></li>`,
		`<li><div><div>Advertisement</div><a href="https://ads.example/c?id=1" rel="sponsored"><b>Learn Italian</b> in a week</a></div></li>`,
	} {
		if got := read(list("", advert)); !slices.Equal(got, want) {
			t.Errorf("with an advert it is read as\n%q, without one as\n%q", got, want)
		}
	}
	if got := read(list(` rel="sponsored"`)); len(got) != 6 {
		t.Errorf("a list of offers is read as %q", got)
	}
}
