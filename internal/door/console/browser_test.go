package console_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/door/console"
	"github.com/curlew-data/curlew/internal/testkit/world"
)

var noon = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

// lantern is what most things are called.
const lantern = "The Lantern"

// browser is in front of the console of an installation, signed in to one of its orgs.
type browser struct {
	*world.World
	handler  http.Handler
	org      curlew.OrgID
	name     string
	has      world.IDs
	sessions map[curlew.Role]world.Session
}

// open makes an installation and an org that holds one of everything, called by a name.
func open(t *testing.T, name string, options ...func(*console.Options)) *browser {
	t.Helper()
	b := openEmpty(t, options...)
	return b.in("acme", name)
}

// openEmpty makes an installation and an org that holds nothing.
func openEmpty(t *testing.T, options ...func(*console.Options)) *browser {
	t.Helper()
	w := world.Open(t, world.Options{})
	o := console.Options{App: w.App}
	for _, change := range options {
		change(&o)
	}
	pages := console.New(o).Handler()
	w.AddOrg("empty", "")
	return &browser{World: w, handler: w.Accounts.Middleware(pages), org: "empty", has: world.IDs{}, sessions: map[curlew.Role]world.Session{}}
}

// in turns to another org, new, that holds one of everything. One of the sessions that the
// org has is that of its owner.
func (b *browser) in(org curlew.OrgID, name string) *browser {
	b.Helper()
	other := &browser{World: b.World, handler: b.handler, org: org, name: name, has: b.Add(org, name), sessions: map[curlew.Role]world.Session{}}
	owner := other.as(curlew.RoleOwner)
	user, err := b.I.Store.Accounts().User(b.Context(), owner.User)
	if err != nil {
		b.Fatal(err)
	}
	other.has["ses"] = string(b.SignInAgain(user, name).Session)
	return other
}

// taught begins a training in the org.
func (b *browser) taught() *browser {
	b.Helper()
	b.has["les"] = b.Teach(b.org, b.name)
	return b
}

// as is somebody with a role in the org.
func (b *browser) as(role curlew.Role) world.Session {
	b.Helper()
	if _, ok := b.sessions[role]; !ok {
		b.sessions[role] = b.SignIn(b.org, string(role)+"."+string(b.org)+"@example.org", role)
	}
	return b.sessions[role]
}

var placeholder = regexp.MustCompile(`\{([a-z]+)\}`)

// fill puts the ids of the org in place of their prefixes: {src}.
func (b *browser) fill(text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(name string) string {
		if id, ok := b.has[name[1:len(name)-1]]; ok {
			return id
		}
		return name
	})
}

// ask asks the console as somebody with a role.
func (b *browser) ask(role curlew.Role, method, at, form string) *httptest.ResponseRecorder {
	b.Helper()
	session := b.as(role)
	if method == http.MethodPost {
		form += "&csrf=" + url.QueryEscape(session.Token)
	}
	request := httptest.NewRequestWithContext(b.Context(), method, "http://127.0.0.1"+at, strings.NewReader(form))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.AddCookie(session.Cookie)
	answer := httptest.NewRecorder()
	b.handler.ServeHTTP(answer, request)
	return answer
}

// page is what somebody with all rights sees at an address.
func (b *browser) page(at string) string {
	b.Helper()
	answer := b.ask(curlew.RoleOwner, http.MethodGet, b.fill(at), "")
	if answer.Code != http.StatusOK {
		b.Fatalf("%s: %d %s", at, answer.Code, answer.Body)
	}
	return answer.Body.String()
}

// send fills in a form as somebody with all rights.
func (b *browser) send(at string, fields url.Values) (status int, body string) {
	b.Helper()
	answer := b.ask(curlew.RoleOwner, http.MethodPost, b.fill(at), b.fillForm(fields))
	return answer.Code, answer.Body.String()
}

// fillForm encodes a form, with the ids of the org in place of their prefixes.
func (b *browser) fillForm(fields url.Values) string {
	filled := url.Values{}
	for name, values := range fields {
		for _, v := range values {
			filled.Add(name, b.fill(v))
		}
	}
	return filled.Encode()
}

// did is what the audit log says since a line of it, the newest first.
func (b *browser) did(since int64) []curlew.AuditEntry {
	b.Helper()
	all, err := b.I.Store.Org(b.org).Audit().List(b.Context(), store.AuditFilter{Limit: 100})
	if err != nil {
		b.Fatal(err)
	}
	for i, e := range all {
		if e.Sequence <= since {
			return all[:i]
		}
	}
	return all
}

// sofar is the last line of the audit log.
func (b *browser) sofar() int64 {
	b.Helper()
	if all := b.did(0); len(all) > 0 {
		return all[0].Sequence
	}
	return 0
}

// write changes what the org holds, as a run does.
func (b *browser) write(fn func(store.WriteScope) error) {
	b.Helper()
	if err := b.I.Store.Write(b.Context(), b.org, fn); err != nil {
		b.Fatal(err)
	}
}

// scope reads what the org holds.
func (b *browser) scope() store.Scope { return b.I.Store.Org(b.org) }
