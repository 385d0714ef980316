package console

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"curlew/internal/app/auth"
	"curlew/internal/curlew"
)

var noon = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

// nasty is what a hostile site may call a thing.
const nasty = "<script>alert(1)</script>\" onmouseover=\"alert(2) \u202egnp.exe"

// sample is an org with one of everything, each with a given name, or with nothing.
type sample struct {
	name  string
	empty bool
	done  *[]string
	ended *curlew.Run // in place of the run that is under way
}

func (s sample) Open(auth.Identity) Rooms {
	return Rooms{Overview: s, Sources: s, Heals: s, Entities: s, Changes: s, Candidates: s, Watches: sampleWatches{s}, Subscriptions: sampleSubscriptions{s},
		Deliveries: s, Runs: sampleRuns{s}, Engine: sampleRuns{s}, Traffic: sampleTraffic{s}, Onboarding: s, Desk: s.desk(), Blueprints: s, Lessons: s, Teaching: s, OwnPages: s, Saving: s}
}

// some is a listing of one thing, or of nothing.
func some[T any](s sample, one T) ([]T, error) {
	if s.empty {
		return nil, nil
	}
	return []T{one}, nil
}

// own finds the one thing that there is; everything else belongs to others.
func own[T any, ID ~string](id ID, one T) (T, error) {
	if strings.HasSuffix(string(id), "_1") {
		return one, nil
	}
	var none T
	return none, curlew.NotFound("thing", string(id))
}

func raw(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

func (s sample) Attention(context.Context) ([]string, error) { return some(s, s.name) }
func (s sample) Totals(context.Context) (Totals, error)      { return Totals{Active: 3, Changes: 7}, nil }

func (s sample) source() curlew.Source {
	score := 91
	return curlew.Source{ID: "src_1", Name: s.name, BaseURL: "javascript:alert(1)", Trust: curlew.TrustStable, Quality: &score, Why: s.name, CreatedAt: noon}
}

func (s sample) card() map[string]any {
	return map[string]any{"score": 91, "verdict": "deploy", "reason": s.name, "sample": 5,
		"dimensions": []map[string]any{{"title": s.name, "share": 25, "applies": true, "score": 80, "good": 4, "of": 5, "sentence": s.name}}}
}

func (s sample) Sources(context.Context, Window) ([]curlew.Source, error) { return some(s, s.source()) }
func (s sample) Source(_ context.Context, id curlew.SourceID) (curlew.Source, error) {
	return own(id, s.source())
}
func (s sample) Scorecards(context.Context, curlew.SourceID, int) ([]curlew.Scorecard, error) {
	return []curlew.Scorecard{{Score: 91, Card: raw(s.card()), At: noon}, {Score: 80, Card: raw(s.card()), At: noon.Add(-time.Hour)}}, nil
}

func (s sample) Scores(context.Context, curlew.SourceID, int) ([]curlew.Scorecard, error) {
	return []curlew.Scorecard{{Score: 91, At: noon}, {Score: 80, At: noon.Add(-time.Hour)}}, nil
}

func (s sample) heal() curlew.Heal {
	return curlew.Heal{Run: "run_1", Source: "src_1", Watch: "wat_1", Outcome: curlew.HealDone, BeganAt: noon, Report: curlew.HealReport{Cause: s.name, How: s.name, Shadow: &curlew.Shadow{Basis: s.name, Reasons: []string{s.name}, Before: curlew.ShadowSide{Version: 1, Tier: "html"}, After: curlew.ShadowSide{Tier: "html"},
		Known: curlew.Beside{Old: 2, Both: 1, OldOnly: []string{s.name}, Fields: []curlew.FieldAgreement{{Field: "title", Same: 1}}}},
		Timeline: []curlew.HealStep{{At: noon, What: s.name, Good: true}}, Changes: []string{s.name}, Known: 5, Found: 5,
		Proof: raw(map[string]any{"pages": 1, "records": 5, "fields": []map[string]any{{"field": s.name, "known": 5, "rule": s.name}}, "notes": []string{s.name}}),
		Drift: raw(map[string]any{"distance": 0.4, "summary": []string{s.name}, "lines": []map[string]any{{"before": s.name, "after": "section", "same": false}}})}}
}
func (s sample) Heals(context.Context, curlew.SourceID, int) ([]curlew.Heal, error) {
	return some(s, s.heal())
}
func (s sample) Heal(_ context.Context, id curlew.RunID) (curlew.Heal, error) {
	return own(id, s.heal())
}

func (s sample) entity() curlew.Entity {
	return curlew.Entity{ID: "ent_1", Source: "src_1", Schema: curlew.SchemaProduct, ExternalID: s.name, URL: "javascript:alert(1)", Status: curlew.EntityActive, Version: 2,
		Record: "rec_1", Fields: curlew.Values{"name": s.name, "price": json.Number("1299"), "currency": "EUR", s.name: s.name}, FirstSeenAt: noon, LastSeenAt: noon}
}
func (s sample) Entities(context.Context, EntityFilter, Window) ([]curlew.Entity, error) {
	return some(s, s.entity())
}
func (s sample) Entity(_ context.Context, id curlew.EntityID) (curlew.Entity, error) {
	return own(id, s.entity())
}
func (s sample) Record(_ context.Context, id curlew.RecordID) (curlew.Record, error) {
	return own(id, curlew.Record{Provenance: map[string]curlew.Evidence{"name": {Tier: curlew.TierHTML, Rule: s.name, Text: s.name, Seen: curlew.SeenVisible, Confidence: 0.9,
		Rivals: []curlew.Rival{{Value: s.name, Tier: curlew.TierHTML}}}}})
}

func (s sample) Changes(_ context.Context, f ChangeFilter, _ int64, _ int) ([]curlew.Change, error) {
	picture := &curlew.EntityPicture{Schema: curlew.SchemaProduct, ExternalID: "1", Fields: curlew.Values{"name": s.name, "price": 1299, "currency": "EUR"}}
	if s.empty {
		return nil, nil
	}
	return []curlew.Change{
		{ID: "chg_2", Sequence: 2, Kind: curlew.EntityChanged, Source: "src_1", Entity: "ent_1", OccurredAt: noon,
			Payload: raw(curlew.ChangePayload{Entity: picture, Reason: s.name, Changes: []curlew.FieldChange{{Field: "price", Old: 1499, New: 1299}, {Field: s.name, Old: s.name, New: nil}}})},
		{ID: "chg_1", Sequence: 1, Kind: curlew.EntityAppeared, Source: "src_1", Entity: "ent_1", OccurredAt: noon.Add(-time.Hour), Payload: raw(curlew.ChangePayload{Entity: picture})},
	}, nil
}
func (s sample) OfRun(ctx context.Context, _ curlew.Run, limit int) ([]curlew.Change, error) {
	return s.Changes(ctx, ChangeFilter{}, 0, limit)
}
func (s sample) PerDay(context.Context, time.Time) (map[time.Time]int64, error) {
	return map[time.Time]int64{noon.Truncate(24 * time.Hour): 7}, nil
}

func (s sample) candidate() curlew.Candidate {
	return curlew.Candidate{ID: "can_1", URL: "javascript:alert(1)", Name: s.name, Instructions: s.name, Status: curlew.CandidateTesting, Strategy: s.name, LastError: s.name,
		Review: true, CreatedAt: noon, UpdatedAt: noon, Report: raw(map[string]any{
			"analysis": map[string]any{"report": map[string]any{"score": 87, "verdict": "proceed", "reason": s.name, "recommendation": s.name, "language": s.name,
				"breakdown": []map[string]any{{"name": s.name, "points": 3, "most": 5, "why": s.name}}, "sample": []map[string]any{{"title": s.name}},
				"risks": []string{s.name}, "good_signs": []string{s.name}}},
			"trials": []map[string]any{{"iteration": 1, "tier": "html", "what": s.name, "score": 91, "passed": true, "feedback": []string{s.name}, "card": s.card()}}})}
}
func (s sample) Candidates(context.Context, curlew.CandidateStatus, Window) ([]curlew.Candidate, error) {
	return some(s, s.candidate())
}
func (s sample) Counts(context.Context) (map[curlew.CandidateStatus]int64, error) {
	return map[curlew.CandidateStatus]int64{curlew.CandidateTesting: 1}, nil
}
func (s sample) Candidate(_ context.Context, id curlew.CandidateID) (curlew.Candidate, []Move, error) {
	c, err := own(id, s.candidate())
	return c, []Move{{At: noon, From: "feasible", To: "testing", Why: s.name}}, err
}
func (s sample) Propose(_ context.Context, c curlew.Candidate) (curlew.CandidateID, error) {
	*s.done = append(*s.done, "propose "+c.URL)
	return "can_1", nil
}
func (s sample) Decide(_ context.Context, id curlew.CandidateID, v Verdict, why string) error {
	*s.done = append(*s.done, string(v)+" "+string(id)+" "+why)
	_, err := own(id, 0)
	return err
}

type sampleTraffic struct{ sample }

func (s sampleTraffic) Pages(context.Context, time.Time, int) ([]Asked, error) {
	return some(s.sample, Asked{At: noon, Host: s.name, Outcome: curlew.OutcomeFailed, Why: s.name, Bytes: 9, Millis: 5})
}
func (s sampleTraffic) Counts(_ context.Context, times []time.Time) ([]int64, error) {
	return make([]int64, len(times)-1), nil
}
func (s sample) Outcomes(context.Context, time.Time, int) ([]Outcome, error) {
	return some(s, Outcome{Candidate: s.candidate(), Last: Move{At: noon, To: curlew.CandidateTesting, Why: s.name}})
}
func (s sample) Tally(context.Context, time.Time) (Tally, error) {
	return Tally{Analyzed: 4, Deployed: 3, Rejected: 1}, nil
}
func (s sample) Pace(context.Context) (Pace, error) {
	return Pace{Attempts: 1.5, Took: time.Minute, Strategies: map[string]int64{s.name: 3}}, nil
}

type sampleWatches struct{ sample }

func (s sampleWatches) watch() curlew.Watch {
	return curlew.Watch{ID: "wat_1", Source: "src_1", Name: s.name, URL: "https://example.org/", Status: curlew.WatchActive, Schedule: s.name, LastError: s.name,
		Held: &curlew.Hold{Missing: 3, Of: 5, Why: s.name}, LastRunAt: &noon}
}
func (s sampleWatches) Watches(context.Context, curlew.SourceID, Window) ([]curlew.Watch, error) {
	return some(s.sample, s.watch())
}
func (s sampleWatches) Watch(_ context.Context, id curlew.WatchID) (curlew.Watch, error) {
	return own(id, s.watch())
}
func (s sampleWatches) Steer(_ context.Context, id curlew.WatchID, step Step) error {
	*s.done = append(*s.done, string(step)+" "+string(id))
	return nil
}
func (s sampleWatches) Trigger(_ context.Context, id curlew.WatchID) (curlew.RunID, error) {
	*s.done = append(*s.done, "trigger "+string(id))
	return "run_1", nil
}

type sampleSubscriptions struct{ sample }

func (s sampleSubscriptions) subscription() curlew.Subscription {
	return curlew.Subscription{ID: "sub_1", Name: s.name, Filter: s.name, Channel: curlew.ChannelWebhook, Target: raw(map[string]string{"url": s.name}), Status: curlew.SubscriptionDisabled,
		Health: curlew.EndpointHealth{LastError: s.name, DisabledWhy: s.name}}
}
func (s sampleSubscriptions) Subscriptions(context.Context, Window) ([]curlew.Subscription, error) {
	return some(s.sample, s.subscription())
}
func (s sampleSubscriptions) Subscription(_ context.Context, id curlew.SubscriptionID) (curlew.Subscription, map[curlew.DeliveryStatus]int64, error) {
	one, err := own(id, s.subscription())
	return one, map[curlew.DeliveryStatus]int64{curlew.DeliveryDead: 1}, err
}
func (s sampleSubscriptions) Steer(_ context.Context, id curlew.SubscriptionID, step Step) error {
	*s.done = append(*s.done, string(step)+" "+string(id))
	return nil
}

func (s sample) delivery() curlew.Delivery {
	return curlew.Delivery{ID: "del_1", Change: "chg_2", Sequence: 2, Entity: "ent_1", Subscription: "sub_1", Status: curlew.DeliveryDead, LastError: s.name, CreatedAt: noon}
}
func (s sample) Deliveries(context.Context, DeliveryFilter, Window) ([]curlew.Delivery, error) {
	return some(s, s.delivery())
}
func (s sample) Delivery(_ context.Context, id curlew.DeliveryID) (curlew.Delivery, []curlew.Attempt, error) {
	d, err := own(id, s.delivery())
	return d, []curlew.Attempt{{Number: 1, At: noon, Status: 500, Answer: s.name, Error: s.name}}, err
}
func (s sample) Told(ctx context.Context, _ []curlew.ChangeID) ([]curlew.Change, error) {
	return s.Changes(ctx, ChangeFilter{}, 0, 1)
}
func (s sample) Letter(_ context.Context, id curlew.DeliveryID) (Letter, error) {
	return own(id, Letter{Channel: curlew.ChannelWebhook, Head: []Heading{{"Webhook-Id", s.name}}, Body: s.name})
}
func (s sample) Replay(_ context.Context, id curlew.DeliveryID) error {
	*s.done = append(*s.done, "replay "+string(id))
	return nil
}

type sampleRuns struct{ sample }

func (s sampleRuns) run() curlew.Run {
	if s.ended != nil {
		return *s.ended
	}
	return curlew.Run{ID: "run_1", Kind: curlew.RunWatch, Scope: s.name, State: curlew.RunRunning, Total: 9, Counters: curlew.Counters{"steps": 4, "scraped": 3}, Summary: s.name,
		Fault: curlew.Permanent("x", "%s", s.name), CreatedAt: noon, StartedAt: &noon}
}
func (s sampleRuns) Runs(context.Context, RunFilter, Window) ([]curlew.Run, error) {
	return some(s.sample, s.run())
}
func (s sampleRuns) Run(_ context.Context, id curlew.RunID) (curlew.Run, error) {
	return own(id, s.run())
}
func (s sampleRuns) Log(context.Context, curlew.RunID, int64, int) ([]curlew.LogLine, error) {
	return some(s.sample, curlew.LogLine{Seq: 1, At: noon, Level: curlew.LogWarn, Text: s.name})
}
func (s sampleRuns) Unfinished(context.Context, int) ([]curlew.Run, error) {
	return some(s.sample, s.run())
}
func (s sampleRuns) Load(context.Context) (Load, error) {
	return Load{Waiting: 2, Oldest: time.Minute, Workers: []Worker{{s.name, 1}}}, nil
}
func (s sampleRuns) Faults(context.Context, time.Time, int) ([]Trouble, error) {
	return some(s.sample, Trouble{s.name, s.name, 3})
}
func (s sampleRuns) Tail(context.Context, curlew.RunID, int) ([]curlew.LogLine, error) {
	return some(s.sample, curlew.LogLine{Seq: 1, At: noon, Level: curlew.LogWarn, Text: s.name})
}
func (s sampleRuns) Steer(_ context.Context, id curlew.RunID, step Step) error {
	*s.done = append(*s.done, string(step)+" "+string(id))
	return nil
}

// theatre shows one sample after another; making a console for each would take longer.
type theatre struct {
	mux *http.ServeMux
	now sample
}

func (t *theatre) Open(who auth.Identity) Rooms { return t.now.Open(who) }

var playing = newTheatre()

func newTheatre() *theatre {
	t := &theatre{mux: http.NewServeMux()}
	New(Options{House: t, Token: func(auth.Identity) string { return "the-token" }, Now: func() time.Time { return noon }}).Routes(t.mux)
	return t
}

// ask asks the console as somebody with a role.
func (s sample) ask(t *testing.T, role curlew.Role, method, at, form string) *httptest.ResponseRecorder {
	t.Helper()
	playing.now = s
	request := httptest.NewRequest(method, at, strings.NewReader(form))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	who := auth.Identity{Org: "acme", User: "usr_1", Session: "ses_1", Role: role, Name: "ada@example.org"}
	answer := httptest.NewRecorder()
	playing.mux.ServeHTTP(answer, request.WithContext(auth.With(t.Context(), who)))
	return answer
}
