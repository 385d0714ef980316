package pipeline

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"curlew/internal/blueprint"
	"curlew/internal/scout"
)

// Ask is one request for a page of a list, or for the page of a record.
type Ask struct {
	URL    string          `json:"url"`
	Method string          `json:"method,omitempty"`
	Body   json.RawMessage `json:"body,omitempty"`
}

// Key tells requests apart in the URL log.
func (a Ask) Key() string {
	key := scout.Key(a.URL)
	if len(a.Body) > 0 {
		key += "#" + string(a.Body)
	}
	return key
}

// First is the request that a blueprint begins with: of its API, or for the address
// itself.
func (r *Recipe) First(address string) Ask {
	if q := r.Blueprint.Request; q != nil {
		return Ask{URL: q.URL, Method: q.Method, Body: q.Body}
	}
	return Ask{URL: address}
}

// MostPages bounds a list where its blueprint does not.
const MostPages = 50

// After is the request for the page of a list that follows one; ok is false when that
// was the last. done counts the pages so far, records are all of them, fresh those on
// this page that no earlier one had.
func (r *Recipe) After(last Ask, a Applied, done, records, fresh int) (next Ask, ok bool) {
	p := r.Blueprint.Pagination
	if p == nil || p.Kind == "none" || fresh == 0 {
		return Ask{}, false
	}
	if a.Onward.Total > 0 && records >= a.Onward.Total && p.Total != "" {
		return Ask{}, false
	}
	switch p.Kind {
	case "page":
		return last.with(p.Parameter, strconv.Itoa(p.First+done*max(1, p.Step)))
	case "offset":
		if p.Size > 0 && len(a.Readings) < p.Size {
			return Ask{}, false
		}
		return last.with(p.Parameter, strconv.Itoa(p.First+records))
	case "cursor":
		if a.Onward.Next == "" {
			if a.Onward.Cursor == "" {
				return Ask{}, false
			}
			return last.with(p.Parameter, a.Onward.Cursor)
		}
	}
	if a.Onward.Next == "" || scout.Key(a.Onward.Next) == scout.Key(last.URL) || !scout.SameSite(a.Onward.Next, last.URL) {
		return Ask{}, false
	}
	return Ask{URL: a.Onward.Next}, true
}

// with sets a parameter of the query, or of the body where its name says so:
// "variables.after".
func (a Ask) with(name, value string) (Ask, bool) {
	if path := strings.Split(name, "."); len(path) > 1 && len(a.Body) > 0 {
		body, ok := withInBody(a.Body, path, value)
		a.Body = body
		return a, ok
	}
	u, err := url.Parse(a.URL)
	if err != nil || name == "" {
		return Ask{}, false
	}
	query := u.Query()
	query.Set(name, value)
	u.RawQuery = query.Encode()
	a.URL = u.String()
	return a, true
}

func withInBody(body json.RawMessage, path []string, value string) (json.RawMessage, bool) {
	var root map[string]any
	if json.Unmarshal(body, &root) != nil {
		return nil, false
	}
	at := root
	for _, step := range path[:len(path)-1] {
		inner, ok := at[step].(map[string]any)
		if !ok {
			inner = map[string]any{}
			at[step] = inner
		}
		at = inner
	}
	last := path[len(path)-1]
	if n, err := strconv.Atoi(value); err == nil && !isText(at[last]) {
		at[last] = n
	} else {
		at[last] = value
	}
	out, err := json.Marshal(root)
	return out, err == nil
}

func isText(v any) bool {
	_, ok := v.(string)
	return ok
}

// mostOf is how many pages of its list a blueprint wants.
func mostOf(b *blueprint.Blueprint) int {
	if p := b.Pagination; p != nil && p.Most > 0 {
		return p.Most
	}
	return MostPages
}
