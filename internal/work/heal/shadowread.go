package heal

import (
	"cmp"
	"context"
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/quality"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// walk asks for the first pages of a list.
func (m Repair) walk(ctx context.Context, look *onboard.Search, compiled *extract.Compiled, ask extract.RequestSpec) []extract.Material {
	var pages []extract.Material
	records := 0
	for len(pages) < shadowPages {
		material, err := look.Material(ctx, ask)
		if err != nil {
			break
		}
		pages = append(pages, material)
		applied := compiled.Apply(ctx, material, m.applying())
		records += len(applied.Readings)
		next, ok := compiled.After(ask, applied, len(pages), records, len(applied.Readings))
		if !ok || next.Key() == ask.Key() {
			break
		}
		ask = next
	}
	return pages
}

func (m Repair) applying() extract.ApplyOptions {
	return m.Options.Applying()
}

// read reads pages of a list by one version, and of a few records the detail pages: of
// those with one of the given keys, or of some from all over.
func (m Repair) read(
	ctx context.Context, compiled *extract.Compiled, pages []extract.Material, own func(context.Context, string) (extract.Material, bool),
	with map[string]bool,
) shade {
	out := shade{pages: len(pages)}
	for _, page := range pages {
		for _, r := range compiled.Apply(ctx, page, m.applying()).Readings {
			out.samples = append(out.samples, quality.SampleRecord{Record: r.Record, Node: r.Node, Pages: []*dom.Document{page.Document()}})
		}
	}
	if len(compiled.Follow) == 0 {
		return out
	}
	wanted := onboard.Evenly(len(out.samples), shadowDetails)
	if with != nil {
		wanted = slices.DeleteFunc(indices(len(out.samples)), func(i int) bool { return !keyed(out.samples[i].Record, with) })
	}
	wanted = wanted[:min(len(wanted), shadowDetails)]
	for i := range out.samples {
		if !slices.Contains(wanted, i) || !m.deepen(ctx, &out.samples[i], compiled, own) {
			out.listed = append(out.listed, i)
		}
	}
	return out
}

// deepen adds to a record what its detail pages say.
func (m Repair) deepen(
	ctx context.Context, s *quality.SampleRecord, compiled *extract.Compiled, own func(context.Context, string) (extract.Material, bool),
) bool {
	read := false
	for _, lead := range compiled.Follow {
		material, ok := own(ctx, extract.AddressIn(s.Record, lead.Field))
		if !ok {
			continue
		}
		if more := lead.Compiled.Detail(s.Record, lead.Compiled.Apply(ctx, material, m.applying())); more != nil {
			s.Record, read = extract.Merge(s.Record, *more), true
			s.Pages = append(s.Pages, material.Document())
		}
	}
	return read
}

func indices(n int) []int { return onboard.Evenly(n, n) }

func keyed(r curlew.Record, with map[string]bool) bool {
	return slices.ContainsFunc(keysOf(r), func(key string) bool { return with[key] })
}

// keys are the names of the records whose detail pages were read.
func (s shade) keys() map[string]bool {
	all := map[string]bool{}
	for i, one := range s.samples {
		if !slices.Contains(s.listed, i) {
			for _, key := range keysOf(one.Record) {
				all[key] = true
			}
		}
	}
	return all
}

// records are those that were read as a watch would, detail pages included.
func (s shade) records() []curlew.Record {
	var all []curlew.Record
	for i, one := range s.samples {
		if !slices.Contains(s.listed, i) {
			all = append(all, one.Record)
		}
	}
	return all
}

// deep are a few samples that were read as a watch would.
func (s shade) deep() []quality.SampleRecord {
	var all []quality.SampleRecord
	for i, one := range s.samples {
		if !slices.Contains(s.listed, i) {
			all = append(all, one)
		}
	}
	var some []quality.SampleRecord
	for _, i := range onboard.Evenly(len(all), shadowDetails) {
		some = append(some, all[i])
	}
	return some
}

// fields are what of a record can be compared: where its detail page was not read, that
// page has the last word on all but its name.
func (s shade) fields(i int) []string {
	if slices.Contains(s.listed, i) {
		return []string{s.samples[i].Record.Kind().Title}
	}
	return nil
}

// named finds entities by the names that they go by.
type named map[string]int

func (n named) add(at int, r curlew.Record) {
	for _, key := range keysOf(r) {
		if _, taken := n[key]; !taken {
			n[key] = at
		}
	}
}

func (n named) find(r curlew.Record) (int, bool) {
	for _, key := range keysOf(r) {
		if at, ok := n[key]; ok {
			return at, true
		}
	}
	return 0, false
}

// meet pairs what was read with what has names already, each of them once. It says
// which of those were met, and what was read that nobody knows.
func (is shade) meet(by named, pair func(at, i int) quality.Pair) (pairs []quality.Pair, met map[int]bool, alone []string) {
	met = map[int]bool{}
	for i, s := range is.samples {
		at, ok := by.find(s.Record)
		if !ok || met[at] {
			alone = alsoNamed(alone, s.Record)
			continue
		}
		met[at] = true
		pairs = append(pairs, pair(at, i))
	}
	return pairs, met, alone
}

// beside compares what two versions read of the same pages.
func (m Repair) beside(ctx context.Context, old, is shade) curlew.Beside {
	out := curlew.Beside{Pages: is.pages, Old: len(old.samples), New: len(is.samples)}
	by := named{}
	for i, s := range old.samples {
		by.add(i, s.Record)
	}
	pairs, met, alone := is.meet(by, func(at, i int) quality.Pair {
		fields := is.fields(i)
		if fields == nil {
			fields = old.fields(at)
		}
		return quality.Pair{Old: old.samples[at].Record.Fields, New: is.samples[i], Fields: fields}
	})
	out.NewOnly = alone
	for i, s := range old.samples {
		if !met[i] {
			out.OldOnly = alsoNamed(out.OldOnly, s.Record)
		}
	}
	out.Both = len(pairs)
	out.Fields, _ = quality.Compare(ctx, pairs, dates.Options{Now: m.Now()})
	return out
}

// mostNames bounds how many names of entities are kept to show.
const mostNames = 10

func alsoNamed(names []string, r curlew.Record) []string {
	if len(names) >= mostNames {
		return names
	}
	return append(names, text.Clip(cmp.Or(r.Name(), "an entity without a name"), 100))
}

// onlyKnown is a reading without what nobody knows.
func (m Repair) onlyKnown(s shade) shade {
	by := m.byName()
	out := shade{pages: s.pages}
	for i, one := range s.samples {
		if _, ok := by.find(one.Record); !ok {
			continue
		}
		if slices.Contains(s.listed, i) {
			out.listed = append(out.listed, len(out.samples))
		}
		out.samples = append(out.samples, one)
	}
	return out
}

func (m Repair) byName() named {
	by := named{}
	for i, e := range m.Known {
		by.add(i, m.asRecord(e))
	}
	return by
}

// mostLooked bounds how many known entities are looked for on a page; fewer letters than
// leastName may stand anywhere.
const mostLooked, leastName = 500, 5

// besideKnown compares what is known with what is read now. Of what was not read, what
// the pages show counts as missed: the rest may be on pages that nobody looked at.
func (m Repair) besideKnown(ctx context.Context, is shade, pages []extract.Material) (curlew.Beside, []curlew.ComparedValue) {
	out := curlew.Beside{Pages: is.pages, New: len(is.samples)}
	pairs, met, alone := is.meet(m.byName(), func(at, i int) quality.Pair {
		return quality.Pair{Old: m.Known[at].Fields, New: is.samples[i], Fields: is.fields(i)}
	})
	out.NewOnly = alone
	fields, values := quality.Compare(ctx, pairs, dates.Options{Now: m.Now()})
	out.Both, out.Old, out.Fields = len(pairs), len(pairs), fields
	var pageTexts []*quality.PageText
	for _, page := range pages {
		pageTexts = append(pageTexts, quality.NewPageText(page.Document(), dates.Options{Now: m.Now()}))
	}
	for i, e := range m.Known[:min(len(m.Known), mostLooked)] {
		if !met[i] && e.Status == curlew.EntityActive && shownBy(pageTexts, m.asRecord(e)) {
			out.Old++
			out.OldOnly = alsoNamed(out.OldOnly, m.asRecord(e))
		}
	}
	return out, values
}

// shownBy says whether a page shows the name of an entity, and the day where it has one.
func shownBy(pageTexts []*quality.PageText, r curlew.Record) bool {
	name := r.Name()
	day, dated := r.Fields["starts_at"]
	return len(text.Letters(name)) >= leastName && slices.ContainsFunc(pageTexts, func(w *quality.PageText) bool {
		return w.ShowsText(name) && (!dated || w.Seen(curlew.Field{Name: "starts_at", Type: curlew.TypeTime}, day, "") == curlew.SeenVisible)
	})
}

// seen are the records that the known entities were last read as.
func (m Repair) seen() []curlew.Record {
	var all []curlew.Record
	for _, e := range m.Known {
		if record, ok := m.Seen[e.ID]; ok {
			all = append(all, record)
		}
	}
	return all
}

// quality measures records as every check does.
func (m Repair) quality(records []curlew.Record) int {
	return quality.Quality(quality.Sample{Schema: m.Old.Blueprint.Schema, Records: records, Now: m.Now()}).Score
}
