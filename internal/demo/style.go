package demo

import (
	"fmt"
	"html/template"
	"strings"
)

// Style is the inline style sheet of a design: as long as real ones are, and
// with just enough rules to be pleasant in a browser.
func (s scene) Style() template.CSS {
	d := s.design("style")
	hue := d.IntN(360)
	var css strings.Builder
	fmt.Fprintf(&css, ":root{--brand:hsl(%d 60%% 35%%);--soft:hsl(%d 40%% 94%%);--gap:%dpx}", hue, hue, d.between(8, 20))
	css.WriteString("*{box-sizing:border-box}body{margin:0 auto;max-width:76rem;padding:0 1rem;font:16px/1.5 system-ui,sans-serif;color:#222}" +
		"a{color:var(--brand)}img{max-width:100%;height:auto}table{border-collapse:collapse;width:100%}td,th{padding:.4rem;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}" +
		"[data-consent-root]{position:fixed;inset:auto 1rem 1rem;background:#fff;border:2px solid var(--brand);padding:1rem;z-index:9}" +
		"nav ul,header ul,footer ul{list-style:none;display:flex;flex-wrap:wrap;gap:.3rem 1rem;padding:0;font-size:.85rem}article,li,.card{break-inside:avoid}" +
		"main{min-height:50vh}footer{background:var(--soft);padding:1rem;margin-top:2rem}[hidden]{display:none!important}")
	properties := []string{"margin", "padding", "gap", "border-radius", "letter-spacing", "max-width", "min-height", "flex-basis"}
	parts := []string{"btn", "grid", "tile", "hero", "badge", "tooltip", "modal", "drawer", "carousel", "tab", "chip", "field", "avatar", "toast"}
	states := []string{"", ":hover", ":focus-visible", "::before", " > *", "--active", "--lg", "[aria-expanded=true]"}
	for range d.between(90, 150) {
		fmt.Fprintf(&css, ".c%s-%s%s{%s:%dpx;%s:%dpx}", d.hex(2), pick(d, parts), pick(d, states),
			pick(d, properties), d.between(0, 64), pick(d, properties), d.between(0, 64))
	}
	return template.CSS(css.String())
}
