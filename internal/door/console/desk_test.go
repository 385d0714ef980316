package console

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"curlew/internal/curlew"
)

// sent is what a form with some fields came to.
func sent(t *testing.T, at string, fields url.Values) (status int, body string, did []string) {
	t.Helper()
	answer := sample{name: "The Lantern", done: &did}.ask(t, curlew.RoleOwner, http.MethodPost, at, fields.Encode())
	return answer.Code, answer.Body.String(), did
}

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
	f := with(rows("all", [3]string{"price", "decreased", "5%"}, [3]string{"city", "in", "Kraków, Łódź"}, [3]string{"", "equals", ""}), "do", "save", "name", "Cheaper", "scope", "watch:wat_1",
		"pick", "daily", "clock", "08:00", "zone", "Europe/Oslo", "headers", "Authorization: Bearer x")
	f["kind"] = []string{"entity_changed", "nonsense"}
	status, body, did := sent(t, "/subscriptions", f)
	want := `subscribe Cheaper webhook [https://example.org/in] map[Authorization:Bearer x] [entity_changed] "price decreased by 5% and city in (\"Kraków\", \"Łódź\")" "daily at 08:00 Europe/Oslo" wat_1`
	if status != http.StatusOK || !slices.Equal(did, []string{want}) || !strings.Contains(body, "whsec_once") {
		t.Errorf("%d %q\n%s", status, did, body)
	}
}

func TestTheFilterTurnsFromRowsToTextAndBack(t *testing.T) {
	for _, text := range []string{``, `price decreased by 5%`, `not (price changed or rating changed)`, `not price changed`, `not (price changed and rating changed)`,
		`city = "Kraków" and (price_min decreased or status changed) and not title contains "jazz"`, `(a or b) and c`} {
		text = strings.NewReplacer("a or b", "price changed or rating changed", "and c", "and brand = \"x\"").Replace(text)
		root, fits := filterRows(text)
		if !fits {
			t.Errorf("%q does not fit rows", text)
			continue
		}
		if back, ok := filterText(root); !ok || back != text {
			t.Errorf("%q comes back as %q", text, back)
		}
	}
	status, body, _ := sent(t, "/subscriptions", with(rows("none", [3]string{"price", "changed", ""}, [3]string{"rating", "changed", ""}), "do", "text"))
	if status != http.StatusOK || !strings.Contains(body, "not (price changed or rating changed)</textarea>") {
		t.Errorf("%d: the rows did not become text", status)
	}
	status, body, _ = sent(t, "/subscriptions", url.Values{"as": {"text"}, "filter": {`any(price changed, all(city = "x", rating > 4))`}, "do": {"rows"}, "channel": {"slack"}, "pick": {"now"}})
	if status != http.StatusOK || !strings.Contains(body, `name="f-0-1-1"`) || !strings.Contains(body, `value="any" selected`) {
		t.Errorf("%d: the text did not become rows", status)
	}
	deep := strings.Repeat("not (price changed and ", 6) + "rating changed" + strings.Repeat(")", 6)
	status, body, _ = sent(t, "/subscriptions", url.Values{"as": {"text"}, "filter": {deep}, "do": {"rows"}})
	if status != http.StatusUnprocessableEntity || !strings.Contains(body, "nested more deeply") || !strings.Contains(body, "<textarea class=\"code\"") {
		t.Errorf("%d: what is too deep for rows stays text", status)
	}
}

func TestButtonsAddAndRemoveRows(t *testing.T) {
	f := rows("all", [3]string{"price", "changed", ""}, [3]string{"city", "equals", "Oslo"})
	for do, has := range map[string][2]string{"row:0": {`name="f-0-2"`, `name="f-0-3"`}, "group:0": {`name="f-0-2-0"`, `name="f-0-3"`}, "drop:0-0": {`value="Oslo"`, `name="f-0-1"`}, "drop:0-9": {`name="f-0-1"`, `name="f-0-2"`}} {
		status, body, did := sent(t, "/subscriptions", with(f, "do", do))
		if status != http.StatusOK || !strings.Contains(body, has[0]) || strings.Contains(body, has[1]) || len(did) > 0 {
			t.Errorf("%s: %d, did %q", do, status, did)
		}
	}
	many := url.Values{"as": {"rows"}, "part": {"g:0"}, "do": {"row:0"}}
	for range 500 {
		many.Add("part", "r:0-1")
		many.Add("part", strings.Repeat("r:0-1", 100))
		many.Add("part", "g:0-"+strings.Repeat("1-", 9)+"1")
	}
	if status, _, _ := sent(t, "/subscriptions", many); status != http.StatusOK {
		t.Errorf("a form that nobody sends: %d", status)
	}
}

func TestAMistakeStandsBesideItsRow(t *testing.T) {
	status, body, did := sent(t, "/subscriptions", with(rows("all", [3]string{"price", "below", "cheap"}, [3]string{"title", "below", "3"}), "do", "save"))
	if status != http.StatusUnprocessableEntity || len(did) > 0 || !strings.Contains(body, `id="w-0-0">price is a number`) && !strings.Contains(body, `id="w-0-0">`) || !strings.Contains(body, `id="w-0-1">`) {
		t.Errorf("%d, did %q\n%s", status, did, body)
	}
	if !strings.Contains(body, `value="cheap"`) {
		t.Error("what was written is lost")
	}
}

func TestTryingShowsWhatWouldBeSentAndKeepsNothing(t *testing.T) {
	status, body, did := sent(t, "/subscriptions", with(rows("all"), "do", "look"))
	if status != http.StatusOK || !strings.Contains(body, "Of the last 200 changes, 2 would have been sent.") || !strings.Contains(body, "<pre>The Lantern</pre>") || len(did) > 0 {
		t.Errorf("%d, did %q", status, did)
	}
}

func TestFormsOfTheDeskDoWhatTheySay(t *testing.T) {
	watch := func(pairs ...string) url.Values {
		return with(url.Values{"do": {"save"}, "source": {"src_1"}, "blueprint": {"bp_1"}, "url": {"https://example.org/e"}, "pick": {"adaptive"}}, pairs...)
	}
	for _, x := range []struct {
		at     string
		fields url.Values
		did    string
		next   string // "" where a page shows something once
	}{
		{"/subscriptions", with(rows("all"), "do", "save", "channel", "email", "to", "a@example.org, b@example.org", "name", "n"), `subscribe n email [a@example.org b@example.org] map[] [] "" ""`, "/subscriptions/sub_1?done=saved"},
		{"/subscriptions/sub_1/edit", with(rows("all"), "do", "save", "name", "n", "to", "", "channel", "email", "drop", "1"), `amend sub_1 n webhook [] map[] [] "" ""`, "/subscriptions/sub_1?done=saved"},
		{"/subscriptions/sub_1/remove", nil, "unsubscribe sub_1", "/subscriptions?done=removed"},
		{"/subscriptions/sub_1/rotate", nil, "rotate sub_1", ""},
		{"/subscriptions/sub_1/test", nil, "test sub_1", ""},
		{"/watches", watch("name", "n"), `watch bp_1 https://example.org/e "n" "adaptive"`, "/watches/wat_1?done=saved"},
		{"/watches/wat_1/edit", watch("pick", "weekly", "day", "tue", "clock", "7:05", "ranked", "1", "stale", "30", "share", "12.5", "pages", "9", "pagezone", "Europe/Oslo"),
			`amend wat_1 https://example.org/e "" "weekly on tue at 7:05" Europe/Oslo true 30 9 0.125`, "/watches/wat_1?done=saved"},
		{"/watches/wat_1/remove", nil, "remove wat_1", "/watches?done=removed"},
		{"/sources/src_1/edit", url.Values{"name": {"n"}, "urls": {"5"}, "instructions": {"a\r\nb"}}, "amend src_1 {Name:n MinURLs:5 Category: Zone: Instructions:a\nb}", "/sources/src_1?done=saved"},
		{"/sources/src_1/pause", nil, "pause src_1", "/sources/src_1?done=pause"},
		{"/sources/src_1/promote", nil, "promote src_1", "/sources/src_1?done=promote"},
		{"/sources/src_1/archive", nil, "archive src_1", "/sources/src_1?done=archive"},
		{"/sources/src_1/heal", url.Values{"watch": {"wat_1"}}, "heal src_1 wat_1", "/runs/run_1?done=heal"},
		{"/sources/src_1/rollback", url.Values{"version": {"2"}}, "rollback src_1 2", "/sources/src_1?done=rollback"},
		{"/runs", url.Values{"do": {"start"}, "urls": {"https://example.org/\nhttps://example.org/2"}, "mode": {"sequential"}, "priority": {"1"}, "pages": {"7"}, "reach": {"site"}, "metadata": {`{"a":1}`}},
			"crawl [https://example.org/ https://example.org/2] [] true 1 7 0 true map[a:1]", "/runs/run_1?done=started"},
		{"/runs/clear", nil, "clear", "/runs?done=cleared"},
		{"/settings", url.Values{"name": {"Town hall"}}, "rename Town hall", "/settings?done=saved"},
		{"/settings/people", url.Values{"email": {"bo@example.org"}, "role": {"editor"}}, "invite bo@example.org  editor", ""},
		{"/settings/people/usr_1/role", url.Values{"role": {"viewer"}}, "role usr_1 viewer", "/settings/people?done=role"},
		{"/settings/people/usr_1/remove", nil, "remove usr_1", "/settings/people?done=removed"},
		{"/settings/people/usr_1/sign-out", nil, "sign out usr_1", "/settings/people?done=signed-out"},
		{"/watches/wat_1/feed/renew", nil, "renew wat_1", "/watches/wat_1?done=feed-new"},
		{"/sources/src_1/feed/revoke", nil, "revoke src_1", "/sources/src_1?done=feed-gone"},
		{"/subscriptions/sub_1/feed/revoke", nil, "revoke sub_1", "/subscriptions/sub_1?done=feed-gone"},
		{"/settings/people/usr_1/disable", nil, "disable usr_1", "/settings/people?done=disabled"},
		{"/settings/people/usr_1/enable", nil, "enable usr_1", "/settings/people?done=enabled"},
		{"/settings/people/usr_1/link", nil, "link usr_1", ""},
		{"/settings/keys", url.Values{"name": {"ci"}, "scope": {"read", "deliver"}, "expires": {"90"}}, "key ci [read deliver] true", ""},
		{"/settings/keys", url.Values{"name": {"ci"}, "scope": {"read"}, "expires": {""}}, "key ci [read] false", ""},
		{"/settings/keys/key_1/revoke", nil, "revoke key_1", "/settings/keys?done=revoked"},
		{"/settings/account", url.Values{"old": {"a"}, "new": {"bbb"}, "again": {"bbb"}}, "password a bbb", "/settings/account?done=password"},
		{"/settings/account/sessions/ses_1", nil, "end ses_1", "/settings/account?done=session"},
	} {
		var did []string
		answer := sample{name: "x", done: &did}.ask(t, curlew.RoleOwner, http.MethodPost, x.at, x.fields.Encode())
		status := http.StatusSeeOther
		if x.next == "" {
			status = http.StatusOK
		}
		if answer.Code != status || answer.Header().Get("Location") != x.next || !slices.Equal(did, []string{x.did}) {
			t.Errorf("%s: %d to %q, did %q\nwant %q", x.at, answer.Code, answer.Header().Get("Location"), did, x.did)
		}
	}
}

func TestWrongFormsComeBackWithASentenceAndWhatWasWritten(t *testing.T) {
	long := strings.Repeat("ä", 5000)
	for _, x := range []struct {
		at     string
		fields url.Values
		says   string
		keeps  string
	}{
		{"/subscriptions", with(rows("all"), "do", "save", "to", ""), "name at least one receiver", ""},
		{"/subscriptions", with(rows("all"), "do", "save", "channel", "pigeon"), "choose how to tell", ""},
		{"/subscriptions", with(rows("all"), "do", "save", "pick", "daily", "clock", "25:00"), "write the time as 07:30", `value="25:00"`},
		{"/subscriptions", with(rows("all"), "do", "save", "pick", "daily", "clock", "8:00", "zone", "Mars/Olympus"), "nobody knows this time zone", "Mars/Olympus"},
		{"/subscriptions", with(rows("all"), "do", "save", "pick", "other", "other", "sometimes"), "sometimes", `value="sometimes"`},
		{"/subscriptions", url.Values{"as": {"text"}, "filter": {"pirce < 3"}, "do": {"save"}, "channel": {"slack"}, "to": {"https://example.org/"}, "pick": {"now"}}, "did you mean price?", "pirce &lt; 3"},
		{"/subscriptions", with(rows("all"), "do", "save", "name", "refuse"), "nobody may be called that", `value="refuse"`},
		{"/subscriptions", with(rows("all"), "do", "save", "name", long), "more than 200", ""},
		{"/watches", url.Values{"do": {"save"}, "source": {"src_1"}, "url": {"javascript:alert(1)"}, "pick": {"adaptive"}}, "whole address", ""},
		{"/watches", url.Values{"do": {"save"}, "source": {"src_1"}, "url": {"https://example.org/"}, "pick": {"other"}, "other": {"30 25 * * *"}}, "25", ""},
		{"/watches/wat_1/edit", url.Values{"do": {"save"}, "url": {"https://example.org/"}, "pick": {"adaptive"}, "share": {"NaN"}}, "from 0 to 100", ""},
		{"/watches/wat_1/edit", url.Values{"do": {"save"}, "url": {"https://example.org/"}, "pick": {"adaptive"}, "stale": {"-1"}}, "from 0 to 3650", ""},
		{"/sources/src_1/edit", url.Values{"name": {""}}, "give it a name", ""},
		{"/runs", url.Values{"do": {"start"}, "priority": {"2"}}, "name at least one address", ""},
		{"/runs", url.Values{"do": {"start"}, "urls": {"https://example.org/"}, "priority": {"9"}}, "choose a priority", ""},
		{"/runs", url.Values{"do": {"start"}, "urls": {"https://example.org/"}, "priority": {"2"}, "metadata": {"[1]"}}, "as a JSON object", ""},
		{"/settings", url.Values{"name": {" "}}, "give the org a name", ""},
		{"/settings/people", url.Values{"email": {"refuse"}, "role": {"viewer"}}, "nobody may be called that", ""},
		{"/settings/keys", url.Values{"name": {"x"}, "scope": {"read"}, "expires": {"9999"}}, "from 1 to 3650", ""},
		{"/settings/account", url.Values{"old": {"a"}, "new": {"b"}, "again": {"c"}}, "differ", ""},
	} {
		var did []string
		answer := sample{name: "x", done: &did}.ask(t, curlew.RoleOwner, http.MethodPost, x.at, x.fields.Encode())
		body := answer.Body.String()
		if answer.Code != http.StatusUnprocessableEntity || !strings.Contains(body, x.says) || !strings.Contains(body, x.keeps) {
			t.Errorf("%s %v: %d, says %q? keeps %q?", x.at, shorten(x.fields.Encode(), 200), answer.Code, x.says, x.keeps)
		}
		if strings.Contains(body, "correct horse") {
			t.Errorf("%s shows a password", x.at)
		}
	}
}

func TestHostileTextInFieldsStaysText(t *testing.T) {
	for _, at := range []string{"/subscriptions", "/watches", "/watches/wat_1/edit", "/sources/src_1/edit", "/runs", "/settings", "/settings/people", "/settings/keys", "/subscriptions/sub_1/edit"} {
		f := url.Values{"part": {"g:0", "r:0-0", "g:0-1"}, "as": {"rows"}, "do": {"look"}, "source": {"src_1"}}
		for _, name := range []string{"name", "to", "headers", "filter", "clock", "zone", "other", "every", "day", "pick", "channel", "scope", "f-0-0", "t-0-0", "v-0-0", "m-0", "url", "blueprint", "pagezone", "stale",
			"pages", "share", "delay", "category", "instructions", "urls", "domains", "include", "exclude", "metadata", "depth", "concurrency", "priority", "mode", "reach", "email", "role", "expires", "scope"} {
			f.Set(name, nasty+"\x00\xff")
		}
		_, body, _ := sent(t, at, f)
		if strings.Contains(body, "<script>") || strings.Contains(body, `" onmouseover="`) || strings.Contains(body, "\u202e") || strings.Contains(body, "ZgotmplZ") {
			t.Errorf("%s lets what somebody wrote become something else", at)
		}
		if found := inline.FindString(body); found != "" {
			t.Errorf("%s has something inline: %s", at, found)
		}
	}
}

func TestWhatIsDoneToThingsOfOthersIsNotFound(t *testing.T) {
	var patterns []string
	for pattern := range deskDeeds {
		patterns = append(patterns, pattern)
	}
	for pattern := range forms {
		patterns = append(patterns, pattern)
	}
	for _, pattern := range patterns {
		if !strings.Contains(pattern, "{id}") {
			continue
		}
		f := with(rows("all"), "do", "save", "url", "https://example.org/", "pick", "adaptive", "name", "n", "version", "1", "role", "viewer")
		if status, _, did := sent(t, pathOf(pattern, "_2"), f); status != http.StatusNotFound || len(did) > 0 {
			t.Errorf("%s of others: %d, did %q", pattern, status, did)
		}
	}
}

func TestTheNextVisitsAreShownBeforeAnythingIsKept(t *testing.T) {
	_, body, did := sent(t, "/watches", url.Values{"do": {"look"}, "source": {"src_1"}, "blueprint": {"bp_1"}, "url": {"https://example.org/"}, "pick": {"weekdays"}, "clock": {"07:30"}, "zone": {"Europe/Warsaw"}})
	if strings.Count(body, "data-local>") != nextTimes || !strings.Contains(body, `datetime="2026-11-16T06:30:00Z"`) || !strings.Contains(body, "Monday to Friday, Europe/Warsaw time") || len(did) > 0 {
		t.Errorf("did %q: %s", did, body)
	}
}

func TestSchedulesComeApartAndTogether(t *testing.T) {
	for _, text := range []string{"", "adaptive", "every 1h", "every 1h30m", "daily at 07:30", "daily at 07:30 Europe/Warsaw", "weekdays at 08:00 Europe/Oslo", "weekly on mon at 08:00", "30 7 * * mon-fri", "adaptive 5m..2h"} {
		if back, wrong := timetableOf(text).text(); back != text || wrong != nil {
			t.Errorf("%q comes back as %q, %v", text, back, wrong)
		}
	}
}

func TestALogCanBeNarrowedDown(t *testing.T) {
	for level, want := range map[string]bool{"": true, "info": true, "warn": true, "error": false, "nonsense": true} {
		body := sample{name: "The Lantern"}.ask(t, curlew.RoleViewer, http.MethodGet, "/runs/run_1?after=0&level="+level, "").Body.String()
		if got := strings.Contains(body, `<li class="warn"`); got != want {
			t.Errorf("level %q shows a warning: %v", level, got)
		}
	}
}
