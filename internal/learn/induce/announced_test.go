package induce

import (
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
)

// A person who asks for jobs means the list under "Jobs with us", not the longer one.
func TestTheListOfAKindIsTheOneUnderItsHeading(t *testing.T) {
	var page strings.Builder
	page.WriteString(`<html><body><main><h1>Club</h1><section><h2>Upcoming events</h2><ul>`)
	for _, name := range []string{"Jazz", "Poetry", "Choir", "Puppets", "Market", "Film"} {
		page.WriteString(`<li><h3><a href="/e/` + name + `">` + name + ` night</a></h3><p>Saturday, 21 November 2026</p><p>Old Mill</p></li>`)
	}
	page.WriteString(`</ul></section><section><h2>Jobs with us</h2><div>`)
	for _, name := range []string{"Nurse", "Baker", "Gardener", "Analyst"} {
		page.WriteString(`<div class="j"><h3><a href="/j/` + name + `">` + name + `</a></h3><p>Berlin</p></div>`)
	}
	page.WriteString(`</div></section></main></body></html>`)
	doc := dom.New([]byte(page.String()), "https://club.example/")
	for kind, want := range map[curlew.SchemaName]string{curlew.SchemaJob: "Nurse", curlew.SchemaItem: "Jazz night"} {
		t.Run(string(kind), func(t *testing.T) {
			drafts := ReadPage(t.Context(), doc, time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), kind.Kind(), DayRange{})
			if len(drafts) == 0 || drafts[0].Fields["title"] != want {
				t.Errorf("%d records, not those of %s", len(drafts), want)
			}
		})
	}
}

func TestAWordInsideAnotherAnnouncesNothing(t *testing.T) {
	for text, kind := range map[string]curlew.SchemaName{"baustellen der stadt": curlew.SchemaJob, "our workshops": curlew.SchemaProduct, "express trains": curlew.SchemaArticle} {
		t.Run(text, func(t *testing.T) {
			if Announces(text, kind) {
				t.Errorf("%q announces %s", text, kind)
			}
		})
	}
	for text, kind := range map[string]curlew.SchemaName{"offene stellenangebote": curlew.SchemaJob, "вакансії": curlew.SchemaJob, "sitzungstermine": curlew.SchemaEvent, "/shop/": curlew.SchemaProduct} {
		t.Run(text, func(t *testing.T) {
			if !Announces(text, kind) {
				t.Errorf("%q does not announce %s", text, kind)
			}
		})
	}
}
