package auth

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"html/template"
	"io"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/app/throttle"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/web/egress"
)

// people finds persons and what they are.
type people interface {
	User(ctx context.Context, id curlew.UserID) (curlew.User, error)
	UserByEmail(ctx context.Context, email string) (user curlew.User, passwordHash string, err error)
	UserBySubject(ctx context.Context, issuer, subject string) (curlew.User, error)
	AddMember(ctx context.Context, org curlew.OrgID, m curlew.Member, most int,
		entry curlew.AuditEntry) (added curlew.User, isNew bool, err error)
	Memberships(ctx context.Context, id curlew.UserID) ([]curlew.Membership, error)
}

// invitations keeps who is invited under the hash of the link's token. To accept is one
// transaction.
type invitations interface {
	Invite(ctx context.Context, org curlew.OrgID, i curlew.Invitation, hash string, most int) (curlew.Invitation, error)
	InvitationOf(ctx context.Context, org curlew.OrgID, emailOrID string) (curlew.Invitation, error)
	Invitation(ctx context.Context, hash string, now time.Time) (curlew.Invitation, curlew.Org, error)
	RenewInvitation(ctx context.Context, i curlew.Invitation, hash string) error
	Decline(ctx context.Context, hash string, now time.Time, user curlew.UserID, entry curlew.AuditEntry) error
}

// newcomers turns who is invited into members.
type newcomers interface {
	Enrol(ctx context.Context, hash string, now time.Time, password string, entry curlew.AuditEntry) (curlew.User, error)
	EnrolProved(ctx context.Context, email string, entry curlew.AuditEntry) (curlew.User, error)
	Join(ctx context.Context, hash string, now time.Time, session curlew.Session, entry curlew.AuditEntry) error
}

// proofs changes how a person proves who they are.
type proofs interface {
	Rehash(ctx context.Context, id curlew.UserID, hash string) error
	BindSubject(ctx context.Context, org curlew.OrgID, user curlew.User, entry curlew.AuditEntry) error
	CountAttempt(ctx context.Context, subject string, now time.Time, window time.Duration) (n int64, until time.Time, err error)
	ForgetAttempts(ctx context.Context, subjects ...string) error
	KnowsDevice(ctx context.Context, user curlew.UserID, hash string, now time.Time) (bool, error)
}

// sessions keeps sign-ins under the hash of their token.
type sessions interface {
	SignIn(ctx context.Context, session curlew.Session, hash string, entry curlew.AuditEntry) (curlew.Session, error)
	SessionByHash(ctx context.Context, hash string) (curlew.Session, error)
	TouchSession(ctx context.Context, id curlew.SessionID, seen time.Time) error
	MoveSession(ctx context.Context, id curlew.SessionID, org curlew.OrgID) error
	Sessions(ctx context.Context, user curlew.UserID) ([]curlew.Session, error)
	EndSession(ctx context.Context, org curlew.OrgID, user curlew.UserID, id curlew.SessionID, entry curlew.AuditEntry) error
}

// links keeps one-time links under the hash of their token. Using one up and
// what it leads to are one transaction.
type links interface {
	OwnerExists(ctx context.Context) (bool, error)
	AddLink(ctx context.Context, org curlew.OrgID, link curlew.Link, hash string, entry curlew.AuditEntry) error
	Link(ctx context.Context, hash string, now time.Time) (curlew.Link, error)
	UseLink(ctx context.Context, hash string, now time.Time, password string, entry curlew.AuditEntry) (curlew.User, error)
	ClaimFirst(ctx context.Context, hash string, now time.Time, user curlew.NewUser, entry curlew.AuditEntry) (curlew.User, error)
}

// keys keeps API keys under the hash of their secret.
type keys interface {
	AddKey(ctx context.Context, key curlew.APIKey, hash string, now time.Time, most int) (curlew.APIKey, error)
	KeyOfAnyOrg(ctx context.Context, id curlew.APIKeyID) (key curlew.APIKey, hash string, err error)
	UseKey(ctx context.Context, org curlew.OrgID, id curlew.APIKeyID, at time.Time) error
}

// trail is the audit log, and the end of what nobody needs any more.
type trail interface {
	Record(ctx context.Context, org curlew.OrgID, entry curlew.AuditEntry) error
	Tidy(ctx context.Context, now, unused time.Time) error
}

// Store is all that auth needs kept. It is an interface though data/store alone implements it: auth imports no database
// (ARCHITECTURE.md), and a test replaces single methods by those of a full disk.
type Store interface {
	people
	invitations
	newcomers
	proofs
	sessions
	links
	keys
	trail
}

// OrgLimits are those of one org; 0 means none.
type OrgLimits struct {
	Members           int
	Keys              int
	RequestsPerMinute int // with API keys, in one process
}

// Options say how a Authenticator works. Only Store is needed.
type Options struct {
	Store   Store
	BaseURL string         // address of the console as people reach it, where it is known
	Proxies []netip.Prefix // who may say for whom they ask, by X-Forwarded-For
	Limits  OrgLimits

	OIDC   OIDCConfig     // without an issuer nobody signs in that way
	Client *egress.Client // to reach the issuer

	Idle     time.Duration // a session ends when it is not used for so long; 0 means 3 days
	Absolute time.Duration // a session ends after so long; 0 means 30 days
	Argon    Argon         // what a password's hash costs; zero means DefaultArgon

	Pages  *template.Template // overrides pages by their names; see Pages
	Public []string           // paths open to everybody besides those of Handler; a trailing slash includes what is below
	API    []string           // paths of programs: they are told 401 and never sent to a page

	IDs    *curlew.Minter
	Now    func() time.Time
	Random io.Reader
}

// Authenticator answers who somebody is.
type Authenticator struct {
	Options
	store  Store
	hasher *hasher
	oidc   *provider
	cross  *http.CrossOriginProtection
	pages  *template.Template
	meter  *throttle.Limiter // of orgs; nil for no limit
}

// New makes a Authenticator.
func New(o Options) *Authenticator {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.IDs == nil {
		o.IDs = curlew.SystemMinter()
	}
	o.Idle = cmp.Or(o.Idle, 3*24*time.Hour)
	o.Absolute = cmp.Or(o.Absolute, 30*24*time.Hour)
	if o.Argon == (Argon{}) {
		o.Argon = DefaultArgon()
	}
	if o.API == nil {
		o.API = []string{"/api/", "/curlew.", "/mcp"}
	}
	o.BaseURL = strings.TrimRight(o.BaseURL, "/")
	s := &Authenticator{Options: o, store: o.Store, hasher: newHasher(o.Argon, o.Random), cross: http.NewCrossOriginProtection(),
		pages: withOverrides(o.Pages)}
	if n := o.Limits.RequestsPerMinute; n > 0 {
		s.meter = throttle.New(throttle.Rate{PerSecond: float64(n) / 60, Burst: n}, o.Now)
	}
	if base, err := url.Parse(o.BaseURL); err == nil && base.Host != "" {
		_ = s.cross.AddTrustedOrigin(base.Scheme + "://" + base.Host) // an address that is none protects nothing and opens nothing
	}
	if o.OIDC.Issuer != "" {
		s.oidc = newProvider(o.OIDC, o.Client, o.Now)
	}
	return s
}

// Entry is a line of the audit log about what somebody does now.
func (s *Authenticator) Entry(who Identity, action, thing string, details any) curlew.AuditEntry {
	e := curlew.AuditEntry{At: s.Now(), Actor: who.Actor(), Name: who.Name, Action: action, Thing: thing, Address: who.Address}
	if who.Via != "" && !who.operator { // an operator is the command line by name
		told := map[string]any{"by": who.Via}
		if more, ok := details.(map[string]any); ok {
			maps.Copy(told, more)
		} else if details != nil {
			told["details"] = details
		}
		details = told
	}
	if details != nil {
		e.Details, _ = json.Marshal(details) // our own values always marshal
	}
	return e
}
