package door_test

import "net/url"

func peopleAttempts() []attempt {
	add := func(what, email, name string, want outcome) attempt {
		a := attempt{name: what, cli: []string{"users", "add", email, "--name", name, "--role", "viewer"}, rest: "POST /people",
			body: text(map[string]string{"email": email, "name": name, "role": "viewer"}),
			page: "/settings/people", fields: url.Values{"email": {email}, "name": {name}, "role": {"viewer"}}, want: want}
		if want == (outcome{}) {
			a.audit = "user.add"
		}
		return a
	}
	step := func(what, verb, audit string) attempt {
		return attempt{name: what, cli: []string{"users", verb, "{person}"}, rest: "POST /people/{person}/" + verb, page: "/settings/people/{person}/" + verb, audit: audit}
	}
	link := func(what, id string) attempt {
		return attempt{name: what, cli: []string{"users", "password", id}, rest: "POST /people/" + id + "/link", page: "/settings/people/" + id + "/link", audit: "link.password"}
	}
	remove := func(what, id string) attempt {
		return attempt{name: what, cli: []string{"users", "remove", id}, rest: "DELETE /people/" + id, page: "/settings/people/" + id + "/remove", audit: "user.remove"}
	}
	role := func(what, id, role string, want outcome) attempt {
		a := attempt{name: what, cli: []string{"users", "role", id, role}, rest: "PATCH /people/" + id, body: `{"role":"` + role + `"}`,
			page: "/settings/people/" + id + "/role", fields: url.Values{"role": {role}}, want: want}
		if want == (outcome{}) {
			a.audit = "user.role"
		}
		return a
	}
	return []attempt{
		add("inviting", "{door}@example.org", "Somebody", outcome{}),
		add("inviting no address", "somebody", "Somebody", bad("email", `"somebody" is not an e-mail address: write it like ada@example.org`)),
		add("inviting under a name of two lines", "two@example.org", "a\nb", bad("name", "it contains control characters: write it on one line")),
		add("inviting a member", "ada@example.org", "Ada", outcome{"exists_already", `ada@example.org is a member of the org "default" already`}),
		role("making an editor", "{person}", "editor", outcome{}),
		role("making the last owner a viewer", "{owner}", "viewer",
			outcome{"last_owner", `this is the only owner of the org "default": make another person an owner first`}),
		step("disabling", "disable", "user.disable"),
		step("enabling", "enable", "user.enable"),
		link("a new password link", "{person}"),
		{name: "signing out", rest: "POST /people/{person}/sign-out", page: "/settings/people/{person}/sign-out", audit: "user.sign-out"},
		remove("removing", "{person}"),
		add("inviting who is invited", "cli@invited.example", "", outcome{"exists_already", `cli@invited.example is invited to the org "default" already: make a new link`}),
		role("another role for who is invited", "{invited}", "editor", outcome{}),
		{name: "disabling who is invited", cli: []string{"users", "disable", "{invited}"}, rest: "POST /people/{invited}/disable", page: "/settings/people/{invited}/disable",
			want: outcome{"only_invited", "{door}@invited.example has not accepted the invitation yet: remove it instead"}},
		link("another link for who is invited", "{invited}"),
		remove("withdrawing an invitation", "{invited}"),
		{name: "accepting with a key", rest: "POST /self/join", body: `{"token":"x"}`, want: outcome{"forbidden", "no key may do this: sign in"}},
	}
}

func keyAttempts() []attempt {
	add := func(what, name string, want outcome) attempt {
		a := attempt{name: what, cli: []string{"keys", "add", name}, rest: "POST /keys", body: text(map[string]any{"name": name, "scopes": []string{"read"}}),
			page: "/settings/keys", fields: url.Values{"name": {name}, "scope": {"read"}}, want: want}
		if want == (outcome{}) {
			a.audit = "key.add"
		}
		return a
	}
	long := func(what, days, at, sentence string) attempt {
		return attempt{name: what, cli: []string{"keys", "add", "x", "--expires", days + "d"}, rest: "POST /keys", page: "/settings/keys",
			body: text(map[string]any{"name": "x", "scopes": []string{"read"}, "expires_at": at}), want: bad("expires_at", sentence),
			fields: url.Values{"name": {"x"}, "scope": {"read"}, "expires": {days}}}
	}
	name := func(what, name string, want outcome) attempt {
		a := attempt{name: what, rest: "PATCH /org", body: text(map[string]string{"name": name}), page: "/settings", fields: url.Values{"name": {name}}, want: want}
		if want == (outcome{}) {
			a.audit = "editOrg"
		}
		return a
	}
	org := func(what, id, owner string, want outcome) attempt {
		a := attempt{name: what, cli: []string{"orgs", "add", id, "--owner", owner}, rest: "POST /orgs", body: text(map[string]string{"id": id, "owner": owner}),
			page: "/settings/orgs", fields: url.Values{"id": {id}, "owner": {owner}}, want: want}
		if want == (outcome{}) {
			a.audit = "org.add"
		}
		return a
	}
	return []attempt{
		org("making an org", "{door}-org", "ada@acme.example", outcome{}),
		org("making an org that there is", "default", "ada@acme.example", outcome{"exists_already", `there is an org "default" already`}),
		org("making an org under no id", "A!", "ada@acme.example", bad("id", `"A!" cannot name an org: use 1 to 40 lowercase letters, digits and inner hyphens`)),
		org("making an org for nobody", "nobody", "ada", bad("owner", `"ada" is not an e-mail address: write it like ada@example.org`)),
		add("making a key", "dashboard", outcome{}),
		long("making a key for 4000 days", "4000", "2100-01-01T00:00:00Z", "a key lasts at most 3650 days, or until it is revoked"),
		long("making a key for no days", "0", "2020-01-01T00:00:00Z", "a key cannot have expired before it is made"),
		add("making a key without a name", "", bad("name", "it is empty")),
		add("making a key under a name of two lines", "a\nb", bad("name", "it contains control characters: write it on one line")),
		{name: "making a key without a scope", rest: "POST /keys", body: `{"name":"x","scopes":[]}`, page: "/settings/keys", fields: url.Values{"name": {"x"}},
			want: bad("scopes", "a key needs at least one scope: read, write, deliver or admin")},
		{name: "revoking a key", cli: []string{"keys", "revoke", "{key}"}, rest: "DELETE /keys/{key}", page: "/settings/keys/{key}/revoke", audit: "key.revoke"},
		name("naming the org", "Town hall", outcome{}),
		name("an org without a name", "", bad("name", "it is empty")),
		name("an org of two lines", "a\nb", bad("name", "it contains control characters: write it on one line")),
	}
}
