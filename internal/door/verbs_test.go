package door_test

import (
	"context"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// TestEveryDoorDoesWhatItSays takes each verb through every door that has it, on things of its own.
func TestEveryDoorDoesWhatItSays(t *testing.T) {
	s := openServer(t)
	for _, door := range doors {
		s.own(t, door)
	}
	s.tryAll(t, verbAttempts())
}

// own gives a door a site of its own that is read by the second version of its blueprint, and all that hangs on it.
func (s *server) own(t *testing.T, door string) {
	t.Helper()
	ctx := t.Context()
	err := s.i.Store.Write(ctx, curlew.DefaultOrg, func(w store.WriteScope) error {
		site := "https://" + door + ".own.example/"
		source, err := w.Sources().Add(ctx, curlew.Source{Name: door, BaseURL: site, Trust: curlew.TrustStable})
		if err != nil {
			return err
		}
		first, err := w.Blueprints().AddLine(ctx, curlew.Blueprint{Source: source.ID, Schema: curlew.SchemaEvent, PageType: curlew.PageList, Tier: curlew.TierHTML, Rules: json.RawMessage(noRules)})
		if err != nil {
			return err
		}
		_, err = w.Blueprints().Activate(ctx, first.ID)
		second := first
		second, failed := w.Blueprints().Add(ctx, second)
		if err = errors.Join(err, failed); err != nil {
			return err
		}
		if _, err = w.Blueprints().Activate(ctx, second.ID); err != nil {
			return err
		}
		for _, name := range []string{"own", "spare"} {
			watch, err := w.Watches().Add(ctx, curlew.Watch{Source: source.ID, Blueprint: second.ID, URL: site + name, Name: name, Schedule: "adaptive", Status: curlew.WatchActive})
			s.ids[name+" "+door] = string(watch.ID)
			if err != nil {
				return err
			}
		}
		page, err := w.Pages().Add(ctx, curlew.Page{URL: site + "own", FinalURL: site + "own", FetchedAt: time.Now(), Outcome: curlew.OutcomeFetched, Status: 200, ArchiveRef: "copy"})
		s.ids["site "+door], s.ids["version "+door], s.ids["page "+door] = string(source.ID), string(second.ID), string(page.ID)
		return errors.Join(err, s.ownDelivery(ctx, w, door, source.ID))
	})
	if err != nil {
		t.Fatal(err)
	}
	run, err := s.use.StartDrill(ctx, auth.Operator(curlew.DefaultOrg), app.StartDrill{Scope: "of " + door, Steps: 5})
	if err != nil {
		t.Fatal(err)
	}
	s.ids["run "+door] = string(run.ID)
}

// ownDelivery adds a subscription to which a change was not delivered.
func (s *server) ownDelivery(ctx context.Context, w store.WriteScope, door string, source curlew.SourceID) error {
	change, err := w.Changes().Add(ctx, curlew.Change{Kind: curlew.SourceBroken, Source: source, Payload: json.RawMessage(`{}`)})
	if err != nil {
		return err
	}
	sub, err := w.Subscriptions().Add(ctx, curlew.Subscription{Name: door, Channel: curlew.ChannelWebhook, Status: curlew.SubscriptionActive,
		Target: json.RawMessage(`{"url":"https://example.org/in","secrets":[{"key":"whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"}]}`)})
	if err != nil {
		return err
	}
	delivery, err := w.Deliveries().Add(ctx, curlew.Delivery{Change: change.ID, Subscription: sub.ID, Status: curlew.DeliveryDead, Sequence: change.Sequence})
	s.ids["subscription "+door], s.ids["delivery "+door] = string(sub.ID), string(delivery.ID)
	return err
}

// steered is a verb on a thing, without more words, by command line, REST and console.
func steered(noun, id, verb, audit string) attempt {
	return attempt{name: verb + " " + noun, cli: []string{noun, verb, id}, rest: "POST /" + noun + "/" + id + "/" + verb,
		page: "/" + noun + "/" + id + "/" + verb, audit: audit}
}

// but changes an attempt.
func but(a attempt, change func(*attempt)) attempt {
	change(&a)
	return a
}

func verbAttempts() []attempt {
	watched := outcome{"watched_already", "https://{door}.own.example/own is watched already, by {own} of the source {site}"}
	adding := func(what, address string, want outcome) attempt {
		a := attempt{name: what, rest: "POST /watches", body: text(map[string]string{"blueprint_id": "{version}", "url": address}), page: "/watches",
			fields: url.Values{"do": {"save"}, "blueprint_id": {"{version}"}, "source": {"{site}"}, "url": {address}, "pick": {"adaptive"}}, want: want}
		if want == (outcome{}) {
			a.audit = "addWatch"
		}
		return a
	}
	feed := func(verb string) attempt {
		return attempt{name: verb + " a feed", cli: []string{"feeds", verb, "{own}"}, rest: "POST /watches/{own}/feed/" + verb, page: "/watches/{own}/feed/" + verb, audit: verb + "WatchFeed"}
	}
	return []attempt{
		adding("adding a watch", "https://{door}.own.example/more", outcome{}),
		adding("adding what is watched", "https://{door}.own.example/own", watched),
		{name: "an empty name of a watch", cli: []string{"watches", "edit", "{own}", "--name", ""}, rest: "PATCH /watches/{own}", body: `{"name":""}`, page: "/watches/{own}/edit",
			fields: url.Values{"do": {"save"}, "url": {"https://{door}.own.example/own"}, "pick": {"adaptive"}, "name": {""}}, want: bad("name", "it is empty")},
		{name: "an empty name of a subscription", cli: []string{"subscriptions", "edit", "{subscription}", "--name", ""}, rest: "PATCH /subscriptions/{subscription}", body: `{"name":""}`,
			page: "/subscriptions/{subscription}/edit", fields: url.Values{"do": {"save"}, "name": {""}, "pick": {"now"}, "as": {"text"}}, want: bad("name", "it is empty")},
		{name: "an empty name of a candidate", cli: []string{"candidates", "edit", "{candidate}", "--name", ""}, rest: "PATCH /candidates/{candidate}", body: `{"name":""}`,
			page: "/candidates/{candidate}/edit", fields: url.Values{"name": {""}, "priority": {"2"}}, want: bad("name", "it is empty")},
		steered("watches", "{own}", "trigger", "triggerWatch"),
		but(steered("watches", "{spare}", "remove", "removeWatch"), func(a *attempt) { a.rest = "DELETE /watches/{spare}" }),
		steered("runs", "{run}", "pause", "pauseRun"),
		steered("runs", "{run}", "resume", "resumeRun"),
		steered("runs", "{run}", "stop", "stopRun"),
		{name: "clearing runs", cli: []string{"runs", "clear"}, audit: "clearRuns"},
		{name: "rehearsing", cli: []string{"runs", "drill", "--steps", "1"}, audit: "startDrill"},
		{name: "crawling", rest: "POST /runs", body: `{"urls":["https://{door}.own.example/"]}`, page: "/runs",
			fields: url.Values{"do": {"start"}, "urls": {"https://{door}.own.example/"}}, audit: "submitRun"},
		steered("subscriptions", "{subscription}", "pause", "pauseSubscription"),
		steered("subscriptions", "{subscription}", "resume", "resumeSubscription"),
		steered("subscriptions", "{subscription}", "rotate", "rotateSecret"),
		{name: "editing a subscription", cli: []string{"subscriptions", "edit", "{subscription}", "--name", "Broken"}, rest: "PATCH /subscriptions/{subscription}", body: `{"name":"Broken"}`,
			page: "/subscriptions/{subscription}/edit", fields: url.Values{"do": {"save"}, "name": {"Broken"}, "pick": {"now"}, "as": {"text"}, "to": {"https://example.org/in"}}, audit: "editSubscription"},
		{name: "sending a delivery again", cli: []string{"deliveries", "replay", "{delivery}"}, rest: "POST /deliveries/{delivery}/replay", page: "/deliveries/{delivery}/replay", audit: "replayDelivery"},
		{name: "sending deliveries again", cli: []string{"deliveries", "replay", "--subscription", "{subscription}", "--after", "1"}, rest: "POST /subscriptions/{subscription}/replay", audit: "replaySubscription"},
		feed("renew"), but(feed("revoke"), func(a *attempt) { a.rest = "DELETE /watches/{own}/feed" }),
		but(steered("subscriptions", "{subscription}", "remove", "unsubscribe"), func(a *attempt) { a.rest = "DELETE /subscriptions/{subscription}" }),
		{name: "going back", cli: []string{"sources", "rollback", "{site}", "--to", "1"}, rest: "POST /sources/{site}/rollback", body: `{"version":1}`,
			page: "/sources/{site}/rollback", fields: url.Values{"version": {"1"}}, audit: "rollbackSource"},
		{name: "healing", rest: "POST /sources/{site}/heal", page: "/sources/{site}/heal", audit: "healSource"},
		steered("sources", "{site}", "pause", "pauseSource"),
		steered("sources", "{site}", "resume", "resumeSource"),
		{name: "keeping a blueprint", rest: "POST /blueprints", body: `{"source_id":"{site}","rules":` + noRules + `}`, audit: "addBlueprint"},
		{name: "approving", cli: []string{"candidates", "approve", "{offered}"}, rest: "POST /candidates/{offered}/approve", call: "CandidateService/ApproveCandidate",
			sent: `{"id":"{offered}"}`, page: "/candidates/{offered}/approve", audit: "approveCandidate"},
		{name: "rejecting", cli: []string{"candidates", "reject", "{candidate}", "--why", "no"}, rest: "POST /candidates/{candidate}/reject", body: `{"why":"no"}`,
			call: "CandidateService/RejectCandidate", sent: `{"id":"{candidate}","why":"no"}`, page: "/candidates/{candidate}/reject", fields: url.Values{"why": {"no"}}, audit: "rejectCandidate"},
		{name: "another try", cli: []string{"candidates", "retry", "{candidate}"}, rest: "POST /candidates/{candidate}/retry", call: "CandidateService/RetryCandidate",
			sent: `{"id":"{candidate}"}`, page: "/candidates/{candidate}/retry", audit: "retryCandidate"},
	}
}

// triedElsewhere says why an exported use case that writes is in neither table of attempts.
var triedElsewhere = map[string]string{
	"AcceptRemoval":       "needs a removal that a check holds back: the tests of work/watch, and refused in the table",
	"AnswerTraining":      "of a training, by the console alone: kinds_test.go and the tests of door/console",
	"CheckOrFollow":       "is CheckWatch for whoever follows the run: in the table as triggerWatch",
	"DecideCandidate":     "its lines are named by the decision: in the table as approve-, reject- and retryCandidate",
	"FetchPage":           "asks a website, by remote calls and agents: calls_test.go",
	"GenerateBlueprint":   "keeps nothing, by remote calls: calls_test.go and remote_test.go",
	"ImportCandidates":    "proposes line by line: in the table as proposeCandidate",
	"RepairBlueprint":     "keeps nothing, by remote calls: calls_test.go and remote_test.go",
	"ArchivePage":         "asks a website: curlew fetch in the tests of door/cli",
	"BeginTraining":       "asks a website, by the console alone: wizard_test.go",
	"ChangePassword":      "of the console and one's own account alone: consoleedit_test.go",
	"ChooseReading":       "of a training, by the console alone: wizard_test.go",
	"Decline":             "needs an invitation of somebody who is signed in: orgs_test.go",
	"DropField":           "of a training, by the console alone: wizard_test.go",
	"EndSession":          "of the console and one's own session alone: the tests of door/console and app/auth",
	"Join":                "needs an invitation of somebody who is signed in: orgs_test.go",
	"LeaveDetailPages":    "of a training, by the console alone: wizardown_test.go",
	"MoveOrg":             "by the command line between two Postgres: the tests of ops/setup",
	"PointAtValue":        "of a training, by the console alone: wizard_test.go",
	"ReadDetailPages":     "of a training, by the console alone: wizardown_test.go",
	"ReadTrainingAgain":   "of a training, by the console alone: wizard_test.go",
	"RevokeFeed":          "its lines are named by kind of feed: in the table as revokeWatchFeed",
	"RenewFeed":           "its lines are named by kind of feed: in the table as renewWatchFeed",
	"SaveTraining":        "of a training, by the console alone: wizard_test.go",
	"SetPassword":         "by the command line alone, which asks a terminal: accounts.txtar of door/cli",
	"TestSubscription":    "sends to a receiver: subscriptions of door/cli and consoleedit_test.go",
	"TestTraining":        "of a training, by the console alone: wizard_test.go",
	"UnsubscribeReceiver": "by the link in a mail: consolemail_test.go",
	"WatchTraining":       "of a training, by the console alone: wizard_test.go",
}

// TestEveryUseCaseThatWritesIsTriedByEveryDoor reads the code of app: what reaches its one way to write, and by which name it
// stands in the audit log. A use case that is new is in a table of attempts, or says above where it is tried.
func TestEveryUseCaseThatWritesIsTriedByEveryDoor(t *testing.T) {
	tried := map[string]bool{}
	for _, a := range append(tableAttempts(), verbAttempts()...) {
		tried[a.audit] = true
	}
	calls, says := useCases(t)
	var writes func(name string, depth int) bool
	writes = func(name string, depth int) bool {
		return name == "do" || name == "audited" || depth < 6 && slices.ContainsFunc(calls[name], func(to string) bool { return to != name && writes(to, depth+1) })
	}
	named := func(name string) bool {
		return slices.ContainsFunc(says[name], func(word string) bool { return tried[word] })
	}
	known := 0
	for name := range calls {
		if !token.IsExported(name) || !writes(name, 0) {
			continue
		}
		known++
		there := named(name) || slices.ContainsFunc(calls[name], func(to string) bool { return !token.IsExported(to) && named(to) })
		if why := triedElsewhere[name]; !there && why == "" {
			t.Errorf("%s writes and no door is tried with it: add it to verbAttempts", name)
		}
	}
	if known < 60 {
		t.Errorf("%d use cases write", known)
	}
	for name := range triedElsewhere {
		t.Run(name, func(t *testing.T) {
			if calls[name] == nil {
				t.Errorf("there is no use case %s", name)
			}
		})
	}
}

// useCases are the methods of App and the functions beside them: what each calls, and the words it says.
func useCases(t *testing.T) (calls, says map[string][]string) {
	t.Helper()
	calls, says = map[string][]string{}, map[string][]string{}
	files, err := filepath.Glob("../app/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil && ofApp(fn) != "App" {
				continue
			}
			name := fn.Name.Name
			calls[name] = append(calls[name], "")
			ast.Inspect(fn, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.BasicLit:
					says[name] = append(says[name], strings.Trim(n.Value, `"`))
				case *ast.CallExpr:
					calls[name] = append(calls[name], calleeOf(n))
				}
				return true
			})
		}
	}
	return calls, says
}

// calleeOf is the function of the package, or the method of App, that is called; "" for any other. What only has the name of do has not its
// arguments.
func calleeOf(call *ast.CallExpr) string {
	name := ""
	switch fn := call.Fun.(type) {
	case *ast.Ident:
		name = fn.Name
	case *ast.SelectorExpr:
		if of, ok := fn.X.(*ast.Ident); ok && of.Name == "a" {
			name = fn.Sel.Name
		}
	}
	if least := map[string]int{"do": 5, "audited": 4}[name]; len(call.Args) < least {
		return ""
	}
	return name
}

// ofApp is the type that a method is of.
func ofApp(fn *ast.FuncDecl) string {
	if pointer, ok := fn.Recv.List[0].Type.(*ast.StarExpr); ok {
		if name, ok := pointer.X.(*ast.Ident); ok {
			return name.Name
		}
	}
	return ""
}
