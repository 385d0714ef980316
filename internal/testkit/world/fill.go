package world

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// IDs are the ids of what an org holds, by their prefixes; "les" is a training, and "" the
// name of a kind.
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

// Fill gives an org one of everything, each called by a name. What is called Hostile has
// hostile addresses, too, and is hostile wherever somebody can write.
func (w *World) Fill(org curlew.OrgID, name string) IDs {
	w.Helper()
	f := filler{World: w, name: name, link: "https://example.org/", at: time.Now(), has: IDs{}}
	steps := []func() error{f.site, f.watching, f.reading, f.telling, f.judging}
	if name == Hostile {
		f.link = "javascript:alert(1)"
		steps = append(steps, f.worsen, f.worsenFields)
	}
	err := w.I.Store.Write(w.Context(), org, func(s store.WriteScope) error {
		f.WriteScope = s
		for _, fill := range steps {
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

// object is one of JSON.
type object = map[string]any

// The ids of what was added already.
func (f *filler) source() curlew.SourceID             { return curlew.SourceID(f.has["src"]) }
func (f *filler) blueprint() curlew.BlueprintID       { return curlew.BlueprintID(f.has["bp"]) }
func (f *filler) watch() curlew.WatchID               { return curlew.WatchID(f.has["wat"]) }
func (f *filler) run() curlew.RunID                   { return curlew.RunID(f.has["run"]) }
func (f *filler) entity() curlew.EntityID             { return curlew.EntityID(f.has["ent"]) }
func (f *filler) subscription() curlew.SubscriptionID { return curlew.SubscriptionID(f.has["sub"]) }

// site adds a source with a blueprint, and a candidate that was tested.
func (f *filler) site() error {
	ctx, score := f.Context(), 91
	source, err := f.Sources().Add(ctx, curlew.Source{Name: f.name, BaseURL: f.link, Trust: curlew.TrustProbation,
		Quality: &score, Why: f.name})
	if err := kept(f.has, "src", source.ID, err); err != nil {
		return err
	}
	blueprint, err := f.Blueprints().Add(ctx, curlew.Blueprint{Source: source.ID, Schema: curlew.SchemaEvent, PageType: curlew.PageList,
		Tier: curlew.TierHTML, Rules: raw(Rules(f.name, "h2")), TestURL: f.link})
	if err := kept(f.has, "bp", blueprint.ID, err); err != nil {
		return err
	}
	candidate, err := f.Candidates().Add(ctx, curlew.Candidate{URL: f.link, Name: f.name, Instructions: f.name,
		Priority: 2, Strategy: f.name,
		LastError: f.name, Review: true, Report: raw(f.analysis())})
	if err := kept(f.has, "can", candidate.ID, err); err != nil {
		return err
	}
	kind := curlew.Schema{Name: curlew.SchemaName("lot_" + plain(f.name)), Title: "subject", Identity: [][]string{{"subject"}},
		Fields: []curlew.Field{{Name: "subject", Type: curlew.TypeText, Labels: []string{f.name}},
			{Name: "state", Type: curlew.TypeChoice, Choices: []string{f.name}}}}
	if err := kept(f.has, "", kind.Name, f.Kinds().Add(ctx, kind)); err != nil {
		return err
	}
	for _, to := range []curlew.CandidateStatus{curlew.CandidateAnalyzing, curlew.CandidateFeasible,
		curlew.CandidateGenerating, curlew.CandidateTesting} {
		if _, err := f.Candidates().Move(ctx, candidate.ID, to, f.name); err != nil {
			return err
		}
	}
	return nil
}

// plain are the letters of a name.
func plain(name string) string {
	letters := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(name))
	return letters[:min(len(letters), 30)]
}

// Rules are those of a list of events whose titles stand in an element.
func Rules(name, title string) map[string]any {
	return object{"curlew": 1, "name": name, "schema": "event", "page": "list", "tier": "html", "records": object{"css": "article"},
		"fields": object{"title": object{"css": title}, "starts_at": object{"css": "time"}, "venue_name": object{"column": name}}}
}

// analysis is what onboarding found out about a candidate.
func (f *filler) analysis() object {
	report := object{"score": 87, "verdict": "proceed", "reason": f.name, "recommendation": f.name, "language": f.name,
		"breakdown": []object{{"name": f.name, "points": 3, "most": 5, "why": f.name}}, "sample": []object{{"title": f.name}},
		"risks": []string{f.name}, "good_signs": []string{f.name}}
	trial := object{"iteration": 1, "tier": "html", "what": f.name, "score": 91, "passed": true,
		"feedback": []string{f.name}, "card": f.card()}
	return object{"analysis": object{"report": report}, "trials": []object{trial}}
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
	watch, err := f.Watches().Add(ctx, curlew.Watch{Source: f.source(), Blueprint: f.blueprint(),
		URL: "https://example.org/e", Schedule: "adaptive",
		Status: curlew.WatchActive, Name: f.name, LastError: f.name, LastRunAt: &f.at,
		Held: &curlew.Hold{Run: run.ID, Since: f.at, Missing: 3, Of: 5, Why: f.name}})
	return kept(f.has, "wat", watch.ID, err)
}

// reading adds a page, a record of it and the entity that it tells of.
func (f *filler) reading() error {
	ctx := f.Context()
	page, err := f.Pages().Add(ctx, curlew.Page{Source: f.source(), Run: f.run(), URL: f.link + "page",
		FinalURL: f.link + "page", Status: 500,
		Outcome: curlew.OutcomeFailed, Why: f.name, Bytes: 9, TookMillis: 5, FetchedAt: f.at})
	if err := kept(f.has, "pag", page.ID, err); err != nil {
		return err
	}
	fields := curlew.Values{"title": f.name}
	evidence := curlew.Evidence{Tier: curlew.TierHTML, Rule: f.name, Text: f.name, Seen: curlew.SeenVisible, Confidence: 0.9,
		Rivals: []curlew.Rival{{Value: f.name, Tier: curlew.TierHTML}}}
	record, err := f.Records().Add(ctx, curlew.Record{Source: f.source(), Run: f.run(), Page: page.ID, Blueprint: f.blueprint(),
		Schema: curlew.SchemaEvent, ExternalID: "1", URL: f.link, Fields: fields,
		Provenance: map[string]curlew.Evidence{"title": evidence}})
	if err := kept(f.has, "rec", record.ID, err); err != nil {
		return err
	}
	entity, err := f.Entities().Add(ctx, curlew.Entity{Source: f.source(), Schema: curlew.SchemaEvent, ExternalID: "1", URL: f.link,
		Status: curlew.EntityActive, Version: 1, Record: record.ID, Fields: fields, FirstSeenAt: f.at, LastSeenAt: f.at})
	return kept(f.has, "ent", entity.ID, err)
}

// picture is the entity as a change shows it.
func (f *filler) picture() *curlew.EntityPicture {
	return &curlew.EntityPicture{Schema: curlew.SchemaEvent, ExternalID: "1", Status: curlew.EntityActive,
		Fields: curlew.Values{"title": f.name}}
}

// telling adds a change, its publication, and a subscription to which it was not delivered.
func (f *filler) telling() error {
	ctx := f.Context()
	change, err := f.Changes().Add(ctx, curlew.Change{Kind: curlew.EntityAppeared, Source: f.source(),
		Watch: f.watch(), Entity: f.entity(), Version: 1,
		Run: f.run(), Payload: raw(curlew.ChangePayload{Reason: f.name, Entity: f.picture()})})
	if err := kept(f.has, "chg", change.ID, err); err != nil {
		return err
	}
	publication, err := f.Publications().Add(ctx, curlew.Publication{Run: f.run(), Scope: "watch:" + f.has["wat"],
		Decision: curlew.PublishChanged, Class: curlew.ContentChanged, Reason: f.name})
	if err := kept(f.has, "pub", publication.ID, err); err != nil {
		return err
	}
	sub, err := f.Subscriptions().Add(ctx, curlew.Subscription{Name: f.name, Channel: curlew.ChannelWebhook,
		Status: curlew.SubscriptionActive,
		Target: json.RawMessage(`{"url":"https://127.0.0.1/hook","secrets":[{"key":"whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"}]}`),
		Health: curlew.EndpointHealth{LastError: f.name, DisabledWhy: f.name}})
	if err := kept(f.has, "sub", sub.ID, err); err != nil {
		return err
	}
	delivery, err := f.Deliveries().Add(ctx, curlew.Delivery{Change: change.ID, Entity: change.Entity, Subscription: sub.ID,
		Status: curlew.DeliveryDead, Sequence: change.Sequence, LastError: f.name})
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
	if err := f.Scorecards().Add(ctx, curlew.Scorecard{Source: f.source(), Run: f.run(), Score: 91,
		Card: raw(f.card()), At: f.at}); err != nil {
		return err
	}
	err := f.Heals().Add(ctx, curlew.Heal{Run: f.run(), Source: f.source(), Watch: f.watch(), Outcome: curlew.HealDone, From: f.blueprint(),
		BeganAt: f.at, EndedAt: f.at, Report: f.report()})
	if err != nil {
		return err
	}
	return f.ModelCalls().Add(ctx, curlew.ModelCall{Source: f.source(), At: f.at,
		ModelUsage: curlew.ModelUsage{Provider: "test", Model: f.name,
			Purpose: curlew.PurposeLearn, InputTokens: 10, OutputTokens: 20, CostMicros: 250_000, Outcome: curlew.ModelAnswered}})
}

func (f *filler) card() object {
	return object{"score": 91, "verdict": "deploy", "reason": f.name, "sample": 5,
		"dimensions": []object{{"title": f.name, "share": 25, "applies": true, "score": 80, "good": 4, "of": 5, "sentence": f.name}}}
}

func (f *filler) report() curlew.HealReport {
	shadow := &curlew.Shadow{Basis: f.name, Reasons: []string{f.name}, Before: curlew.ShadowSide{Version: 1, Tier: "html"},
		After: curlew.ShadowSide{Tier: "html"}, Known: curlew.Beside{Old: 2, Both: 1, OldOnly: []string{f.name},
			Fields: []curlew.FieldAgreement{{Field: "title", Same: 1}}}}
	return curlew.HealReport{Cause: f.name, How: f.name, Shadow: shadow, Timeline: []curlew.HealStep{{At: f.at, What: f.name, Good: true}},
		Changes: []string{f.name}, Known: 5, Possible: 5, Found: 5,
		Values: []curlew.ComparedValue{{Entity: f.name, Field: "title", Old: f.name, New: f.name, Why: f.name}},
		Proof: raw(object{"pages": 1, "records": 5, "fields": []object{{"field": f.name, "known": 5, "rule": f.name}},
			"notes": []string{f.name}}),
		Drift: raw(object{"distance": 0.4, "summary": []string{f.name},
			"lines": []object{{"before": f.name, "after": "section", "same": false}}})}
}

// worsen writes the name where only a store that was tampered with has it: as a schedule,
// a filter and a fault.
func (f *filler) worsen() error {
	ctx := f.Context()
	watch, err := f.Watches().Lock(ctx, f.watch())
	if err != nil {
		return err
	}
	watch.Schedule = f.name
	if err := f.Watches().Save(ctx, watch); err != nil {
		return err
	}
	sub, err := f.Subscriptions().Lock(ctx, f.subscription())
	if err != nil {
		return err
	}
	sub.Filter, sub.Digest = f.name, f.name
	if err := f.Subscriptions().Save(ctx, sub); err != nil {
		return err
	}
	run, err := f.Runs().Lock(ctx, f.run())
	if err != nil {
		return err
	}
	run.State, run.Fault = curlew.RunFailed, curlew.Permanent("x", "%s", f.name)
	run.Summary, run.StartedAt, run.FinishedAt = f.name, &f.at, &f.at
	return f.Runs().Save(ctx, run)
}

// worsenFields lets a field be called by the name, and change.
func (f *filler) worsenFields() error {
	ctx := f.Context()
	all, err := f.Entities().ByIDs(ctx, []curlew.EntityID{f.entity()})
	if err != nil {
		return err
	}
	entity := all[0]
	entity.ExternalID, entity.Version, entity.Fields[f.name] = f.name, 2, f.name
	if err := f.Entities().Save(ctx, entity); err != nil {
		return err
	}
	_, err = f.Changes().Add(ctx, curlew.Change{Kind: curlew.EntityChanged, Source: f.source(), Watch: f.watch(),
		Entity: entity.ID, Version: 2, Run: f.run(),
		Payload: raw(curlew.ChangePayload{Reason: f.name, Entity: f.picture(),
			Changes: []curlew.FieldChange{{Field: f.name, Old: f.name}}})})
	return err
}

// people adds an editor who is signed in, and a key. They may be called what no use case takes.
func (f *filler) people(org curlew.OrgID) {
	f.Helper()
	operator := auth.Operator(org)
	editor := curlew.Member{User: curlew.User{Email: string(org) + "@example.org", Name: f.name}, Role: curlew.RoleEditor}
	person, _, err := f.I.Store.Accounts().AddMember(f.Context(), org, editor, 0, curlew.AuditEntry{})
	if err != nil {
		f.Fatal(err)
	}
	f.has["usr"], f.has["ses"] = string(person.ID), string(f.SignInAgain(person, f.name).Session)
	key, _, err := f.Accounts.AddKey(f.Context(), operator, f.name, []curlew.KeyScope{curlew.ScopeRead}, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.has["key"] = string(key.ID)
	if err := f.I.Store.Accounts().Record(f.Context(), org,
		f.Accounts.Entry(operator, "key.add", f.has["key"], map[string]any{"name": f.name})); err != nil {
		f.Fatal(err)
	}
}
