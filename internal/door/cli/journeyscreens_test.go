package cli

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/curlew-data/curlew/internal/door/console"
)

// goByKeys uses the console without a mouse.
func (j *journey) goByKeys(t *testing.T) {
	j.open(t, "/changes")
	j.do(t, chromedp.KeyEvent(kb.Tab))
	j.holds(t, "the first key to reach the way to the content", `document.activeElement.matches(".skip") && document.activeElement.getBoundingClientRect().top >= 0`)
	j.do(t, chromedp.KeyEvent(kb.Enter))
	j.holds(t, "to be in the content", `location.hash === "#main" && document.activeElement.id === "main"`)
	j.do(t, chromedp.KeyEvent("j"), chromedp.KeyEvent("j"), chromedp.KeyEvent("j"), chromedp.KeyEvent("k"))
	j.holds(t, "j and k to step through the rows", `document.querySelectorAll("#rows > li")[1].contains(document.activeElement)`)
	j.do(t, chromedp.KeyEvent("?"))
	j.holds(t, "the question mark to show the keys", `document.getElementById("keys").open && document.getElementById("keys").innerText.includes("Next row")`)
	j.do(t, chromedp.KeyEvent(kb.Escape))
	j.holds(t, "Escape to put them away", `!document.getElementById("keys").open`)
	j.do(t, chromedp.KeyEvent("j"), chromedp.KeyEvent(kb.Enter))
	j.is(t, "/(entities|sources)/.+")
	j.open(t, "/")
	j.do(t, chromedp.Focus(`nav a[href="/runs"]`), chromedp.KeyEvent(kb.Enter))
	j.is(t, "/runs")
}

// useMenu opens and closes the menu on a phone, by finger and by key.
func (j *journey) useMenu(t *testing.T) {
	const shown = `document.querySelector('nav a[href="/heals"]').checkVisibility({ visibilityProperty: true, opacityProperty: true })`
	j.do(t, j.wide(390))
	defer j.do(t, j.wide(1280))
	j.open(t, "/")
	j.holds(t, "a closed menu", `!(`+shown+`)`)
	j.presses(t, "Menu")
	j.holds(t, "an open one", shown)
	j.presses(t, "Menu")
	j.holds(t, "a closed menu again", `!(`+shown+`)`)
	j.do(t, chromedp.Focus("#menu"), chromedp.KeyEvent(" "))
	j.holds(t, "the space bar to open it", shown)
	j.presses(t, "Heals")
	j.is(t, "/heals")
	j.holds(t, "a closed menu on the next page", `!(`+shown+`)`)
}

// makeKind makes a kind of the org's own, and gives a field another name.
func (j *journey) makeKind(t *testing.T) {
	j.open(t, "/kinds")
	j.sees(t, "No kinds of your own")
	j.presses(t, "Make a kind")
	j.fill(t, "name", "lot_home", "f0-name", "street", "f1-name", "price", "f1-type", "money")
	j.presses(t, "Save")
	j.is(t, "/kinds/lot_home")
	j.sees(t, "The same thing has the same url, else the same street", "currency")
	j.presses(t, "Edit")
	j.fill(t, "f0-name", "address", "f1-labels", "Kaltmiete")
	j.presses(t, "Save")
	j.is(t, "/kinds/lot_home")
	j.sees(t, "else the same address", "Kaltmiete")
}

// things are the addresses of all screens, with ids of things that there are.
func (p *person) things(t *testing.T) []string {
	t.Helper()
	known := map[string]string{} // the first id by what stands before it
	if p.training != "" {
		known["/blueprints/new/"] = p.training
	}
	links, named := regexp.MustCompile(`^(/[a-z/-]+/)([a-z]{2,4}_[^/?#]+)`), regexp.MustCompile(`{(id|training)}`)
	for _, at := range console.Screens() {
		if named.MatchString(at) {
			continue
		}
		p.open(t, strings.TrimSuffix(at, "{$}"))
		for _, link := range tell[[]string](t, p.chromium, `[...document.querySelectorAll("main a[href]")].map(x => x.getAttribute("href"))`) {
			if found := links.FindStringSubmatch(link); found != nil && known[found[1]] == "" {
				known[found[1]] = found[2]
			}
		}
	}
	var all []string
	for _, at := range console.Screens() {
		at = strings.TrimSuffix(at, "{$}")
		if place := named.FindStringIndex(at); place != nil {
			id := known[at[:place[0]]]
			if id == "" {
				t.Errorf("no page leads to any %s", at)
				continue
			}
			at = at[:place[0]] + id + at[place[1]:]
		}
		all = append(all, at)
	}
	return all
}

// tooWide names what sticks out of a page on a screen so wide. On a phone the page itself
// cannot tell: innerWidth grows with it.
func (p *person) tooWide(t *testing.T, wide int64) string {
	t.Helper()
	return tell[string](t, p.chromium, fmt.Sprintf(`(screen => { const wide = document.scrollingElement.scrollWidth; if (wide <= screen) return "";
		const out = [...document.querySelectorAll("body *")].filter(x => x.getBoundingClientRect().right > screen + 1 && !x.closest(".scroll, pre, svg")).slice(-1)[0];
		return wide + " on a screen of " + screen + ": " + (out ? out.outerHTML.slice(0, 300) : "") })(%d)`, wide))
}

// fits looks at pages on both widths: none may be wider than its screen.
func (p *person) fits(t *testing.T, paths []string) {
	t.Helper()
	for _, wide := range []int64{1280, 390} {
		t.Run(fmt.Sprint(wide), func(t *testing.T) {
			p.do(t, p.wide(wide))
			for _, at := range paths {
				p.open(t, at)
				if out := p.tooWide(t, wide); out != "" {
					t.Errorf("%s is too wide: %s", at, out)
				}
				if n := tell[int](t, p.chromium, `document.querySelectorAll("main h1").length`); n != 1 {
					t.Errorf("%s has %d headings", at, n)
				}
			}
			p.do(t, chromedp.Evaluate(`document.querySelector("main").append(Object.assign(document.createElement("p"), { textContent: "x".repeat(500) })); document.querySelector("main > p:last-child").style.whiteSpace = "pre"; document.querySelector("main > p:last-child").style.overflowWrap = "normal"`, nil))
			if p.tooWide(t, wide) == "" {
				t.Error("a page that is too wide is not noticed")
			}
		})
	}
	p.do(t, p.wide(1280))
}

func (j *journey) fitScreens(t *testing.T) { j.fits(t, j.things(t)) }

//go:embed testdata/contrast.js
var contrast string

// readable measures every visible text of some screens against what is behind it.
func (j *journey) readable(t *testing.T) {
	for _, scheme := range []string{"light", "dark"} {
		t.Run(scheme, func(t *testing.T) {
			j.do(t, emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
			for i, at := range []string{"/", "/changes", "/candidates", "/candidates/add", "/heals", "/deliveries", "/monitor", "/settings/people", "/watches/" + string(j.watchID), "/nowhere"} {
				t.Run(fmt.Sprint(i), func(t *testing.T) {
					j.open(t, at)
					if n := tell[int](t, j.chromium, `document.querySelectorAll("body *").length`); n < 20 {
						t.Errorf("%s has %d elements", at, n)
					}
					for _, dim := range tell[[]string](t, j.chromium, contrast) {
						t.Errorf("%s cannot be read well in %s: %s", at, scheme, dim)
					}
				})
			}
			j.forgive("/nowhere")
			j.do(t, chromedp.Evaluate(`document.querySelector("h1").style.color = getComputedStyle(document.body).backgroundColor`, nil))
			if dim := tell[[]string](t, j.chromium, contrast); len(dim) != 1 || !strings.Contains(dim[0], "for h1") {
				t.Errorf("a heading in the colour of the page is not noticed in %s: %q", scheme, dim)
			}
		})
	}
	j.do(t, emulation.SetEmulatedMedia())
}
