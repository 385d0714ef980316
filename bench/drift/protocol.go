package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html/charset"
)

// The kinds of a change, as truth has them and tools tell them. A tool that compares text cannot
// say what happened to what: its changes are of kind "text".
const (
	kindNew     = "new"
	kindChanged = "changed"
	kindGone    = "gone"
	kindText    = "text"
)

// Truth is one change that happened.
type Truth struct {
	Case     string   `json:"case"`
	Visit    int      `json:"visit"` // the first that could see it
	Kind     string   `json:"kind"`
	URL      string   `json:"url,omitempty"` // of the item, unless several share it
	Title    string   `json:"title"`
	Was      string   `json:"was,omitempty"`    // its title before, where that changed
	Fields   []string `json:"fields,omitempty"` // that changed, where they have names
	Values   []string `json:"values,omitempty"` // what it says now, as the page writes it
	Keys     []string `json:"keys,omitempty"`   // its number or name, where any of them says which item is meant
	Shown    bool     `json:"shown"`            // the watched page shows it: else it is on a further or detail page
	Optional bool     `json:"optional,omitempty"`
}

// Event is one change that a tool told.
type Event struct {
	Case   string   `json:"case"`
	Visit  int      `json:"visit"`
	Kind   string   `json:"kind"`
	URL    string   `json:"url,omitempty"`
	Title  string   `json:"title,omitempty"`
	Was    string   `json:"was,omitempty"`
	Fields []string `json:"fields,omitempty"`
	Text   string   `json:"text,omitempty"` // the lines that changed, or all that is known of the item
	Near   string   `json:"near,omitempty"` // and those around them
}

// Check is one visit, as the file of checks has it.
type Check struct {
	Case     string `json:"case"`
	Group    string `json:"group"`
	Visit    int    `json:"visit"`
	URL      string `json:"url"`
	Status   int    `json:"status"`
	File     string `json:"file"`
	Cause    string `json:"cause"` // why the answer is not that of the visit before
	Redesign bool   `json:"redesign,omitempty"`
}

// Case is one watched page and what happens to it, visit by visit. Its visits must be served in
// their order, beginning with the first.
type Case struct {
	ID, Group string
	Path      string // of the watched page, with its query
	Host      string // that its truth names; the keys of addresses leave it out
	Begin     time.Time
	Items     []Item // of the first visit, for tools whose selectors people write
	Steps     []Step
	Partial   bool // the truth knows some fields of the items: what is told of others is not judged
	Known     []string
	serve     func() func(visit int) http.Handler
}

// Item is something that the watched page lists.
type Item struct{ Title, Link string }

// Step is one visit.
type Step struct {
	Cause    string
	Redesign bool
	Days     int // that passed since the visit before
	Truth    []Truth
}

// answer is what the watched page says at a visit.
type answer struct {
	status int
	body   []byte
}

func (c *Case) ask(h http.Handler) answer {
	request := httptest.NewRequest(http.MethodGet, "http://"+c.Host+c.Path, nil)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, request)
	if promised, err := strconv.Atoi(w.Header().Get("Content-Length")); err == nil && promised > w.Body.Len() {
		return answer{} // the connection was cut: no tool takes that for a page
	}
	body := w.Body.Bytes()
	if r, err := charset.NewReader(w.Body, w.Header().Get("Content-Type")); err == nil {
		if decoded, err := io.ReadAll(r); err == nil {
			body = decoded
		}
	}
	return answer{w.Code, body}
}

// truths are those of all visits.
func (c *Case) truths() (all []Truth) {
	for visit, s := range c.Steps {
		for _, t := range s.Truth {
			t.Case, t.Visit = c.ID, visit
			all = append(all, t)
		}
	}
	return all
}

// trackers are parameters that say where a visitor comes from.
var trackers = []string{"fbclid", "gclid", "ref"}

// key is an address without its host and without parameters that only track.
func key(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || address == "" {
		return ""
	}
	q := u.Query()
	for name := range q {
		if strings.HasPrefix(name, "utm_") || slices.Contains(trackers, name) {
			q.Del(name)
		}
	}
	path := strings.Trim(u.EscapedPath(), "/")
	if query := q.Encode(); query != "" {
		path += "?" + query
	}
	return strings.ToLower(path)
}

// plain is text for comparing.
func plain(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
