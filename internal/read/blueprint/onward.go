package blueprint

import (
	"maps"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// Onward is what a page says about the pages after it.
type Onward struct {
	Next   string `json:"next,omitempty"`   // the address of the next page
	Cursor string `json:"cursor,omitempty"` // for the parameter of the next request, or an address
	Total  int    `json:"total,omitempty"`  // records or pages, as the page says
}

// Onward reads what the pagination of the blueprint points at. It fetches nothing.
func (c *Compiled) Onward(p PageInput) Onward {
	var o Onward
	pagination := c.blueprint.Pagination
	if pagination == nil || p.Document == nil {
		return o
	}
	r := c.begin(p)
	whole := r.wholePage()
	if c.next != nil {
		if values := r.values(c.next, whole, false); len(values) > 0 {
			o.Next = p.Document.Resolve(values[0].text)
		}
	}
	o.Cursor = r.along(c.cursor)
	if digits := text.Digits(r.along(c.total)); digits != "" {
		o.Total, _ = strconv.Atoi(digits)
	}
	if o.Next == "" && strings.Contains(o.Cursor, "/") {
		o.Next = p.Document.Resolve(o.Cursor)
	}
	return o
}

// along is the first text at a path of the data in which the records stand.
func (r *run) along(path *jsonPath) string {
	in := ""
	if r.selector != nil {
		in = r.selector.in
	}
	root := r.state(in)
	if path == nil || root == nil {
		return ""
	}
	for _, f := range scalars(path.walk(*root, r.budget), r.budget) {
		if f.text != "" {
			return f.text
		}
	}
	return ""
}

// Merge adds what a followed page tells to a record of the list: its fields win,
// since whoever wrote the blueprint chose to read them there. The record keeps its
// identity, address and place.
func Merge(record, more curlew.Draft) curlew.Draft {
	out := record
	out.Fields, out.Provenance = maps.Clone(record.Fields), maps.Clone(record.Provenance)
	if out.Fields == nil {
		out.Fields = curlew.Values{}
	}
	if out.Provenance == nil {
		out.Provenance = map[string]curlew.Evidence{}
	}
	for name, value := range more.Fields {
		slots, isSlots := value.(map[string]any)
		kept, had := out.Fields[name].(map[string]any)
		if isSlots && had {
			all := maps.Clone(kept)
			maps.Copy(all, slots)
			value = all
		}
		out.Fields[name] = value
	}
	maps.Copy(out.Provenance, more.Provenance)
	out.Confidence = min(record.Confidence, more.Confidence)
	if out.URL == "" {
		out.URL = more.URL
	}
	return out
}
