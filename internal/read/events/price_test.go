package events

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/read/dom"
)

func TestAYearBeforeACurrencyIsNoPrice(t *testing.T) {
	page := `<html lang="en"><body><h1>Evenings</h1><ul>
<li><h3><a href="/a">Poetry evening</a></h3><time>3 December 2026</time> <span>€5.00</span></li>
<li><h3><a href="/b">Jazz evening</a></h3><time>4 December 2026</time> <span>€7.50</span></li>
<li><h3><a href="/c">Film evening</a></h3><time>9 December 2026</time> <span>€6.00</span></li></ul></body></html>`
	found := Read(dom.New([]byte(page), "https://hall.example/"), Options{Now: time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC), Lang: "en"})
	var prices []string
	for _, d := range found {
		price, _ := d.Fields["price_min"].(string)
		prices = append(prices, price)
	}
	if got := strings.Join(prices, " "); got != "5.00 7.50 6.00" {
		t.Errorf("prices are %q", got)
	}
}

// "R2" is a round and "R 204" a room, unless most entries say what they cost in that way.
func TestALetterBeforeANumberIsSeldomACurrency(t *testing.T) {
	for name, c := range map[string]struct {
		cells [4]string
		want  string
	}{
		"rounds":  {[4]string{"County Cup R2", "League", "League", "County Cup R3"}, ""},
		"tickets": {[4]string{"R150", "R90", "R 120", ""}, "150 90 120"},
		"amounts": {[4]string{"R99.50", "", "", ""}, "99.50"},
	} {
		t.Run(name, func(t *testing.T) {
			page := `<html lang="en"><body><h1>Fixtures</h1><table><tr><th>Date</th><th>Event</th><th></th></tr>`
			for i, cell := range c.cells {
				page += fmt.Sprintf(`<tr><td>%d December 2026</td><td>Town %c</td><td>%s</td></tr>`, i+3, 'A'+i, cell)
			}
			var prices []string
			for _, d := range Read(dom.New([]byte(page+`</table></body></html>`), "https://town.example/"), Options{Now: time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC), Lang: "en"}) {
				if price, ok := d.Fields["price_min"].(string); ok {
					prices = append(prices, price)
				}
			}
			if got := strings.Join(prices, " "); got != c.want {
				t.Errorf("%s: prices are %q, want %q", name, got, c.want)
			}
		})
	}
}

// What only names the speakers stands in the field for them, however a page writes it.
func TestALineOfSpeakersIsNoDescription(t *testing.T) {
	page := `<html lang="fr"><body><h1>Programme</h1><ul>
<li><h3>Ouverture</h3><p>3 décembre 2026, 9 h 00</p><p>Intervenants : Aïcha Benali · Camille Roussel · Ousmane Diallo</p></li>
<li><h3>Table ronde</h3><p>3 décembre 2026, 11 h 00</p><p>Intervenants : Noémie Kermarrec · Paul Désiré · Étienne Le Goff</p></li>
<li><h3>Clôture</h3><p>3 décembre 2026, 17 h 00</p><p>Intervenants : Camille Roussel · Paul Désiré · Aïcha Benali</p></li></ul></body></html>`
	found := Read(dom.New([]byte(page), "https://congres.example/"), Options{Now: time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC), Lang: "fr"})
	if len(found) != 3 {
		t.Fatalf("%d entries", len(found))
	}
	for _, d := range found {
		if d.Fields["description"] != nil || d.Fields["performers"] == nil {
			t.Errorf("described by %v, with %v", d.Fields["description"], d.Fields["performers"])
		}
	}
}
