package console_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/door/console"
	"github.com/curlew-data/curlew/internal/testkit/world"
	"github.com/curlew-data/curlew/internal/text"
)

// rows are the fields of a filter with one group of conditions.
func rows(mode string, conditions ...[3]string) url.Values {
	f := url.Values{"as": {"rows"}, "part": {"g:0"}, "m-0": {mode}, "channel": {"webhook"}, "to": {"https://example.org/in"}, "pick": {"now"}}
	for i, c := range conditions {
		id := "0-" + string(rune('0'+i))
		f.Add("part", "r:"+id)
		f.Set("f-"+id, c[0])
		f.Set("t-"+id, c[1])
		f.Set("v-"+id, c[2])
	}
	return f
}

func with(f url.Values, pairs ...string) url.Values {
	for i := 0; i < len(pairs); i += 2 {
		f.Set(pairs[i], pairs[i+1])
	}
	return f
}

func TestRowsBecomeASubscription(t *testing.T) {
	b := open(t, lantern)
	f := with(rows("all", [3]string{"price", "decreased", "5%"}, [3]string{"city", "in", "Kraków, Łódź"}, [3]string{"", "equals", ""}), "do", "save", "name", "Cheaper", "scope", "watch:{wat}",
		"pick", "daily", "clock", "08:00", "zone", "Europe/Oslo", "headers", "Authorization: Bearer x")
	f["kind"] = []string{"entity_changed"}
	status, body := b.send("/subscriptions", f)
	if status != http.StatusOK || !strings.Contains(body, "whsec_") {
		t.Errorf("%d %s", status, body)
	}
	all, err := b.scope().Subscriptions().List(t.Context(), store.Window{Limit: 10})
	if err != nil || len(all) != 2 {
		t.Fatal(all, err)
	}
	s := all[1]
	if s.Name != "Cheaper" || s.Channel != curlew.ChannelWebhook || !strings.Contains(string(s.Target), "https://example.org/in") || !strings.Contains(string(s.Target), "Bearer x") ||
		!slices.Equal(s.Kinds, []curlew.ChangeKind{curlew.EntityChanged}) || s.Filter != `price decreased by 5% and city in ("Kraków", "Łódź")` || s.Digest != "daily at 08:00 Europe/Oslo" || string(s.Watch) != b.has["wat"] {
		t.Errorf("%+v", s)
	}
}

func TestTheFilterTurnsFromRowsToTextAndBack(t *testing.T) {
	for _, text := range []string{``, `price decreased by 5%`, `not (price changed or rating changed)`, `not price changed`, `not (price changed and rating changed)`,
		`city = "Kraków" and (price_min decreased or status changed) and not title contains "jazz"`, `(a or b) and c`} {
		t.Run(text, func(t *testing.T) {
			text = strings.NewReplacer("a or b", "price changed or rating changed", "and c", "and brand = \"x\"").Replace(text)
			if back, ok := console.ThroughRows(text); !ok || back != text {
				t.Errorf("%q comes back as %q", text, back)
			}
		})
	}
	b := open(t, lantern)
	status, body := b.send("/subscriptions", with(rows("none", [3]string{"price", "changed", ""}, [3]string{"rating", "changed", ""}), "do", "text"))
	if status != http.StatusOK || !strings.Contains(body, "not (price changed or rating changed)</textarea>") {
		t.Errorf("%d: the rows did not become text", status)
	}
	status, body = b.send("/subscriptions", url.Values{"as": {"text"}, "filter": {`any(price changed, all(city = "x", rating > 4))`}, "do": {"rows"}, "channel": {"slack"}, "pick": {"now"}})
	if status != http.StatusOK || !strings.Contains(body, `name="f-0-1-1"`) || !strings.Contains(body, `value="any" selected`) {
		t.Errorf("%d: the text did not become rows", status)
	}
	deep := strings.Repeat("not (price changed and ", 6) + "rating changed" + strings.Repeat(")", 6)
	status, body = b.send("/subscriptions", url.Values{"as": {"text"}, "filter": {deep}, "do": {"rows"}})
	if status != http.StatusUnprocessableEntity || !strings.Contains(body, "nested more deeply") || !strings.Contains(body, "<textarea class=\"code\"") {
		t.Errorf("%d: what is too deep for rows stays text", status)
	}
}

func TestButtonsAddAndRemoveRows(t *testing.T) {
	b := open(t, lantern)
	before := b.sofar()
	f := rows("all", [3]string{"price", "changed", ""}, [3]string{"city", "equals", "Oslo"})
	for do, has := range map[string][2]string{"row:0": {`name="f-0-2"`, `name="f-0-3"`}, "group:0": {`name="f-0-2-0"`, `name="f-0-3"`}, "drop:0-0": {`value="Oslo"`, `name="f-0-1"`}, "drop:0-9": {`name="f-0-1"`, `name="f-0-2"`}} {
		t.Run(do, func(t *testing.T) {
			status, body := b.send("/subscriptions", with(f, "do", do))
			if did := b.did(before); status != http.StatusOK || !strings.Contains(body, has[0]) || strings.Contains(body, has[1]) || len(did) > 0 {
				t.Errorf("%s: %d, did %v", do, status, did)
			}
		})
	}
	many := url.Values{"as": {"rows"}, "part": {"g:0"}, "do": {"row:0"}}
	for range 500 {
		many.Add("part", "r:0-1")
		many.Add("part", strings.Repeat("r:0-1", 100))
		many.Add("part", "g:0-"+strings.Repeat("1-", 9)+"1")
	}
	if status, _ := b.send("/subscriptions", many); status != http.StatusOK {
		t.Errorf("a form that nobody sends: %d", status)
	}
}

func TestAMistakeStandsBesideItsRow(t *testing.T) {
	b := open(t, lantern)
	before := b.sofar()
	status, body := b.send("/subscriptions", with(rows("all", [3]string{"price", "below", "cheap"}, [3]string{"title", "below", "3"}), "do", "save"))
	if did := b.did(before); status != http.StatusUnprocessableEntity || len(did) > 0 || !strings.Contains(body, `id="w-0-0">price is a number`) && !strings.Contains(body, `id="w-0-0">`) || !strings.Contains(body, `id="w-0-1">`) {
		t.Errorf("%d, did %v\n%s", status, did, body)
	}
	if !strings.Contains(body, `value="cheap"`) {
		t.Error("what was written is lost")
	}
}

func TestTryingShowsWhatWouldBeSentAndKeepsNothing(t *testing.T) {
	b := open(t, lantern)
	b.repriced()
	before := b.sofar()
	status, body := b.send("/subscriptions", with(rows("all"), "do", "preview"))
	if did := b.did(before); status != http.StatusOK || !strings.Contains(body, "Of the last 2 changes, 2 would have been sent.") || !strings.Contains(body, "The Lantern&#34;") || len(did) > 0 {
		t.Errorf("%d, did %v: %s", status, did, body)
	}
}

func TestWrongFormsComeBackWithASentenceAndWhatWasWritten(t *testing.T) {
	b, long := open(t, "x"), strings.Repeat("ä", 5000)
	before := b.sofar()
	for _, x := range []struct {
		at     string
		fields url.Values
		says   string
		keeps  string
	}{
		{"/subscriptions", with(rows("all"), "do", "save", "to", ""), "name at least one receiver", ""},
		{"/subscriptions", with(rows("all"), "do", "save", "channel", "pigeon"), "is not one of webhook, slack, email", ""},
		{"/subscriptions", with(rows("all"), "do", "save", "pick", "daily", "clock", "25:00"), "write the time as 07:30", `value="25:00"`},
		{"/subscriptions", with(rows("all"), "do", "save", "pick", "daily", "clock", "8:00", "zone", "Mars/Olympus"), "unknown time zone", "Mars/Olympus"},
		{"/subscriptions", with(rows("all"), "do", "save", "pick", "other", "other", "sometimes"), "sometimes", `value="sometimes"`},
		{"/subscriptions", url.Values{"as": {"text"}, "filter": {"pirce < 3"}, "do": {"save"}, "channel": {"slack"}, "to": {"https://example.org/"}, "pick": {"now"}}, "did you mean price?", "pirce &lt; 3"},
		{"/subscriptions", with(rows("all"), "do", "save", "name", "refuse", "to", "nowhere"), "nowhere", `value="refuse"`},
		{"/subscriptions", with(rows("all"), "do", "save", "name", long), "longer than 200", ""},
		{"/watches", url.Values{"do": {"save"}, "source": {"{src}"}, "url": {"javascript:alert(1)"}, "pick": {"adaptive"}}, "is not an address", ""},
		{"/watches", url.Values{"do": {"save"}, "source": {"{src}"}, "url": {"https://example.org/"}, "pick": {"other"}, "other": {"30 25 * * *"}}, "25", ""},
		{"/watches/{wat}/edit", url.Values{"do": {"save"}, "url": {"https://example.org/"}, "pick": {"adaptive"}, "removal_share": {"NaN"}}, "from 0 to 100", ""},
		{"/watches/{wat}/edit", url.Values{"do": {"save"}, "url": {"https://example.org/"}, "pick": {"adaptive"}, "stale_days": {"-1"}}, "from 0 to 3650", ""},
		{"/sources/{src}/edit", url.Values{"name": {""}}, "it is empty", ""},
		{"/candidates", url.Values{"url": {"javascript:alert(1)"}, "instructions": {"Polish"}}, "is not an address", ">Polish</textarea>"},
		{"/runs", url.Values{"do": {"start"}, "priority": {"2"}}, "name at least one URL", ""},
		{"/runs", url.Values{"do": {"start"}, "urls": {"https://example.org/"}, "priority": {"9"}}, "it must be from 1 to 3", ""},
		{"/runs", url.Values{"do": {"start"}, "urls": {"https://example.org/"}, "priority": {"2"}, "metadata": {"[1]"}}, "as a JSON object", ""},
		{"/settings", url.Values{"name": {" "}}, "it is empty", ""},
		{"/settings/people", url.Values{"email": {"refuse"}, "role": {"viewer"}}, "not an e-mail address", ""},
		{"/settings/keys", url.Values{"name": {"x"}, "scope": {"read"}, "expires": {"9999"}}, "a key lasts at most 3650 days, or until it is revoked", ""},
		{"/settings/account", url.Values{"old": {"a"}, "new": {"b"}, "again": {"c"}}, "differ", ""},
	} {
		t.Run(x.at, func(t *testing.T) {
			status, body := b.send(x.at, x.fields)
			if status != http.StatusUnprocessableEntity || !strings.Contains(body, x.says) || !strings.Contains(body, x.keeps) {
				t.Errorf("%s %v: %d, says %q? keeps %q?", x.at, text.Clip(x.fields.Encode(), 200), status, x.says, x.keeps)
			}
			if strings.Contains(body, "correct horse") {
				t.Errorf("%s shows a password", x.at)
			}
		})
	}
	if did := b.did(before); len(did) > 0 {
		t.Errorf("what is wrong did %v", did)
	}
}

func TestHostileTextInFieldsStaysText(t *testing.T) {
	b := open(t, "x")
	for _, at := range []string{"/subscriptions", "/watches", "/watches/{wat}/edit", "/sources/{src}/edit", "/runs", "/settings", "/settings/people", "/settings/keys", "/subscriptions/{sub}/edit"} {
		t.Run(at, func(t *testing.T) {
			f := url.Values{"part": {"g:0", "r:0-0", "g:0-1"}, "as": {"rows"}, "do": {"preview"}, "source": {"{src}"}}
			for _, name := range []string{"name", "to", "headers", "filter", "clock", "zone", "other", "every", "blueprint_id", "timezone", "stale_days", "max_pages", "removal_share", "day", "pick", "channel", "scope", "f-0-0", "t-0-0", "v-0-0", "m-0", "url", "blueprint", "pagezone", "stale",
				"pages", "share", "delay", "category", "instructions", "urls", "domains", "include", "exclude", "metadata", "depth", "concurrency", "priority", "mode", "reach", "email", "role", "expires", "scope"} {
				f.Set(name, world.Hostile)
			}
			answer := b.ask(curlew.RoleOwner, http.MethodPost, b.fill(at), b.fillForm(f))
			body := answer.Body.String()
			if answer.Code == http.StatusSeeOther {
				body = b.page(answer.Header().Get("Location"))
			}
			if strings.Contains(body, "<script>") || strings.Contains(body, `" onmouseover="`) || strings.Contains(body, "\u202e") || strings.Contains(body, "ZgotmplZ") {
				t.Errorf("%s lets what somebody wrote become something else", at)
			}
			if found := inline.FindString(body); found != "" {
				t.Errorf("%s has something inline: %s", at, found)
			}
		})
	}
}

func TestWhatIsDoneToThingsOfOthersIsNotFound(t *testing.T) {
	b := open(t, lantern)
	others := b.in("birch", "x")
	before, elsewhere := b.sofar(), others.sofar()
	for _, pattern := range console.EditForms {
		if !names(pattern) {
			continue
		}
		f := with(rows("all"), "do", "save", "url", "https://example.org/", "pick", "adaptive", "name", "n", "version", "1", "role", "viewer", "field", "availability", "word", "w", "value", "in_stock")
		if status, body := others.send(pathOf(pattern, b.has), f); status != http.StatusNotFound {
			t.Errorf("%s of others: %d %s", pattern, status, body)
		}
	}
	if did, there := b.did(before), others.did(elsewhere); len(did)+len(there) > 0 {
		t.Errorf("others did %v, %v", did, there)
	}
}

func TestTheNextVisitsAreShownBeforeAnythingIsKept(t *testing.T) {
	b := open(t, lantern, func(o *console.Options) { o.Clock = func() time.Time { return noon } })
	before := b.sofar()
	_, body := b.send("/watches", url.Values{"do": {"preview"}, "source": {"{src}"}, "blueprint_id": {"{bp}"}, "url": {"https://example.org/"}, "pick": {"weekdays"}, "clock": {"07:30"}, "zone": {"Europe/Warsaw"}})
	if strings.Count(body, "data-local>") != console.NextTimes || !strings.Contains(body, `datetime="2026-11-16T06:30:00Z"`) || !strings.Contains(body, "Monday to Friday, Europe/Warsaw time") || len(b.did(before)) > 0 {
		t.Errorf("did %v: %s", b.did(before), body)
	}
}

func TestALogCanBeNarrowedDown(t *testing.T) {
	b := open(t, lantern)
	for level, want := range map[string]bool{"": true, "info": true, "warn": true, "error": false, "nonsense": true} {
		t.Run(level, func(t *testing.T) {
			body := b.ask(curlew.RoleViewer, http.MethodGet, b.fill("/runs/{run}?after=0&level=")+level, "").Body.String()
			if got := strings.Contains(body, `<li class="warn"`); got != want {
				t.Errorf("level %q shows a warning: %v", level, got)
			}
		})
	}
}

func TestTheNumbersOfWatchedPagesCanBeChosen(t *testing.T) {
	b := open(t, lantern)
	b.write(func(w store.WriteScope) error {
		_, err := w.Entities().Add(t.Context(), curlew.Entity{Source: curlew.SourceID(b.has["src"]), Schema: curlew.SchemaPage, ExternalID: "p", Status: curlew.EntityActive, Version: 1,
			Fields: curlew.Values{"title": "Harbour", "figures": map[string]any{"Free berths": "12"}}, FirstSeenAt: noon, LastSeenAt: noon})
		return err
	})
	f := with(rows("all", [3]string{"figures.Free berths", "falls_below", "5"}), "do", "text")
	status, body := b.send("/subscriptions", f)
	if status != http.StatusOK || !strings.Contains(body, "`figures.Free berths` falls below 5") {
		t.Errorf("%d: the row did not become text: %s", status, body)
	}
	if status, body = b.send("/subscriptions", with(rows("all"), "do", "row:0")); status != http.StatusOK || !strings.Contains(body, `value="figures.Free berths"`) {
		t.Errorf("%d: the number cannot be chosen", status)
	}
}
