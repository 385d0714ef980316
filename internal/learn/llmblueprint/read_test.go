package llmblueprint

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/web/llm"
	"github.com/curlew-data/curlew/internal/web/llm/llmtest"
)

var millPage = dom.New([]byte(`<html lang="en"><body><h1>Mill programme</h1>
<p>On the first of the month we meet: Seed Swap, 8 May 2026, 18:00, in the Old Barn. <a href="/e/1">More</a></p>
<p>Then comes the Rope Workshop, 16 May 2026, 11:00, in the Harbour Hall.</p><p style="display:none">Secret Supper, 1 May 2026</p></body></html>`),
	"https://mill.example/programme")

// readBy lets a model of the test read the millPage.
func readBy(t *testing.T, provider llm.Provider, behave llmtest.Behaviour) ([]curlew.Draft, *llmtest.Server, *llm.MemoryMeter, error) {
	t.Helper()
	server, tally := llmtest.Serve(t, behave, behave), &llm.MemoryMeter{}
	client, err := llm.New(llm.Settings{Provider: provider, BaseURL: server.URL, Model: "m", Timeout: llmtest.Patience(behave), Tries: 1}, http.DefaultClient,
		llm.Options{Meter: tally, Wait: func(context.Context, time.Duration) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	drafts, err := Read(t.Context(), client.For(llm.Attribution{Org: "acme", Source: "src_1", Purpose: curlew.PurposeRead}), curlew.SchemaEvent.Kind(), induce.DatedPage{Document: millPage, Now: now},
		Options{Fence: fence})
	return drafts, server, tally, err
}

func TestWhatAModelReadsMustBeOnThePage(t *testing.T) {
	const answer = `{"records": [
		{"title": "Seed Swap", "starts_at": "8 May 2026, 18:00", "venue_name": "Old Barn", "url": "/e/1", "organizer": "The Mayor", "invented": "x"},
		{"title": "Rope Workshop", "starts_at": "16 May 2026, 11:00", "venue_name": "Harbour Hall", "url": "https://evil.example/", "price_min": "12.00"},
		{"title": "Secret Supper", "starts_at": "1 May 2026"},
		{"title": "Gala Night", "starts_at": "24 May 2026, 20:00"},
		{"starts_at": "8 May 2026, 18:00"}]}`
	for _, provider := range formats {
		t.Run(string(provider), func(t *testing.T) {
			drafts, server, tally, err := readBy(t, provider, llmtest.Fenced(answer))
			if err != nil || len(drafts) != 2 {
				t.Fatalf("%v, %v", drafts, err)
			}
			if got := fmt.Sprint(drafts[0].Fields, drafts[0].URL); got != "map[starts_at:8 May 2026, 18:00 title:Seed Swap url:https://mill.example/e/1 venue_name:Old Barn]https://mill.example/e/1" {
				t.Errorf("%s", got)
			}
			if got := fmt.Sprint(drafts[1].Fields); got != "map[starts_at:16 May 2026, 11:00 title:Rope Workshop venue_name:Harbour Hall]" {
				t.Errorf("%s", got)
			}
			for name, e := range drafts[0].Provenance {
				if e.Tier != curlew.TierLLM || e.Rule != ReadByModel || e.Text == "" {
					t.Errorf("the evidence of %s is %+v", name, e)
				}
			}
			if calls := tally.Calls(); len(calls) != 1 || calls[0].Purpose != curlew.PurposeRead || calls[0].Source != "src_1" {
				t.Errorf("kept %+v", calls)
			}
			if asked := server.Calls()[0]; asked.Tools || strings.Contains(asked.Turns[0], "Secret Supper") || !strings.Contains(asked.Turns[0], "[https://mill.example/e/1]") {
				t.Errorf("asked %s", asked.Turns[0])
			}
		})
	}
}

func TestAModelThatReadsNothingIsAFault(t *testing.T) {
	for name, behave := range map[string]llmtest.Behaviour{
		"lies":    llmtest.Says(`{"records": [{"title": "Gala Night", "starts_at": "24 May 2026, 20:00"}]}`),
		"garbage": llmtest.Raw("<html>502"),
		"words":   llmtest.Says("I see two events."),
		"cut":     llmtest.Cut(`{"records": [{"title": "Seed Swap", "starts_at": "8 May 2026, 18:00"}]}`),
		"slow":    llmtest.Hangs(),
		"huge":    llmtest.Huge(64 << 20),
	} {
		t.Run(name, func(t *testing.T) {
			if drafts, _, _, err := readBy(t, llm.OpenAI, behave); err == nil || len(drafts) > 0 || curlew.AsFault(err).Code == curlew.ErrUnexpected {
				t.Errorf("%v, %v", drafts, err)
			}
		})
	}
	if drafts, _, _, err := readBy(t, llm.OpenAI, llmtest.Says(`{"records": []}`)); err != nil || len(drafts) != 0 {
		t.Errorf("of an empty page: %v, %v", drafts, err)
	}
}

func TestSettingsComeFromWordsOfThePerson(t *testing.T) {
	server := llmtest.Serve(t, llmtest.Fenced(`{"settings": [{"words": "tylko koncerty", "setting": "kind", "value": "event"},
		{"words": "concerts only", "setting": "kind", "value": "job"}, {"words": "", "setting": "upcoming", "value": "yes"}]}`), llmtest.Says("no"))
	client, err := llm.New(llm.Settings{Provider: llm.OpenAI, BaseURL: server.URL, Model: "m", Timeout: time.Minute, Tries: 1}, http.DefaultClient, llm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ask := func() ([]Interpretation, error) {
		return Interpret(t.Context(), client.For(llm.Attribution{Purpose: curlew.PurposeHear}), "tylko koncerty w maju", []curlew.SchemaName{"event", "job"}, Options{Fence: fence})
	}
	if got, err := ask(); err != nil || fmt.Sprint(got) != "[{tylko koncerty kind event}]" {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := ask(); !errors.Is(err, curlew.Code("model_failed")) {
		t.Errorf("%v", err)
	}
}

func TestNamesOfFieldsAreGoodAndNobodyElses(t *testing.T) {
	server := llmtest.Serve(t, llmtest.Fenced(`{"names": {"text_2": "landlord", "text_3": "Landlord!", "text_4": "title", "text_5": "landlord", "unknown": "x"}}`),
		llmtest.Raw("<html>"))
	client, err := llm.New(llm.Settings{Provider: llm.OpenAI, BaseURL: server.URL, Model: "m", Timeout: time.Minute, Tries: 1}, http.DefaultClient, llm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	fields := []FieldSample{{Name: "title", Type: curlew.TypeText}, {Name: "text_2", Type: curlew.TypeText, Values: []string{"Ada Home Ltd"}},
		{Name: "text_3", Type: curlew.TypeText}, {Name: "text_4", Type: curlew.TypeText}, {Name: "text_5", Type: curlew.TypeText}}
	ask := func() (map[string]string, error) {
		return NameFields(t.Context(), client.For(llm.Attribution{Purpose: curlew.PurposeName}), fields, Options{Fence: fence})
	}
	if got, err := ask(); err != nil || fmt.Sprint(got) != "map[text_2:landlord]" {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := ask(); err == nil {
		t.Error("garbage was taken for names")
	}
}
