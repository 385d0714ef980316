package induce

import (
	"testing"

	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
)

func TestAnEmptyPageSaysWhyItIsEmpty(t *testing.T) {
	b := &blueprint.Blueprint{Records: &blueprint.Selector{CSS: "ul.dates > li"}}
	for page, want := range map[string]Emptiness{
		`<h1>Mill</h1><ul class="dates"></ul><p>Nothing on at the moment.</p>`:       NothingToday,
		`<h1>Mill</h1><div class="grid"><article>Seed Swap</article></div>`:          Broken,
		`<h1>Mill</h1><ul class="dates"><h2>Dates</h2><p>None are planned.</p></ul>`: NothingToday,
		`<h1>Mill</h1><ul class="dates"><li>Nothing on at the moment.</li></ul>`:     NothingToday,
		`<h1>One moment</h1><p>Checking your browser before you go on.</p>`:          Blocked,
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

// A list whose records have new classes is full, not empty.
func TestAListWithRecordsInNewMarkupIsBroken(t *testing.T) {
	for css, page := range map[string]string{
		"#list > li.card":    `<ul id="list"><li class="tile">Seed Swap</li><li class="tile">Rope Workshop</li><li class="tile">Choir</li></ul>`,
		"#list > div.tile":   `<ul id="list"><li>Seed Swap</li><li>Rope Workshop</li></ul>`,
		"#list > .card":      `<div id="list"><article>Seed Swap</article><article>Rope Workshop</article></div>`,
		"table.t tr.row":     `<table class="t"><tbody><tr><td>Seed Swap</td></tr><tr><td>Rope Workshop</td></tr></tbody></table>`,
		"div.page li.e-card": `<div class="page"><section><ul><li>Seed Swap</li><li>Rope Workshop</li></ul></section></div>`,
	} {
		t.Run(css, func(t *testing.T) {
			b := &blueprint.Blueprint{Records: &blueprint.Selector{CSS: css}}
			if got := WhyEmpty(b, dom.New([]byte(page), "")); got != Broken {
				t.Errorf("%s", got)
			}
		})
	}
}
