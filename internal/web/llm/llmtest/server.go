// Package llmtest is a model's server for tests: it speaks both wire formats on
// loopback and behaves as it is told, well or badly. A hand-written stand-in, since no
// model can run in a test.
package llmtest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// ReceivedCall is one request as the server understood it.
type ReceivedCall struct {
	Path      string
	Header    http.Header
	Model     string
	MaxTokens int
	System    string
	Turns     []string
	Tools     bool // tools were offered, which never happens
	Body      string
}

// Last is the newest turn.
func (c ReceivedCall) Last() string {
	if len(c.Turns) == 0 {
		return ""
	}
	return c.Turns[len(c.Turns)-1]
}

// Behaviour is how the server answers one call.
type Behaviour func(w http.ResponseWriter, r *http.Request, call ReceivedCall)

// Server is a model's server.
type Server struct {
	URL string // for both formats

	mu     sync.Mutex
	script []Behaviour
	calls  []ReceivedCall
}

// Serve starts a server that answers by the script, one behaviour per call; the last
// one stays. It ends with the test.
func Serve(t testing.TB, script ...Behaviour) *Server {
	t.Helper()
	s := &Server{script: script}
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	t.Cleanup(web.CloseClientConnections)
	s.URL = web.URL
	return s
}

// Calls are the requests so far.
func (s *Server) Calls() []ReceivedCall {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]ReceivedCall(nil), s.calls...)
}

// ServeHTTP answers the next call by the script.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 8<<20))
	call, ok := parse(r, body)
	if err != nil || !ok {
		http.Error(w, `{"error": {"message": "not a request in either format"}}`, http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.calls = append(s.calls, call)
	behave := s.script[min(len(s.calls), len(s.script))-1]
	s.mu.Unlock()
	behave(w, r, call)
}

// parse reads a request of either format.
func parse(r *http.Request, body []byte) (ReceivedCall, bool) {
	var in struct {
		Model               string          `json:"model"`
		System              string          `json:"system"`
		MaxTokens           int             `json:"max_tokens"`
		MaxCompletionTokens int             `json:"max_completion_tokens"`
		Tools               json.RawMessage `json:"tools"`
		Messages            []struct {
			Role    string `json:"role"`
			Content string `json:"content"`
		} `json:"messages"`
	}
	if json.Unmarshal(body, &in) != nil || in.Model == "" || r.Method != http.MethodPost {
		return ReceivedCall{}, false
	}
	call := ReceivedCall{Path: r.URL.Path, Header: r.Header.Clone(), Model: in.Model, System: in.System, Tools: in.Tools != nil,
		MaxTokens: max(in.MaxTokens, in.MaxCompletionTokens), Body: string(body)}
	for _, m := range in.Messages {
		if m.Role == "system" {
			call.System = m.Content
			continue
		}
		call.Turns = append(call.Turns, m.Content)
	}
	return call, anthropics(r) || strings.HasSuffix(r.URL.Path, "/chat/completions")
}

func anthropics(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/v1/messages") }

// write answers in the format of the request.
func write(w http.ResponseWriter, r *http.Request, call ReceivedCall, text string, cut bool) {
	in, out := len(call.Body)/4, len(text)/4+1
	var answer any
	if anthropics(r) {
		stop := "end_turn"
		if cut {
			stop = "max_tokens"
		}
		answer = map[string]any{"type": "message", "role": "assistant", "model": call.Model, "stop_reason": stop,
			"content": []any{map[string]any{"type": "text", "text": text}},
			"usage":   map[string]any{"input_tokens": in, "output_tokens": out}}
	} else {
		stop := "stop"
		if cut {
			stop = "length"
		}
		answer = map[string]any{"object": "chat.completion", "model": call.Model,
			"choices": []any{map[string]any{"index": 0, "finish_reason": stop, "message": map[string]any{"role": "assistant", "content": text}}},
			"usage":   map[string]any{"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out}}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}
