package console

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"curlew/internal/curlew"
)

// page is what somebody with all rights sees at an address.
func (s sample) page(t *testing.T, at string) string {
	t.Helper()
	answer := s.ask(t, curlew.RoleOwner, http.MethodGet, at, "")
	if answer.Code != http.StatusOK {
		t.Fatalf("%s: %d %s", at, answer.Code, answer.Body)
	}
	return answer.Body.String()
}

func mustSay(t *testing.T, at, page string, all ...string) {
	t.Helper()
	for _, want := range all {
		if !strings.Contains(page, want) {
			t.Errorf("%s does not say %q", at, want)
		}
	}
}

func mustNotSay(t *testing.T, at, page string, all ...string) {
	t.Helper()
	for _, unwanted := range all {
		if strings.Contains(page, unwanted) {
			t.Errorf("%s says %q", at, unwanted)
		}
	}
}

func TestDeliveriesSayWhatTheyTellAndWhom(t *testing.T) {
	s := sample{name: "The Lantern"}
	list := s.page(t, "/deliveries?subscription=sub_1&status=dead")
	mustSay(t, "the list", list, `<span class="state busy">changed</span> <a href="/deliveries/del_1"><bdi>The Lantern</bdi></a>`, `<td data-label="to"><bdi>The Lantern</bdi></td>`,
		`<option value="sub_1" selected>The Lantern</option>`, `<option selected>dead</option>`)
	mustNotSay(t, "the list", list, "Change 2")
}

func TestADeliveryShowsTheChangeTheMessageAndEachAnswer(t *testing.T) {
	page := sample{name: "The Lantern"}.page(t, "/deliveries/del_1")
	mustSay(t, "the page", page, `<h1><bdi>The Lantern</bdi></h1>`, `<a href="/subscriptions/sub_1"><bdi>The Lantern</bdi></a>`, `<del><bdi>14.99 EUR</bdi></del>`, `<ins><bdi>12.99 EUR</bdi></ins>`,
		`<summary>The body, as JSON</summary><pre tabindex="0">The Lantern</pre>`, `<code>Webhook-Id</code>`, `answered 500`, `<summary>What the receiver answered</summary><pre>The Lantern</pre>`)
	if strings.Contains(page, "Webhook-Signature: v1") {
		t.Error("a signature is shown")
	}
}

func TestARunThatEndedShowsWhatCameOfItAndNoBar(t *testing.T) {
	plan, _ := json.Marshal(map[string]string{"watch_id": "wat_1"})
	ended := curlew.Run{ID: "run_1", Kind: curlew.RunOnboard, Scope: "candidate:can_1", State: curlew.RunSucceeded, Total: 3, Counters: curlew.Counters{"steps": 1}, CreatedAt: noon, StartedAt: &noon, FinishedAt: &noon, Plan: plan}
	s := sample{name: "The Lantern", ended: &ended}
	page := s.page(t, "/runs/run_1")
	mustSay(t, "the run", page, `of <a href="/candidates/can_1"><bdi>The Lantern</bdi></a>`, `by the watch <a href="/watches/wat_1"><bdi>The Lantern</bdi></a>`, "What it changed", `<a href="/entities/ent_1">`, "<dt>Ended</dt>")
	mustNotSay(t, "the run", page, "of 3", `class="meter busy"`, "candidate:can_1")
	mustSay(t, "the list", s.page(t, "/runs"), `<td class="number">1 step</td>`)
	mustSay(t, "a run under way", sample{name: "The Lantern"}.page(t, "/runs/run_1"), `class="meter busy"`, "4 of 9 steps")
}

func TestARunWhoseSubjectIsGoneSaysOnlyItsName(t *testing.T) {
	gone := curlew.Run{ID: "run_1", Kind: curlew.RunOnboard, Scope: "candidate:can_7", State: curlew.RunFailed, CreatedAt: noon}
	page := sample{name: "The Lantern", ended: &gone}.page(t, "/runs/run_1")
	mustSay(t, "the run", page, "candidate:can_7")
	mustNotSay(t, "the run", page, "/candidates/can_7")
}

func TestEveryTimeSaysTheExactOneToo(t *testing.T) {
	for _, at := range []string{"/", "/changes", "/entities", "/runs/run_1", "/deliveries/del_1", "/settings/account", "/settings/keys", "/settings/audit", "/heals/run_1", "/watches/wat_1"} {
		for _, part := range strings.Split(sample{name: "The Lantern"}.page(t, at), "<time")[1:] {
			if tag, _, _ := strings.Cut(part, ">"); !strings.Contains(tag, `datetime="`) || !strings.Contains(tag, `title="`) || !strings.Contains(tag, "UTC") {
				t.Errorf("%s: <time%s> has no exact time", at, tag)
			}
		}
	}
}
