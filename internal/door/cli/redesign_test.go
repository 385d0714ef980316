package cli

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// services lists services of a church: a paragraph for each day and each service, or a table.
func services(inTable bool) string {
	var rows strings.Builder
	for n, title := range strings.Fields("Abendmahl Kindergottesdienst Andacht Adventsfeier Konzert Krippenspiel Christmette Taufe") {
		day, clock := time.Now().AddDate(0, 1, 7*n).Format("2.1.2006"), fmt.Sprintf("%d.30 Uhr", 10+n)
		if inTable {
			fmt.Fprintf(&rows, "<tr><td>%s</td><td>%s</td><td>%s</td><td>Stadtkirche</td></tr>", day, clock, title)
		} else {
			fmt.Fprintf(&rows, "<p class=dat><b>%s</b></p><p class=gd>%s %s<br><i>Stadtkirche</i></p>", day, clock, title)
		}
	}
	list := rows.String()
	if inTable {
		list = "<table><tr><th>Tag</th><th>Zeit</th><th>Was</th><th>Wo</th></tr>" + list + "</table>"
	}
	return `<!doctype html><html lang=de><head><title>Gottesdienste</title></head><body><div id=content><h1>Unsere Gottesdienste</h1>` + list + `</div></body></html>`
}

// foundThings lists what was found, among sentences that look like it: a paragraph for each thing,
// or a table.
func foundThings(inTable bool) string {
	var rows strings.Builder
	for n, title := range strings.Fields("Schlüsselbund Herrenfahrrad Brille Smartphone Kinderjacke Geldbörse Ehering Regenschirm Hörgerät") {
		day, number := time.Now().AddDate(0, 0, -n).Format("02.01.2006"), fmt.Sprintf("F-%d", 2231-n)
		if inTable {
			fmt.Fprintf(&rows, "<tr><td>%s</td><td>%s</td><td>Bahnhof %d</td><td>%s</td></tr>", number, title, n, day)
		} else {
			fmt.Fprintf(&rows, "<p><strong>%s</strong><br>Gegenstand: %s<br>Fundort: Bahnhof %d<br>Gefunden am: %s</p><hr>", number, title, n, day)
		}
	}
	list := rows.String()
	if inTable {
		list = "<table><tr><th>Nr.</th><th>Gegenstand</th><th>Fundort</th><th>Gefunden am</th></tr>" + list + "</table>"
	}
	return `<!doctype html><html lang=de><head><title>Fundsachen</title></head><body><div class=row><div class=col-9><h1>Fundsachen</h1>
		<p>Folgende Gegenstände wurden im Fundbüro abgegeben. Abholung Mo–Fr 8–12 Uhr, Zimmer 4.</p>` + list + `<p>Fundsachen werden sechs Monate aufbewahrt.</p></div></div></body></html>`
}

// A blueprint that no longer fits is no reason to stay with it: what replaces it need not
// read more, nor the rest that the old one still finds.
func TestWhatNoLongerFitsIsReplaced(t *testing.T) {
	for name, page := range map[string]func(bool) string{"services": services, "found": foundThings} {
		t.Run(name, func(t *testing.T) {
			r := newReader(t)
			all := map[string]string{"/": page(false)}
			r.must(nil, "add", r.pages(all), "--wait", "--delay", "0s")
			var watches []curlew.Watch
			r.must(&watches, "watches", "list")
			watch := string(watches[0].ID)
			all["/"] = page(true)
			_, out, said := r.curlew(t.Context(), "watches", "trigger", watch, "--wait")
			var heals []curlew.Heal
			if r.must(&heals, "heals", "list"); len(heals) != 1 || heals[0].Outcome != curlew.HealDone {
				t.Errorf("%+v: %s\n%s", heals, out, said)
			}
			if out := r.must(nil, "watches", "trigger", watch, "--wait"); !strings.Contains(out, "appeared=0") {
				t.Error(out)
			}
		})
	}
}
