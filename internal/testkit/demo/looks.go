package demo

import (
	"embed"
	"fmt"
	"html/template"
	"strings"
	"sync"
	"time"
)

//go:embed templates
var templates embed.FS

// looks are the parsed designs of every site, by name. Each design is a frame
// (head, menu, consent, boxes, footer) and the site's own file, which may put
// another frame in its place.
var looks = sync.OnceValue(func() map[string][]*template.Template {
	all := map[string][]*template.Template{}
	for i, s := range sites() {
		c := cards()[s.name]
		for design := range c.Designs {
			all[c.Name] = append(all[c.Name], template.Must(template.New(c.Name).Funcs(pageFunctions()).ParseFS(templates,
				"templates/chrome/"+frameOf(i, design)+".html", fmt.Sprintf("templates/%s/%d.html", c.Name, design+1))))
		}
	}
	return all
})

// frameOf gives the frame of a design of the nth site. Neighbours begin with
// different ones, and a redesign always brings another.
func frameOf(site, design int) string {
	frames := []string{"classic", "modules", "utility"}
	return frames[(site+design)%len(frames)]
}

// pageFunctions are what templates may use to write values: pure, all of them.
func pageFunctions() template.FuncMap {
	return template.FuncMap{
		"date":    formatDate,
		"money":   formatMoney,
		"decimal": formatDecimal,
		"join":    strings.Join,
		"upper":   strings.ToUpper,
		"iso":     func(t time.Time) string { return t.Format(time.RFC3339) },
		"isoday":  func(t time.Time) string { return t.Format(time.DateOnly) },
		"list":    func(values ...any) []any { return values },
	}
}
