package console_test

import (
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/teach"
)

// formCase is a form that somebody sends in an org of its own, which holds one of everything.
type formCase struct {
	first  func(*browser) // what is done before
	at     string         // with {src} for the source's id
	fields string
	did    string // in the audit log; "" for nothing
	next   string // a pattern of where it leads to; "" where a page shows something once
	holds  func(*browser) bool
}

// fillIn sends each form in an org of its own, and looks at what it did.
func fillIn(t *testing.T, role curlew.Role, cases []formCase) {
	t.Helper()
	empty := openEmpty(t)
	for i, x := range cases {
		b := empty.in(curlew.OrgID("org"+strconv.Itoa(i)), lantern)
		b.has["list"] = b.ListAt(lantern)
		if strings.Contains(x.at, "{les}") {
			b.taught()
		}
		if x.first != nil {
			x.first(b)
		}
		fields, err := url.ParseQuery(x.fields)
		if err != nil {
			t.Fatal(err)
		}
		b.as(role)
		before := b.sofar()
		answer := b.ask(role, http.MethodPost, b.fill(x.at), b.fillForm(fields))
		status := http.StatusSeeOther
		if x.next == "" {
			status = http.StatusOK
		}
		next := answer.Header().Get("Location")
		if fits, err := path.Match(b.fill(x.next), next); answer.Code != status || !fits || err != nil {
			t.Errorf("%s: %d to %q: %s", x.at, answer.Code, next, alertIn(answer.Body.String()))
		}
		var did []string
		for _, e := range b.did(before) {
			did = append(did, e.Action)
		}
		if strings.Join(did, " ") != x.did {
			t.Errorf("%s did %q, want %q", x.at, did, x.did)
		}
		if !x.holds(b) {
			t.Errorf("%s with %s did not do what it says", x.at, x.fields)
		}
	}
}

// alertIn is what a page says went wrong.
func alertIn(body string) string {
	_, body, _ = strings.Cut(body, "<main")
	if _, said, ok := strings.Cut(body, `role="alert">`); ok {
		body = said
	}
	return body[:min(len(body), 1000)]
}

// got is one thing of the org; what cannot be read fails the test.
func got[T any](b *browser, get func() (T, error)) T {
	b.Helper()
	one, err := get()
	if err != nil {
		b.Error(err)
	}
	return one
}

func (b *browser) candidate() curlew.Candidate {
	return got(b, func() (curlew.Candidate, error) {
		return b.scope().Candidates().Get(b.Context(), curlew.CandidateID(b.has["can"]))
	})
}

func (b *browser) watch() curlew.Watch {
	return got(b, func() (curlew.Watch, error) {
		return b.scope().Watches().Get(b.Context(), curlew.WatchID(b.has["wat"]))
	})
}

// watches are those of the org, the newest first.
func (b *browser) watches() []curlew.Watch {
	all := got(b, func() ([]curlew.Watch, error) {
		return b.scope().Watches().List(b.Context(), store.WatchFilter{}, store.Window{Limit: 10})
	})
	slices.Reverse(all)
	return all
}

func (b *browser) source() curlew.Source {
	return got(b, func() (curlew.Source, error) {
		return b.scope().Sources().Get(b.Context(), curlew.SourceID(b.has["src"]))
	})
}

// runs are those of a kind.
func (b *browser) runs(kind curlew.RunKind) []curlew.Run {
	return got(b, func() ([]curlew.Run, error) {
		return b.scope().Runs().List(b.Context(), store.RunFilter{Kind: kind}, store.Window{Limit: 10})
	})
}

// subscriptions are those of the org, the newest first.
func (b *browser) subscriptions() []curlew.Subscription {
	all := got(b, func() ([]curlew.Subscription, error) {
		return b.scope().Subscriptions().List(b.Context(), store.Window{Limit: 10})
	})
	slices.Reverse(all)
	return all
}

func (b *browser) blueprint(id string) curlew.Blueprint {
	return got(b, func() (curlew.Blueprint, error) {
		return b.scope().Blueprints().Get(b.Context(), curlew.BlueprintID(id))
	})
}

// blueprints are those of the training's source.
func (b *browser) blueprints() []curlew.Blueprint {
	return got(b, func() ([]curlew.Blueprint, error) {
		return b.scope().Blueprints().List(b.Context(), store.BlueprintFilter{Source: curlew.SourceID(b.has["shop"])}, store.Window{Limit: 10})
	})
}

// member is the person of the org whom nobody signed in for the test, and whether there is one.
func (b *browser) member() (curlew.Member, bool) {
	return b.memberOf(func(m curlew.Member) bool { return string(m.ID) == b.has["usr"] })
}

func (b *browser) memberOf(is func(curlew.Member) bool) (curlew.Member, bool) {
	all := got(b, func() ([]curlew.Member, error) { return b.I.Store.Accounts().Members(b.Context(), b.org, 10) })
	if i := slices.IndexFunc(all, is); i >= 0 {
		return all[i], true
	}
	return curlew.Member{}, false
}

func (b *browser) keys() []curlew.APIKey {
	return got(b, func() ([]curlew.APIKey, error) {
		return b.I.Store.Org(b.org).Keys().List(b.Context(), store.Window{Limit: 10})
	})
}

// sessionsOf is how often somebody is signed in.
func (b *browser) sessionsOf(id curlew.UserID) []curlew.Session {
	return got(b, func() ([]curlew.Session, error) { return b.I.Store.Accounts().Sessions(b.Context(), id) })
}

func (b *browser) training() *teach.Training { return b.Training(b.org, b.has["les"]) }

// feedKey is what an address of a feed must carry.
func (b *browser) feedKey(prefix string) string {
	return got(b, func() (string, error) { return b.scope().Feeds().Key(b.Context(), b.has[prefix]) })
}

// pieceAt finds the place of a text on the training's page.
func pieceAt(text string) func(*browser) {
	return func(b *browser) {
		for _, p := range b.training().Pieces(b.Context(), teach.ThePage, 1) {
			if strings.Contains(p.Text, text) {
				b.has["place"] = strconv.Itoa(p.Number)
			}
		}
	}
}

// sending sends a form before another one.
func sending(at, fields string) func(*browser) {
	return func(b *browser) {
		form, err := url.ParseQuery(fields)
		if err != nil {
			b.Fatal(err)
		}
		if status, body := b.send(at, form); status >= 400 {
			b.Fatalf("%s: %d %s", at, status, alertIn(body))
		}
	}
}

func inOrder(all ...func(*browser)) func(*browser) {
	return func(b *browser) {
		for _, do := range all {
			do(b)
		}
	}
}

func TestFormsDoWhatTheySay(t *testing.T) {
	shop := func(b *browser) { b.has["shop"] = string(b.training().Goal.Source) }
	local := func(b *browser) { // a blueprint that nobody watches by: its page is the one that it was made from
		b.write(func(w store.WriteScope) error {
			kept := b.blueprint(b.has["bp"])
			kept.ID, kept.Version, kept.TestURL = "", 0, b.has["list"]
			kept, err := w.Blueprints().Add(b.Context(), kept)
			b.has["bp"] = string(kept.ID)
			return err
		})
	}
	reviewed := func(b *browser) {
		b.write(func(w store.WriteScope) error {
			c := b.candidate()
			c.Source = curlew.SourceID(b.has["src"])
			return w.Candidates().Save(b.Context(), c)
		})
	}
	fillIn(t, curlew.RoleEditor, []formCase{
		{nil, "/candidates", "url=https%3A%2F%2Fexample.org%2Fnew", "proposeCandidate", "/candidates/can_*?done=proposed", func(b *browser) bool {
			return got(b, func() (curlew.Candidate, error) {
				return b.scope().Candidates().At(b.Context(), "https://example.org/new")
			}).ID != ""
		}},
		{reviewed, "/candidates/{can}/approve", "", "approveCandidate", "/candidates/{can}?done=approve", func(b *browser) bool { return b.candidate().Status == curlew.CandidateDeployed }},
		{nil, "/candidates/{can}/reject", "why=a+blog", "rejectCandidate", "/candidates/{can}?done=reject", func(b *browser) bool {
			moves := got(b, func() ([]store.CandidateTransition, error) {
				return b.scope().Candidates().Transitions(b.Context(), b.candidate().ID)
			})
			return b.candidate().Status == curlew.CandidateRejected && strings.HasSuffix(moves[len(moves)-1].Why, ": a blog")
		}},
		{nil, "/watches/{wat}/pause", "", "pauseWatch", "/watches/{wat}?done=pause", func(b *browser) bool { return b.watch().Status == curlew.WatchPaused }},
		{nil, "/watches/{wat}/accept", "", "acceptRemoval", "/watches/{wat}?done=accept", func(b *browser) bool { return b.watch().Held.Accepted }},
		{nil, "/watches/{wat}/trigger", "", "triggerWatch", "/runs/run_*?done=trigger", func(b *browser) bool { return len(b.runs(curlew.RunWatch)) == 1 }},
		{sending("/watches/{wat}/trigger", ""), "/watches/{wat}/trigger", "", "", "/runs/run_*", func(b *browser) bool { return len(b.runs(curlew.RunWatch)) == 1 }},
		{sending("/subscriptions/{sub}/pause", ""), "/subscriptions/{sub}/resume", "", "resumeSubscription", "/subscriptions/{sub}?done=resume",
			func(b *browser) bool { return b.subscriptions()[0].Status == curlew.SubscriptionActive }},
		{nil, "/deliveries/{del}/replay", "", "replayDelivery", "/deliveries/{del}?done=replay", func(b *browser) bool {
			return got(b, func() (curlew.Delivery, error) {
				return b.scope().Deliveries().Get(b.Context(), curlew.DeliveryID(b.has["del"]))
			}).Status == curlew.DeliveryPending
		}},
		{nil, "/runs/{run}/stop", "", "stopRun", "/runs/{run}?done=stop", func(b *browser) bool { return b.runs(curlew.RunDrill)[0].State == curlew.RunCancelled }},
		{(*browser).improved, "/blueprints/{bp}/activate", "", "activateBlueprint", "/blueprints/{bp}?done=activate", func(b *browser) bool { return b.blueprint(b.has["bp"]).Status == curlew.BlueprintActive }},
		{nil, "/blueprints/new", "url={list}&schema=product", "draftBlueprint", "/blueprints/new/les_*", func(*browser) bool { return true }},
		{local, "/blueprints/new", "blueprint={bp}&archived=1", "draftBlueprint", "/blueprints/new/les_*", func(*browser) bool { return true }},
		{func(b *browser) { b.has["way"] = b.training().Ways[len(b.training().Ways)-1].Key }, "/blueprints/new/{les}/choose", "way={way}", "", "/blueprints/new/{les}?done=again",
			func(b *browser) bool { return b.training().Way == b.has["way"] }},
		{nil, "/blueprints/new/{les}/again", "schema=event&page=single", "", "/blueprints/new/{les}?done=again",
			func(b *browser) bool {
				return b.training().Goal.Schema == curlew.SchemaEvent && b.training().Goal.Page == curlew.PageSingle
			}},
		{pieceAt("works"), "/blueprints/new/{les}/point", "place={place}&field=brand&record=1&text=Rijn", "", "/blueprints/new/{les}?record=1&field=brand&done=taught",
			func(b *browser) bool { return b.training().Taught[0].Field == "brand" }},
		{inOrder(sending("/blueprints/new/{les}/again", "schema=item&page=list"), pieceAt("works")), "/blueprints/new/{les}/point", "place={place}&field=slots.&own=colour&record=1", "",
			"/blueprints/new/{les}?record=1&field=slots.colour&done=taught", func(b *browser) bool { return b.training().Taught[0].Field == "slots.colour" }},
		{nil, "/blueprints/new/{les}/remove", "field=price&record=2", "", "/blueprints/new/{les}?record=2&done=taught", func(b *browser) bool { return slices.Contains(b.training().Removed, "price") }},
		{sending("/blueprints/new/{les}/remove", "field=price"), "/blueprints/new/{les}/restore", "field=price", "", "/blueprints/new/{les}?record=0&done=taught",
			func(b *browser) bool { return len(b.training().Removed) == 0 }},
		{nil, "/blueprints/new/{les}/test", "url={list}item-1", "testBlueprint", "/blueprints/new/{les}/test?done=tested", func(b *browser) bool { return b.training().Test.URL == b.has["list"]+"item-1" }},
		{shop, "/blueprints/new/{les}/save/version", "source={shop}", "addBlueprint", "/blueprints/bp_*?done=version", func(b *browser) bool { return len(b.blueprints()) == 1 }},
		{shop, "/blueprints/new/{les}/save/watching", "url={list}&schedule=hourly", "addWatch", "/watches/wat_*?done=watch",
			func(b *browser) bool {
				return b.watches()[0].URL == b.has["list"] && b.watches()[0].Schedule == "every 1h"
			}},
	})
}

func TestEditFormsDoWhatTheySay(t *testing.T) {
	subscription := with(rows("all"), "do", "save", "channel", "email", "to", "a@example.org, b@example.org", "name", "n").Encode()
	watch := "do=save&source={src}&blueprint_id={bp}&url=https%3A%2F%2Fexample.org%2Fnew&pick=adaptive"
	archived := func(b *browser) {
		b.write(func(w store.WriteScope) error {
			_, err := w.Pages().Add(b.Context(), curlew.Page{URL: b.watch().URL, FinalURL: b.watch().URL, Status: 200, Outcome: curlew.OutcomeFetched, Complete: true, ArchiveRef: "a.warc.gz:0", FetchedAt: time.Now()})
			return err
		})
	}
	ended := func(b *browser) { b.onboarding("can_7", curlew.RunSucceeded) }
	trust := func(want curlew.Trust) func(*browser) bool {
		return func(b *browser) bool { return b.source().Trust == want }
	}
	fillIn(t, curlew.RoleOwner, []formCase{
		{nil, "/subscriptions", subscription, "subscribe", "/subscriptions/sub_*?done=saved", func(b *browser) bool {
			s := b.subscriptions()[0]
			return s.Name == "n" && s.Channel == curlew.ChannelEmail && strings.Contains(string(s.Target), `"a@example.org","b@example.org"`)
		}},
		{nil, "/subscriptions/{sub}/edit", "as=text&do=save&name=n&channel=webhook&pick=now&drop=1", "editSubscription", "/subscriptions/{sub}?done=saved", func(b *browser) bool {
			s := b.subscriptions()[0]
			return s.Name == "n" && s.Channel == curlew.ChannelWebhook && strings.Contains(string(s.Target), "https://127.0.0.1/hook")
		}},
		{nil, "/subscriptions/{sub}/remove", "", "unsubscribe", "/subscriptions?done=removed", func(b *browser) bool { return len(b.subscriptions()) == 0 }},
		{nil, "/subscriptions/{sub}/rotate", "", "rotateSecret", "", func(b *browser) bool { return strings.Count(string(b.subscriptions()[0].Target), "whsec_") == 2 }},
		{nil, "/subscriptions/{sub}/test", "", "testSubscription", "", func(b *browser) bool { return true }},
		{nil, "/watches", watch + "&name=n", "addWatch", "/watches/wat_*?done=saved", func(b *browser) bool {
			w := b.watches()[0]
			return w.Name == "n" && w.URL == "https://example.org/new" && w.Schedule == "adaptive" && string(w.Blueprint) == b.has["bp"]
		}},
		{nil, "/watches/{wat}/edit", "do=save&url=https%3A%2F%2Fexample.org%2Fnew&pick=weekly&day=tue&clock=7:05&ranked=1&stale_days=30&removal_share=12.5&max_pages=9&timezone=Europe%2FOslo", "editWatch",
			"/watches/{wat}?done=saved", func(b *browser) bool {
				w := b.watch()
				s := w.Settings
				return w.URL == "https://example.org/new" && w.Name == lantern && w.Schedule == "weekly on tue at 07:05" && s.Zone == "Europe/Oslo" && s.Ranked && s.StaleDays == 30 && s.MaxPages == 9 && s.RemovalShare == 0.125
			}},
		{nil, "/kinds", "do=save&name=lamp&title=0&f0-name=title&f0-type=text&page=https%3A%2F%2Fexample.org%2Fnew", "addKind",
			"/candidates/add?done=kind&kind=lamp&url=https%3A%2F%2Fexample.org%2Fnew", func(*browser) bool { return true }},
		{nil, "/watches/{wat}/remove", "", "removeWatch", "/watches?done=removed", func(b *browser) bool { return len(b.watches()) == 0 }},
		{nil, "/sources/{src}/edit", "name=n&min_urls=5&instructions=a%0D%0Ab", "editSource", "/sources/{src}?done=saved", func(b *browser) bool {
			s := b.source()
			return s.Name == "n" && s.MinURLs == 5 && s.Rules.Instructions == "a\nb"
		}},
		{nil, "/sources/{src}/pause", "", "pauseSource", "/sources/{src}?done=pause", trust(curlew.TrustPaused)},
		{nil, "/sources/{src}/promote", "", "promoteSource", "/sources/{src}?done=promote", trust(curlew.TrustStable)},
		{nil, "/sources/{src}/archive", "", "editSource", "/sources/{src}?done=archive", trust(curlew.TrustArchived)},
		{archived, "/sources/{src}/heal", "watch={wat}", "healSource", "/runs/run_*?done=heal", func(b *browser) bool { return len(b.runs(curlew.RunHeal)) == 1 }},
		{(*browser).improved, "/sources/{src}/rollback", "version=1", "rollbackSource", "/sources/{src}?done=rollback", func(b *browser) bool { return b.blueprint(b.has["bp"]).Status == curlew.BlueprintActive }},
		{nil, "/runs", "do=start&urls=https%3A%2F%2Fexample.org%2F%0Ahttps%3A%2F%2Fexample.org%2F2&mode=sequential&priority=1&max_pages=7&reach=site&metadata=%7B%22a%22%3A1%7D", "submitRun", "/runs/run_*?done=started",
			func(b *browser) bool {
				runs := b.runs(curlew.RunCrawl)
				return len(runs) == 1 && runs[0].Total == 7 && strings.Contains(string(runs[0].Plan), `"https://example.org/2"`)
			}},
		{ended, "/runs/clear", "", "clearRuns", "/runs?done=cleared", func(b *browser) bool { return len(b.runs(curlew.RunOnboard)) == 0 }},
		{nil, "/settings", "name=Town+hall", "editOrg", "/settings?done=saved", func(b *browser) bool {
			return got(b, func() (curlew.Org, error) { return b.scope().Orgs().Get(b.Context()) }).Name == "Town hall"
		}},
		{nil, "/settings/people", "email=bo@example.org&role=editor", "user.add", "", func(b *browser) bool {
			m := got(b, func() (curlew.Invitation, error) { return b.scope().Users().Invitation(b.Context(), "bo@example.org") })
			return m.Role == curlew.RoleEditor
		}},
		{nil, "/settings/people/{usr}/role", "role=viewer", "user.role", "/settings/people?done=role", func(b *browser) bool { m, _ := b.member(); return m.Role == curlew.RoleViewer }},
		{nil, "/settings/people/{usr}/remove", "", "user.remove", "/settings/people?done=removed", func(b *browser) bool { _, there := b.member(); return !there }},
		{nil, "/settings/people/{usr}/sign-out", "", "user.sign-out", "/settings/people?done=signed-out", func(b *browser) bool { return len(b.sessionsOf(curlew.UserID(b.has["usr"]))) == 0 }},
		{nil, "/watches/{wat}/feed/renew", "", "renewWatchFeed", "/watches/{wat}?done=feed-new", func(b *browser) bool { return b.feedKey("wat") != "" }},
		{nil, "/sources/{src}/feed/revoke", "", "revokeSourceFeed", "/sources/{src}?done=feed-gone", func(b *browser) bool { return b.feedKey("src") == "" }},
		{nil, "/subscriptions/{sub}/feed/revoke", "", "revokeSubscriptionFeed", "/subscriptions/{sub}?done=feed-gone", func(b *browser) bool { return b.feedKey("sub") == "" }},
		{nil, "/settings/people/{usr}/disable", "", "user.disable", "/settings/people?done=disabled", func(b *browser) bool { m, _ := b.member(); return m.DisabledAt != nil }},
		{sending("/settings/people/{usr}/disable", ""), "/settings/people/{usr}/enable", "", "user.enable", "/settings/people?done=enabled", func(b *browser) bool { m, _ := b.member(); return m.DisabledAt == nil }},
		{nil, "/settings/people/{usr}/link", "", "link.password", "", func(*browser) bool { return true }},
		{nil, "/settings/keys", "name=ci&scope=read&scope=deliver&expires=90", "key.add", "", func(b *browser) bool {
			keys := b.keys()
			return len(keys) == 2 && fmt.Sprint(keys[1].Scopes) == "[read deliver]" && keys[1].ExpiresAt != nil
		}},
		{nil, "/settings/keys", "name=ci&scope=read&expires=", "key.add", "", func(b *browser) bool { return b.keys()[1].ExpiresAt == nil }},
		{nil, "/settings/keys/{key}/revoke", "", "key.revoke", "/settings/keys?done=revoked", func(b *browser) bool { return b.keys()[0].RevokedAt != nil }},
		{nil, "/settings/account", "old=&new=a+much+better+one&again=a+much+better+one", "password.change", "/settings/account?done=password", func(b *browser) bool {
			return len(b.sessionsOf(b.as(curlew.RoleOwner).User)) == 1 // all others have ended
		}},
		{nil, "/settings/account/sessions/{ses}", "", "sign-out", "/settings/account?done=session", func(b *browser) bool { return len(b.sessionsOf(b.as(curlew.RoleOwner).User)) == 1 }},
	})
}
