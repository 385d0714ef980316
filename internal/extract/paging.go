package extract

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/web/urls"
)

// RequestSpec is one request for a page of a list, or for the page of a record.
type RequestSpec struct {
	URL    string          `json:"url"`
	Method string          `json:"method,omitempty"`
	Body   json.RawMessage `json:"body,omitempty"`
}

// Key tells requests apart in the URL log.
func (a RequestSpec) Key() string {
	key := urls.Key(a.URL)
	if len(a.Body) > 0 {
		key += "#" + string(a.Body)
	}
	return key
}

// First is the request that a blueprint begins with: of its API, or for the address
// itself.
func (r *Compiled) First(address string) RequestSpec {
	if q := r.Blueprint.Request; q != nil {
		return RequestSpec{URL: q.URL, Method: q.Method, Body: q.Body}
	}
	return RequestSpec{URL: address}
}

// MostPages bounds a list where its blueprint does not.
const MostPages = 50

// After is the request for the page of a list that follows one; ok is false when that
// was the last. done counts the pages so far, records are all of them, fresh those on
// this page that no earlier one had.
func (r *Compiled) After(last RequestSpec, a Applied, done, records, fresh int) (next RequestSpec, ok bool) {
	p := r.Blueprint.Pagination
	if p == nil || p.Kind == "none" || fresh == 0 {
		return RequestSpec{}, false
	}
	if r.atEnd(a, done, records) {
		return RequestSpec{}, false
	}
	switch p.Kind {
	case "page":
		return last.with(p.Parameter, strconv.Itoa(p.First+done*max(1, p.Step)))
	case "offset":
		if p.Step > 0 { // an entry that was not read counts as well
			records = done * p.Step
		}
		return last.with(p.Parameter, strconv.Itoa(p.First+records))
	case "cursor":
		if a.Onward.Next == "" {
			if a.Onward.Cursor == "" {
				return RequestSpec{}, false
			}
			return last.with(p.Parameter, a.Onward.Cursor)
		}
	}
	if a.Onward.Next == "" || urls.Key(a.Onward.Next) == urls.Key(last.URL) || !urls.SameSite(a.Onward.Next, last.URL) {
		return RequestSpec{}, false
	}
	return RequestSpec{URL: a.Onward.Next}, true
}

// atEnd says whether a page counts as the last one: all that the list says it has were
// read, or fewer than a page holds.
func (r *Compiled) atEnd(a Applied, done, records int) bool {
	p := r.Blueprint.Pagination
	if a.Onward.Total > 0 && p.Total != "" {
		if CountsPages(p.Total) {
			return done >= a.Onward.Total
		}
		if p.Step > 1 { // an entry that was not read counts as well
			records = max(records, done*p.Step)
		}
		return records >= a.Onward.Total
	}
	return (p.Kind == "offset" || p.Kind == "page") && len(a.Readings)*10 < p.Size*8 // one or two may not have been read
}

// CountsPages says whether the number at a path is one of pages, by its name:
// "$.meta.total_pages", but not "$.page.total".
func CountsPages(path string) bool {
	return strings.Contains(strings.ToLower(path[strings.LastIndexByte(path, '.')+1:]), "page")
}

// Counted says whether the pages of a list are requested by number, so that one which
// is not there means that the list has ended.
func (r *Compiled) Counted() bool {
	p := r.Blueprint.Pagination
	return p != nil && (p.Kind == "page" || p.Kind == "offset")
}

// with sets a parameter of the query, or of the body where its name says so:
// "variables.after".
func (a RequestSpec) with(name, value string) (RequestSpec, bool) {
	if path := strings.Split(name, "."); len(path) > 1 && len(a.Body) > 0 {
		body, ok := withInBody(a.Body, path, value)
		a.Body = body
		return a, ok
	}
	u, err := url.Parse(a.URL)
	if err != nil || name == "" {
		return RequestSpec{}, false
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

// Most is how many pages of its list a blueprint wants; wanted is false when it does
// not say.
func (r *Compiled) Most() (pages int, wanted bool) {
	if p := r.Blueprint.Pagination; p != nil && p.Most > 0 {
		return min(p.Most, MostPages), true
	}
	return MostPages, false
}
