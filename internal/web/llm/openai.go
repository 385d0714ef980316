package llm

import (
	"cmp"
	"encoding/json"
	"net/http"
	"strings"
)

// openAI is the format of chat completions
// (platform.openai.com/docs/api-reference/chat/create).
type openAI struct{}

const openAIBase = "https://api.openai.com/v1"

func (openAI) address(base string) string {
	base = cmp.Or(base, openAIBase)
	return base + "/chat/completions"
}

func (openAI) header(key Key) http.Header {
	h := http.Header{}
	if key != "" {
		h.Set("Authorization", "Bearer "+string(key))
	}
	return h
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// messages gives turns their speakers: the first is ours, then they alternate.
func messages(turns []string) []message {
	all := make([]message, len(turns))
	for i, text := range turns {
		all[i] = message{"user", text}
		if i%2 == 1 {
			all[i].Role = "assistant"
		}
	}
	return all
}

type openAIRequest struct {
	Model               string    `json:"model"`
	Messages            []message `json:"messages"`
	MaxTokens           int       `json:"max_tokens,omitempty"`
	MaxCompletionTokens int       `json:"max_completion_tokens,omitempty"`
	Temperature         *float64  `json:"temperature,omitempty"`
}

// request asks OpenAI's own server without a temperature and with the newer name of
// the limit, since its newer models refuse anything else; compatible servers know the
// older name, and answer more soberly when told to.
func (openAI) request(s Settings, system string, turns []string) any {
	r := openAIRequest{Model: s.Model, Messages: append([]message{{"system", system}}, messages(turns)...)}
	if s.BaseURL == "" || s.BaseURL == openAIBase {
		r.MaxCompletionTokens = s.MaxTokens
	} else {
		r.MaxTokens, r.Temperature = s.MaxTokens, new(float64)
	}
	return r
}

func (openAI) reply(body []byte) (reply, bool) {
	var answer struct {
		Choices []struct {
			Message struct {
				Content *string `json:"content"`
				Refusal *string `json:"refusal"`
			} `json:"message"`
			FinishReason string `json:"finish_reason"`
		} `json:"choices"`
		Usage struct {
			Prompt     int64 `json:"prompt_tokens"`
			Completion int64 `json:"completion_tokens"`
		} `json:"usage"`
	}
	if json.Unmarshal(body, &answer) != nil || len(answer.Choices) == 0 {
		return reply{}, false
	}
	first := answer.Choices[0]
	r := reply{cut: first.FinishReason == "length", input: answer.Usage.Prompt, output: answer.Usage.Completion,
		refused: first.FinishReason == "content_filter" || first.Message.Refusal != nil && *first.Message.Refusal != ""}
	if first.Message.Content != nil {
		r.text = strings.TrimSpace(*first.Message.Content)
	}
	return r, true
}
