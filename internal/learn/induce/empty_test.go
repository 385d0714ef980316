package induce

import (
	"testing"

	"curlew/internal/read/blueprint"
	"curlew/internal/read/dom"
)

func TestAnEmptyPageSaysWhyItIsEmpty(t *testing.T) {
	b := &blueprint.Blueprint{Records: &blueprint.Selector{CSS: "ul.dates > li"}}
	for page, want := range map[string]Emptiness{
		`<h1>Mill</h1><ul class="dates"></ul><p>Nothing on at the moment.</p>`: NothingToday,
		`<h1>Mill</h1><div class="grid"><article>Seed Swap</article></div>`:    Broken,
		`<h1>One moment</h1><p>Checking your browser before you go on.</p>`:    Blocked,
		``: Broken,
	} {
		t.Run(page, func(t *testing.T) {
			if got := WhyEmpty(b, dom.New([]byte(page), "https://mill.example/")); got != want {
				t.Errorf("%s, wanted %s", got, want)
			}
		})
	}
}

func TestAnEmptyContainerOfDatedEntriesHasNothingToday(t *testing.T) {
	b := datedBlueprint("#meetings", nil)
	for page, want := range map[string]Emptiness{
		`<h1>Board</h1><div id="meetings"><p>None are planned.</p></div>`: NothingToday,
		`<h1>Board</h1><div id="news"><p>None are planned.</p></div>`:     Broken,
	} {
		t.Run(page, func(t *testing.T) {
			if got := WhyEmpty(b, dom.New([]byte(page), "")); got != want {
				t.Errorf("%s", got)
			}
		})
	}
}
