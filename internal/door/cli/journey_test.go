package cli

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/eventually"
	"github.com/curlew-data/curlew/internal/work/deliver"
)

// journey is a person, the installation that they look at, and what they learned so far.
type journey struct {
	*person
	*testServer
	watchID curlew.WatchID
}

// TestAJourneyInARealBrowser is the life of an installation as its owner sees it: sign
// in, add a site, watch it be deployed, see what it lists, be told of a day's changes on
// the page and by webhook, see a redesign be healed; then all screens, by keys, on a
// phone, in light and dark.
func TestAJourneyInARealBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes in a site of the sample web and heals it")
	}
	h := openServer(t)
	j := &journey{person: newPerson(t, h.base), testServer: h}
	for _, step := range []struct {
		name string
		do   func(*testing.T)
	}{
		{"sign in", j.signIn}, {"add a candidate and watch it be deployed", j.addCandidate}, {"see its entities", j.seeEntities},
		{"subscribe a webhook", j.subscribe}, {"see the changes of a day arrive", j.aDayPasses}, {"see what was delivered", j.seeDeliveries},
		{"see a redesign be healed", j.seeHeal}, {"invite somebody and make a key", j.settle},
		{"learn from a page", j.learn}, {"make a kind and rename a field", j.makeKind},
		{"go by keys", j.goByKeys}, {"open and close the menu of a phone", j.useMenu}, {"fit on every screen", j.fitScreens}, {"be readable in light and dark", j.readable},
	} {
		if !t.Run(step.name, func(t *testing.T) { step.do(t); j.undisturbed(t) }) {
			t.FailNow()
		}
	}
}

const ownerEmail, ownerPassword = "ada@example.org", "correct horse battery"

// signIn becomes the owner by the first link, leaves, and comes back by the password.
func (j *journey) signIn(t *testing.T) {
	j.open(t, "/")
	j.sees(t, "Sign in", "E-mail address")
	j.do(t, chromedp.Navigate(j.link))
	j.sees(t, "You become the owner")
	j.fill(t, "email", ownerEmail, "name", "Ada", "password", ownerPassword)
	j.presses(t, "Begin")
	j.sees(t, "Nothing is watched yet", "Ada", "default, owner")
	j.presses(t, "Sign out")
	j.sees(t, "Password")
	j.fill(t, "email", ownerEmail, "password", ownerPassword)
	j.presses(t, "Sign in")
	j.sees(t, "Nothing is watched yet")
}

// addCandidate proposes the shop, and sees on one page how it gets from pending to
// deployed.
func (j *journey) addCandidate(t *testing.T) {
	j.presses(t, "Add the first candidate")
	j.fill(t, "url", j.site(t, "shop"), "name", "Bicycles", "instructions", "products, in Dutch")
	j.presses(t, "Add and analyse")
	j.is(t, "/candidates/can_.+")
	j.sees(t, "Bicycles", "products, in Dutch", "automatically when good")
	if first := tell[string](t, j.chromium, `document.querySelector("main p.line .state").innerText`); first == "deployed" {
		t.Fatal("it was deployed before anybody could look")
	}
	j.stays(t)
	j.live(t)
	j.holds(t, "to see it deployed", `document.querySelector("main p.line .state").innerText === "deployed"`)
	j.sees(t, "Feasibility", "Data formats", "Attempt 1", "passed", "Scorecard", "History", "Open it")
	j.stayed(t)
	j.rests(t)
	j.watchID = j.watch(t, "Bicycles").ID
}

// seeEntities finds what the shop lists, and one of them with its values and evidence.
func (j *journey) seeEntities(t *testing.T) {
	truth, err := j.web.Truth("shop")
	if err != nil {
		t.Fatal(err)
	}
	j.open(t, "/")
	j.sees(t, fmt.Sprintf("%d active entities", len(truth)))
	j.presses(t, "Entities")
	j.is(t, "/entities")
	j.sees(t, "Show more", "product", "active")
	j.holds(t, "a full page of rows", `document.querySelectorAll("#rows > tr").length === 50`)
	name := tell[string](t, j.chromium, `document.querySelector("#rows a").innerText`)
	j.presses(t, name)
	j.is(t, "/entities/ent_.+")
	j.sees(t, name, "Evidence", "External id", "Bicycles", "Price")
	real := false
	for _, r := range truth {
		real = real || r.Fields["name"] == name
	}
	if !real {
		t.Errorf("the shop sells no %q", name)
	}
	j.do(t, chromedp.Click("td.proof summary"))
	j.sees(t, "On the page:")
}

// subscribe makes a webhook subscription by the form, and gives its secret to the sink.
func (j *journey) subscribe(t *testing.T) {
	j.open(t, "/watches/"+string(j.watchID))
	j.presses(t, "Subscribe to them")
	j.is(t, "/subscriptions/add")
	j.fill(t, "name", "The bicycles webhook", "to", "ftp://nowhere")
	j.presses(t, "Subscribe")
	j.holds(t, "to be told what is wrong", `document.querySelector(".wrong").innerText.length > 10`)
	j.forgive("/subscriptions")
	j.fill(t, "to", j.hook)
	j.presses(t, "Subscribe")
	j.holds(t, "to see the secret", `document.querySelector(".secret code").innerText.startsWith("whsec_")`)
	j.sink.Secrets = []deliver.Secret{{Key: tell[string](t, j.chromium, `document.querySelector(".secret code").innerText`)}}
	j.presses(t, "I have copied it: continue")
	j.is(t, "/subscriptions/sub_.+")
	j.sees(t, "The bicycles webhook", "active", "Nothing was sent yet")
	j.presses(t, "Send a test")
	eventually.Told(t, "the test arrives", func() (bool, string) { l := j.sink.Ledger(); return l.Accepted == 1, fmt.Sprintf("%+v", l) })
}

// aDayPasses looks at the dashboard while the schedule comes round, and at a run that
// the person began.
func (j *journey) aDayPasses(t *testing.T) {
	j.open(t, "/")
	j.live(t)
	j.stays(t)
	before := tell[int](t, j.chromium, changesPublished)
	j.anotherDay(t)
	j.comesRound(t, j.watchID)
	j.holds(t, "the count of changes to grow", fmt.Sprintf(`%s > %d`, changesPublished, before))
	j.holds(t, "the change to stand on top, marked as new", `document.querySelector("#recent > li.arrived a").innerText.length > 0`)
	j.sees(t, "changed")
	j.stayed(t)
	j.anotherDay(t)
	j.checksNow(t)
}

// checksNow presses the button until that began a check: it leads to one of the schedule that is under way.
func (j *journey) checksNow(t *testing.T) {
	t.Helper()
	for began := false; !began; began = tell[bool](t, j.chromium, `document.body.innerText.includes("triggerWatch")`) {
		j.open(t, "/watches/"+string(j.watchID))
		j.presses(t, "Check now")
		j.is(t, "/runs/run_.+")
		j.holds(t, "the run to succeed", `document.querySelector("main .state").innerText === "succeeded"`)
		j.rests(t)
		j.open(t, "/settings/audit")
	}
}

// changesPublished is what the dashboard counts.
const changesPublished = `Number([...document.querySelectorAll(".tiles a")].find(x => /changes? published/.test(x.innerText)).querySelector("strong").innerText)`

// anotherDay lets days pass in the shop until something is different.
func (j *journey) anotherDay(t *testing.T) {
	t.Helper()
	shop, err := j.web.Site("shop")
	for err == nil {
		if err = j.web.Advance("shop"); err == nil {
			if changes, failed := j.web.Changes("shop", shop.State.Day); failed != nil || len(changes) > 0 {
				err = failed
				break
			}
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// seeDeliveries finds every change told at the receiver, signed, and its delivery on a
// page; then sends one of them again.
func (j *journey) seeDeliveries(t *testing.T) {
	j.open(t, "/subscriptions")
	j.presses(t, "The bicycles webhook")
	j.is(t, "/subscriptions/sub_.+")
	j.holds(t, "deliveries that arrived", `[...document.querySelectorAll("#deliveryrows tr")].length > 0 && [...document.querySelectorAll("#deliveryrows td:nth-child(2) .state")].every(x => x.innerText === "delivered")`)
	ledger := j.sink.Ledger()
	if ledger.Accepted < 2 || ledger.BadSignatures != 0 || ledger.OutOfOrder != 0 {
		t.Errorf("the receiver has %+v", ledger)
	}
	j.do(t, chromedp.Click("#deliveryrows a"))
	j.is(t, "/deliveries/del_.+")
	j.sees(t, "What it sends", "delivered", "answered 204", "Webhook-Id", "The bicycles webhook")
	j.presses(t, "The body, as JSON")
	j.sees(t, `"delivery_id"`)
	j.presses(t, "Send again…")
	j.presses(t, "Yes, send it")
	j.is(t, "/deliveries/del_.+")
	eventually.Told(t, "it arrives once more", func() (bool, string) {
		l := j.sink.Ledger()
		return l.Received > ledger.Received, fmt.Sprintf("%+v", l)
	})
}

// seeHeal stays on the page of heals while the shop is redesigned and healed.
func (j *journey) seeHeal(t *testing.T) {
	j.open(t, "/heals")
	j.sees(t, "No heals yet")
	j.live(t)
	j.stays(t)
	const healed = `[...document.querySelectorAll("main tbody .state")].some(x => x.innerText === "healed")`
	for looks := 0; looks < 8 && !tell[bool](t, j.chromium, healed); looks++ { // some redesigns are read by the old rules all the same
		if looks%2 == 0 {
			if err := j.web.Redesign("shop"); err != nil {
				t.Fatal(err)
			}
		}
		j.comesRound(t, j.watchID)
		if heals, err := j.Store.Org(curlew.DefaultOrg).Heals().List(t.Context(), "", 10); err != nil || len(heals) > 0 && heals[0].Outcome == curlew.HealDone {
			break
		}
	}
	j.holds(t, "to see it healed", healed)
	j.stayed(t)
	j.do(t, chromedp.Click(`main a[href^="/heals/run_"]`))
	j.sees(t, "Healing of Bicycles", "found again", "that could be found", "The page before and after", "Values before and after", "No action is needed")
	j.holds(t, "two pictures", `document.querySelectorAll("main iframe[sandbox]").length === 2`)
	j.presses(t, "How it was found and proved, in detail")
	j.sees(t, "What happened", "Proof", "What is read differently")
	j.open(t, "/sources")
	j.presses(t, "Bicycles")
	j.sees(t, "healed")
}

// settle invites a colleague and makes a key for a program.
func (j *journey) settle(t *testing.T) {
	j.open(t, "/settings/people")
	j.fill(t, "email", "grace@example.org", "name", "Grace")
	j.presses(t, "Make a link")
	j.holds(t, "to see the link", `document.querySelector(".secret code").innerText.includes("/link?token=")`)
	j.open(t, "/settings/people")
	j.sees(t, "Grace", "grace@example.org", "invited")
	j.open(t, "/settings/keys")
	j.fill(t, "name", "dashboard")
	j.presses(t, "Make the key")
	j.holds(t, "to see the key", `document.querySelector(".secret code").innerText.length > 20`)
	j.open(t, "/settings/audit")
	j.sees(t, "proposeCandidate", "subscribe", "triggerWatch")
}

// learn begins a training with a page of another site, and sees what is read.
func (j *journey) learn(t *testing.T) {
	j.learns(t, j.site(t, "council"))
	j.sees(t, "Check what is read", "event records", "All records", "Test it on another page")
	j.open(t, "/blueprints")
	j.sees(t, "Bicycles", "product")
}
