package console_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

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

// repriced lets a product of the org become cheaper, which was not delivered either, and
// gives the ids of what tells so.
func (b *browser) repriced() {
	b.Helper()
	ctx := b.Context()
	b.write(func(w store.WriteScope) error {
		source, fields := curlew.SourceID(b.has["src"]), curlew.Values{"name": b.name, "price": 1299, "currency": "EUR"}
		entity, err := w.Entities().Add(ctx, curlew.Entity{Source: source, Schema: curlew.SchemaProduct, ExternalID: "2", Status: curlew.EntityActive, Version: 2, Fields: fields, FirstSeenAt: noon, LastSeenAt: noon})
		if err != nil {
			return err
		}
		payload, err := json.Marshal(curlew.ChangePayload{Entity: &curlew.EntityPicture{Schema: curlew.SchemaProduct, ExternalID: "2", Status: curlew.EntityActive, Fields: fields},
			Changes: []curlew.FieldChange{{Field: "price", Old: 1499, New: 1299}}})
		if err != nil {
			return err
		}
		change, err := w.Changes().Add(ctx, curlew.Change{Kind: curlew.EntityChanged, Source: source, Watch: curlew.WatchID(b.has["wat"]), Entity: entity.ID, Version: 2, Run: curlew.RunID(b.has["run"]), Payload: payload})
		if err != nil {
			return err
		}
		d, err := w.Deliveries().Add(ctx, curlew.Delivery{Change: change.ID, Entity: entity.ID, Subscription: curlew.SubscriptionID(b.has["sub"]), Status: curlew.DeliveryDead, Sequence: change.Sequence, LastError: b.name})
		if err != nil {
			return err
		}
		b.has["ent"], b.has["chg"], b.has["del"] = string(entity.ID), string(change.ID), string(d.ID)
		d.Attempts = 1
		return w.Deliveries().EndAttempts(ctx, []curlew.Delivery{d}, []curlew.Attempt{{Delivery: d.ID, Number: 1, At: noon, Status: 500, Answer: b.name, Error: b.name}})
	})
}

func TestDeliveriesSayWhatTheyTellAndWhom(t *testing.T) {
	b := open(t, lantern)
	b.repriced()
	list := b.page("/deliveries?subscription={sub}&status=dead")
	mustSay(t, "the list", list, b.fill(`<span class="state busy">changed</span> <a href="/deliveries/{del}"><bdi>The Lantern</bdi></a>`), `<td data-label="to"><bdi>The Lantern</bdi></td>`,
		b.fill(`<option value="{sub}" selected>The Lantern</option>`), `<option selected>dead</option>`)
	mustNotSay(t, "the list", list, "Change 2")
}

func TestADeliveryShowsTheChangeTheMessageAndEachAnswer(t *testing.T) {
	b := open(t, lantern)
	b.repriced()
	page := b.page("/deliveries/{del}")
	mustSay(t, "the page", page, `<h1><bdi>The Lantern</bdi></h1>`, b.fill(`<a href="/subscriptions/{sub}"><bdi>The Lantern</bdi></a>`), `<del><bdi>14.99 EUR</bdi></del>`, `<ins><bdi>12.99 EUR</bdi></ins>`,
		`<summary>The body, as JSON</summary><pre tabindex="0">{`, `&#34;name&#34;: &#34;The Lantern&#34;`, `<code>Webhook-Id</code>`, `answered 500`, `<summary>What the receiver answered</summary><pre>The Lantern</pre>`)
	if strings.Contains(page, "v1,") {
		t.Error("a signature is shown")
	}
}

// onboarding adds a run that onboards a candidate by the org's watch.
func (b *browser) onboarding(candidate string, state curlew.RunState) {
	b.Helper()
	ctx, at := b.Context(), time.Now()
	plan, err := json.Marshal(map[string]string{"watch_id": b.has["wat"]})
	if err != nil {
		b.Fatal(err)
	}
	b.write(func(w store.WriteScope) error {
		run, err := w.Runs().Add(ctx, curlew.Run{Kind: curlew.RunOnboard, Scope: "candidate:" + candidate, Plan: plan, Total: 3})
		if err != nil {
			return err
		}
		b.has["run"] = string(run.ID)
		run.State, run.Counters, run.StartedAt = state, curlew.Counters{"steps": 1}, &at
		if state.Ended() {
			run.FinishedAt = &at
		}
		return w.Runs().Save(ctx, run)
	})
}

func TestARunThatEndedShowsWhatCameOfItAndNoBar(t *testing.T) {
	b := open(t, lantern)
	b.onboarding(b.has["can"], curlew.RunSucceeded)
	b.repriced()
	page := b.page("/runs/{run}")
	mustSay(t, "the run", page, b.fill(`of <a href="/candidates/{can}"><bdi>The Lantern</bdi></a>`), b.fill(`by the watch <a href="/watches/{wat}"><bdi>The Lantern</bdi></a>`), "What it changed", b.fill(`<a href="/entities/{ent}">`), "<dt>Ended</dt>")
	mustNotSay(t, "the run", page, "of 3", `class="meter busy"`, b.fill("candidate:{can}"))
	mustSay(t, "the list", b.page("/runs"), `<td class="number">1 step</td>`)
	b.onboarding(b.has["can"], curlew.RunRunning)
	mustSay(t, "a run under way", b.page("/runs/{run}"), `class="meter busy"`, "1 of 3 steps")
}

func TestARunWhoseSubjectIsGoneSaysOnlyItsName(t *testing.T) {
	b := open(t, lantern)
	b.onboarding("can_7", curlew.RunFailed)
	page := b.page("/runs/{run}")
	mustSay(t, "the run", page, "candidate:can_7")
	mustNotSay(t, "the run", page, "/candidates/can_7")
}

func TestEveryTimeSaysTheExactOneToo(t *testing.T) {
	b := open(t, lantern)
	for _, at := range []string{"/", "/changes", "/entities", "/runs/{run}", "/deliveries/{del}", "/settings/account", "/settings/keys", "/settings/audit", "/heals/{run}", "/watches/{wat}"} {
		t.Run(at, func(t *testing.T) {
			for _, part := range strings.Split(b.page(at), "<time")[1:] {
				if tag, _, _ := strings.Cut(part, ">"); !strings.Contains(tag, `datetime="`) || !strings.Contains(tag, `title="`) || !strings.Contains(tag, "UTC") {
					t.Errorf("%s: <time%s> has no exact time", at, tag)
				}
			}
		})
	}
}
