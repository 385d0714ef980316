package console

import (
	"context"
	"slices"
	"strconv"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
)

type peoplePage struct {
	Members []curlew.Member
	Roles   []curlew.Role
	Own     curlew.UserID
	Wrong   curlew.Problems
	app.AddPerson
}

func listPeople(ctx context.Context, v *visit) (view, error) {
	members, err := v.app.People(ctx, v.who)
	return view{"people", "People", peoplePage{Members: members, Roles: curlew.Roles, Own: v.who.User,
		AddPerson: app.AddPerson{Role: curlew.RoleViewer}}}, err
}

func userAt(v *visit) curlew.UserID { return curlew.UserID(v.PathValue("id")) }

func memberAt(ctx context.Context, v *visit) (curlew.Member, error) {
	return v.app.Person(ctx, v.who, v.PathValue("id"))
}

func invite(ctx context.Context, v *visit) (answer, error) {
	p := peoplePage{Roles: curlew.Roles, Own: v.who.User}
	p.Wrong = v.command(&p.AddPerson)
	if len(p.Wrong) == 0 {
		made, err := v.app.AddPerson(ctx, v.who, p.AddPerson)
		if err == nil {
			return answer{page: linkPage("The invitation is ready", made, "/settings/people")}, nil
		}
		if p.Wrong, err = problems(err); err != nil {
			return answer{}, err
		}
	}
	var err error
	p.Members, err = v.app.People(ctx, v.who)
	return answer{page: view{"people", "People", p}, wrong: true}, err
}

func linkPage(title string, made app.Invited, next string) view {
	what := "choose a password"
	if made.InvitedUntil != nil {
		what = "accept the invitation"
	}
	return view{"once", title, once{Title: "The link for " + clean(made.Email), Secret: made.Link, Next: next,
		Why: "It serves once, within three days, to " + what + ". It is shown once: send it only to them."}}
}

func setRole(ctx context.Context, v *visit) (string, error) {
	_, err := v.app.SetRole(ctx, v.who, app.SetRole{ID: userAt(v), Role: curlew.Role(v.text("role"))})
	return "/settings/people?done=role", err
}

func confirmRemovePerson(ctx context.Context, v *visit) (view, error) {
	m, err := memberAt(ctx, v)
	return confirmation("Remove this person?", question{What: m.Name + " (" + m.Email + ")", Yes: "Yes, remove them", Back: "/settings/people",
		Danger: true, Lost: []string{
			"They see nothing of this org from now on, also where they are signed in.",
			"API keys that they created keep working: revoke those you do not need.",
			"What they did stays in the audit log. They can be invited again."}}), err
}

func removePerson(ctx context.Context, v *visit) (string, error) {
	keys, err := v.app.RemovePerson(ctx, v.who, userAt(v))
	if keys > 0 {
		return "/settings/people?done=removed-keys", err
	}
	return "/settings/people?done=removed", err
}

func confirmSignOut(ctx context.Context, v *visit) (view, error) {
	m, err := memberAt(ctx, v)
	return confirmation("Sign this person out everywhere?", question{What: m.Name + " (" + m.Email + ")", Yes: "Yes, sign them out",
		Back: "/settings/people", Lost: []string{
			"All their sessions in this org end at once; what they were writing is lost.", "They can sign in again as before."}}), err
}

func signOutPerson(ctx context.Context, v *visit) (string, error) {
	_, err := v.app.SignOutPerson(ctx, v.who, userAt(v))
	return "/settings/people?done=signed-out", err
}

func confirmDisable(ctx context.Context, v *visit) (view, error) {
	m, err := memberAt(ctx, v)
	return confirmation("Disable this person?", question{What: m.Name + " (" + m.Email + ")", Yes: "Yes, disable them",
		Back:   "/settings/people",
		Danger: true, Lost: []string{
			"All their sessions in this org end at once, and they cannot sign in again.", "API keys that they made are refused.",
			"Nothing is removed: they can be enabled again at any time, and their keys with them."}}), err
}

func disablePerson(ctx context.Context, v *visit) (string, error) {
	_, err := v.app.DisablePerson(ctx, v.who, userAt(v))
	return "/settings/people?done=disabled", err
}

func enablePerson(ctx context.Context, v *visit) (string, error) {
	_, err := v.app.EnablePerson(ctx, v.who, userAt(v))
	return "/settings/people?done=enabled", err
}

func confirmLink(ctx context.Context, v *visit) (view, error) {
	m, err := memberAt(ctx, v)
	lost := []string{"Anyone with the link can choose a new password for this person, once, within three days.",
		"The password that they have stays valid until then."}
	if m.InvitedUntil != nil {
		lost = []string{"Their earlier link stops working."}
	}
	return confirmation("Make a new link?", question{What: m.Name + " (" + m.Email + ")", Yes: "Yes, make a link", Back: "/settings/people",
		Lost: lost}), err
}

func linkPerson(ctx context.Context, v *visit) (answer, error) {
	made, err := v.app.LinkPerson(ctx, v.who, userAt(v))
	return answer{page: linkPage("A new link", made, "/settings/people")}, err
}

type keysPage struct {
	Keys    []keyRow
	Scopes  []keyScope
	Name    string
	Expires string
	Wrong   curlew.Problems
}

type keyRow struct {
	curlew.APIKey
	State curlew.KeyState
}

type keyScope struct {
	Scope  curlew.KeyScope
	Words  string
	Ticked bool
}

var scopeWords = map[curlew.KeyScope]string{curlew.ScopeRead: "view and export",
	curlew.ScopeWrite:   "change sources, watches, blueprints, candidates and runs",
	curlew.ScopeDeliver: "change subscriptions, send deliveries again", curlew.ScopeAdmin: "people, keys, settings and the audit log"}

func (p *keysPage) fill(ctx context.Context, v *visit, ticked func(curlew.KeyScope) bool) error {
	keys, err := v.app.Keys(ctx, v.who)
	for _, k := range keys {
		p.Keys = append(p.Keys, keyRow{k, k.State(v.clock)})
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
	c := app.AddKey{Name: v.text("name")}
	for _, s := range v.PostForm["scope"] {
		c.Scopes = append(c.Scopes, curlew.KeyScope(s))
	}
	p := &keysPage{Name: c.Name, Expires: v.text("expires")}
	days, err := strconv.Atoi(p.Expires)
	if c.NeverExpires = p.Expires == ""; !c.NeverExpires {
		c.ExpiresAt = new(app.KeyEnd(v.clock, days))
	}
	if err != nil && !c.NeverExpires {
		p.Wrong.Add("expires", "the number of days must be a whole number")
	} else {
		made, err := v.app.AddKey(ctx, v.who, c)
		if err == nil {
			return answer{page: view{"once", "The key is made",
				once{Title: "The key " + clean(made.Name), Secret: made.Secret, Next: "/settings/keys",
					Why: "Programs send it as \"Authorization: Bearer …\". It is shown this once: only a hash of it is kept."}}}, nil
		}
		if p.Wrong, err = problems(err); err != nil {
			return answer{}, err
		}
	}
	err = p.fill(ctx, v, func(s curlew.KeyScope) bool { return slices.Contains(c.Scopes, s) })
	return answer{page: view{"keys", "API keys", p}, wrong: true}, err
}

func confirmRevoke(ctx context.Context, v *visit) (view, error) {
	read, err := v.app.ReadFor(v.who, auth.ViewKeys)
	if err != nil {
		return view{}, err
	}
	k, err := read.Keys().Get(ctx, curlew.APIKeyID(v.PathValue("id")))
	return confirmation("Revoke this key?", question{What: k.Name, Yes: "Yes, revoke it", Back: "/settings/keys", Danger: true, Lost: []string{
		"Every program that uses it is refused from now on.",
		"Keys, invitations and links that were made with it end, too.",
		"Addresses of feeds that it could read stay good: make new ones on the page of their source, watch or subscription.",
		"This cannot be undone: make a new key where one is needed."}}), err
}

func revokeKey(ctx context.Context, v *visit) (string, error) {
	return "/settings/keys?done=revoked", v.app.RevokeKey(ctx, v.who, curlew.APIKeyID(v.PathValue("id")))
}

type accountPage struct {
	Name     string
	Sessions []curlew.Session
	Here     curlew.SessionID
	Orgs     []curlew.Membership
	Org      curlew.OrgID
	Wrong    curlew.Problems
}

func showAccount(ctx context.Context, v *visit) (view, error) {
	p := accountPage{Name: v.who.Name, Here: v.who.Session, Org: v.who.Org}
	var err error
	if p.Sessions, err = v.app.Accounts.Sessions(ctx, v.who); err != nil {
		return view{}, err
	}
	p.Orgs, err = v.app.Accounts.Orgs(ctx, v.who)
	return view{"account", "Your account", p}, err
}

func changePassword(ctx context.Context, v *visit) (answer, error) {
	old, fresh := v.PostFormValue("old"), v.PostFormValue("new")
	var wrong curlew.Problems
	if fresh != v.PostFormValue("again") {
		wrong = curlew.ProblemIn("again", "the new password and its repetition differ")
	} else {
		err := v.app.ChangePassword(ctx, v.who, old, fresh)
		if err == nil {
			return answer{next: "/settings/account?done=password"}, nil
		}
		if wrong, err = problems(err); err != nil {
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
	return "/settings/account?done=session", v.app.EndSession(ctx, v.who, curlew.SessionID(v.PathValue("id")))
}
