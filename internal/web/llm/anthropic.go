package llm

import (
	"cmp"
	"encoding/json"
	"net/http"
	"strings"
)

// anthropic is the format of Anthropic's messages
// (docs.anthropic.com/en/api/messages).
type anthropic struct{}

const (
	anthropicBase    = "https://api.anthropic.com"
	anthropicVersion = "2023-06-01" // of the format; there is no newer one
)

func (anthropic) address(base string) string {
	base = cmp.Or(base, anthropicBase)
	return strings.TrimSuffix(base, "/v1") + "/v1/messages"
}

func (anthropic) header(key Key) http.Header {
	h := http.Header{}
	h.Set("Anthropic-Version", anthropicVersion)
	if key != "" {
		h.Set("X-Api-Key", string(key))
	}
	return h
}

type anthropicRequest struct {
	Model     string    `json:"model"`
	MaxTokens int       `json:"max_tokens"`
	System    string    `json:"system"`
	Messages  []message `json:"messages"`
}

func (anthropic) request(s Settings, system string, turns []string) any {
	return anthropicRequest{Model: s.Model, MaxTokens: s.MaxTokens, System: system, Messages: messages(turns)}
}

func (anthropic) reply(body []byte) (reply, bool) {
	var answer struct {
		Content []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
		StopReason string `json:"stop_reason"`
		Usage      *struct {
			Input   int64 `json:"input_tokens"`
			Written int64 `json:"cache_creation_input_tokens"`
			Read    int64 `json:"cache_read_input_tokens"`
			Output  int64 `json:"output_tokens"`
		} `json:"usage"`
	}
	if json.Unmarshal(body, &answer) != nil || answer.Content == nil {
		return reply{}, false
	}
	r := reply{cut: answer.StopReason == "max_tokens", refused: answer.StopReason == "refusal"}
	var text strings.Builder
	for _, part := range answer.Content {
		if part.Type == "text" {
			text.WriteString(part.Text)
		}
	}
	r.text = strings.TrimSpace(text.String())
	if u := answer.Usage; u != nil {
		r.input, r.output = plausible(u.Input)+plausible(u.Written)+plausible(u.Read), u.Output
	}
	return r, true
}
