package onboard

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/web/fetch"
)

// details are what detail pages of records say, by the record's place in the list.
type details map[int]curlew.Record

// listedDetail is the page of a record, and what is known of it.
type listedDetail struct {
	of       int // its place in the list
	record   curlew.Record
	material extract.Material
}

// follow looks whether the detail pages of records say more than the list does, and if
// so adds them to the blueprint: what readers find there, and what can be learned
// from comparing the pages with each other.
func (l *Search) follow(ctx context.Context, b *blueprint.Blueprint, readings []extract.ReadRecord, o extract.ApplyOptions) details {
	if b.Page != curlew.PageList || len(b.Follow) > 0 || l.shell {
		return nil
	}
	var pages []listedDetail
	for _, i := range l.spread(readings) {
		record := readings[i].Record
		material, err := l.Material(ctx, extract.RequestSpec{URL: extract.AddressIn(record, "url")})
		if err != nil {
			continue
		}
		if l.shell = l.detailLikeList(material); l.shell {
			return nil
		}
		pages = append(pages, listedDetail{i, record, material})
	}
	var found details
	b.Follow, found = l.leads(ctx, b.Context, pages, o, barely)
	return found
}

// leads are the rules for detail pages: for what readers find there, and what can be learned
// from comparing the pages with each other.
func (l *Search) leads(
	ctx context.Context, context *blueprint.Locale, pages []listedDetail, o extract.ApplyOptions, enough worthwhile,
) ([]blueprint.Follow, details) {
	own := blueprint.LeftToReaders(l.Options.KindOf(l.Schema), curlew.PageSingle, curlew.TierStructured)
	own.Context = context
	var all []blueprint.Follow
	found := details{}
	for _, with := range []*blueprint.Blueprint{own, l.learned(ctx, pages, own, o)} {
		if more := along(ctx, with, pages, o, enough); more != nil {
			all = append(all, blueprint.Follow{Field: "url", With: with})
			for i, p := range pages {
				if record, ok := more[p.of]; ok {
					pages[i].record = extract.Merge(p.record, record)
					found[p.of] = pages[i].record
				}
			}
		}
	}
	return all, found
}

// worthwhile says whether a field of a detail page is more than what the list has of it.
type worthwhile func(listed, own any) bool

// barely counts what the list does not have.
func barely(listed, _ any) bool { return listed == nil }

// Fuller says whether a detail page tells more of a field than the list: what that does
// not have, or a text that goes on much longer.
func Fuller(listed, own any) bool {
	a, isText := listed.(string)
	b, also := own.(string)
	if listed == nil {
		return true
	}
	longer := len(b) >= max(len(a)*3/2, len(a)+leastFuller)
	return isText && also && longer && !strings.HasPrefix(b, "http")
}

// leastFuller is how many bytes make a text fuller: a few words.
const leastFuller = 20

// DetailPage is the page of a record of a list, and what the list says of it.
type DetailPage struct {
	Record   curlew.Record
	Material extract.Material
}

// LearnDetailPages learns how to read the detail pages of records, as an onboarding does: from data
// for machines first, then from what tells the pages apart. Nothing comes back where they
// say no more than the list does.
func LearnDetailPages(ctx context.Context, o extract.ExtractOptions, context *blueprint.Locale, pages []DetailPage) []blueprint.Follow {
	look := &Search{Schema: o.Schema, Proposing: Proposing{Options: o}}
	var all []listedDetail
	for i, p := range pages {
		all = append(all, listedDetail{i, p.Record, p.Material})
	}
	follow, _ := look.leads(ctx, context, all, o.Applying(), Fuller)
	return follow
}

// detailLikeList says that a page which had to be drawn shows what the list shows: some
// sites answer every address with the same script, which goes by other signs. Drawing
// more of them would show nothing else.
func (l *Search) detailLikeList(m extract.Material) bool {
	return m.Adapter == curlew.AdapterBrowser && l.Home.Adapter == curlew.AdapterBrowser &&
		text.Letters(m.Document().VisibleText()) == text.Letters(l.Home.Document().VisibleText())
}

// along reads detail pages by a blueprint, and teaches it what they look like; nil when
// that is not worth the while.
func along(ctx context.Context, with *blueprint.Blueprint, pages []listedDetail, o extract.ApplyOptions, enough worthwhile) details {
	if with == nil {
		return nil
	}
	recipe, err := extract.Compile(with)
	if err != nil {
		return nil
	}
	found := details{}
	more := 0
	var learned [][]extract.ReadRecord
	for _, p := range pages {
		applied := recipe.Apply(ctx, p.material, o)
		record := recipe.Detail(p.record, applied)
		if record == nil || !sameThing(p.record, *record) {
			continue
		}
		found[p.of] = *record
		learned = append(learned, applied.Readings)
		for name, value := range record.Fields {
			if enough(p.record.Fields[name], value) {
				more++
			}
		}
	}
	if len(found) == 0 || more < len(found) || len(found)*2 < len(pages) {
		return nil
	}
	with.Expect = recipe.Expect(learned...)
	with.Expect.Records = nil
	return found
}

// learned is how to read from detail pages what neither the list nor the readers know:
// the values in which the pages differ, as far as their labels and places name them.
func (l *Search) learned(ctx context.Context, pages []listedDetail, own *blueprint.Blueprint, o extract.ApplyOptions) *blueprint.Blueprint {
	readers, err := extract.Compile(own)
	if err != nil || len(pages) < 2 {
		return nil
	}
	taken := map[string]bool{}
	var known []induce.LabelledPage
	for _, p := range pages {
		record := p.record
		if more := readers.Detail(record, readers.Apply(ctx, p.material, o)); more != nil && sameThing(record, *more) {
			record = extract.Merge(record, *more)
		}
		fields := map[string][]string{}
		if l.Recall != nil {
			maps.Copy(fields, l.Recall(record, func(text string) bool { return strings.Contains(p.material.Document().VisibleText(), text) }))
		}
		for name := range record.Fields {
			taken[name] = true
		}
		if text := record.Kind().TitleOf(record.Fields); text != "" {
			fields[record.Kind().Title] = []string{text}
		}
		known = append(known, induce.LabelledPage{Document: p.material.Document(), Now: p.material.Now, Fields: fields})
	}
	b, _, err := induce.Details(ctx, l.Options.KindOf(l.Schema), known)
	if err != nil {
		return nil
	}
	maps.DeleteFunc(b.Fields, func(name string, _ blueprint.FieldRules) bool { return taken[name] })
	if len(b.Fields) == 0 {
		return nil
	}
	parted(b, known)
	b.Expect, b.Identity = nil, nil // they speak of fields that were taken out; the list knows who is who
	return b
}

// parted lets rules part the lists that pages write in one piece: "Choir, Chess, Canoe".
func parted(b *blueprint.Blueprint, known []induce.LabelledPage) {
	schema := b.Kind()
	for name, f := range b.Fields {
		is, _ := schema.Field(name)
		written := func(k induce.LabelledPage) bool {
			return len(k.Fields[name]) == 1 && strings.Contains(k.Fields[name][0], ",")
		}
		if is.Type != curlew.TypeList || f.Many || !slices.ContainsFunc(known, written) {
			continue
		}
		f.Many, f.Rules = true, slices.Clone(f.Rules)
		for i := range f.Rules {
			f.Rules[i].Do = append(slices.Clone(f.Rules[i].Do), blueprint.Transform{Op: "split", Text: ","})
		}
		b.Fields[name] = f
	}
}

// spread picks some records with detail pages, from all over the list.
func spread(readings []extract.ReadRecord, home string) []int {
	var all []int
	seen := map[string]bool{home: true}
	for i, r := range readings {
		address := extract.AddressIn(r.Record, "url")
		if address != "" && !seen[address] {
			seen[address] = true
			all = append(all, i)
		}
	}
	if len(all) > samplePages {
		all = []int{all[0], all[len(all)/2], all[len(all)-1]}
	}
	return all
}

// spread picks some records with detail pages. Where pages have to be rendered, one that
// was rendered already comes first.
func (l *Search) spread(readings []extract.ReadRecord) []int {
	all := spread(readings, l.Home.URL)
	if l.Home.Adapter != curlew.AdapterBrowser {
		return all
	}
	for i, r := range readings {
		if address := extract.AddressIn(r.Record, "url"); address != l.Home.URL && l.Web.Find(fetch.PageRequest{URL: address}) != nil {
			all = slices.DeleteFunc(all, func(other int) bool { return other == i })
			return append([]int{i}, all[:min(len(all), samplePages-1)]...)
		}
	}
	return all
}

// sameThing says whether a detail page speaks of the record that led to it: they share
// a name, or one holds the other.
func sameThing(listed, own curlew.Record) bool {
	for _, field := range []string{"title", "name"} {
		a, _ := listed.Fields[field].(string)
		b, _ := own.Fields[field].(string)
		if a == "" || b == "" {
			continue
		}
		a, b = text.Letters(a), text.Letters(b)
		return a == b || len(a) > 5 && strings.Contains(b, a) || len(b) > 5 && strings.Contains(a, b)
	}
	return true
}

// sampleOf is what records look like in the end.
func sampleOf(readings []extract.ReadRecord, own details) []extract.ReadRecord {
	var with, without []extract.ReadRecord
	for i, r := range readings {
		if record, ok := own[i]; ok {
			r.Record = extract.Merge(r.Record, record)
		}
		if !r.Record.Whole() {
			continue
		}
		if _, ok := own[i]; ok {
			with = append(with, r)
		} else {
			without = append(without, r)
		}
	}
	all := slices.Concat(with, without)
	return all[:min(len(all), samplePages)]
}
