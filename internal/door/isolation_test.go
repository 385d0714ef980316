package door_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/door/rest"
	"github.com/curlew-data/curlew/internal/testkit/world"
)

// isolationCase is how a route is tried. Where a body names other things, theirs are
// tried as well.
type isolationCase struct {
	query string
	body  func(b world.IDs) string
	names []string // prefixes of the ids in the query or the body
}

func just(body string) func(world.IDs) string { return func(world.IDs) string { return body } }

const noRules = `{"curlew":1,"schema":"event","page":"list","tier":"html","records":{"css":"li"},"fields":{"title":{"css":"h3"}}}`

// isolationCases has one case for each operation; one without fails the test.
var isolationCases = map[string]isolationCase{
	"listCandidates": {}, "getCandidate": {}, "listCandidateMoves": {}, "approveCandidate": {}, "chooseCandidateReading": {body: just(`{"reading":1}`)}, "rejectCandidate": {body: just(`{"why":"taken over"}`)}, "retryCandidate": {},
	"editCandidate": {body: just(`{"name":"taken over"}`)}, "deleteCandidate": {},
	"importCandidates": {body: just(`{"list":"https://example.org/listed"}`)},
	"proposeCandidate": {body: just(`{"url":"https://example.org/new"}`)},
	"listSources":      {}, "getSource": {}, "listScorecards": {}, "listHeals": {}, "getHeal": {},
	"editSource":  {body: just(`{"name":"taken over"}`)},
	"pauseSource": {}, "resumeSource": {}, "promoteSource": {}, "rollbackSource": {},
	"healSource":     {body: func(b world.IDs) string { return `{"watch_id":"` + b["wat"] + `"}` }, names: []string{"wat"}},
	"listBlueprints": {query: "source_id=src", names: []string{"src"}}, "getBlueprint": {},
	"addBlueprint": {body: func(b world.IDs) string { return `{"source_id":"` + b["src"] + `","rules":` + noRules + `}` }, names: []string{"src"}},
	"listKinds":    {}, "getKind": {}, "addKind": {body: just(`{"name":"home","fields":[{"name":"street","type":"text"}]}`)}, "proposeKind": {},
	"editKind": {body: just(`{"rename":{"subject":"taken_over"}}`)}, "deleteKind": {},
	"listFieldWords": {}, "setFieldWord": {body: just(`{"schema":"product","field":"availability","word":"w","value":"in_stock"}`)},
	"deleteFieldWord":   {query: "schema=product&field=availability&word=w"},
	"activateBlueprint": {body: func(b world.IDs) string { return `{"watch_id":"` + b["wat"] + `"}` }, names: []string{"wat"}},
	"listWatches":       {query: "source_id=src", names: []string{"src"}}, "getWatch": {}, "listWatchURLs": {}, "removeWatch": {}, "pauseWatch": {}, "resumeWatch": {}, "acceptRemoval": {}, "triggerWatch": {},
	"addWatch":  {body: func(b world.IDs) string { return `{"blueprint_id":"` + b["bp"] + `","url":"https://example.org/x"}` }, names: []string{"bp"}},
	"editWatch": {body: just(`{"name":"taken over"}`)},
	"listRuns":  {}, "submitRun": {body: just(`{"urls":["https://example.org/"],"dry_run":true}`)}, "clearRuns": {}, "getRun": {}, "getRunLog": {}, "listRunURLs": {}, "stopRun": {}, "pauseRun": {}, "resumeRun": {},
	"listEntities": {query: "q=secret&source_id=src&watch_id=wat", names: []string{"src", "wat"}}, "getEntity": {}, "listEntityHistory": {},
	"getEntityAt": {query: "at=2099-01-01T00:00:00Z"},
	"listChanges": {query: "q=secret&source_id=src&watch_id=wat&entity_id=ent", names: []string{"src", "wat", "ent"}}, "getChange": {},
	"listPublications": {query: "watch_id=wat", names: []string{"wat"}}, "getPublication": {},
	"getLatestPublication": {query: "watch_id=wat", names: []string{"wat"}},
	"listSubscriptions":    {}, "getSubscription": {}, "unsubscribe": {}, "pauseSubscription": {}, "resumeSubscription": {}, "rotateSecret": {}, "replaySubscription": {},
	"subscribe": {body: func(b world.IDs) string {
		return `{"channel":"webhook","to":["https://hooks.example.org/"],"source_id":"` + b["src"] + `","watch_id":"` + b["wat"] + `"}`
	}, names: []string{"src", "wat"}},
	"editSubscription": {body: func(b world.IDs) string {
		return `{"name":"taken over","source_id":"` + b["src"] + `","watch_id":"` + b["wat"] + `"}`
	}, names: []string{"src", "wat"}},
	"testSubscription": {},
	"getSourceFeed":    {}, "renewSourceFeed": {}, "revokeSourceFeed": {}, "getWatchFeed": {}, "renewWatchFeed": {}, "revokeWatchFeed": {},
	"getSubscriptionFeed": {}, "renewSubscriptionFeed": {}, "revokeSubscriptionFeed": {},
	"previewSubscription": {body: func(b world.IDs) string { return `{"source_id":"` + b["src"] + `","watch_id":"` + b["wat"] + `"}` }, names: []string{"src", "wat"}},
	"listDeliveries":      {query: "subscription_id=sub", names: []string{"sub"}}, "getDelivery": {}, "replayDelivery": {},
	"listQuality": {}, "getUsage": {}, "listUsageMonths": {}, "getHealth": {}, "getSelf": {},
	"joinOrg": {body: just(`{"token":"of no invitation"}`)}, "declineOrg": {body: just(`{"token":"of no invitation"}`)},
	"getOrg": {}, "editOrg": {body: just(`{"name":"taken over"}`)}, "getSettings": {}, "listOrgs": {},
	"addOrg": {body: just(`{"id":"cedar","owner":"new@example.org"}`)}, "listAudit": {query: "thing=key", names: []string{"key"}},
	"listPeople": {}, "addPerson": {body: just(`{"email":"new@example.org","role":"viewer"}`)}, "editPerson": {body: just(`{"role":"viewer"}`)}, "removePerson": {},
	"linkPerson": {}, "signOutPerson": {}, "disablePerson": {}, "enablePerson": {},
	"listKeys": {}, "addKey": {body: just(`{"name":"new","scopes":["read"]}`)}, "revokeKey": {},
}

// ofInstallation are operations for the owners of the default org alone.
var ofInstallation = map[string]bool{"getSettings": true, "listOrgs": true, "addOrg": true}

// address is the path of a route with the ids of some things, and those of others
// in its query.
func (c isolationCase) address(t *testing.T, r rest.Route, own, named world.IDs) string {
	t.Helper()
	path, err := own.Path(rest.Prefix+r.Path, r.Params())
	if err != nil {
		t.Fatal(err)
	}
	query := c.query
	for _, prefix := range c.names {
		query = strings.ReplaceAll(query, "="+prefix, "="+named[prefix])
	}
	if query != "" {
		path += "?" + query
	}
	return path
}

func (c isolationCase) text(b world.IDs) string {
	if c.body == nil {
		return ""
	}
	return c.body(b)
}

func TestEveryRouteHasACase(t *testing.T) {
	known := map[string]bool{}
	for _, r := range rest.Routes() {
		known[r.Name] = true
		if _, ok := isolationCases[r.Name]; !ok {
			t.Errorf("%s %s (%s) has no case: say how to try whether orgs are isolated", r.Method, r.Path, r.Name)
		}
	}
	for name := range isolationCases {
		t.Run(name, func(t *testing.T) {
			if !known[name] {
				t.Errorf("%s is tried, but there is no such operation", name)
			}
		})
	}
}

// TestOrgsAreIsolated tries every route with everything of another org, in every role.
func TestOrgsAreIsolated(t *testing.T) { onEachEngine(t, areIsolated) }

func areIsolated(t *testing.T, w *apiWorld) {
	t.Helper()
	nobodys := world.IDs{}
	for prefix, id := range w.birch {
		nobodys[prefix] = id[:len(id)-6] + "zzzzzz"
	}
	before := w.everything("birch")
	for _, r := range rest.Routes() {
		c := isolationCases[r.Name]
		for _, role := range []string{"viewer", "editor", "owner", "nobody"} {
			may := auth.Can(auth.Identity{User: "usr_x", Role: curlew.Role(role)}, r.Action)
			if len(r.Params()) > 0 {
				w.refuses(r, role, may, c.address(t, r, w.birch, w.acme), c.text(w.acme), c.address(t, r, nobodys, w.acme))
			}
			if len(c.names) > 0 {
				w.blind(r, role, may, c.address(t, r, w.acme, w.birch), c.text(w.birch))
			}
			if r.Method == http.MethodGet {
				w.blind(r, role, may, c.address(t, r, w.acme, w.acme), "")
			}
		}
	}
	if after := w.everything("birch"); after != before {
		t.Errorf("birch changed from\n%s\nto\n%s", before, after)
	}
}

// TestNobodyIsLetInWithoutAKey tries every route as nobody; who tries too often has to wait.
func TestNobodyIsLetInWithoutAKey(t *testing.T) {
	w := newAPIWorld(t)
	for _, r := range rest.Routes() {
		c := isolationCases[r.Name]
		answer, _ := w.ask(r.Method, c.address(t, r, w.birch, w.birch), "", c.text(w.birch))
		if answer.StatusCode != http.StatusUnauthorized && answer.StatusCode != http.StatusTooManyRequests {
			t.Errorf("%s without a key: %s", r.Name, answer.Status)
		}
	}
}

var volatile = regexp.MustCompile(`"request_id":"[^"]*"|[a-z]{2,3}_[0-9a-z]{24}|lot_[a-z]+`)

// refuses checks that something of another org is as if it were not there.
func (w *apiWorld) refuses(r rest.Route, role string, may bool, path, body, nowhere string) {
	w.Helper()
	answer, text := w.ask(r.Method, path, "acme."+role, body)
	want := http.StatusNotFound
	if !may {
		want = http.StatusForbidden
	}
	if answer.StatusCode != want {
		w.Errorf("%s as %s with an id of another org: %s %s, want %d", r.Name, role, answer.Status, text, want)
	}
	_, absent := w.ask(r.Method, nowhere, "acme."+role, body)
	if volatile.ReplaceAllString(text, "") != volatile.ReplaceAllString(absent, "") {
		w.Errorf("%s tells what is another's from what is not there:\n%s%s", r.Name, text, absent)
	}
}

// blind checks that nothing of the other org is told.
func (w *apiWorld) blind(r rest.Route, role string, may bool, path, body string) {
	w.Helper()
	answer, text := w.ask(r.Method, path, "acme."+role, body)
	switch {
	case !may && answer.StatusCode != http.StatusForbidden:
		w.Errorf("%s as %s: %s", r.Name, role, answer.Status)
	case answer.StatusCode >= 500:
		w.Errorf("%s: %s %s", r.Name, answer.Status, text)
	case may && r.Method != http.MethodGet && answer.StatusCode != http.StatusNotFound:
		w.Errorf("%s took something of another org: %s %s", r.Name, answer.Status, text)
	}
	if strings.Contains(text, "secret of birch") {
		w.Errorf("%s as %s tells of birch: %s", path, role, text)
	}
	if answer.StatusCode == http.StatusNotFound {
		return // which names what was asked for
	}
	for _, id := range w.birch {
		if strings.Contains(text, id) {
			w.Errorf("%s as %s tells of birch's %s: %s", path, role, id, text)
		}
	}
}

// everything is all that an org can read.
func (w *apiWorld) everything(org curlew.OrgID) string {
	w.Helper()
	var all strings.Builder
	for _, r := range rest.Routes() {
		if r.Method != http.MethodGet || ofInstallation[r.Name] {
			continue
		}
		own := map[curlew.OrgID]world.IDs{"acme": w.acme, "birch": w.birch}[org]
		answer, text := w.ask("GET", isolationCases[r.Name].address(w.T, r, own, own), string(org)+".owner", "")
		if answer.StatusCode != http.StatusOK {
			w.Errorf("%s of its own: %s %s", r.Name, answer.Status, text)
		}
		if r.Name != "getUsage" { // which tells the time
			all.WriteString(r.Name + " " + text)
		}
	}
	return all.String()
}

// TestOwnThingsAreThere makes sure that the test above could fail.
func TestOwnThingsAreThere(t *testing.T) {
	w := newAPIWorld(t)
	routes := rest.Routes()
	lasts := func(r rest.Route) int { // what removes comes last, and parts before the whole
		if r.Method != http.MethodDelete {
			return 0
		}
		return 100 - strings.Count(r.Path, "/")
	}
	slices.SortStableFunc(routes, func(a, b rest.Route) int { return lasts(a) - lasts(b) })
	for _, r := range routes {
		c, owner := isolationCases[r.Name], "acme.owner"
		if ofInstallation[r.Name] {
			owner = "default.owner"
		}
		answer, text := w.ask(r.Method, c.address(t, r, w.acme, w.acme), owner, c.text(w.acme))
		if s := answer.StatusCode; s >= 500 || s == http.StatusNotFound || s == http.StatusForbidden || s == http.StatusBadRequest || s == http.StatusUnauthorized {
			t.Errorf("%s: %s %s", r.Name, answer.Status, text)
		}
		if strings.Contains(text, "c2VjcmV0c2Vj") {
			t.Errorf("%s tells the secret of a webhook: %s", r.Name, text)
		}
	}
}
