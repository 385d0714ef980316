package console

import (
	"context"
	"fmt"
	"strings"
	"time"

	"curlew/internal/curlew"
)

func (s sample) desk() Desk {
	d := sampleDesk{s}
	return Desk{Subscriptions: d, Rehearsal: d, Watches: d, Sources: d, Runs: d, Org: d, People: d, Doors: d, Keys: d, Account: d, Costs: d, Feeds: d, Base: "https://curlew.example.org"}
}

// sampleDesk writes down what is done. Whatever says "refuse" in its name is refused.
type sampleDesk struct{ sample }

func (d sampleDesk) did(format string, args ...any) error {
	if d.done == nil {
		return nil
	}
	text := fmt.Sprintf(format, args...)
	*d.done = append(*d.done, strings.TrimSpace(text))
	if strings.Contains(text, "refuse") {
		return Mistakes{{"name", "nobody may be called that"}}
	}
	return nil
}

// do does something to the one thing that there is.
func do[ID ~string](d sampleDesk, id ID, format string, args ...any) error {
	if _, err := own(id, 0); err != nil {
		return err
	}
	return d.did(format, args...)
}

func (w SubscriptionWish) String() string {
	return fmt.Sprintf("%s %s %v %v %v %q %q %s%s", w.Name, w.Channel, w.To, w.Headers, w.Kinds, w.Filter, w.Digest, w.Source, w.Watch)
}

func (d sampleDesk) Subscribe(_ context.Context, w SubscriptionWish) (curlew.SubscriptionID, string, error) {
	if w.Channel == curlew.ChannelWebhook {
		return "sub_1", "whsec_once", d.did("subscribe %s", w)
	}
	return "sub_1", "", d.did("subscribe %s", w)
}
func (d sampleDesk) Amend(_ context.Context, id curlew.SubscriptionID, w SubscriptionWish) error {
	return do(d, id, "amend %s %s", id, w)
}
func (d sampleDesk) Unsubscribe(_ context.Context, id curlew.SubscriptionID) error {
	return do(d, id, "unsubscribe %s", id)
}
func (d sampleDesk) Rotate(_ context.Context, id curlew.SubscriptionID) (string, error) {
	return "whsec_new", do(d, id, "rotate %s", id)
}
func (d sampleDesk) Preview(ctx context.Context, w SubscriptionWish, _ int) (Rehearsed, error) {
	changes, err := d.Changes(ctx, ChangeFilter{}, 0, 0)
	return Rehearsed{Looked: 200, Changes: changes, Sample: d.name}, err
}
func (d sampleDesk) Try(_ context.Context, id curlew.SubscriptionID) (Trial, error) {
	return Trial{Status: 500, Answer: d.name, Sentence: d.name}, do(d, id, "test %s", id)
}

func (d sampleDesk) Blueprints(context.Context, curlew.SourceID) ([]curlew.Blueprint, error) {
	one := curlew.Blueprint{ID: "bp_1", Version: 2, Schema: curlew.SchemaEvent, PageType: curlew.PageList, Tier: curlew.TierHTML, Status: curlew.BlueprintActive, CreatedAt: noon}
	old := one
	old.ID, old.Version, old.Status = "bp_0", 1, curlew.BlueprintArchived
	if d.empty {
		return nil, nil
	}
	return []curlew.Blueprint{one, old}, nil
}
func (d sampleDesk) AddWatch(_ context.Context, w WatchWish) (curlew.WatchID, error) {
	return "wat_1", d.did("watch %s %s %q %q", w.Blueprint, w.URL, w.Name, w.Schedule)
}
func (d sampleDesk) AmendWatch(_ context.Context, id curlew.WatchID, w WatchWish) error {
	return do(d, id, "amend %s %s %q %q %s %v %d %d %v", id, w.URL, w.Name, w.Schedule, w.Zone, w.Ranked, w.StaleDays, w.MaxPages, w.RemovalShare)
}
func (d sampleDesk) RemoveWatch(_ context.Context, id curlew.WatchID) error {
	return do(d, id, "remove %s", id)
}
func (d sampleDesk) RunsOf(ctx context.Context, _ curlew.WatchID, _ int) ([]curlew.Run, error) {
	return sampleRuns(d).Runs(ctx, RunFilter{}, Window{})
}

func (d sampleDesk) AmendSource(_ context.Context, id curlew.SourceID, w SourceWish) error {
	return do(d, id, "amend %s %+v", id, w)
}
func (d sampleDesk) SteerSource(_ context.Context, id curlew.SourceID, s Step) error {
	return do(d, id, "%s %s", s, id)
}
func (d sampleDesk) Rollback(_ context.Context, id curlew.SourceID, version int, _ bool) error {
	return do(d, id, "rollback %s %d", id, version)
}
func (d sampleDesk) Heal(_ context.Context, id curlew.SourceID, watch curlew.WatchID) (curlew.RunID, error) {
	return "run_1", do(d, id, "heal %s %s", id, watch)
}

func (d sampleDesk) Submit(_ context.Context, w RunWish) (curlew.RunID, curlew.Values, error) {
	if w.DryRun {
		return "", curlew.Values{"seeds": w.URLs}, nil
	}
	return "run_1", nil, d.did("crawl %v %v %v %d %d %d %v %v", w.URLs, w.Domains, w.Sequential, w.Priority, w.MaxPages, w.Depth, w.WholeSite, w.Metadata)
}
func (d sampleDesk) Clear(context.Context) (int64, error) { return 3, d.did("clear") }

func (d sampleDesk) Org(context.Context) (curlew.Org, error) {
	return curlew.Org{ID: "acme", Name: d.name, CreatedAt: noon}, nil
}
func (d sampleDesk) Rename(_ context.Context, name string) error { return d.did("rename %s", name) }
func (d sampleDesk) Configured(context.Context) ([]Setting, []Finding, error) {
	return []Setting{{"llm.key", "••••", "", "environment", "The key."}, {"data", d.name, "./data", "flag", "Folder."}}, []Finding{{"database", "ok", d.name}}, nil
}
func (d sampleDesk) Audit(_ context.Context, f AuditFilter, _ int64, _ int) ([]curlew.AuditEntry, error) {
	return some(d.sample, curlew.AuditEntry{Sequence: 1, At: noon, Actor: "usr_1", Name: d.name, Action: "subscribe", Thing: "sub_1", Address: "127.0.0.1", Details: raw(map[string]string{"name": d.name})})
}

func (d sampleDesk) Members(context.Context) ([]curlew.Member, error) {
	return some(d.sample, curlew.Member{User: curlew.User{ID: "usr_1", Email: "ada@example.org", Name: d.name, CreatedAt: noon}, Role: curlew.RoleOwner})
}
func (d sampleDesk) Invite(_ context.Context, email, name string, role curlew.Role) (string, error) {
	return "https://curlew.example.org/link?token=once", d.did("invite %s %s %s", email, name, role)
}
func (d sampleDesk) SetRole(_ context.Context, id curlew.UserID, role curlew.Role) error {
	return do(d, id, "role %s %s", id, role)
}
func (d sampleDesk) RemoveMember(_ context.Context, id curlew.UserID) (int64, error) {
	return 0, do(d, id, "remove %s", id)
}
func (d sampleDesk) Link(_ context.Context, id curlew.UserID) (string, error) {
	return "https://curlew.example.org/link?token=once", do(d, id, "link %s", id)
}
func (d sampleDesk) FeedKey(_ context.Context, id string) (string, bool, error) {
	_, err := own(id, 0)
	return "", false, err
}
func (d sampleDesk) RenewFeed(_ context.Context, id string) error  { return do(d, id, "renew %s", id) }
func (d sampleDesk) RevokeFeed(_ context.Context, id string) error { return do(d, id, "revoke %s", id) }
func (d sampleDesk) Disable(_ context.Context, id curlew.UserID) error {
	return do(d, id, "disable %s", id)
}
func (d sampleDesk) Enable(_ context.Context, id curlew.UserID) error {
	return do(d, id, "enable %s", id)
}
func (d sampleDesk) SignOutMember(_ context.Context, id curlew.UserID) error {
	return do(d, id, "sign out %s", id)
}

func (d sampleDesk) Keys(context.Context) ([]curlew.APIKey, error) {
	return some(d.sample, curlew.APIKey{ID: "key_1", Name: d.name, Scopes: []curlew.KeyScope{curlew.ScopeRead}, CreatedAt: noon})
}
func (d sampleDesk) AddKey(_ context.Context, name string, scopes []curlew.KeyScope, expires *time.Time) (string, error) {
	return "cur_once", d.did("key %s %v %v", name, scopes, expires != nil)
}
func (d sampleDesk) RevokeKey(_ context.Context, id curlew.APIKeyID) error {
	return do(d, id, "revoke %s", id)
}

func (d sampleDesk) ChangePassword(_ context.Context, old, new string) error {
	return d.did("password %s %s", old, new)
}
func (d sampleDesk) Sessions(context.Context) ([]curlew.Session, error) {
	return some(d.sample, curlew.Session{ID: "ses_2", User: "usr_1", Agent: d.name, Address: "127.0.0.1", CreatedAt: noon, SeenAt: noon})
}
func (d sampleDesk) EndSession(_ context.Context, id curlew.SessionID) error {
	return do(d, id, "end %s", id)
}
func (d sampleDesk) Orgs(context.Context) ([]curlew.Membership, error) {
	return []curlew.Membership{{Org: "acme", Role: curlew.RoleOwner}, {Org: "birch", Role: curlew.RoleViewer}}, nil
}

func (d sampleDesk) Months(context.Context, int) ([]MonthCost, error) {
	return []MonthCost{{Month: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), Calls: 3, Micros: 250_000, Budget: 1_000_000}, {Month: time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC), Micros: 500_000}}, nil
}
func (d sampleDesk) Usage(context.Context, time.Time, time.Time) (Usage, error) {
	models, err := some(d.sample, ModelUse{Source: "src_1", Purpose: curlew.PurposeLearn, Calls: 3, Input: 10, Output: 20, Cost: 250_000})
	return Usage{Pages: 7, Models: models}, err
}
