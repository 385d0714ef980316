package console_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/door/console"
	"github.com/curlew-data/curlew/internal/testkit/world"
)

// improved adds a second version of the org's blueprint, which is in force: "bp" is archived.
func (b *browser) improved() {
	b.Helper()
	rules, err := json.Marshal(world.Rules(b.name, "h3"))
	if err != nil {
		b.Fatal(err)
	}
	b.write(func(w store.WriteScope) error {
		first, err := w.Blueprints().Activate(b.Context(), curlew.BlueprintID(b.has["bp"]))
		if err != nil {
			return err
		}
		next := first
		next.ID, next.Version, next.Status, next.Rules = "", 0, "", rules
		if next, err = w.Blueprints().Add(b.Context(), next); err != nil {
			return err
		}
		b.has["new"] = string(next.ID)
		if _, err = w.Blueprints().Activate(b.Context(), next.ID); err != nil {
			return err
		}
		watch := b.watch()
		watch.Blueprint = next.ID
		return w.Watches().Save(b.Context(), watch)
	})
}

func TestTheCopyOfAPageIsServedIntoASandbox(t *testing.T) {
	b := open(t, lantern).taught()
	copied := func(at string) (policy, body string) {
		answer := b.ask(curlew.RoleViewer, http.MethodGet, b.fill(at), "")
		if answer.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", at, answer.Code, answer.Body)
		}
		return answer.Header().Get("Content-Security-Policy"), answer.Body.String()
	}
	policy, body := copied("/blueprints/new/{les}/page?of=test")
	for _, want := range []string{"sandbox allow-scripts;", "default-src 'none'", "script-src 'nonce-", "style-src 'nonce-", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'self'"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(policy, want) {
				t.Errorf("the policy %q lacks %q", policy, want)
			}
		})
	}
	if strings.Contains(policy, "allow-same-origin") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "'self';") && !strings.HasSuffix(policy, "frame-ancestors 'self'") {
		t.Errorf("the policy is %q", policy)
	}
	if !strings.Contains(body, `data-n="`) || !strings.Contains(body, lantern) || strings.Count(body, "<script") != 1 {
		t.Errorf("the copy is %s", body)
	}
	if again, _ := copied("/blueprints/new/{les}/page"); again == policy {
		t.Error("a nonce is used twice")
	}
	if other := b.in("birch", "x").ask(curlew.RoleOwner, http.MethodGet, b.fill("/blueprints/new/{les}/page"), ""); other.Code != http.StatusNotFound {
		t.Errorf("the copy of another org: %d", other.Code)
	}
}

func TestOnlyPagesWithCopiesMayFrame(t *testing.T) {
	b := open(t, "x").taught()
	for _, pattern := range console.Screens() {
		policy := b.ask(curlew.RoleEditor, http.MethodGet, pathOf(pattern, b.has), "").Header().Get("Content-Security-Policy")
		frames := pattern == "/blueprints/new/{training}" || pattern == "/blueprints/new/{training}/test" || pattern == "/blueprints/new/{training}/own" || pattern == "/heals/{id}"
		if strings.Contains(policy, "frame-src 'self'") != frames || strings.Contains(policy, "frame-src 'none'") == frames || !strings.Contains(policy, "frame-ancestors 'none'") {
			t.Errorf("%s: %q", pattern, policy)
		}
	}
	if !strings.Contains(b.page("/blueprints/new/{les}"), b.fill(`sandbox="allow-scripts" src="/blueprints/new/{les}/page#r0"`)) {
		t.Error("the copy is not in a sandbox")
	}
}

func TestWhatIsRefusedInTheWizardIsToldWhereItWasAsked(t *testing.T) {
	b := open(t, "x").taught()
	for _, x := range []struct{ at, form, words, still string }{
		{"/blueprints/new", "url=javascript%3Aalert(1)&instructions=Polish", "is not an address", ">Polish</textarea>"},
		{"/blueprints/new", "", "give the address of a page", "Fetch the page"},
		{"/blueprints/new", "url=https%3A%2F%2Fexample.org&instructions=" + strings.Repeat("ł", 4001), "it is longer than 4000 characters", "Fetch the page"},
		{"/blueprints/new?instructions=" + strings.Repeat("ł", 400), "", "give the address of a page", strings.Repeat("ł", 400)},
		{"/blueprints/new", "url=https%3A%2F%2Fexample.org&schema=yacht", "unknown kind", "Fetch the page"},
		{"/blueprints/new/{les}/point", "place=3&field=price&text=elsewhere", "is not where you clicked", "All records"},
		{"/blueprints/new/{les}/point", "field=price", "click a value", "All records"},
		{"/blueprints/new/{les}/again", "schema=yacht&page=list", "unknown kind", "All records"},
		{"/blueprints/new/{les}/again", "schema=event&page=both", "is not one of list, single", "All records"},
		{"/blueprints/new/{les}/test", "url=nowhere", "is not an address", "Fetch and test"},
		{"/blueprints/new/{les}/save/version", "", "choose the source", "Keep as a new version"},
		{"/blueprints/new/{les}/save/watching", "url=x", "is not an address", "Watch it"},
	} {
		t.Run(x.at, func(t *testing.T) {
			form, err := url.ParseQuery(x.form)
			if err != nil {
				t.Fatal(err)
			}
			status, body := b.send(x.at, form)
			if status != http.StatusBadRequest || !strings.Contains(body, x.words) || !strings.Contains(body, x.still) || !strings.Contains(body, `role="alert"`) {
				t.Errorf("%s with %q: %d\n%s", x.at, x.form, status, body)
			}
		})
	}
}

func TestTwoVersionsAreLaidSideBySide(t *testing.T) {
	b := open(t, "x")
	b.improved()
	body := b.page("/blueprints/{new}")
	for _, want := range []string{"Version 1 → 2", "<ins><bdi>the text of “h3”</bdi></ins>", "other parts are unchanged", "the text of “time”"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(body, want) {
				t.Errorf("without %q: %s", want, body)
			}
		})
	}
	if answer := b.ask(curlew.RoleViewer, http.MethodGet, b.fill("/blueprints/{bp}?against=bp_9"), ""); answer.Code != http.StatusNotFound {
		t.Errorf("a version that there is not: %d", answer.Code)
	}
}
