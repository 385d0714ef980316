package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// details are pages of single things, by the page on which the first of them is found.
var details = []struct{ name, list, link string }{
	{"entity", "/changes?kind=entity_changed", `main .changes a[href^="/entities/"]`}, {"source", "/sources", `main a[href^="/sources/src"]`}, {"watch", "/watches", `main a[href^="/watches/wat"]`},
	{"candidate", "/candidates?status=deployed", `main a[href^="/candidates/can"]`}, {"heal", "/heals", `main a[href^="/heals/run"]`}, {"subscription", "/subscriptions", `main a[href^="/subscriptions/sub"]`},
	{"delivery", "/deliveries", `main a[href^="/deliveries/del"]`}, {"run", "/runs?kind=onboard", `main a[href^="/runs/run"]`}, {"run-of-a-watch", "/runs?kind=watch", `main a[href^="/runs/run"]`},
	{"blueprint", "/blueprints", `main a[href^="/blueprints/bp_"]`}, {"watch-form", "/watches", `main a[href^="/watches/wat"]`},
}

// screenPaths are those that everybody finds in the menu, and beyond.
var screenPaths = map[string]string{"dashboard": "/", "add": "/candidates/add", "subscription-form": "/subscriptions/add", "watch-add": "/watches/add", "run-form": "/runs/add", "wizard-1-page": "/blueprints/new",
	"settings": "/settings", "settings-people": "/settings/people", "settings-keys": "/settings/keys", "settings-audit": "/settings/audit", "settings-usage": "/settings/usage", "settings-account": "/settings/account",
	"api": "/api/v1/docs", "not-found": "/nowhere", "nothing-fits": "/entities?status=removed&schema=article"}

// album takes pictures of pages into a folder, wide and narrow, light and dark.
type album struct {
	*person
	folder string
}

// TestScreenshots writes pictures of all screens into the folder that the environment
// names; make screenshots calls it.
func TestScreenshots(t *testing.T) {
	folder := os.Getenv("CURLEW_SCREENSHOTS")
	if folder == "" {
		t.Skip("CURLEW_SCREENSHOTS names no folder")
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Run("of an installation at work", func(t *testing.T) { picturesAtWork(t, folder) })
	t.Run("of a fresh one", func(t *testing.T) { picturesOfTheFirstHour(t, folder) })
}

func picturesAtWork(t *testing.T, folder string) {
	said, link := startDemo(t, "--day", "5s")
	base, _, _ := strings.Cut(link, "/demo")
	a := album{newPerson(t, base), folder}
	said.await(t, `Day 2`)
	said.await(t, `healed[^\n]*(.|\n)*Day 4`)
	a.do(t, chromedp.Navigate(link))
	screens := map[string]string{}
	for name, at := range screenPaths {
		screens[name] = at
	}
	for _, name := range []string{"monitor", "changes", "entities", "sources", "watches", "candidates", "heals", "subscriptions", "deliveries", "runs", "blueprints"} {
		screens[name] = "/" + name
	}
	for _, d := range details {
		a.open(t, d.list)
		if at := tell[string](t, a.chromium, fmt.Sprintf(`document.querySelector(%q)?.getAttribute("href") || ""`, d.link)); at != "" {
			screens[d.name] = at
		}
	}
	if at := screens["watch-form"]; at != "" {
		screens["watch-form"] = at + "/edit"
	}
	if at := screens["subscription"]; at != "" {
		screens["question"] = at + "/remove"
	}
	a.open(t, "/blueprints")
	for _, at := range tell[[]string](t, a.chromium, `[...document.querySelectorAll('main a[href^="/blueprints/bp_"]')].map(x => x.getAttribute("href"))`) {
		a.open(t, at)
		if other := tell[string](t, a.chromium, `document.querySelector('main a[href*="against="]')?.getAttribute("href") || ""`); other != "" {
			screens["blueprint-versions"] = other
			break
		}
	}
	shop := said.await(t, `shop\s+http://\S+`)
	a.learns(t, shop[strings.Index(shop, "http"):])
	for name, step := range map[string]string{"wizard-2-check": "", "wizard-2-pick": "/pick?field=price", "wizard-3-test": "/test", "wizard-4-save": "/save"} {
		screens[name] = "/blueprints/new/" + a.training + step
	}
	a.takeAll(t, screens)
}

// picturesOfTheFirstHour are those of signing in, and of pages that are still empty.
func picturesOfTheFirstHour(t *testing.T, folder string) {
	h := openServer(t)
	a := album{newPerson(t, h.base), folder}
	a.takeAll(t, map[string]string{"sign-in": "/sign-in", "first-link": strings.TrimPrefix(h.link, h.base)})
	a.do(t, a.wide(1280))
	j := &journey{person: a.person, testServer: h}
	j.signIn(t)
	fresh := map[string]string{"fresh-dashboard": "/"}
	for _, name := range []string{"sources", "entities", "changes", "candidates", "watches", "heals", "subscriptions", "deliveries", "runs", "blueprints", "monitor"} {
		fresh["fresh-"+name] = "/" + name
	}
	a.takeAll(t, fresh)
}

func (a album) takeAll(t *testing.T, screens map[string]string) {
	t.Helper()
	for _, wide := range []int64{1280, 390} {
		for _, scheme := range []string{"light", "dark"} {
			a.do(t, a.wide(wide), emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
			for name, at := range screens {
				a.take(t, a.base+at, filepath.Join(a.folder, fmt.Sprintf("%s-%d-%s.png", name, wide, scheme)), wide)
			}
		}
	}
}

// take writes what a page looks like, and complains when it is wider than its screen.
func (a album) take(t *testing.T, at, file string, wide int64) {
	t.Helper()
	a.do(t, chromedp.Navigate(at), chromedp.WaitReady("body"))
	if over := tell[int64](t, a.chromium, `document.documentElement.scrollWidth`); over > wide {
		t.Errorf("%s is %d wide on a screen of %d", at, over, wide)
	}
	a.picture(t, file)
}

// picture writes what the page that is open looks like.
func (a album) picture(t *testing.T, file string) {
	t.Helper()
	var body []byte
	a.do(t, chromedp.ActionFunc(func(ctx context.Context) (err error) {
		body, err = page.CaptureScreenshot().WithCaptureBeyondViewport(true).Do(ctx)
		return err
	}))
	if err := os.WriteFile(file, body, 0o644); err != nil {
		t.Fatal(err)
	}
}
