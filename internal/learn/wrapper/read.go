package wrapper

import (
	"context"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/labels"
)

// Read names the values of pages of one kind in the terms of a schema: for each page
// the fields that were found on it. What is known beforehand stays as it is.
func Read(ctx context.Context, kind curlew.Schema, pages []SamplePage) []map[string][]string {
	pages = pages[:min(len(pages), maxPages)]
	slots := Align(ctx, pages)
	fields := Name(kind, slots)
	if kind.Name == curlew.SchemaProduct {
		nameCodes(fields, slots, pages)
	}
	seed(fields, slots, pages)
	if kind.Name == curlew.SchemaItem {
		rest(slots, fields)
	}
	all := make([]map[string][]string, len(pages))
	for i, p := range pages {
		all[i] = map[string][]string{}
		for field, at := range fields {
			if v := slots[at].Values[i]; v.Text != "" {
				all[i][field] = []string{slots[at].address(p, v.Text)}
			}
		}
		for field, values := range p.Known {
			all[i][field] = values
		}
	}
	return all
}

// address is a value as records have it: of images, the whole address.
func (s Slot) address(p SamplePage, text string) string {
	if whole := p.Document.Resolve(text); s.Attr != "" && whole != "" {
		return whole
	}
	return text
}

// seed lets known values decide: their slot is the one that has most of them, and the
// other pages have theirs there too.
func seed(fields map[string]int, slots []Slot, pages []SamplePage) {
	names := map[string]bool{}
	for _, p := range pages {
		for name := range p.Known {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		best, most := -1, 0
		for at, s := range slots {
			n := 0
			for i, p := range pages {
				shown := text.Fold(text.Collapse(s.Values[i].Text))
				if slices.ContainsFunc(p.Known[name], func(k string) bool { return text.Fold(text.Collapse(k)) == shown }) {
					n++
				}
			}
			if n > most {
				best, most = at, n
			}
		}
		delete(fields, name)
		for other, at := range fields {
			if at == best {
				delete(fields, other)
			}
		}
		if best >= 0 {
			fields[name] = best
		}
	}
}

// Headline is the slot that says what the things of pages of one kind are called; none
// when pages do not say it, or all the same.
func Headline(ctx context.Context, kind curlew.Schema, pages []SamplePage) (Slot, bool) {
	slots := Align(ctx, pages)
	at, ok := Name(kind, slots)[kind.Title]
	if !ok {
		return Slot{}, false
	}
	s := slots[at]
	return s, len(s.filled()) == len(s.Values) && distinct(s.filled())
}

func distinct(texts []string) bool {
	seen := map[string]bool{}
	for _, t := range texts {
		seen[text.Fold(text.Collapse(t))] = true
	}
	return len(seen) == len(texts)
}

// maxRest bounds the slots that items keep under the names of their labels.
const maxRest = 40

// rest names the labelled slots that no field fits by their labels.
func rest(slots []Slot, fields map[string]int) {
	taken := map[int]bool{}
	for _, at := range fields {
		taken[at] = true
	}
	kept := 0
	for i, s := range slots {
		name := "slots." + snake(s.Label)
		if _, has := fields[name]; has || taken[i] || name == "slots." || kept >= maxRest {
			continue
		}
		if s.Label == "" || s.aside || len(s.filled()) < 2 {
			continue
		}
		if labels.Of(s.Label) == labels.Unknown && s.Constant {
			continue
		}
		fields[name] = i
		kept++
	}
}

// snake writes a label as a name.
func snake(label string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return '_'
	}, label), "_")
}
