package store_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// world is one of everything, each referring to the others.
type world struct {
	source       curlew.Source
	candidate    curlew.Candidate
	blueprint    curlew.Blueprint
	watch        curlew.Watch
	run          curlew.Run
	page         curlew.Page
	record       curlew.Record
	entity       curlew.Entity
	first        curlew.Publication
	publication  curlew.Publication
	change       curlew.Change
	subscription curlew.Subscription
	delivery     curlew.Delivery
	key          curlew.APIKey
}

// fill puts one of everything into an org. A later fill adds another one.
func (b *bench) fill(t *testing.T, org curlew.OrgID) world {
	t.Helper()
	var w world
	b.write(t, org, func(s store.WriteScope) error {
		for _, n := range nouns() {
			if err := n.add(t.Context(), s, &w); err != nil {
				return fmt.Errorf("%s: %w", n.name, err)
			}
		}
		if _, err := s.Candidates().Move(t.Context(), w.candidate.ID, curlew.CandidateAnalyzing, "its turn"); err != nil {
			return err
		}
		if err := s.Sources().SetPicture(t.Context(), w.source.ID, curlew.Picture{Type: "image/gif", Body: []byte("GIF89a")}); err != nil {
			return err
		}
		if err := b.fillReading(t.Context(), s, &w); err != nil {
			return err
		}
		if err := b.fillWatching(t.Context(), s, &w); err != nil {
			return err
		}
		if err := b.fillOnboarding(t.Context(), s, &w); err != nil {
			return err
		}
		if err := b.fillAccounts(t.Context(), s); err != nil {
			return err
		}
		if _, err := s.Idempotency().Claim(t.Context(), "key-1", "request", 0, 0); err != nil {
			return err
		}
		return s.Runs().AppendLog(t.Context(), w.run.ID, curlew.LogLine{Level: curlew.LogInfo, Text: "begun"})
	})
	return w
}

// The samples leave no field out that the store takes from its caller.

var (
	morning = time.Date(2026, 7, 1, 8, 30, 0, 123456000, time.UTC)
	evening = morning.Add(12 * time.Hour)
	words   = "Ünïcode, 'quotes', \"more\", {braces}, ? and\na new line — 🐦"
)

func pointer[T any](value T) *T { return &value }

func sampleSource(*world) curlew.Source {
	return curlew.Source{Name: words, BaseURL: "https://example.org/", Trust: curlew.TrustProbation, MinURLs: 3,
		ProbationUntil: &evening, GoodRuns: 2, HealFailures: 1, Quality: pointer(81), Why: words,
		Rules: curlew.SourceRules{Category: "music", Zone: "Europe/Oslo"}}
}

func sampleCandidate(w *world) curlew.Candidate {
	return curlew.Candidate{URL: "https://example.org/events", Name: words, Instructions: words, Priority: curlew.PriorityHigh,
		AutoDeploy: true, Feasibility: pointer(0), Quality: pointer(88), Strategy: "html",
		Report: json.RawMessage(`{"b": [1, 2.5, null], "a": {"text": "` + "é" + `"}}`), Attempts: 2, LastError: words,
		Fingerprint: "f00d", Source: w.source.ID, Watch: "wat_x", Review: true}
}

func sampleBlueprint(w *world) curlew.Blueprint {
	return curlew.Blueprint{Source: w.source.ID, Schema: curlew.SchemaEvent, PageType: curlew.PageList, Tier: curlew.TierHTML,
		Rules: json.RawMessage(`{"title": {"css": "h2 > a", "{word}": "?"}, "n": 12345678901}`), TestURL: "https://example.org/events", Line: "list"}
}

func sampleWatch(w *world) curlew.Watch {
	return curlew.Watch{Source: w.source.ID, Blueprint: w.blueprint.ID, URL: "https://example.org/events", Schedule: "adaptive",
		Status: curlew.WatchActive, LastRunAt: &morning, NextRunAt: &evening, LastError: words, ConsecutiveFailures: 4,
		Name: words, Settings: curlew.WatchSettings{Zone: "Europe/Oslo", Ranked: true, RemovalShare: 0.25},
		Rhythm: curlew.Rhythm{Checks: 4, Exposure: 1.5}, SnapshotHash: "snap", RulesHash: "rules", Fingerprint: "finger",
		Held: &curlew.Hold{Run: "run_x", Since: morning, Missing: 40, Of: 50, Why: words}}
}

func sampleRun(w *world) curlew.Run {
	return curlew.Run{Kind: curlew.RunWatch, Scope: "source:" + string(w.source.ID), Plan: json.RawMessage(`{"steps": 3}`), Total: 1 << 40}
}

func samplePage(w *world) curlew.Page {
	return curlew.Page{Source: w.source.ID, Run: w.run.ID, URL: "https://example.org/e?page=1", FinalURL: "https://example.org/e",
		Redirects: []curlew.Hop{{URL: "https://example.org/e?page=1", Status: 301}}, Status: 200, Outcome: curlew.OutcomeBlocked,
		Block: curlew.BlockCaptcha, Why: "a captcha", Adapter: curlew.AdapterBrowser, FallbackWhy: "direct: forbidden",
		ContentType: "text/html; charset=utf-8", Charset: "utf-8", ETag: `"v1"`, LastModified: "Mon, 02 Mar 2026 10:00:00 GMT",
		Bytes: 5 << 30, Complete: true, Digest: "sha256:abc", HTMLHash: "h1", ArchiveRef: "warc/1.warc.gz:0", TookMillis: 17, FetchedAt: morning}
}

func sampleValues() curlew.Values {
	return curlew.Values{"title": words, "price": 1999.0, "rating": 4.25, "sold_out": false, "performers": []any{"A", "B"},
		"slots": map[string]any{"left": "x"}, "nothing": nil}
}

func sampleRecord(w *world) curlew.Record {
	return curlew.Record{Source: w.source.ID, Run: w.run.ID, Page: w.page.ID, Blueprint: w.blueprint.ID, Schema: curlew.SchemaEvent,
		ExternalID: "e-1", URL: "https://example.org/e/1", Fields: sampleValues(), Hash: "beef",
		Provenance: map[string]curlew.Evidence{"title": {Tier: curlew.TierHTML, Rule: "h2 > a", Node: "/html/body/h2[1]", Text: words,
			Confidence: 0.1}}}
}

func sampleEntity(w *world) curlew.Entity {
	return curlew.Entity{Source: w.source.ID, Schema: curlew.SchemaEvent, ExternalID: "e-1", Status: curlew.EntityActive, Version: 1,
		Fields: sampleValues(), Hash: "beef", FirstSeenAt: morning, LastSeenAt: evening,
		URL: "https://example.org/e/1", Record: w.record.ID, StaleSaid: true}
}

func samplePublication(w *world) curlew.Publication {
	return curlew.Publication{Run: w.run.ID, Scope: w.run.Scope, Decision: curlew.PublishChanged, Class: curlew.ContentChanged,
		SnapshotHash: "s", NormalizedHash: "n", EnvelopeHash: "e", Supersedes: w.first.ID, Reason: words, Entities: 12, Changes: 3}
}

func sampleChange(w *world) curlew.Change {
	return curlew.Change{Kind: curlew.EntityAppeared, Source: w.source.ID, Watch: w.watch.ID, Entity: w.entity.ID, Version: 1,
		Payload: json.RawMessage(`{"after": {"title": "x"}, "before": null}`), OccurredAt: morning, Run: w.run.ID}
}

func sampleSubscription(w *world) curlew.Subscription {
	return curlew.Subscription{Name: words, Kinds: []curlew.ChangeKind{curlew.EntityChanged, curlew.EntityAppeared},
		Filter: `city = "Paris"`, Digest: "daily", Pacing: curlew.Pacing{Settle: "10m", Quiet: "22:00-07:00", AtMost: 5}, Source: w.source.ID, Watch: w.watch.ID, Channel: curlew.ChannelWebhook,
		Target: json.RawMessage(`{"url": "https://hooks.example.org/?a=b"}`), Status: curlew.SubscriptionActive,
		Health: curlew.EndpointHealth{FailingSince: &morning, Failures: 3, LastError: words}}
}

func sampleDelivery(w *world) curlew.Delivery {
	return curlew.Delivery{Change: w.change.ID, Subscription: w.subscription.ID, Status: curlew.DeliveryPending, Attempts: 1,
		LastError: words, NextRetryAt: &evening, DeliveredAt: &morning, Sequence: 1, Entity: w.entity.ID,
		Receiver: "ana@example.org"}
}
