package demo

import (
	"bytes"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	sheetLink = regexp.MustCompile(`/assets/[a-z]+\.css\?v=[0-9a-f]+`)
	madeClass = regexp.MustCompile(`[A-Z][A-Za-z]+_[A-Za-z]+__[A-Za-z0-9]{5}`)
)

// Every design links to a sheet that has a rule for each of the class names
// that a build tool made for it.
func TestEverySheetFollowsItsDesign(t *testing.T) {
	w := New(Options{Seed: 4})
	for _, s := range w.Sites() {
		seen := map[string]bool{}
		for design := range s.Designs {
			markup := markupOf(get(t, w, s.Name, s.Home))
			link := sheetLink.FindString(markup)
			if s.Name == "council" && design == 0 { // from before style sheets
				must(t, w.Redesign(s.Name))
				continue
			}
			answer := get(t, w, s.Name, link)
			css := answer.Body.String()
			if answer.Code != http.StatusOK || !strings.HasPrefix(answer.Header().Get("Content-Type"), "text/css") || strings.Contains(css, "{{") {
				t.Errorf("design %d of %s has no style sheet at %q", design+1, s.Name, link)
			}
			if strings.Count(css, "{") != strings.Count(css, "}") {
				t.Errorf("the braces of design %d of %s do not match", design+1, s.Name)
			}
			made := madeClass.FindAllString(markup, -1)
			slices.Sort(made)
			for _, class := range slices.Compact(made) {
				if !strings.Contains(css, "."+class) {
					t.Errorf("design %d of %s has no rule for %s", design+1, s.Name, class)
				}
			}
			if seen[css] {
				t.Errorf("design %d of %s looks like another one", design+1, s.Name)
			}
			seen[css] = true
			must(t, w.Redesign(s.Name))
		}
	}
}

func TestDriftMovesTheAddressOfASheetOnly(t *testing.T) {
	w := New(Options{})
	sheet := func() (string, []byte) {
		link := sheetLink.FindString(markupOf(get(t, w, "shop", "/")))
		return link, get(t, w, "shop", link).Body.Bytes()
	}
	before, css := sheet()
	must(t, w.Drift("shop"))
	after, same := sheet()
	if before == after || !bytes.Equal(css, same) {
		t.Errorf("drift took the sheet from %s to %s", before, after)
	}
}

func TestLogosNameTheirSite(t *testing.T) {
	w := New(Options{})
	for _, site := range []string{"shop", "news", "ngo"} {
		t.Run(site, func(t *testing.T) {
			s, err := w.Site(site)
			must(t, err)
			if logo := get(t, w, site, "/media/logo.svg"); !strings.Contains(logo.Body.String(), s.Title) {
				t.Errorf("the logo of %s does not say %q", site, s.Title)
			}
		})
	}
}
