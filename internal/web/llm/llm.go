// Package llm asks a language model and counts what that costs. It speaks two wire
// formats: OpenAI's chat completions, which many servers understand, and Anthropic's
// messages.
//
// It sends text and takes text: no tools, no files, no streaming. It dials nothing
// itself, follows no redirect, believes no number of tokens that cannot be, and tells
// the key to nobody but the server that it is for. Every attempt is metered, also a
// failed one, and none is made that the budget does not cover.
package llm

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Provider is a wire format and whose server speaks it by default.
type Provider string

// The two wire formats.
const (
	OpenAI    Provider = "openai" // also any compatible server
	Anthropic Provider = "anthropic"
)

// Settings are which model is asked, where, and what it costs.
type Settings struct {
	Provider    Provider
	BaseURL     string // "" is the provider's own
	Model       string
	Key         Key           // "" for servers that want none
	MaxTokens   int           // of one answer; 0 means 8192
	Timeout     time.Duration // of one attempt; 0 means two minutes
	Tries       int           // attempts while a server is busy or failing; 0 means 3
	InputPrice  int64         // millionths of a dollar for a million tokens
	OutputPrice int64
}

// Doer sends a request, as *http.Client does. It must not follow redirects, which
// could carry the key elsewhere.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// Options are what a client works with; what is left out has a default.
type Options struct {
	Meter  Meter
	Budget Reserver
	Now    func() time.Time
	Wait   func(ctx context.Context, d time.Duration) error
}

// Client asks one model. It is safe for concurrent use.
type Client struct {
	Settings
	doer   Doer
	wire   wire
	meter  Meter
	budget Reserver
	now    func() time.Time
	wait   func(ctx context.Context, d time.Duration) error
}

// wire is one of the formats.
type wire interface {
	address(base string) string
	header(key Key) http.Header
	request(s Settings, system string, turns []string) any
	reply(body []byte) (reply, bool)
}

// reply is what a server answered.
type reply struct {
	text    string
	cut     bool // at the limit of tokens
	refused bool // by the model or its keepers
	input   int64
	output  int64
}

// ErrNotConfigured is the code of settings that name no model that can be asked.
const ErrNotConfigured curlew.Code = "llm_not_configured"

// New checks the settings and makes a client.
func New(s Settings, doer Doer, o Options) (*Client, error) {
	c := &Client{Settings: s.filled(), doer: doer, meter: o.Meter, budget: o.Budget, now: o.Now, wait: o.Wait}
	switch s.Provider {
	case OpenAI:
		c.wire = openAI{}
	case Anthropic:
		c.wire = anthropic{}
	default:
		return nil, curlew.Permanent(ErrNotConfigured, "llm.provider is %q: it must be %s or %s", s.Provider, OpenAI, Anthropic)
	}
	if s.Model == "" {
		return nil, curlew.Permanent(ErrNotConfigured, "llm.provider is %s, but llm.model names no model", s.Provider)
	}
	if u, err := url.Parse(s.BaseURL); err != nil || s.BaseURL != "" && !bare(u) {
		return nil, curlew.Permanent(ErrNotConfigured, "llm.url is not an http(s) address without password and query")
	}
	if !s.Key.sendable() {
		return nil, curlew.Permanent(ErrNotConfigured, "llm.key has characters that no key has")
	}
	if c.now == nil {
		c.now = time.Now
	}
	if c.wait == nil {
		c.wait = sleep
	}
	return c, nil
}

func (s Settings) filled() Settings {
	if s.MaxTokens <= 0 {
		s.MaxTokens = 8192
	}
	if s.Timeout <= 0 {
		s.Timeout = 2 * time.Minute
	}
	if s.Tries <= 0 {
		s.Tries = 3
	}
	s.BaseURL = strings.TrimRight(s.BaseURL, "/")
	return s
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// Attribution is on whose behalf a model is asked, and what for.
type Attribution struct {
	Org     curlew.OrgID
	Source  curlew.SourceID
	Purpose curlew.ModelPurpose
}

// AccountClient is the client on somebody's account.
type AccountClient struct {
	*Client
	account Attribution
}

// For lets the model be asked on an account.
func (c *Client) For(account Attribution) *AccountClient { return &AccountClient{c, account} }

// bare says whether an address has a host, and no password and no query.
func bare(u *url.URL) bool { return u.Host != "" && u.User == nil && u.RawQuery == "" }
