package induce

import (
	"fmt"
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// isSingle says whether the old blueprint read pages of one record each.
func (h *healing) isSingle() bool { return h.old.Page == curlew.PageSingle && h.old.Records == nil }

// pair gives every page the record that was known of it: that of the same address, or
// where no address says so, the one most of whose values are there.
func (h *healing) pair() {
	taken := make([]bool, len(h.past))
	of := make([]int, len(h.indexes))
	for i, s := range h.indexes {
		of[i] = slices.IndexFunc(h.past, func(p PastRecord) bool { return s.doc.URL() != nil && text.SameURL(p.URL, s.doc.URL().String()) })
		if of[i] >= 0 {
			taken[of[i]] = true
		}
	}
	for i, s := range h.indexes {
		if of[i] < 0 {
			of[i] = h.likeliest(s, taken)
		}
		if of[i] < 0 {
			continue
		}
		taken[of[i]] = true
		e := entry{index: s, fields: valuesOf(h.past[of[i]].Fields), past: of[i]}
		h.settle(&e)
		h.known = append(h.known, e)
		if e.there()*2 >= len(e.fields) {
			h.located = append(h.located, e)
		}
	}
}

// likeliest is the record that a page shows; -1 when none has more than half of its
// values there.
func (h *healing) likeliest(s *pageIndex, taken []bool) int {
	best, top := -1, 0.5
	for i, p := range h.past[:min(len(h.past), maxEntries)] {
		if taken[i] || len(p.Fields) == 0 {
			continue
		}
		e := entry{index: s, fields: valuesOf(p.Fields)}
		if share := float64(e.there()) / float64(max(1, len(e.fields))); share > top {
			best, top = i, share
		}
	}
	return best
}

// there counts the fields of which a value is on the page.
func (e entry) there() int {
	n := 0
	for _, values := range e.fields {
		if slices.ContainsFunc(values, func(v value) bool { return len(e.index.places(v, nil)) > 0 }) {
			n++
		}
	}
	return n
}

// attemptSingle learns pages of one record each around what was known of them; pages of
// which nothing was known are there for agreement.
func (h *healing) attemptSingle() []remedy {
	if len(h.located) == 0 {
		return nil
	}
	t := trial{kind: h.old.Kind()}
	for _, s := range h.indexes {
		at := slices.IndexFunc(h.located, func(e entry) bool { return e.index == s })
		if at < 0 {
			t.samples = append(t.samples, sample{index: s})
			continue
		}
		t.samples = append(t.samples, sample{index: s, want: h.located[at].fields, known: true})
	}
	b, _, err := t.fewShot()
	if err != nil {
		return nil
	}
	return []remedy{h.judge(b, fmt.Sprintf("learned around the known values of %s", curlew.Counted(len(h.located), "page")))}
}
