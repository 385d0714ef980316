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
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/web/llm"
	"github.com/curlew-data/curlew/internal/web/llm/llmtest"
)

const fence = "f3b1c9d2a7e8"

var now = time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)

// programme is a list with a remark in it that anybody could have left.
func programme(remark string) *dom.Document {
	return dom.New([]byte(`<html lang="en"><head><title>Mill</title><script>var secret = "Ghost Concert"</script><style>.x{}</style></head><body>
<h1>Mill programme</h1><p style="display:none">Hidden Gala</p><!-- Comment Ball -->
<ul class="dates">
<li><b>Bread Night</b> <span class="when">5 May 2026, 19:30</span> <a href="/e/1">more</a> <i>12.50 EUR</i></li>
<li><b>Seed Swap</b> <span class="when">8 May 2026, 18:00</span> <a href="/e/2">more</a> <i>sold out</i></li>
<li><b>Rope Workshop</b> <span class="when">16 May 2026, 11:00</span> <a href="/e/3">more</a> <i>8.00 EUR</i></li>
<li><b>Barn Choir</b> <span class="when">24 May 2026, 15:00</span> <a href="/e/4">more</a> <i>5.00 EUR</i></li>
</ul><p class="comment">`+remark+`</p></body></html>`), "https://mill.example/programme")
}

const right = `{"curlew": 1, "schema": "event", "page": "list", "tier": "html", "records": {"css": "ul.dates > li"}, "fields": {
 "title": {"css": "b", "required": true}, "starts_at": {"css": ".when"}, "url": {"css": "a", "attr": "href"}, "price_min": {"css": "i", "do": ["number"]}}}`

// with is the right blueprint with other fields.
func with(fields string) string {
	return `{"curlew": 1, "schema": "event", "page": "list", "tier": "html", "records": {"css": "ul.dates > li"}, "fields": {` + fields + `}}`
}

const whole = `"title": {"css": "b"}, "starts_at": {"css": ".when"}, `

// scripted asks a server about the programme.
func scripted(t *testing.T, doc *dom.Document, script ...llmtest.Behaviour) (WriteResult, *llmtest.Server, error) {
	t.Helper()
	server := llmtest.Serve(t, script...)
	client, err := llm.New(llm.Settings{Provider: llm.OpenAI, BaseURL: server.URL, Model: "m", Timeout: 5 * time.Second, Tries: 2}, http.DefaultClient,
		llm.Options{Wait: func(context.Context, time.Duration) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	asked, err := Learn(t.Context(), client.For(llm.Attribution{}), curlew.SchemaEvent.Kind(), []induce.LabelledPage{{Document: doc, Now: now}}, Options{Fence: fence})
	return asked, server, err
}

func titles(t *testing.T, b *blueprint.Blueprint, doc *dom.Document) string {
	t.Helper()
	compiled, err := blueprint.Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, d := range compiled.Apply(blueprint.PageInput{Document: doc, Now: now}).Drafts {
		all = append(all, fmt.Sprint(d.Fields["title"]))
	}
	return strings.Join(all, ", ")
}

func TestAnHonestModelIsTakenAtItsFirstWord(t *testing.T) {
	for name, behave := range map[string]llmtest.Behaviour{"plain": llmtest.Says(right), "fenced": llmtest.Fenced(right)} {
		t.Run(name, func(t *testing.T) {
			doc := programme("Lovely.")
			asked, server, err := scripted(t, doc, behave)
			if err != nil || asked.Blueprint == nil || len(asked.Rounds) != 1 || len(asked.Rounds[0].Feedback) > 0 {
				t.Fatalf("%+v, %v", asked, err)
			}
			if got := titles(t, asked.Blueprint, doc); got != "Bread Night, Seed Swap, Rope Workshop, Barn Choir" {
				t.Errorf("%s", got)
			}
			if asked.Proof.Records != 4 || asked.Blueprint.Expect == nil || asked.Blueprint.URL != "https://mill.example/programme" || asked.Rounds[0].Usage.InputTokens == 0 {
				t.Errorf("%+v, %+v", asked.Proof, asked.Rounds)
			}
			if len(server.Calls()) != 1 || server.Calls()[0].Tools {
				t.Errorf("%d calls", len(server.Calls()))
			}
		})
	}
}

func TestWhatIsWrongIsToldAndCorrected(t *testing.T) {
	for name, c := range map[string]struct {
		first llmtest.Behaviour
		told  string
	}{
		"no JSON":         {llmtest.Says("I cannot do that."), "not one JSON object"},
		"half JSON":       {llmtest.Says(right[:200]), "not one JSON object"},
		"cut off":         {llmtest.Cut(right), "cut off"},
		"a list":          {llmtest.Says("[1, 2]"), "not one JSON object"},
		"another shape":   {llmtest.Says(`{"title": "Bread Night"}`), "/title"},
		"another schema":  {llmtest.Says(strings.Replace(right, `"event"`, `"product"`, 1)), "/fields/price_min"},
		"no such field":   {llmtest.Says(with(whole + `"headliner": {"css": "b"}`)), "/fields/headliner"},
		"bad selector":    {llmtest.Says(with(whole + `"url": {"css": "a["}`)), "/fields/url/css"},
		"nothing there":   {llmtest.Says(strings.Replace(right, "ul.dates", "ul.events", 1)), "selects nothing"},
		"no dates":        {llmtest.Says(with(`"title": {"css": "b"}, "starts_at": {"css": "a"}`)), "/fields/starts_at"},
		"one title":       {llmtest.Says(with(`"title": {"css": "h1", "from": "page"}, "starts_at": {"css": ".when"}`)), "the same"},
		"in a script":     {llmtest.Says(with(whole + `"venue_name": {"xpath": "//script", "do": [{"op": "match", "text": "Ghost [A-Za-z]+"}]}`)), "/fields/venue_name"},
		"hidden":          {llmtest.Says(with(whole + `"venue_name": {"xpath": "/html/body/p[1]"}`)), "/fields/venue_name"},
		"a comment":       {llmtest.Says(with(whole + `"venue_name": {"xpath": "//comment()"}`)), "/fields/venue_name"},
		"a constant":      {llmtest.Says(with(whole + `"venue_name": {"constant": "Town Hall"}`)), "constant"},
		"constant, shown": {llmtest.Says(with(whole + `"venue_name": {"constant": "Bread Night"}`)), "constant"},
		"mapped":          {llmtest.Says(with(whole + `"status": {"css": "b", "constant": "cancelled"}`)), "/fields/status"},
		"joined words":    {llmtest.Says(with(whole + `"venue_name": {"join": [{"css": "b"}, {"css": ".when"}], "with": " in Paris on "}`)), "with"},
		"written words":   {llmtest.Says(with(whole + `"venue_name": {"css": "b", "do": [{"op": "replace", "text": "Night", "with": "Riot"}]}`)), "writes words"},
		"glued words":     {llmtest.Says(with(whole + `"venue_name": {"css": "b", "do": [{"op": "remove", "text": "a"}]}`)), "/fields/venue_name"},
		"cut words":       {llmtest.Says(with(whole + `"venue_name": {"css": "b", "do": [{"op": "slice", "n": 1, "to": 4}]}`)), "/fields/venue_name"},
		"other site":      {llmtest.Says(with(whole + `"url": {"css": "a", "attr": "href", "do": [{"op": "replace", "text": "/e/", "with": "//evil.example/e/"}]}`)), "/fields/url"},
		"one price":       {llmtest.Says(with(whole + `"price_min": {"css": "i", "from": "page"}`)), "/fields/price_min"},
	} {
		t.Run(name, func(t *testing.T) {
			asked, server, err := scripted(t, programme("Lovely."), c.first, llmtest.Says(right))
			if err != nil || asked.Blueprint == nil || len(asked.Rounds) != 2 {
				t.Errorf("%+v, %v", asked.Rounds, err)
				return
			}
			calls := server.Calls()
			if told := calls[1].Last(); !strings.Contains(told, c.told) || len(calls[1].Turns) != 3 {
				t.Errorf("the model was told %s", told)
			}
			if len(asked.Blueprint.Fields) != 4 {
				t.Errorf("%d fields were taken", len(asked.Blueprint.Fields))
			}
		})
	}
}

func TestAStubbornModelCostsItsWrongFieldsAtMost(t *testing.T) {
	asked, server, err := scripted(t, programme(""), llmtest.Says(with(whole+`"venue_name": {"constant": "Town Hall"}, "category": {"css": ".none"}`)))
	if err != nil || asked.Blueprint == nil || len(server.Calls()) != 3 {
		t.Fatalf("%d calls, %v", len(server.Calls()), err)
	}
	if _, has := asked.Blueprint.Fields["venue_name"]; has || !strings.Contains(strings.Join(asked.Proof.Notes, " "), "left out: /fields/venue_name") {
		t.Errorf("%+v", asked)
	}
	asked, _, err = scripted(t, programme(""), llmtest.Says(with(`"title": {"constant": "Bread Night"}, "starts_at": {"css": ".when"}`)))
	if fault := curlew.AsFault(err); asked.Blueprint != nil || !errors.Is(fault, curlew.Code("model_failed")) || len(asked.Rounds) != 3 {
		t.Errorf("%+v, %v", asked, err)
	}
}

func TestAModelThatFailsIsAFaultAndNothingElse(t *testing.T) {
	for code, behave := range map[curlew.Code]llmtest.Behaviour{
		"llm_key_refused": llmtest.Fails(401, ""), "llm_server_failed": llmtest.Fails(500, ""), "llm_bad_answer": llmtest.Raw("{"),
		"llm_answer_too_large": llmtest.Huge(3 << 20), "llm_connection_lost": llmtest.Breaks(),
	} {
		t.Run(string(code), func(t *testing.T) {
			asked, _, err := scripted(t, programme(""), behave)
			if fault := curlew.AsFault(err); asked.Blueprint != nil || !errors.Is(fault, code) {
				t.Errorf("%+v, %v", asked, err)
			}
		})
	}
	asked, _, err := scripted(t, programme(""), llmtest.Fails(429, ""), llmtest.Says(right))
	if err != nil || asked.Blueprint == nil {
		t.Errorf("after 429: %v", err)
	}
	asked, _, err = scripted(t, programme(""), llmtest.Says(with(whole+`"city": {"constant": "Paris"}`)), llmtest.Fails(401, ""))
	if err != nil || asked.Blueprint == nil {
		t.Errorf("what was already good is lost: %v", err)
	}
}

func TestHealingMustFindWhatWasKnown(t *testing.T) {
	old, err := blueprint.Parse([]byte(strings.Replace(right, "ul.dates", "ol.old", 1)))
	if err != nil {
		t.Fatal(err)
	}
	old.Name = "Mill"
	past := []induce.PastRecord{
		{Now: now, Fields: map[string][]string{"title": {"Bread Night"}, "starts_at": {"2026-05-05T19:30:00"}}},
		{Now: now, Fields: map[string][]string{"title": {"Gone Gala"}, "starts_at": {"2026-04-02T19:30:00"}}},
	}
	for name, c := range map[string]struct {
		says string
		ok   bool
	}{
		"right":         {right, true},
		"other records": {`{"curlew": 1, "schema": "event", "page": "list", "tier": "html", "records": {"css": "body > p"}, "fields": {"title": {"css": ""}}}`, false},
		"swapped":       {with(`"title": {"css": "a"}, "starts_at": {"css": ".when"}`), false},
	} {
		t.Run(name, func(t *testing.T) {
			server := llmtest.Serve(t, llmtest.Says(c.says))
			client, err := llm.New(llm.Settings{Provider: llm.Anthropic, BaseURL: server.URL, Model: "m"}, http.DefaultClient, llm.Options{})
			if err != nil {
				t.Fatal(err)
			}
			asked, err := Heal(t.Context(), client.For(llm.Attribution{}),
				induce.Case{Old: old, Past: past, Pages: []induce.DatedPage{{Document: programme(""), Now: now}}}, Options{Fence: fence, Rounds: 1})
			if c.ok != (err == nil && asked.Blueprint != nil) {
				t.Errorf("%+v, %v", asked, err)
			}
			if c.ok {
				found, known := asked.Proof.Found()
				if found != 2 || known != 4 || asked.Blueprint.Name != "Mill" {
					t.Errorf("%d of %d, %q", found, known, asked.Blueprint.Name)
				}
			}
		})
	}
}

func TestKnownValuesAreShownAndFoundAgain(t *testing.T) {
	doc := dom.New([]byte(`<h1>Gull 250</h1><table><tr><td>Weight<td>120kg</tr></table>`), "https://boats.example/gull")
	server := llmtest.Serve(t, llmtest.Says(`{"curlew": 1, "schema": "custom", "page": "single", "tier": "html", "fields": {"name": {"css": "h1"}, "weight": {"label": "Weight", "do": ["number"]}}}`))
	client, err := llm.New(llm.Settings{Provider: llm.OpenAI, BaseURL: server.URL, Model: "m"}, http.DefaultClient, llm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	asked, err := Learn(t.Context(), client.For(llm.Attribution{}), curlew.SchemaCustom.Kind(),
		[]induce.LabelledPage{{Document: doc, Now: now, Fields: map[string][]string{"name": {"Gull 250"}, "weight": {"120"}}}}, Options{Fence: fence})
	if err != nil {
		t.Fatal(err)
	}
	if found, known := asked.Proof.Found(); found != 2 || known != 2 {
		t.Errorf("%d of %d: %+v", found, known, asked.Proof)
	}
	if !strings.Contains(server.Calls()[0].Last(), `{"name":["Gull 250"],"weight":["120"]}`) {
		t.Errorf("the model was asked %s", server.Calls()[0].Last())
	}
}
