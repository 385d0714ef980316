package console

import (
	"bytes"
	"compress/gzip"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"curlew/internal/curlew"
)

// pathOf is an address of a screen with the id of the only thing there is, or of one
// that belongs to others.
func pathOf(pattern, suffix string) string {
	ids := map[string]string{"sources": "src", "entities": "ent", "candidates": "can", "heals": "run", "watches": "wat", "subscriptions": "sub", "deliveries": "del", "runs": "run",
		"people": "usr", "keys": "key", "sessions": "ses", "blueprints": "bp"}
	parts := strings.Split(pattern, "/")
	section := parts[1]
	if at := slices.Index(parts, "{id}"); at > 0 {
		section = parts[at-1]
	}
	return strings.NewReplacer("{$}", "", "{id}", ids[section]+suffix, "{lesson}", "les"+suffix).Replace(pattern)
}

// plain are screens that show nothing of the sample: what can be done is the same everywhere.
var plain = []string{"/candidates/add", "/runs/clear"}

// noLists are screens without ids that list nothing.
var noLists = []string{"/candidates/add", "/subscriptions/add", "/runs/add", "/runs/clear", "/settings", "/settings/account", "/blueprints/new"}

func TestEveryScreenShowsWhatThereIs(t *testing.T) {
	for pattern := range screens {
		answer := sample{name: "The Lantern"}.ask(t, curlew.RoleOwner, http.MethodGet, pathOf(pattern, "_1"), "")
		if answer.Code != http.StatusOK {
			t.Errorf("%s: %d\n%s", pattern, answer.Code, answer.Body)
		}
		if !strings.Contains(answer.Body.String(), "The Lantern") && !slices.Contains(plain, pattern) {
			t.Errorf("%s does not show the sample", pattern)
		}
	}
}

func TestEveryScreenSaysWhatToDoWhereThereIsNothing(t *testing.T) {
	for pattern := range screens {
		if strings.Contains(pattern, "{id}") || strings.Contains(pattern, "{lesson}") || slices.Contains(noLists, pattern) {
			continue
		}
		answer := sample{empty: true}.ask(t, curlew.RoleOwner, http.MethodGet, pathOf(pattern, ""), "")
		if answer.Code != http.StatusOK || !strings.Contains(answer.Body.String(), `class="empty"`) {
			t.Errorf("%s: %d, without a word about being empty", pattern, answer.Code)
		}
	}
}

func TestASearchThatFindsNothingSaysWhatToDo(t *testing.T) {
	for _, at := range []string{"/entities", "/changes"} {
		body := sample{empty: true}.ask(t, curlew.RoleViewer, http.MethodGet, at+"?q=Caf%C3%A9%20%3Cb%3E%E2%80%AE&source=src_1", "").Body.String()
		for _, want := range []string{`value="Café &lt;b&gt;"`, "Type fewer words", `href="` + at + `?q=Caf%c3%a9%20%3cb%3e"`, `<a href="` + at + `">Show all</a>`} {
			if !strings.Contains(body, want) {
				t.Errorf("%s: no %s", at, want)
			}
		}
	}
	long := sample{name: "The Lantern"}.ask(t, curlew.RoleViewer, http.MethodGet, "/entities?q="+strings.Repeat("a", 10_000), "")
	if long.Code != http.StatusOK || strings.Contains(long.Body.String(), strings.Repeat("a", mostTyped+1)) {
		t.Errorf("a search of 10 kB: %d", long.Code)
	}
}

var (
	inline   = regexp.MustCompile(`(?i)<style|\sstyle=|\son[a-z]+\s*=\s*["']|<script[^>]*>[^<]|javascript:[^<]*"`)
	outgoing = regexp.MustCompile(`<a href="https?://[^>]*>`)
	posted   = regexp.MustCompile(`(?s)<form[^>]*method="post".*?</form>`)
)

func TestNothingThatASiteSaysBecomesMarkup(t *testing.T) {
	for pattern := range screens {
		body := sample{name: nasty}.ask(t, curlew.RoleOwner, http.MethodGet, pathOf(pattern, "_1"), "").Body.String()
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
	seen := 0
	for pattern := range screens {
		body := sample{name: "x"}.ask(t, curlew.RoleOwner, http.MethodGet, pathOf(pattern, "_1"), "").Body.String()
		for _, f := range posted.FindAllString(body, -1) {
			if seen++; !strings.Contains(f, `name="csrf" value="the-token"`) {
				t.Errorf("%s: %s", pattern, f)
			}
		}
	}
	if seen <= len(screens) { // each has the one for signing out
		t.Errorf("only %d forms were seen", seen)
	}
}

func TestWhatBelongsToOthersIsNotThere(t *testing.T) {
	for pattern := range screens {
		if !strings.Contains(pattern, "{id}") && !strings.Contains(pattern, "{lesson}") {
			continue
		}
		answer := sample{name: "The Lantern"}.ask(t, curlew.RoleOwner, http.MethodGet, pathOf(pattern, "_2"), "")
		if answer.Code != http.StatusNotFound || strings.Contains(answer.Body.String(), "The Lantern") {
			t.Errorf("%s: %d", pattern, answer.Code)
		}
	}
}

func TestFormsDoWhatTheySay(t *testing.T) {
	for _, x := range []struct{ at, form, did, next string }{
		{"/candidates", "url=https%3A%2F%2Fexample.org%2Fe", "propose https://example.org/e", "/candidates/can_1?done=proposed"},
		{"/candidates/can_1/approve", "", "approve can_1 ", "/candidates/can_1?done=approve"},
		{"/candidates/can_1/reject", "why=a+blog", "reject can_1 a blog", "/candidates/can_1?done=reject"},
		{"/watches/wat_1/pause", "", "pause wat_1", "/watches/wat_1?done=pause"},
		{"/watches/wat_1/accept", "", "accept wat_1", "/watches/wat_1?done=accept"},
		{"/watches/wat_1/trigger", "", "trigger wat_1", "/runs/run_1?done=trigger"},
		{"/subscriptions/sub_1/resume", "", "resume sub_1", "/subscriptions/sub_1?done=resume"},
		{"/deliveries/del_1/replay", "", "replay del_1", "/deliveries/del_1?done=replay"},
		{"/runs/run_1/stop", "", "stop run_1", "/runs/run_1?done=stop"},
		{"/blueprints/bp_1/activate", "", "activate bp_1", "/blueprints/bp_1?done=activate"},
		{"/blueprints/new", "url=https%3A%2F%2Fexample.org%2Fe", "begin https://example.org/e", "/blueprints/new/les_1"},
		{"/blueprints/new", "blueprint=bp_1&archived=1", "begin bp_1", "/blueprints/new/les_1"},
		{"/blueprints/new/les_1/choose", "way=list%3A0", "choose list:0", "/blueprints/new/les_1?done=again"},
		{"/blueprints/new/les_1/again", "schema=event&page=single", "again event single", "/blueprints/new/les_1?done=again"},
		{"/blueprints/new/les_1/point", "place=4&field=price&record=1&text=12", "point price 12", "/blueprints/new/les_1?record=1&field=price&done=taught"},
		{"/blueprints/new/les_1/point", "place=4&field=slots.&own=colour", "point slots.colour ", "/blueprints/new/les_1?record=0&field=slots.colour&done=taught"},
		{"/blueprints/new/les_1/remove", "field=price&record=2", "remove price", "/blueprints/new/les_1?record=2&done=taught"},
		{"/blueprints/new/les_1/restore", "field=price", "restore price", "/blueprints/new/les_1?record=0&done=taught"},
		{"/blueprints/new/les_1/test", "url=https%3A%2F%2Fexample.org%2F2", "test https://example.org/2", "/blueprints/new/les_1/test?done=tested"},
		{"/blueprints/new/les_1/save/version", "source=src_1", "version src_1", "/blueprints/bp_1?done=version"},
		{"/blueprints/new/les_1/save/watching", "url=https%3A%2F%2Fexample.org%2F&schedule=hourly", "watch https://example.org/ hourly", "/watches/wat_1?done=watch"},
	} {
		var done []string
		answer := sample{done: &done}.ask(t, curlew.RoleEditor, http.MethodPost, x.at, x.form)
		if answer.Code != http.StatusSeeOther || answer.Header().Get("Location") != x.next || !slices.Equal(done, []string{x.did}) {
			t.Errorf("%s: %d to %q, did %q", x.at, answer.Code, answer.Header().Get("Location"), done)
		}
	}
}

func TestViewersOnlyLook(t *testing.T) {
	var patterns []string
	for pattern := range deeds {
		patterns = append(patterns, pattern)
	}
	for pattern := range forms {
		patterns = append(patterns, pattern)
	}
	for _, pattern := range slices.AppendSeq(patterns, maps.Keys(lessonDeeds)) {
		if strings.HasPrefix(pattern, "/settings/account") {
			continue // which is everybody's own
		}
		var done []string
		answer := sample{done: &done}.ask(t, curlew.RoleViewer, http.MethodPost, pathOf(pattern, "_1"), "url=https%3A%2F%2Fexample.org%2F&why=x")
		if answer.Code != http.StatusForbidden || len(done) > 0 {
			t.Errorf("%s: %d, did %q", pattern, answer.Code, done)
		}
	}
	for pattern := range screens {
		if pattern == "/settings/account" {
			continue
		}
		body := sample{name: "x"}.ask(t, curlew.RoleViewer, http.MethodGet, pathOf(pattern, "_1"), "").Body.String()
		if n := len(posted.FindAllString(body, -1)); n != 1 {
			t.Errorf("%s offers a viewer %d forms besides signing out", pattern, n-1)
		}
	}
}

func TestARefusedFormSaysWhy(t *testing.T) {
	for at, word := range map[string]string{"/candidates": "whole address", "/candidates/can_1/reject": "say why"} {
		answer := sample{}.ask(t, curlew.RoleEditor, http.MethodPost, at, "url=javascript%3Aalert(1)")
		if answer.Code != http.StatusBadRequest || !strings.Contains(answer.Body.String(), word) {
			t.Errorf("%s: %d", at, answer.Code)
		}
	}
}

func TestTheFirstLoadIsSmallAndGuarded(t *testing.T) {
	size := 0
	for _, at := range []string{"/", "/assets/console.css", "/assets/console.js", "/assets/icon.svg"} {
		answer := sample{name: "x"}.ask(t, curlew.RoleViewer, http.MethodGet, at, "")
		size += answer.Body.Len()
		if policy := answer.Header().Get("Content-Security-Policy"); answer.Code != http.StatusOK || !strings.Contains(policy, "default-src 'self'") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: %d, policy %q", at, answer.Code, policy)
		}
	}
	if size > 150<<10 {
		t.Errorf("the first load is %d bytes", size)
	}
}

func TestAssetsAreSentSmallToWhoeverCanReadThem(t *testing.T) {
	whole := 0
	for _, name := range []string{"console.css", "console.js", "icon.svg"} {
		plain := sample{}.ask(t, curlew.RoleViewer, http.MethodGet, "/assets/"+name, "")
		want, err := assetFiles.ReadFile("assets/" + name)
		if err != nil || plain.Body.String() != string(want) {
			t.Errorf("%s is sent as %d bytes (%v)", name, plain.Body.Len(), err)
		}
		whole += len(smallAssets()[name])
		z, err := gzip.NewReader(bytes.NewReader(smallAssets()[name]))
		if err != nil {
			t.Fatal(err)
		}
		if body, err := io.ReadAll(z); err != nil || string(body) != string(want) {
			t.Errorf("%s is %d bytes after all (%v)", name, len(body), err)
		}
	}
	if whole > 20<<10 {
		t.Errorf("style, script and icon are %d bytes together", whole)
	}
}
