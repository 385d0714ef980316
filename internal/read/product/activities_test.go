package product

import (
	"slices"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
)

func TestActivitiesStandUnderTheirHeading(t *testing.T) {
	for name, c := range map[string]struct {
		page string
		want []string
	}{
		"heading and list":   {`<h1>Club</h1><h2>Aktiviteter:</h2> <ul><li>Padlekurs</li><li> Dugnad </li></ul>`, []string{"Padlekurs", "Dugnad"}},
		"wrapped":            {`<h1>Club</h1><div><h3>Our services</h3></div><div><ol><li>Repair</li></ol></div>`, []string{"Repair"}},
		"term and list":      {`<h1>Club</h1><dl><dt>Activités</dt><dd><ul><li>Voile</li></ul></dd></dl>`, []string{"Voile"}},
		"text between":       {`<h1>Club</h1><h2>Activities</h2><p>We do much.</p><ul><li>Contact</li></ul>`, nil},
		"in the menu":        {`<nav><p>Services</p><ul><li>Login</li></ul></nav><h1>Club</h1>`, nil},
		"paragraphs as list": {`<h1>Club</h1><h2>What we do</h2><ul><li>` + longText + `</li></ul>`, nil},
		"another heading":    {`<h1>Club</h1><h2>News</h2><ul><li>Summer party</li></ul>`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, _, ok := Activities(dom.New([]byte("<body>"+c.page), "https://club.example/"))
			if ok != (len(c.want) > 0) || !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

const longText = "Every second week of the year we meet at the river and clean its banks, whatever the weather; whoever wants to join is welcome to do so at any time."
