package console

import (
	"context"
	"fmt"
	"strings"
	"time"

	"curlew/internal/curlew"
)

type peoplePage struct {
	Members []curlew.Member
	Roles   []curlew.Role
	Own     curlew.UserID
	Email   string
	Name    string
	Role    curlew.Role
	Wrong   Mistakes
}

func listPeople(ctx context.Context, v *visit) (view, error) {
	members, err := v.rooms.Desk.People.Members(ctx)
	return view{"people", "People", peoplePage{Members: members, Roles: curlew.Roles, Own: v.who.User, Role: curlew.RoleViewer}}, err
}

func memberAt(ctx context.Context, v *visit) (curlew.Member, error) {
	members, err := v.rooms.Desk.People.Members(ctx)
	for _, m := range members {
		if string(m.ID) == v.PathValue("id") {
			return m, err
		}
	}
	if err == nil {
		err = curlew.NotFound("person", v.PathValue("id"))
	}
	return curlew.Member{}, err
}

func invite(ctx context.Context, v *visit) (answer, error) {
	p := peoplePage{Roles: curlew.Roles, Own: v.who.User, Email: v.text("email", 254), Name: v.text("name", 100), Role: curlew.Role(v.text("role", 20))}
	p.Wrong = tooLong(map[string]string{"email": p.Email, "name": p.Name}, map[string]int{"email": 254, "name": 100})
	link, err := "", error(nil)
	if len(p.Wrong) == 0 {
		link, err = v.rooms.Desk.People.Invite(ctx, p.Email, p.Name, p.Role)
	}
	switch {
	case err == nil && len(p.Wrong) == 0 && link == "":
		return answer{next: "/settings/people?done=added"}, nil
	case err == nil && len(p.Wrong) == 0:
		return answer{page: linkPage("Somebody is invited", p.Email, link)}, nil
	case err != nil:
		if p.Wrong, err = mistakes(err); err != nil {
			return answer{}, err
		}
	}
	p.Members, err = v.rooms.Desk.People.Members(ctx)
	return answer{page: view{"people", "People", p}, wrong: true}, err
}

func linkPage(title, email, link string) view {
	return view{"once", title, once{Title: "The link for " + clean(email), Secret: link, Next: "/settings/people",
		Why: "It serves once, within three days, to choose a password. It is shown this once: send it to nobody else."}}
}

func setRole(ctx context.Context, v *visit) (string, error) {
	m, err := memberAt(ctx, v)
	if err != nil {
		return "", err
	}
	return "/settings/people?done=role", v.rooms.Desk.People.SetRole(ctx, m.ID, curlew.Role(v.text("role", 20)))
}

func askRemovePerson(ctx context.Context, v *visit) (view, error) {
	m, err := memberAt(ctx, v)
	return asks("Remove this person?", question{What: m.Name + " (" + m.Email + ")", Yes: "Yes, remove them", Back: "/settings/people", Danger: true, Lost: []string{
		"They see nothing of this org from now on, also where they are signed in.", "API keys that they made keep working: revoke those that nobody needs.",
		"What they did stays in the audit log. They can be invited again."}}), err
}

func removePerson(ctx context.Context, v *visit) (string, error) {
	m, err := memberAt(ctx, v)
	if err != nil {
		return "", err
	}
	keys, err := v.rooms.Desk.People.RemoveMember(ctx, m.ID)
	if keys > 0 {
		return "/settings/people?done=removed-keys", err
	}
	return "/settings/people?done=removed", err
}

func askSignOut(ctx context.Context, v *visit) (view, error) {
	m, err := memberAt(ctx, v)
	return asks("Sign this person out everywhere?", question{What: m.Name + " (" + m.Email + ")", Yes: "Yes, sign them out", Back: "/settings/people", Lost: []string{
		"All their sessions in this org end at once; what they were writing is lost.", "They can sign in again as before."}}), err
}

func signOutPerson(ctx context.Context, v *visit) (string, error) {
	m, err := memberAt(ctx, v)
	if err != nil {
		return "", err
	}
	return "/settings/people?done=signed-out", v.rooms.Desk.Doors.SignOutMember(ctx, m.ID)
}

func askDisable(ctx context.Context, v *visit) (view, error) {
	m, err := memberAt(ctx, v)
	return asks("Disable this person?", question{What: m.Name + " (" + m.Email + ")", Yes: "Yes, disable them", Back: "/settings/people", Danger: true, Lost: []string{
		"All their sessions in this org end at once, and they cannot come in again.", "API keys that they made are refused.",
		"Nothing is removed: they can be enabled again at any time, and their keys with them."}}), err
}

func disablePerson(ctx context.Context, v *visit) (string, error) {
	m, err := memberAt(ctx, v)
	if err != nil {
		return "", err
	}
	return "/settings/people?done=disabled", v.rooms.Desk.Doors.Disable(ctx, m.ID)
}

func enablePerson(ctx context.Context, v *visit) (string, error) {
	m, err := memberAt(ctx, v)
	if err != nil {
		return "", err
	}
	return "/settings/people?done=enabled", v.rooms.Desk.Doors.Enable(ctx, m.ID)
}

func askLink(ctx context.Context, v *visit) (view, error) {
	m, err := memberAt(ctx, v)
	return asks("Make a new link?", question{What: m.Name + " (" + m.Email + ")", Yes: "Yes, make a link", Back: "/settings/people", Lost: []string{
		"The link lets whoever has it choose a new password for this person, once, within three days.", "The password that they have stays valid until then."}}), err
}

func linkPerson(ctx context.Context, v *visit) (answer, error) {
	m, err := memberAt(ctx, v)
	if err != nil {
		return answer{}, err
	}
	link, err := v.rooms.Desk.Doors.Link(ctx, m.ID)
	return answer{page: linkPage("A new link", m.Email, link)}, err
}

type keysPage struct {
	Keys    []keyRow
	Scopes  []keyScope
	Name    string
	Expires string
	Wrong   Mistakes
}

type keyRow struct {
	curlew.APIKey
	State string
}

type keyScope struct {
	Scope  curlew.KeyScope
	Words  string
	Ticked bool
}

var scopeWords = map[curlew.KeyScope]string{curlew.ScopeRead: "look and export", curlew.ScopeWrite: "change sources, watches, blueprints, candidates and runs",
	curlew.ScopeDeliver: "change subscriptions, send deliveries again", curlew.ScopeAdmin: "people, keys, settings and the audit log"}

func (p *keysPage) fill(ctx context.Context, v *visit, ticked func(curlew.KeyScope) bool) error {
	keys, err := v.rooms.Desk.Keys.Keys(ctx)
	for _, k := range keys {
		state := "active"
		switch {
		case k.RevokedAt != nil:
			state = "revoked"
		case k.Suspended:
			state = "suspended"
		case !k.Valid(v.clock):
			state = "expired"
		}
		p.Keys = append(p.Keys, keyRow{k, state})
	}
	for _, s := range curlew.KeyScopes {
		p.Scopes = append(p.Scopes, keyScope{s, scopeWords[s], ticked(s)})
	}
	return err
}

func listKeys(ctx context.Context, v *visit) (view, error) {
	p := &keysPage{Expires: "365"}
	err := p.fill(ctx, v, func(s curlew.KeyScope) bool { return s == curlew.ScopeRead })
	return view{"keys", "API keys", p}, err
}

func addKey(ctx context.Context, v *visit) (answer, error) {
	p := &keysPage{Name: v.text("name", 100), Expires: v.text("expires", 10)}
	var scopes []curlew.KeyScope
	for _, s := range v.PostForm["scope"][:min(len(v.PostForm["scope"]), 10)] {
		scopes = append(scopes, curlew.KeyScope(s))
	}
	p.Wrong = tooLong(map[string]string{"name": p.Name}, map[string]int{"name": 100})
	days, wrong := v.whole("expires", "the number of days", 1, 3650)
	p.Wrong = append(p.Wrong, wrong...)
	if len(p.Wrong) == 0 {
		var expires *time.Time
		if days > 0 {
			at := v.clock.AddDate(0, 0, days)
			expires = &at
		}
		secret, err := v.rooms.Desk.Keys.AddKey(ctx, p.Name, scopes, expires)
		if err == nil {
			return answer{page: view{"once", "The key is made", once{Title: "The key " + clean(p.Name), Secret: secret, Next: "/settings/keys",
				Why: "Programs send it as \"Authorization: Bearer …\". It is shown this once: only a hash of it is kept."}}}, nil
		}
		if p.Wrong, err = mistakes(err); err != nil {
			return answer{}, err
		}
	}
	err := p.fill(ctx, v, func(s curlew.KeyScope) bool {
		return strings.Contains(fmt.Sprint(scopes), string(s))
	})
	return answer{page: view{"keys", "API keys", p}, wrong: true}, err
}

func keyAt(ctx context.Context, v *visit) (curlew.APIKey, error) {
	keys, err := v.rooms.Desk.Keys.Keys(ctx)
	for _, k := range keys {
		if string(k.ID) == v.PathValue("id") {
			return k, err
		}
	}
	if err == nil {
		err = curlew.NotFound("key", v.PathValue("id"))
	}
	return curlew.APIKey{}, err
}

func askRevoke(ctx context.Context, v *visit) (view, error) {
	k, err := keyAt(ctx, v)
	return asks("Revoke this key?", question{What: k.Name, Yes: "Yes, revoke it", Back: "/settings/keys", Danger: true, Lost: []string{
		"Every program that uses it is refused from now on.", "This cannot be undone: make a new key where one is needed."}}), err
}

func revokeKey(ctx context.Context, v *visit) (string, error) {
	k, err := keyAt(ctx, v)
	if err != nil {
		return "", err
	}
	return "/settings/keys?done=revoked", v.rooms.Desk.Keys.RevokeKey(ctx, k.ID)
}

type accountPage struct {
	Name     string
	Sessions []curlew.Session
	Here     curlew.SessionID
	Orgs     []curlew.Membership
	Org      curlew.OrgID
	Wrong    Mistakes
}

func showAccount(ctx context.Context, v *visit) (view, error) {
	p := accountPage{Name: v.who.Name, Here: v.who.Session, Org: v.who.Org}
	var err error
	if p.Sessions, err = v.rooms.Desk.Account.Sessions(ctx); err != nil {
		return view{}, err
	}
	p.Orgs, err = v.rooms.Desk.Account.Orgs(ctx)
	return view{"account", "Your account", p}, err
}

func changePassword(ctx context.Context, v *visit) (answer, error) {
	old, fresh := v.PostFormValue("old"), v.PostFormValue("new")
	var wrong Mistakes
	if fresh != v.PostFormValue("again") {
		wrong = Mistakes{{"again", "the new password and its repetition differ"}}
	} else {
		err := v.rooms.Desk.Account.ChangePassword(ctx, old, fresh)
		if err == nil {
			return answer{next: "/settings/account?done=password"}, nil
		}
		if wrong, err = mistakes(err); err != nil {
			return answer{}, err
		}
	}
	page, err := showAccount(ctx, v)
	if p, ok := page.data.(accountPage); ok {
		p.Wrong = wrong
		page.data = p
	}
	return answer{page: page, wrong: true}, err
}

func endSession(ctx context.Context, v *visit) (string, error) {
	id := curlew.SessionID(v.PathValue("id"))
	if id == "" {
		return "", curlew.NotFound("session", "")
	}
	return "/settings/account?done=session", v.rooms.Desk.Account.EndSession(ctx, id)
}
