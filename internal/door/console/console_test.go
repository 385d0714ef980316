package console_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/door/console"
	"github.com/curlew-data/curlew/internal/testkit/world"
)

// pathOf is the address of a screen, with the ids of some things.
func pathOf(pattern string, has world.IDs) string {
	prefixes := map[string]string{"sources": "src", "entities": "ent", "candidates": "can", "heals": "run", "watches": "wat", "subscriptions": "sub", "deliveries": "del", "runs": "run",
		"people": "usr", "keys": "key", "sessions": "ses", "blueprints": "bp"}
	parts := strings.Split(pattern, "/")
	section := parts[1]
	if at := slices.Index(parts, "{id}"); at > 0 {
		section = parts[at-1]
	}
	return strings.NewReplacer("{$}", "", "{id}", has[prefixes[section]], "{training}", has["les"]).Replace(pattern)
}

// names says whether a pattern names a thing.
func names(pattern string) bool {
	return strings.Contains(pattern, "{id}") || strings.Contains(pattern, "{training}")
}

// plain are screens that show nothing of what there is: what can be done is the same everywhere.
var plain = []string{"/candidates/add", "/candidates/import", "/runs/clear", "/kinds", "/kinds/add", "/kinds/{id}/delete"}

// noLists are screens without ids that list nothing, or that list at least whoever looks.
var noLists = []string{"/candidates/add", "/candidates/import", "/subscriptions/add", "/runs/add", "/runs/clear", "/kinds/add", "/settings", "/settings/account", "/settings/people", "/settings/audit", "/blueprints/new"}

func TestEveryScreenShowsWhatThereIs(t *testing.T) {
	b := open(t, lantern).taught()
	for _, pattern := range console.Screens() {
		answer := b.ask(curlew.RoleOwner, http.MethodGet, pathOf(pattern, b.has), "")
		if answer.Code != http.StatusOK {
			t.Errorf("%s: %d\n%s", pattern, answer.Code, answer.Body)
		}
		if !strings.Contains(answer.Body.String(), lantern) && !slices.Contains(plain, pattern) {
			t.Errorf("%s does not show what there is", pattern)
		}
	}
}

func TestWithoutAContactTheConsoleSaysWhatCannotBeFetched(t *testing.T) {
	b := openEmpty(t)
	for _, at := range []string{"/", "/candidates/add"} {
		t.Run(at, func(t *testing.T) {
			if body := b.ask(curlew.RoleOwner, http.MethodGet, at, "").Body.String(); !strings.Contains(body, "No contact is set") || !strings.Contains(body, "CURLEW_CONTACT") {
				t.Errorf("%s says nothing of the contact", at)
			}
		})
	}
}

func TestAPageOfTheWizardCanBeAddedInstead(t *testing.T) {
	b := openEmpty(t)
	address := "https://example.org/" + strings.Repeat("long/", 100) + "?a=1&b=2"
	body := b.ask(curlew.RoleOwner, http.MethodGet, "/candidates/add?url="+url.QueryEscape(address), "").Body.String()
	if !strings.Contains(body, `value="`+html.EscapeString(address)+`"`) {
		t.Error("the form does not hold the address")
	}
}

func TestEveryScreenSaysWhatToDoWhereThereIsNothing(t *testing.T) {
	b := openEmpty(t)
	for _, pattern := range console.Screens() {
		if names(pattern) || slices.Contains(noLists, pattern) {
			continue
		}
		answer := b.ask(curlew.RoleOwner, http.MethodGet, pathOf(pattern, nil), "")
		if answer.Code != http.StatusOK || !strings.Contains(answer.Body.String(), `class="empty"`) {
			t.Errorf("%s: %d, without a word about being empty", pattern, answer.Code)
		}
	}
}

func TestASearchThatFindsNothingSaysWhatToDo(t *testing.T) {
	b := open(t, lantern)
	for _, at := range []string{"/entities", "/changes"} {
		t.Run(at, func(t *testing.T) {
			body := b.page(at + "?q=Caf%C3%A9%20%3Cb%3E%E2%80%AE&source={src}")
			for i, want := range []string{`value="Café &lt;b&gt;"`, "Type fewer words", `href="` + at + `?q=Caf%c3%a9%20%3cb%3e"`, `<a href="` + at + `">Show all</a>`} {
				t.Run(fmt.Sprint(i), func(t *testing.T) {
					if !strings.Contains(body, want) {
						t.Errorf("%s: no %s", at, want)
					}
				})
			}
		})
	}
	long := b.ask(curlew.RoleViewer, http.MethodGet, "/entities?q="+strings.Repeat("a", 10_000), "")
	if long.Code != http.StatusOK || strings.Contains(long.Body.String(), strings.Repeat("a", console.MostTyped+1)) {
		t.Errorf("a search of 10 kB: %d", long.Code)
	}
}

var (
	inline   = regexp.MustCompile(`(?i)<style|\sstyle=|\son[a-z]+\s*=\s*["']|<script[^>]*>[^<]|javascript:[^<]*"`)
	outgoing = regexp.MustCompile(`<a href="https?://[^>]*>`)
	posted   = regexp.MustCompile(`(?s)<form[^>]*method="post".*?</form>`)
	carried  = regexp.MustCompile(`name="csrf" value="([^"]+)"`)
)

func TestNothingThatASiteSaysBecomesMarkup(t *testing.T) {
	b := open(t, world.Hostile).taught()
	for _, pattern := range console.Screens() {
		answer := b.ask(curlew.RoleOwner, http.MethodGet, pathOf(pattern, b.has), "")
		body := answer.Body.String()
		if answer.Code != http.StatusOK {
			t.Errorf("%s: %d", pattern, answer.Code)
		}
		if strings.Contains(body, "<script>") || strings.Contains(body, `" onmouseover="`) {
			t.Errorf("%s lets markup through", pattern)
		}
		if strings.Contains(body, "\u202e") {
			t.Errorf("%s lets the direction of text be turned", pattern)
		}
		if found := inline.FindString(body); found != "" {
			t.Errorf("%s has something inline: %s", pattern, found)
		}
		if strings.Contains(body, `href="javascript:`) || strings.Contains(body, "ZgotmplZ") {
			t.Errorf("%s links to a script", pattern)
		}
		for _, a := range outgoing.FindAllString(body, -1) {
			if !strings.Contains(a, `rel="noopener noreferrer nofollow"`) {
				t.Errorf("%s: %s tells the other site too much", pattern, a)
			}
		}
	}
}

func TestEveryFormCarriesItsToken(t *testing.T) {
	b, seen := open(t, "x").taught(), 0
	for _, pattern := range console.Screens() {
		for _, f := range posted.FindAllString(b.page(pathOf(pattern, b.has)), -1) {
			seen++
			token := carried.FindStringSubmatch(f)
			if token == nil {
				t.Errorf("%s: %s", pattern, f)
				continue
			}
			b.sessions[curlew.RoleOwner] = b.as(curlew.RoleOwner).With(token[1])
			if answer := b.ask(curlew.RoleOwner, http.MethodPost, "/nowhere", ""); answer.Code != http.StatusNotFound {
				t.Errorf("%s: the token of a form is refused: %d", pattern, answer.Code)
			}
		}
	}
	if seen <= len(console.Screens()) { // each has the one for signing out
		t.Errorf("only %d forms were seen", seen)
	}
}

func TestWhatBelongsToOthersIsNotThere(t *testing.T) {
	b := open(t, lantern).taught()
	others := b.in("birch", "Birch")
	for _, pattern := range console.Screens() {
		if !names(pattern) {
			continue
		}
		answer := others.ask(curlew.RoleOwner, http.MethodGet, pathOf(pattern, b.has), "")
		if answer.Code != http.StatusNotFound || strings.Contains(answer.Body.String(), lantern) {
			t.Errorf("%s: %d", pattern, answer.Code)
		}
	}
}

func TestViewersOnlyLook(t *testing.T) {
	b := open(t, "x").taught()
	b.as(curlew.RoleViewer)
	before := b.sofar()
	for _, pattern := range console.Forms {
		if strings.HasPrefix(pattern, "/settings/account") {
			continue // which is everybody's own
		}
		answer := b.ask(curlew.RoleViewer, http.MethodPost, pathOf(pattern, b.has), "url=https%3A%2F%2Fexample.org%2F&why=x")
		if answer.Code != http.StatusForbidden {
			t.Errorf("%s: %d", pattern, answer.Code)
		}
	}
	if did := b.did(before); len(did) > 0 {
		t.Errorf("a viewer did %+v", did)
	}
	for _, pattern := range console.Screens() {
		if pattern == "/settings/account" {
			continue
		}
		body := b.ask(curlew.RoleViewer, http.MethodGet, pathOf(pattern, b.has), "").Body.String()
		if n := len(posted.FindAllString(body, -1)); n != 1 {
			t.Errorf("%s offers a viewer %d forms besides signing out", pattern, n-1)
		}
	}
}

func TestARefusedFormSaysWhy(t *testing.T) {
	b := open(t, "x")
	if status, body := b.send("/candidates/{can}/reject", url.Values{}); status != http.StatusBadRequest || !strings.Contains(body, "give a reason") {
		t.Errorf("%d: %s", status, body)
	}
}

func TestTheFirstLoadIsSmallAndGuarded(t *testing.T) {
	b, size := open(t, "x"), 0
	for _, at := range []string{"/", "/assets/console.css", "/assets/console.js", "/assets/icon.svg"} {
		t.Run(at, func(t *testing.T) {
			answer := b.ask(curlew.RoleViewer, http.MethodGet, at, "")
			size += answer.Body.Len()
			if policy := answer.Header().Get("Content-Security-Policy"); answer.Code != http.StatusOK || !strings.Contains(policy, "default-src 'self'") || strings.Contains(policy, "unsafe") {
				t.Errorf("%s: %d, policy %q", at, answer.Code, policy)
			}
		})
	}
	if size > 150<<10 {
		t.Errorf("the first load is %d bytes", size)
	}
}

func TestAssetsAreSentSmallToWhoeverCanReadThem(t *testing.T) {
	b, whole := openEmpty(t), 0
	for _, name := range []string{"console.css", "console.js", "icon.svg"} {
		t.Run(name, func(t *testing.T) {
			plain := b.ask(curlew.RoleViewer, http.MethodGet, "/assets/"+name, "")
			want, err := console.AssetFile(name)
			if err != nil || plain.Body.String() != string(want) {
				t.Errorf("%s is sent as %d bytes (%v)", name, plain.Body.Len(), err)
			}
			small := console.SmallAssets()[name]
			whole += len(small)
			z, err := gzip.NewReader(bytes.NewReader(small))
			if err != nil {
				t.Fatal(err)
			}
			if body, err := io.ReadAll(z); err != nil || string(body) != string(want) {
				t.Errorf("%s is %d bytes after all (%v)", name, len(body), err)
			}
		})
	}
	if whole > 20<<10 {
		t.Errorf("style, script and icon are %d bytes together", whole)
	}
}
