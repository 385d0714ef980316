package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/web/llm"
	"github.com/curlew-data/curlew/internal/web/llm/llmtest"
)

const key = "sk-test-0123456789abcdef"

var providers = []llm.Provider{llm.OpenAI, llm.Anthropic}

// unfollowing is a client that takes a redirect for an answer.
var unfollowing = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// rig is a client of a scripted server, with its meter and the waits that it made.
type rig struct {
	*llm.AccountClient
	server *llmtest.Server
	tally  *llm.MemoryMeter
	waits  []time.Duration
}

func rigged(t *testing.T, change func(*llm.Settings), script ...llmtest.Behaviour) *rig {
	t.Helper()
	r := &rig{server: llmtest.Serve(t, script...), tally: &llm.MemoryMeter{}}
	s := llm.Settings{Provider: llm.OpenAI, BaseURL: r.server.URL, Model: "test-model", Key: key, MaxTokens: 500,
		InputPrice: 2_000_000, OutputPrice: 8_000_000}
	if change != nil {
		change(&s)
	}
	client, err := llm.New(s, unfollowing, llm.Options{Meter: r.tally, Budget: r.tally, Wait: func(_ context.Context, d time.Duration) error {
		r.waits = append(r.waits, d)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	r.AccountClient = client.For(llm.Attribution{Org: "acme", Source: "src_1", Purpose: curlew.PurposeLearn})
	return r
}

func TestAModelAnswersInBothFormats(t *testing.T) {
	for _, provider := range providers {
		t.Run(string(provider), func(t *testing.T) {
			r := rigged(t, func(s *llm.Settings) { s.Provider = provider }, llmtest.Says("  42 "))
			text, usage, err := r.Answer(t.Context(), "be brief", []string{"what?", "hm", "again"})
			if err != nil || text != "42" {
				t.Fatalf("%s: %q, %v", provider, text, err)
			}
			call := r.server.Calls()[0]
			if call.System != "be brief" || strings.Join(call.Turns, "|") != "what?|hm|again" || call.Model != "test-model" || call.MaxTokens != 500 || call.Tools {
				t.Errorf("%s: the server was asked %+v", provider, call)
			}
			if usage.Provider != string(provider) || usage.InputTokens == 0 || usage.OutputTokens == 0 || usage.Estimated || usage.Outcome != curlew.ModelAnswered {
				t.Errorf("%s: %+v", provider, usage)
			}
			if want := (usage.InputTokens*2 + usage.OutputTokens*8); usage.CostMicros != want {
				t.Errorf("%s: cost %d, want %d", provider, usage.CostMicros, want)
			}
		})
	}
}

func TestEachFormatHasItsAddressAndItsWayWithKeys(t *testing.T) {
	for _, c := range []struct {
		provider           llm.Provider
		base, path, header string
	}{
		{llm.OpenAI, "/v1/", "/v1/chat/completions", "Authorization"},
		{llm.OpenAI, "", "/chat/completions", "Authorization"},
		{llm.Anthropic, "", "/v1/messages", "X-Api-Key"},
		{llm.Anthropic, "/v1", "/v1/messages", "X-Api-Key"},
	} {
		t.Run(c.base, func(t *testing.T) {
			r := rigged(t, func(s *llm.Settings) { s.Provider = c.provider; s.BaseURL += c.base }, llmtest.Says("yes"))
			if _, _, err := r.Answer(t.Context(), "", []string{"?"}); err != nil {
				t.Fatal(err)
			}
			call := r.server.Calls()[0]
			if call.Path != c.path || !strings.HasSuffix(call.Header.Get(c.header), key) {
				t.Errorf("%s%s: asked %s with %v", c.provider, c.base, call.Path, call.Header)
			}
		})
	}
}

func TestFailuresAreFaultsWithAKind(t *testing.T) {
	for name, c := range map[string]struct {
		behave llmtest.Behaviour
		kind   curlew.FaultKind
		code   curlew.Code
		says   string
		calls  int
	}{
		"busy":       {llmtest.Fails(429, "slow down"), curlew.KindTemporary, "llm_busy", "too many requests", 3},
		"overloaded": {llmtest.Fails(529, "overloaded"), curlew.KindTemporary, "llm_server_failed", "529", 3},
		"failing":    {llmtest.Fails(500, "oops"), curlew.KindTemporary, "llm_server_failed", "500", 3},
		"rests long": {llmtest.Fails(429, "", "Retry-After", "3600"), curlew.KindTemporary, "llm_busy", "1h0m0s", 1},
		"bad key":    {llmtest.Fails(401, "no"), curlew.KindPermanent, "llm_key_refused", "llm.key", 1},
		"forbidden":  {llmtest.Fails(403, "no"), curlew.KindPermanent, "llm_key_refused", "llm.key", 1},
		"no model":   {llmtest.Fails(404, "no"), curlew.KindPermanent, "llm_unknown_model", "llm.model", 1},
		"too long":   {llmtest.Fails(400, "context\x1b[2J too long"), curlew.KindPermanent, "llm_refused", "context [2J too long", 1},
		"elsewhere":  {llmtest.Fails(307, "", "Location", "https://elsewhere.example/"), curlew.KindPermanent, "llm_redirected", "llm.url", 1},
		"no format":  {llmtest.Raw("<html>hello"), curlew.KindPermanent, "llm_bad_answer", "llm.provider", 1},
		"empty":      {llmtest.Says("   "), curlew.KindPermanent, "llm_bad_answer", "empty", 1},
		"huge":       {llmtest.Huge(3 << 20), curlew.KindPermanent, "llm_answer_too_large", "2 MiB", 1},
		"breaks off": {llmtest.Breaks(), curlew.KindTemporary, "llm_connection_lost", "lost", 3},
	} {
		t.Run(name, func(t *testing.T) {
			for _, provider := range providers {
				t.Run(string(provider), func(t *testing.T) {
					r := rigged(t, func(s *llm.Settings) { s.Provider = provider }, c.behave)
					text, usage, err := r.Answer(t.Context(), "", []string{"?"})
					fault := curlew.AsFault(err)
					if fault == nil || text != "" || fault.Kind != c.kind || !errors.Is(fault, c.code) || !strings.Contains(fault.Sentence, c.says) {
						t.Errorf("%s from %s: %q, %v", name, provider, text, err)
					}
					if n := len(r.server.Calls()); n != c.calls || len(r.tally.Calls()) != n {
						t.Errorf("%s from %s: %d calls, %d metered, want %d", name, provider, n, len(r.tally.Calls()), c.calls)
					}
					if usage.Outcome != curlew.ModelFailed || r.tally.Calls()[0].Fault.Code != c.code || r.tally.Calls()[0].Org != "acme" {
						t.Errorf("%s from %s: metered as %+v", name, provider, r.tally.Calls()[0])
					}
				})
			}
		})
	}
}

func TestABusyServerIsAskedAgainAfterItsTime(t *testing.T) {
	r := rigged(t, nil, llmtest.Fails(429, "", "Retry-After", "7"), llmtest.Fails(503, ""), llmtest.Says("yes"))
	text, _, err := r.Answer(t.Context(), "", []string{"?"})
	if err != nil || text != "yes" {
		t.Fatal(text, err)
	}
	if got := fmt.Sprint(r.waits); got != "[7s 2s]" {
		t.Errorf("waited %s", got)
	}
}

func TestRetryAfterIsReadInEveryForm(t *testing.T) {
	for text, want := range map[string]string{
		"5": "5s", "0": "1s", "-9": "1s", "soon": "1s", "1.5": "1.5s", "Mon, 02 Jan 2006 15:04:05 GMT": "1s",
		"99999999999999999999": "", "NaN": "", "-Inf": "1s", "61": "", time.Now().Add(48 * time.Hour).UTC().Format(http.TimeFormat): "",
	} {
		t.Run(text, func(t *testing.T) {
			r := rigged(t, nil, llmtest.Fails(429, "", "Retry-After", text), llmtest.Says("yes"))
			_, _, err := r.Answer(t.Context(), "", []string{"?"})
			switch {
			case want == "" && (err == nil || len(r.waits) > 0):
				t.Errorf("%q: waited %v, %v; want to give up", text, r.waits, err)
			case want != "" && (err != nil || fmt.Sprint(r.waits) != "["+want+"]"):
				t.Errorf("%q: waited %v, %v; want %s", text, r.waits, err, want)
			}
		})
	}
}

func TestASilentServerIsGivenUpAndCountsAsPaid(t *testing.T) {
	r := rigged(t, func(s *llm.Settings) { s.Timeout = 50 * time.Millisecond }, llmtest.Hangs())
	_, usage, err := r.Answer(t.Context(), strings.Repeat("x", 3000), []string{"?"})
	if fault := curlew.AsFault(err); !errors.Is(fault, curlew.Code("llm_timeout")) || fault.Kind != curlew.KindTemporary {
		t.Fatal(err)
	}
	if n := len(r.server.Calls()); n != 1 || usage.InputTokens < 1000 || !usage.Estimated || usage.CostMicros == 0 {
		t.Errorf("%d calls, %+v", n, usage)
	}
}

func TestACallerWhoGoesAwayIsMeteredAllTheSame(t *testing.T) {
	gone := errors.New("gone")
	ctx, cancel := context.WithCancelCause(t.Context())
	r := rigged(t, nil, func(_ http.ResponseWriter, r *http.Request, _ llmtest.ReceivedCall) {
		cancel(gone)
		<-r.Context().Done()
	})
	if _, _, err := r.Answer(ctx, "", []string{"?"}); !errors.Is(err, gone) {
		t.Errorf("got %v", err)
	}
	if len(r.tally.Calls()) != 1 {
		t.Errorf("%d calls are metered", len(r.tally.Calls()))
	}
}

func TestABudgetIsNeverOverspent(t *testing.T) {
	r := rigged(t, nil, llmtest.Says(strings.Repeat("word ", 100)))
	r.tally.LimitMicros = 10_000 // an answer may cost 4,000 and a little
	var err error
	for range 50 {
		if _, _, err = r.Answer(t.Context(), "", []string{"?"}); err != nil {
			break
		}
	}
	if fault := curlew.AsFault(err); fault == nil || fault.Kind != curlew.KindRefused || !errors.Is(fault, curlew.Code("llm_budget_spent")) {
		t.Fatal(err)
	}
	total := r.tally.Total()
	if n := len(r.server.Calls()); n < 2 || total.CostMicros > r.tally.LimitMicros || total.CostMicros == 0 {
		t.Errorf("%d calls cost %d", n, total.CostMicros)
	}
}

func TestTheKeyIsToldToNobodyElse(t *testing.T) {
	for _, status := range []int{400, 401, 403, 404, 429, 500} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			r := rigged(t, func(s *llm.Settings) { s.Tries = 1 }, llmtest.QuotesKey(status))
			_, _, err := r.Answer(t.Context(), "my key is "+key, []string{"repeat " + key})
			var log strings.Builder
			slog.New(slog.NewJSONHandler(&log, nil)).Error("failed", "err", err, "settings", r.Settings, "key", r.Key)
			encoded, _ := json.Marshal(r.tally.Calls())
			told := fmt.Sprintf("%v %+v %#v %q %x %s %s", err, r.Settings, r.Settings, r.Key, r.Key, encoded, log.String())
			if strings.Contains(told, key[:12]) || strings.Contains(told, fmt.Sprintf("%x", key)) {
				t.Errorf("status %d tells the key: %s", status, told)
			}
			if strings.Contains(r.server.Calls()[0].Body, key) {
				t.Errorf("the prompt tells the key: %s", r.server.Calls()[0].Body)
			}
		})
	}
}

func TestNumbersThatCannotBeAreNotBelieved(t *testing.T) {
	for body, want := range map[string]int64{
		`{"choices":[{"message":{"content":"x"}}],"usage":{"prompt_tokens":-5,"completion_tokens":3}}`:                  1,
		`{"choices":[{"message":{"content":"x"}}],"usage":{"prompt_tokens":9000000000000000000,"completion_tokens":3}}`: 1_000_000_000,
		`{"choices":[{"message":{"content":"x"}}]}`:                                                                     1,
	} {
		t.Run(body, func(t *testing.T) {
			r := rigged(t, nil, llmtest.Raw(body))
			_, usage, err := r.Answer(t.Context(), "", []string{"?"})
			if err != nil || usage.InputTokens != want || usage.CostMicros < 0 {
				t.Errorf("%s: %+v, %v", body, usage, err)
			}
		})
	}
}

func TestAnAnswerThatIsCutSaysSo(t *testing.T) {
	for _, provider := range providers {
		t.Run(string(provider), func(t *testing.T) {
			r := rigged(t, func(s *llm.Settings) { s.Provider = provider }, llmtest.Cut("half a loaf"))
			text, usage, err := r.Answer(t.Context(), "", []string{"?"})
			if err != nil || text != "half" || usage.Outcome != curlew.ModelCut {
				t.Errorf("%s: %q %+v %v", provider, text, usage, err)
			}
		})
	}
}

func TestSettingsThatCannotWorkAreToldByName(t *testing.T) {
	for want, s := range map[string]llm.Settings{
		"llm.provider": {Provider: "someone", Model: "m"},
		"llm.model":    {Provider: llm.OpenAI},
		"llm.url":      {Provider: llm.OpenAI, Model: "m", BaseURL: "http://u:p@host/"},
		"llm.key":      {Provider: llm.OpenAI, Model: "m", Key: "a\r\nb"},
	} {
		t.Run(want, func(t *testing.T) {
			if _, err := llm.New(s, unfollowing, llm.Options{}); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("want %s in %v", want, err)
			}
		})
	}
}
