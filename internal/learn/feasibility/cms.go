package feasibility

import (
	"cmp"
	_ "embed" // tables
	"math"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/text"
)

// CMS is software that makes the site, a framework, or an embedded calendar.
type CMS struct {
	Name       string   `json:"name"`
	Kind       string   `json:"kind"` // cms, shop, framework, calendar or widget
	Version    string   `json:"version,omitempty"`
	Confidence float64  `json:"confidence"`
	Evidence   []string `json:"evidence"`
}

// sign is one tell-tale: where it stands, what to look for, and how sure it makes.
type sign struct {
	Where  string  `json:"in"`  // generator, asset, header, cookie, robots, body
	Needle string  `json:"has"` // in lower case except for body
	Weight float64 `json:"weight"`
}

// software is one row of the table: name, kind, and its signs.
type software struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"`
	Signs []sign `json:"signs"`
}

//go:embed tables/software.json
var softwareFile []byte

// softwares is all that is recognised.
var softwares = table[software](softwareFile)

// sure is the confidence from which software is named.
const sure = 0.5

// Recognise names the software behind a page, surest first.
func Recognise(p Snapshot) []CMS {
	c := cluesOf(p)
	var found []CMS
	for _, row := range softwares() {
		if cms, ok := row.match(c); ok {
			found = append(found, cms)
		}
	}
	slices.SortStableFunc(found, func(a, b CMS) int { return cmp.Compare(b.Confidence, a.Confidence) })
	return found
}

func (row software) match(c clues) (CMS, bool) {
	doubt := 1.0
	out := CMS{Name: row.Name, Kind: row.Kind}
	for _, s := range row.Signs {
		text, ok := c.find(s)
		if !ok {
			continue
		}
		doubt *= 1 - s.Weight
		out.Evidence = append(out.Evidence, s.Where+": "+text)
		if s.Where == "generator" {
			out.Version = version(text)
		}
	}
	out.Confidence = math.Round((1-doubt)*100) / 100
	return out, out.Confidence >= sure
}

// find looks for a sign and says what matched.
func (c clues) find(s sign) (string, bool) {
	switch s.Where {
	case "generator":
		for _, g := range c.generators {
			if strings.HasPrefix(g, s.Needle) || strings.Contains(g, " "+s.Needle) {
				return text.OneLine(g, 80), true
			}
		}
		return "", false
	case "asset":
		return s.Needle, strings.Contains(c.assets, s.Needle)
	case "header":
		return s.Needle, strings.Contains(c.headers, s.Needle)
	case "cookie":
		return s.Needle, strings.HasPrefix(c.cookies, s.Needle) || strings.Contains(c.cookies, "\n"+s.Needle)
	}
	return s.Needle, strings.Contains(c.body, s.Needle)
}

// version is the first word that begins with a digit.
func version(generator string) string {
	for _, word := range strings.Fields(generator) {
		if word[0] >= '0' && word[0] <= '9' {
			return strings.Trim(word, ",;()")
		}
	}
	return ""
}
