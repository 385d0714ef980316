package auth

import (
	"context"
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Identity is who asks: a person in an org, a program with a key, or who sits at
// the command line.
type Identity struct {
	Org     curlew.OrgID
	User    curlew.UserID    // of a person
	Session curlew.SessionID // of a person
	Key     curlew.APIKeyID  // of a program
	Role    curlew.Role      // of a person
	Scopes  []curlew.KeyScope
	Name    string // e-mail address, or name of the key
	Address string // where the request came from
	Via     string // by which it came: "api", "console", "grpc", "mcp" or "cli"

	operator bool
	secret   string // the session's token, from which the token of forms is made
}

// Operator is who has the installation's files and so may do everything.
func Operator(org curlew.OrgID) Identity {
	return Identity{Org: org, Name: "command line", Via: "cli", operator: true}
}

// Actor is how the audit log names who it was: an id, cli or nobody.
func (i Identity) Actor() string {
	switch {
	case i.operator:
		return "cli"
	case i.User != "":
		return string(i.User)
	case i.Key != "":
		return string(i.Key)
	}
	return "nobody"
}

// Action is something that not everybody may do.
type Action string

// The actions. Routes and pages name the one that they need.
const (
	View              Action = "view" // everything of the org but people, keys and the audit log
	Export            Action = "export"
	EditCandidates    Action = "candidates.edit"
	EditSources       Action = "sources.edit"
	EditBlueprints    Action = "blueprints.edit"
	EditWatches       Action = "watches.edit"
	SteerRuns         Action = "runs.steer"
	EditEntities      Action = "entities.edit"
	EditSubscriptions Action = "subscriptions.edit"
	ReplayDeliveries  Action = "deliveries.replay"
	ViewPeople        Action = "people.view"
	EditPeople        Action = "people.edit"
	ViewKeys          Action = "keys.view"
	EditKeys          Action = "keys.edit"
	ViewAudit         Action = "audit.view"
	EditOrg           Action = "org.edit"
	OwnAccount        Action = "account.own" // one's own password and sessions; no program has any
)

// rule is what an action needs: of a person at least a role, of a key a scope.
type rule struct {
	least curlew.Role
	scope curlew.KeyScope // "" means that no key may
}

var rules = map[Action]rule{
	View:              {curlew.RoleViewer, curlew.ScopeRead},
	Export:            {curlew.RoleViewer, curlew.ScopeRead},
	EditCandidates:    {curlew.RoleEditor, curlew.ScopeWrite},
	EditSources:       {curlew.RoleEditor, curlew.ScopeWrite},
	EditBlueprints:    {curlew.RoleEditor, curlew.ScopeWrite},
	EditWatches:       {curlew.RoleEditor, curlew.ScopeWrite},
	SteerRuns:         {curlew.RoleEditor, curlew.ScopeWrite},
	EditEntities:      {curlew.RoleEditor, curlew.ScopeWrite},
	EditSubscriptions: {curlew.RoleEditor, curlew.ScopeDeliver},
	ReplayDeliveries:  {curlew.RoleEditor, curlew.ScopeDeliver},
	ViewPeople:        {curlew.RoleOwner, curlew.ScopeAdmin},
	EditPeople:        {curlew.RoleOwner, curlew.ScopeAdmin},
	ViewKeys:          {curlew.RoleOwner, curlew.ScopeAdmin},
	EditKeys:          {curlew.RoleOwner, curlew.ScopeAdmin},
	ViewAudit:         {curlew.RoleOwner, curlew.ScopeAdmin},
	EditOrg:           {curlew.RoleOwner, curlew.ScopeAdmin},
	OwnAccount:        {curlew.RoleViewer, ""},
}

// Can says whether somebody may do something in their org. What is not in the
// table nobody may.
func Can(who Identity, action Action) bool {
	r, known := rules[action]
	switch {
	case !known:
		return false
	case who.operator:
		return true
	case who.Key != "":
		return r.scope != "" && slices.Contains(who.Scopes, r.scope)
	case who.User != "":
		return who.Role.AtLeast(r.least)
	}
	return false
}

// Allow is Can as a refusal with a sentence.
func Allow(who Identity, action Action) error {
	if Can(who, action) {
		return nil
	}
	if who.Key != "" {
		if scope := rules[action].scope; scope != "" {
			return curlew.Refused(curlew.ErrForbidden, "this key lacks the scope %q", scope)
		}
		return curlew.Refused(curlew.ErrForbidden, "no key may do this: sign in")
	}
	return curlew.Refused(curlew.ErrForbidden, "this needs the role %q, and you are %q here", rules[action].least, who.Role)
}

// AllowOperator refuses what only who has the installation's files may do: nobody is the operator
// over the network.
func AllowOperator(who Identity, what string) error {
	if who.operator {
		return nil
	}
	return curlew.Refused(curlew.ErrForbidden, "only the operator of the installation can %s", what)
}

// AllowInstallation refuses what is about the whole installation to all but its operator. Over the network
// these are the owners of its own org, the default one; those of other orgs are guests there.
func AllowInstallation(who Identity) error {
	if who.operator || who.Org == curlew.DefaultOrg {
		return Allow(who, EditOrg)
	}
	return curlew.Refused(curlew.ErrForbidden, "this is for the operator of the installation")
}

// AllowScopes refuses a key that would give another more than it has itself.
func AllowScopes(who Identity, scopes ...curlew.KeyScope) error {
	for _, scope := range scopes {
		if who.Key != "" && !slices.Contains(who.Scopes, scope) {
			return curlew.Refused(curlew.ErrForbidden, "this key lacks the scope %q, so it cannot give it", scope)
		}
	}
	return nil
}

// AllowRole refuses a key that would make somebody, who then signs in, more than it is itself.
func AllowRole(who Identity, role curlew.Role) error {
	for _, r := range rules {
		if err := AllowScopes(who, r.scope); r.scope != "" && role.AtLeast(r.least) && err != nil {
			return err
		}
	}
	return nil
}

type identityKey struct{}

// With puts an identity into a context.
func With(ctx context.Context, who Identity) context.Context {
	return context.WithValue(ctx, identityKey{}, who)
}

// From tells who asks, where that is known.
func From(ctx context.Context) (Identity, bool) {
	who, ok := ctx.Value(identityKey{}).(Identity)
	return who, ok
}
