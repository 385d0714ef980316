package demo

import (
	"bytes"
	"fmt"
	"html/template"
	"strings"
	"sync"
	text "text/template"
)

// sheets are the style sheets of every design, by name of the site: the shared
// rules, those of the frame, those of the site. They are templates because
// generated class names move with every design. A design may do without rules
// of its own, as pages from the nineties do.
var sheets = sync.OnceValue(func() map[string][][]*text.Template {
	all := map[string][][]*text.Template{}
	for i, s := range sites() {
		c := cards()[s.name]
		for design := range c.Designs {
			var parts []*text.Template
			for _, file := range []string{"chrome/base.css", "chrome/utilities.css", "chrome/" + frameOf(i, design) + ".css",
				fmt.Sprintf("%s/%d.css", c.Name, design+1)} {
				if source, err := templates.ReadFile("templates/" + file); err == nil {
					parts = append(parts, text.Must(text.New(file).Parse(string(source))))
				}
			}
			all[c.Name] = append(all[c.Name], parts)
		}
	}
	return all
})

// sheet is the style sheet that the present design links to.
func (s scene) sheet() ([]byte, error) {
	var css bytes.Buffer
	for _, part := range sheets()[s.card.Name][s.state.Design] {
		if err := part.Execute(&css, s); err != nil {
			return nil, err
		}
	}
	return css.Bytes(), nil
}

// Style is the inline style sheet of a design: as long as real ones are, and
// with nothing in it that the linked one needs.
func (s scene) Style() template.CSS {
	d := s.design("style")
	var css strings.Builder
	fmt.Fprintf(&css, ":root{--hue:%d;--gap:%dpx}[hidden]{display:none!important}", d.IntN(360), d.between(8, 20))
	properties := []string{"margin", "padding", "gap", "border-radius", "letter-spacing", "max-width", "min-height", "flex-basis"}
	parts := []string{"btn", "grid", "tile", "hero", "badge", "tooltip", "modal", "drawer", "carousel", "tab", "chip", "field", "avatar",
		"toast"}
	states := []string{"", ":hover", ":focus-visible", "::before", " > *", "--active", "--lg", "[aria-expanded=true]"}
	for range d.between(90, 150) {
		fmt.Fprintf(&css, ".c%s-%s%s{%s:%dpx;%s:%dpx}", d.hex(2), pick(d, parts), pick(d, states),
			pick(d, properties), d.between(0, 64), pick(d, properties), d.between(0, 64))
	}
	return template.CSS(css.String())
}
