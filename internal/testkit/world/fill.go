package world

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"curlew/internal/app/auth"
	"curlew/internal/curlew"
	"curlew/internal/data/store"
)

// IDs are the ids of what an org holds, by their prefixes; "les" is a lesson.
type IDs map[string]string

// Path puts ids into a path whose parameters are given with the prefixes of their ids.
func (has IDs) Path(path string, params map[string]string) (string, error) {
	for name, prefix := range params {
		id, ok := has[prefix]
		if !ok {
			return "", fmt.Errorf("%s: nobody has a %s_", path, prefix)
		}
		path = strings.ReplaceAll(path, "{"+name+"}", id)
	}
	return path, nil
}

// filler adds to an org one thing after another, each called by the same name.
type filler struct {
	*World
	store.WriteScope
	name string
	link string // where things of the site are
	at   time.Time
	has  IDs
}

// Fill gives an org one of everything, each called by a name.
func (w *World) Fill(org curlew.OrgID, name string) IDs {
	w.Helper()
	f := filler{World: w, name: name, link: "https://example.org/", at: time.Now(), has: IDs{}}
	if name == Hostile {
		f.link = "javascript:alert(1)"
	}
	err := w.I.Store.Write(w.Context(), org, func(s store.WriteScope) error {
		f.WriteScope = s
		for _, fill := range []func() error{f.site, f.watching, f.reading, f.telling, f.judging} {
			if err := fill(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		w.Fatal(err)
	}
	f.people(org)
	return f.has
}

// kept notes the id of something that was added.
func kept[ID ~string](has IDs, prefix string, id ID, err error) error {
	has[prefix] = string(id)
	return err
}

func raw(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

// site adds a source with a blueprint, and a candidate that was tested.
func (f *filler) site() error {
	ctx, score := f.Context(), 91
	source, err := f.Sources().Add(ctx, curlew.Source{Name: f.name, BaseURL: f.link, Trust: curlew.TrustProbation, Quality: &score, Why: f.name})
	if err := kept(f.has, "src", source.ID, err); err != nil {
		return err
	}
	candidate, err := f.Candidates().Add(ctx, curlew.Candidate{URL: f.link, Name: f.name, Instructions: f.name, Priority: 2, Strategy: f.name, LastError: f.name, Review: true,
		Report: raw(map[string]any{
			"analysis": map[string]any{"report": map[string]any{"score": 87, "verdict": "proceed", "reason": f.name, "recommendation": f.name, "language": f.name,
				"breakdown": []map[string]any{{"name": f.name, "points": 3, "most": 5, "why": f.name}}, "sample": []map[string]any{{"title": f.name}},
				"risks": []string{f.name}, "good_signs": []string{f.name}}},
			"trials": []map[string]any{{"iteration": 1, "tier": "html", "what": f.name, "score": 91, "passed": true, "feedback": []string{f.name}, "card": f.card()}}})})
	if err := kept(f.has, "can", candidate.ID, err); err != nil {
		return err
	}
	for _, to := range []curlew.CandidateStatus{curlew.CandidateAnalyzing, curlew.CandidateFeasible, curlew.CandidateGenerating, curlew.CandidateTesting} {
		if _, err := f.Candidates().Move(ctx, candidate.ID, to, f.name); err != nil {
			return err
		}
	}
	blueprint, err := f.Blueprints().Add(ctx, curlew.Blueprint{Source: source.ID, Schema: curlew.SchemaEvent, PageType: curlew.PageList, Tier: curlew.TierHTML,
		Rules: raw(Rules(f.name, "h2")), TestURL: f.link})
	return kept(f.has, "bp", blueprint.ID, err)
}

// Rules are those of a list of events whose titles stand in an element.
func Rules(name, title string) map[string]any {
	return map[string]any{"curlew": 1, "name": name, "schema": "event", "page": "list", "tier": "html", "records": map[string]any{"css": "article"},
		"fields": map[string]any{"title": map[string]any{"css": title}, "starts_at": map[string]any{"css": "time"}}}
}

// watching adds a watch that holds a removal back, and a run with a log.
func (f *filler) watching() error {
	ctx := f.Context()
	run, err := f.Runs().Add(ctx, curlew.Run{Kind: curlew.RunDrill, Scope: "drill:" + f.name, Summary: f.name})
	if err := kept(f.has, "run", run.ID, err); err != nil {
		return err
	}
	if err := f.Runs().AppendLog(ctx, run.ID, curlew.LogLine{At: f.at, Level: curlew.LogWarn, Text: f.name}); err != nil {
		return err
	}
	watch, err := f.Watches().Add(ctx, curlew.Watch{Source: f.source(), Blueprint: curlew.BlueprintID(f.has["bp"]), URL: "https://example.org/e", Schedule: "adaptive", Status: curlew.WatchActive, Name: f.name,
		LastError: f.name, Held: &curlew.Hold{Run: run.ID, Since: f.at, Missing: 3, Of: 5, Why: f.name}, LastRunAt: &f.at})
	return kept(f.has, "wat", watch.ID, err)
}

func (f *filler) source() curlew.SourceID { return curlew.SourceID(f.has["src"]) }
func (f *filler) run() curlew.RunID       { return curlew.RunID(f.has["run"]) }

// reading adds a page, a record of it and the entity that it tells of.
func (f *filler) reading() error {
	ctx := f.Context()
	page, err := f.Pages().Add(ctx, curlew.Page{Source: f.source(), Run: f.run(), URL: f.link + "page", FinalURL: f.link + "page", Status: 500, Outcome: curlew.OutcomeFailed, Why: f.name,
		Bytes: 9, TookMillis: 5, FetchedAt: f.at})
	if err := kept(f.has, "pag", page.ID, err); err != nil {
		return err
	}
	fields := curlew.Values{"title": f.name}
	record, err := f.Records().Add(ctx, curlew.Record{Source: f.source(), Run: f.run(), Page: page.ID, Blueprint: curlew.BlueprintID(f.has["bp"]), Schema: curlew.SchemaEvent,
		ExternalID: "1", URL: f.link, Fields: fields, Provenance: map[string]curlew.Evidence{"title": {Tier: curlew.TierHTML, Rule: f.name, Text: f.name, Seen: curlew.SeenVisible,
			Confidence: 0.9, Rivals: []curlew.Rival{{Value: f.name, Tier: curlew.TierHTML}}}}})
	if err := kept(f.has, "rec", record.ID, err); err != nil {
		return err
	}
	entity, err := f.Entities().Add(ctx, curlew.Entity{Source: f.source(), Schema: curlew.SchemaEvent, ExternalID: "1", URL: f.link, Status: curlew.EntityActive, Version: 1,
		Record: record.ID, Fields: fields, FirstSeenAt: f.at, LastSeenAt: f.at})
	return kept(f.has, "ent", entity.ID, err)
}

// telling adds a change, its publication, and a subscription to which it was not delivered.
func (f *filler) telling() error {
	ctx, watch := f.Context(), curlew.WatchID(f.has["wat"])
	change, err := f.Changes().Add(ctx, curlew.Change{Kind: curlew.EntityAppeared, Source: f.source(), Watch: watch, Entity: curlew.EntityID(f.has["ent"]), Version: 1, Run: f.run(),
		Payload: raw(curlew.ChangePayload{Reason: f.name, Entity: &curlew.EntityPicture{Schema: curlew.SchemaEvent, ExternalID: "1", Status: curlew.EntityActive, Fields: curlew.Values{"title": f.name}}})})
	if err := kept(f.has, "chg", change.ID, err); err != nil {
		return err
	}
	publication, err := f.Publications().Add(ctx, curlew.Publication{Run: f.run(), Scope: "watch:" + string(watch), Decision: curlew.PublishChanged, Class: curlew.ContentChanged, Reason: f.name})
	if err := kept(f.has, "pub", publication.ID, err); err != nil {
		return err
	}
	sub, err := f.Subscriptions().Add(ctx, curlew.Subscription{Name: f.name, Channel: curlew.ChannelWebhook, Status: curlew.SubscriptionActive,
		Target: json.RawMessage(`{"url":"https://127.0.0.1/hook","secrets":[{"key":"whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"}]}`),
		Health: curlew.EndpointHealth{LastError: f.name, DisabledWhy: f.name}})
	if err := kept(f.has, "sub", sub.ID, err); err != nil {
		return err
	}
	delivery, err := f.Deliveries().Add(ctx, curlew.Delivery{Change: change.ID, Entity: change.Entity, Subscription: sub.ID, Status: curlew.DeliveryDead, Sequence: change.Sequence, LastError: f.name})
	if err := kept(f.has, "del", delivery.ID, err); err != nil {
		return err
	}
	delivery.Attempts = 1
	return f.Deliveries().EndAttempts(ctx, []curlew.Delivery{delivery},
		[]curlew.Attempt{{Delivery: delivery.ID, Number: 1, At: f.at, Status: 500, Answer: f.name, Error: f.name}})
}

// judging adds a scorecard, a heal with its report, and what asking a model cost.
func (f *filler) judging() error {
	ctx := f.Context()
	if err := f.Scorecards().Add(ctx, curlew.Scorecard{Source: f.source(), Run: f.run(), Score: 91, Card: raw(f.card()), At: f.at}); err != nil {
		return err
	}
	err := f.Heals().Add(ctx, curlew.Heal{Run: f.run(), Source: f.source(), Watch: curlew.WatchID(f.has["wat"]), Outcome: curlew.HealDone, From: curlew.BlueprintID(f.has["bp"]),
		BeganAt: f.at, EndedAt: f.at, Report: f.report()})
	if err != nil {
		return err
	}
	return f.ModelCalls().Add(ctx, curlew.ModelCall{Source: f.source(), At: f.at, ModelUsage: curlew.ModelUsage{Provider: "test", Model: f.name, Purpose: curlew.PurposeLearn,
		InputTokens: 10, OutputTokens: 20, CostMicros: 250_000, Outcome: curlew.ModelAnswered}})
}

func (f *filler) card() map[string]any {
	return map[string]any{"score": 91, "verdict": "deploy", "reason": f.name, "sample": 5,
		"dimensions": []map[string]any{{"title": f.name, "share": 25, "applies": true, "score": 80, "good": 4, "of": 5, "sentence": f.name}}}
}

func (f *filler) report() curlew.HealReport {
	shadow := &curlew.Shadow{Basis: f.name, Reasons: []string{f.name}, Before: curlew.ShadowSide{Version: 1, Tier: "html"}, After: curlew.ShadowSide{Tier: "html"},
		Known: curlew.Beside{Old: 2, Both: 1, OldOnly: []string{f.name}, Fields: []curlew.FieldAgreement{{Field: "title", Same: 1}}}}
	return curlew.HealReport{Cause: f.name, How: f.name, Shadow: shadow, Timeline: []curlew.HealStep{{At: f.at, What: f.name, Good: true}}, Changes: []string{f.name}, Known: 5, Found: 5,
		Proof: raw(map[string]any{"pages": 1, "records": 5, "fields": []map[string]any{{"field": f.name, "known": 5, "rule": f.name}}, "notes": []string{f.name}}),
		Drift: raw(map[string]any{"distance": 0.4, "summary": []string{f.name}, "lines": []map[string]any{{"before": f.name, "after": "section", "same": false}}})}
}

// people adds an editor who is signed in, and a key.
func (f *filler) people(org curlew.OrgID) {
	f.Helper()
	operator := auth.Operator(org)
	person, _, err := f.Accounts.AddUser(f.Context(), operator, string(org)+"@example.org", f.name, curlew.RoleEditor)
	if err != nil {
		f.Fatal(err)
	}
	f.has["usr"], f.has["ses"] = string(person.ID), string(f.SignInAgain(person, f.name).Session)
	key, _, err := f.Accounts.AddKey(f.Context(), operator, f.name, []curlew.KeyScope{curlew.ScopeRead}, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.has["key"] = string(key.ID)
}
