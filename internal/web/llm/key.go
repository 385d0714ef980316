package llm

import (
	"fmt"
	"io"
	"strings"
)

// Key opens a model's server. It prints masked whichever way it is printed.
type Key string

// Format prints a mask whatever the verb.
func (k Key) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, k.masked()) }

// MarshalText keeps the key out of JSON and logs.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.masked()), nil }

func (k Key) masked() string {
	if k == "" {
		return ""
	}
	return "…"
}

// sendable says whether the key can stand in a header.
func (k Key) sendable() bool {
	return !strings.ContainsFunc(string(k), func(r rune) bool { return r <= ' ' || r > '~' })
}

// shortestKey is how long a key is at least that is taken out of prompts: servers
// without keys of their own accept any word, which may well stand on a page.
const shortestKey = 12

// without takes the key out of a text.
func (k Key) without(text string) string {
	if k == "" {
		return text
	}
	return strings.ReplaceAll(text, string(k), "…")
}

// withoutAll takes the key out of what is to be sent.
func (k Key) withoutAll(texts []string) []string {
	if len(k) < shortestKey {
		return texts
	}
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = k.without(text)
	}
	return out
}
