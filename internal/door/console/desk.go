package console

import (
	"context"
	"time"

	"curlew/internal/curlew"
)

// Desk are the rooms of what people do beyond looking and steering.
type Desk struct {
	Org     OrgDesk
	People  People
	Doors   PeopleDoors
	Keys    KeyDesk
	Account Account
	Costs   Costs
}

// Setting is one setting of the installation; secrets are masked.
type Setting struct{ Name, Value, Default, Origin, Doc string }

// Finding is one thing that doctor looked at.
type Finding struct{ Check, Verdict, Sentence string }

// AuditFilter narrows the audit log; empty fields do not.
type AuditFilter struct{ Actor, Action, Thing string }

// OrgDesk is the org itself and how the installation is set up.
type OrgDesk interface {
	Org(ctx context.Context) (curlew.Org, error)
	Rename(ctx context.Context, name string) error
	Configured(ctx context.Context) ([]Setting, []Finding, error)
	Audit(ctx context.Context, f AuditFilter, before int64, limit int) ([]curlew.AuditEntry, error)
}

// People are who may sign in.
type People interface {
	Members(ctx context.Context) ([]curlew.Member, error)
	// Invite adds somebody; the link is for those who have no account yet.
	Invite(ctx context.Context, email, name string, role curlew.Role) (link string, err error)
	SetRole(ctx context.Context, id curlew.UserID, role curlew.Role) error
	// RemoveMember says how many keys that they made still let programs in.
	RemoveMember(ctx context.Context, id curlew.UserID) (keys int64, err error)
}

// PeopleDoors let people in and out.
type PeopleDoors interface {
	Link(ctx context.Context, id curlew.UserID) (string, error)
	SignOutMember(ctx context.Context, id curlew.UserID) error
	Disable(ctx context.Context, id curlew.UserID) error
	Enable(ctx context.Context, id curlew.UserID) error
}

// KeyDesk are the keys of programs.
type KeyDesk interface {
	Keys(ctx context.Context) ([]curlew.APIKey, error)
	AddKey(ctx context.Context, name string, scopes []curlew.KeyScope, expires *time.Time) (secret string, err error)
	RevokeKey(ctx context.Context, id curlew.APIKeyID) error
}

// Account is that of whoever looks.
type Account interface {
	ChangePassword(ctx context.Context, old, new string) error
	Sessions(ctx context.Context) ([]curlew.Session, error)
	EndSession(ctx context.Context, id curlew.SessionID) error
	Orgs(ctx context.Context) ([]curlew.Membership, error)
}

// MonthCost is what models cost in a calendar month, in millionths of a dollar.
type MonthCost struct {
	Month                 time.Time
	Calls, Micros, Budget int64
}

// ModelUse is what asking models came to for one source and purpose.
type ModelUse struct {
	Source                     curlew.SourceID
	Purpose                    curlew.ModelPurpose
	Calls, Input, Output, Cost int64
}

// Usage is what an org used in a time.
type Usage struct {
	Pages    int64
	Entities map[curlew.EntityStatus]int64
	Changes  int64 // since the beginning
	Models   []ModelUse
}

// Costs are what the org uses.
type Costs interface {
	Months(ctx context.Context, months int) ([]MonthCost, error) // the newest first
	Usage(ctx context.Context, since, until time.Time) (Usage, error)
}
