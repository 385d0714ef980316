package curlew

import (
	"encoding/json"
	"net/mail"
	"slices"
	"strings"
	"time"
)

// UserID names a person, SessionID one sign-in, APIKeyID a key of a program.
type (
	UserID    string
	SessionID string
	APIKeyID  string
)

func (UserID) Prefix() string    { return "usr" }
func (SessionID) Prefix() string { return "ses" }
func (APIKeyID) Prefix() string  { return "key" }

// User is a person, who may belong to several orgs. How the person proves it is
// kept apart: no noun carries a password.
type User struct {
	ID         UserID     `json:"id"`
	Email      string     `json:"email"` // as ParseEmail spells it
	Name       string     `json:"name"`
	Issuer     string     `json:"issuer,omitempty"` // who vouches for the person, where OIDC does
	Subject    string     `json:"subject,omitempty"`
	CreatedAt  time.Time  `json:"created_at"`
	SignedInAt *time.Time `json:"signed_in_at,omitempty"`
}

// NewUser is a person who comes with a password.
type NewUser struct {
	User
	PasswordHash string
}

// ParseEmail gives the one spelling of an e-mail address by which a person is
// known: lowercase, without a name around it.
func ParseEmail(text string) (string, error) {
	bare := strings.ToLower(strings.TrimSpace(text))
	parsed, err := mail.ParseAddress(bare)
	unfit := func(r rune) bool { return r <= ' ' || r == 0x7f }
	if err != nil || parsed.Address != bare || len(bare) > 254 || strings.ContainsFunc(bare, unfit) {
		return "", Permanent("bad_email", "%q is not an e-mail address: write it like ada@example.org", text)
	}
	return bare, nil
}

// Role is what a person may do in an org.
type Role string

const (
	RoleOwner  Role = "owner"  // everything, people and keys too
	RoleEditor Role = "editor" // changes what is watched and who is told
	RoleViewer Role = "viewer" // looks
)

// Roles are all roles, from the least to the most.
var Roles = []Role{RoleViewer, RoleEditor, RoleOwner}

// AtLeast says whether a role includes another. A role that does not exist
// includes none and is included by none.
func (r Role) AtLeast(least Role) bool {
	want := slices.Index(Roles, least)
	return want >= 0 && slices.Index(Roles, r) >= want
}

// Membership says what a person is in an org.
type Membership struct {
	Org       OrgID     `json:"org"`
	User      UserID    `json:"user_id"`
	Role      Role      `json:"role"`
	CreatedAt time.Time `json:"created_at"`

	DisabledAt *time.Time `json:"disabled_at,omitempty"` // since when the org keeps them out, where it does
}

// Member is a person as an org sees one.
type Member struct {
	User
	Role         Role       `json:"role"`
	DisabledAt   *time.Time `json:"disabled_at,omitempty"`
	InvitedUntil *time.Time `json:"invited_until,omitempty"` // who has not come yet can until then; none for a member
}

// Invitation is an e-mail address that an org invites. It says nothing of whoever has the
// address: that person becomes a member by accepting.
type Invitation struct {
	Org       OrgID     `json:"org"`
	ID        UserID    `json:"id"` // which a new person will have
	Email     string    `json:"email"`
	Name      string    `json:"name"` // as the org calls them
	Role      Role      `json:"role"`
	MadeBy    string    `json:"made_by"` // the actor who made its link
	CreatedAt time.Time `json:"created_at"`
	ExpiresAt time.Time `json:"expires_at"`
}

// Member is who is invited, as the org sees them among its people.
func (i Invitation) Member() Member {
	return Member{User: User{ID: i.ID, Email: i.Email, Name: i.Name, CreatedAt: i.CreatedAt}, Role: i.Role, InvitedUntil: &i.ExpiresAt}
}

// Session is one sign-in of a person. Its token is known to the browser alone.
type Session struct {
	ID        SessionID `json:"id"`
	User      UserID    `json:"user_id"`
	Org       OrgID     `json:"org"` // in which the person works at the moment
	Address   string    `json:"address"`
	Agent     string    `json:"agent"`
	CreatedAt time.Time `json:"created_at"`
	SeenAt    time.Time `json:"seen_at"`
	ExpiresAt time.Time `json:"expires_at"` // whatever happens
	Device    Device    `json:"-"`          // only when it begins
}

// Device is a browser in which people signed in, by the hash of its token and that of the token that it had before.
type Device struct {
	Hash, Former string
	Until        time.Time
}

// LinkPurpose is what a one-time link is good for.
type LinkPurpose string

const (
	LinkFirst    LinkPurpose = "first"    // to become the owner of an installation that has none
	LinkPassword LinkPurpose = "password" // to choose a password, and be signed in
	LinkJoin     LinkPurpose = "join"     // to accept an invitation
)

// Link is a one-time link. Its token is known only to who was given it.
type Link struct {
	Purpose   LinkPurpose `json:"purpose"`
	User      UserID      `json:"user_id,omitempty"` // none for the first
	Org       OrgID       `json:"org,omitempty"`     // whose owner made it; none for the operator's
	MadeBy    string      `json:"made_by"`           // the actor
	CreatedAt time.Time   `json:"created_at"`
	ExpiresAt time.Time   `json:"expires_at"`
}

// KeyScope is what a program may do with a key.
type KeyScope string

const (
	ScopeRead    KeyScope = "read"
	ScopeWrite   KeyScope = "write"   // sources, watches, blueprints, runs
	ScopeDeliver KeyScope = "deliver" // subscriptions and deliveries
	ScopeAdmin   KeyScope = "admin"   // people, keys, limits, the audit log
)

// KeyScopes are all scopes; none includes another.
var KeyScopes = []KeyScope{ScopeRead, ScopeWrite, ScopeDeliver, ScopeAdmin}

// APIKey lets a program in. Its secret is shown once and never kept.
type APIKey struct {
	ID        APIKeyID   `json:"id"`
	Org       OrgID      `json:"org"`
	Name      string     `json:"name"`
	Scopes    []KeyScope `json:"scopes"`
	CreatedBy string     `json:"created_by"` // a user, a key or the command line, as the audit log names it
	CreatedAt time.Time  `json:"created_at"`
	ExpiresAt *time.Time `json:"expires_at,omitempty"`
	UsedAt    *time.Time `json:"used_at,omitempty"`
	RevokedAt *time.Time `json:"revoked_at,omitempty"`
	Suspended bool       `json:"suspended,omitempty"` // for as long as who made it is disabled
}

// KeyState is how an API key stands.
type KeyState string

// States of API keys.
const (
	KeyActive    KeyState = "active"
	KeyRevoked   KeyState = "revoked"
	KeySuspended KeyState = "suspended"
	KeyExpired   KeyState = "expired"
)

// State is how the key stands at a time.
func (k APIKey) State(now time.Time) KeyState {
	switch {
	case k.RevokedAt != nil:
		return KeyRevoked
	case k.Suspended:
		return KeySuspended
	case k.ExpiresAt != nil && !now.Before(*k.ExpiresAt):
		return KeyExpired
	}
	return KeyActive
}

// Valid says whether the key still lets anybody in.
func (k APIKey) Valid(now time.Time) bool { return k.State(now) == KeyActive }

// AuditEntry is one line of the audit log: who did what to which thing, when and
// from where. Lines are numbered per org without gaps and never change.
type AuditEntry struct {
	Org      OrgID           `json:"org"`
	Sequence int64           `json:"sequence"`
	At       time.Time       `json:"at"`
	Actor    string          `json:"actor"`      // "usr_…", "key_…", "cli", "nobody"
	Name     string          `json:"actor_name"` // as it was then
	Action   string          `json:"action"`     // "user.add"
	Thing    string          `json:"thing"`      // id or name of what it was done to
	Address  string          `json:"address"`    // "" where none is known
	Details  json.RawMessage `json:"details,omitempty"`
}

// Who names who it was for people. Names of keys are chosen freely, so that a key is said to be one.
func (e AuditEntry) Who() string {
	if strings.HasPrefix(e.Actor, "key_") {
		return "key: " + e.Name
	}
	return e.Name
}
