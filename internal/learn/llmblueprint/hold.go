package llmblueprint

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/normalise"
	"github.com/curlew-data/curlew/internal/text"
)

// reading is what a blueprint gives on one page.
type reading struct {
	page    *page
	drafts  []curlew.Draft
	records []curlew.Record // the first drafts after normalising, in the same order
}

// mostNormalised is how many drafts of a page are read as dates and prices: whether
// that can be done, so many tell.
const mostNormalised = 300

// hold applies a blueprint to all pages and says what does not hold. It gives a
// candidate even then, for the caller to decide.
func (t *task) hold(b *blueprint.Blueprint) (*candidate, []problem) {
	compiled, err := blueprint.Compile(b)
	if err != nil {
		return nil, []problem{{sentence: text.Clip(err.Error(), 300)}}
	}
	var all []problem
	var read []reading
	var pages [][]curlew.Draft
	for _, p := range t.pages {
		result := compiled.Apply(blueprint.PageInput{Document: p.doc, Now: p.now, Lang: p.lang})
		r := reading{page: p, drafts: result.Drafts}
		for _, d := range result.Drafts[:min(len(result.Drafts), mostNormalised)] {
			record, _ := normalise.Record(d, p.context)
			r.records = append(r.records, record)
		}
		read, pages = append(read, r), append(pages, result.Drafts)
		all = append(all, t.thin(r, result)...)
		all = append(all, t.invented(b, r)...)
	}
	all = append(all, idle(b, read)...)
	all = append(all, t.broken(read)...)
	all = append(all, t.same(b, read)...)
	proof, missing := t.prove(read)
	all = append(all, missing...)
	all = append(all, t.unlike(read, proof)...)
	proof.Notes = append(proof.Notes, "written by a model; every value was found on its page")
	out := *b
	out.URL, out.Expect = t.pages[0].doc.URL().String(), blueprint.ExpectationsOf(pages...)
	return &candidate{&out, proof}, all
}

// thin says when a page gives no records, or not all of it could be read.
func (t *task) thin(r reading, result blueprint.Output) []problem {
	where := ""
	if len(t.pages) > 1 {
		where = " on " + r.page.doc.URL().String()
	}
	switch {
	case result.Cut != "":
		return []problem{{sentence: "the selectors are too slow for this page" + where + ": " + result.Cut}}
	case len(r.drafts) > 0:
		return nil
	case len(result.Dropped) > 0:
		dropped := counted(len(result.Dropped), "record")
		return []problem{{sentence: fmt.Sprintf("all %s%s were dropped: the first because %s", dropped, where, result.Dropped[0].Why)}}
	}
	return []problem{{sentence: "\"records\" selects nothing" + where}}
}

// invented lists the fields with values that the page does not say.
func (t *task) invented(b *blueprint.Blueprint, r reading) []problem {
	var all []problem
	for _, name := range slices.Sorted(maps.Keys(b.Fields)) {
		var bad []string
		for _, d := range r.drafts {
			bad = append(bad, r.page.ground.unsupported(d, name, b.Fields[name], t.kind(name))...)
		}
		if len(bad) > 0 {
			all = append(all, about(name, "%s not on the page in one piece, such as %s", are(len(bad)), quoted(bad[0])))
		}
	}
	return all
}

func are(n int) string {
	if n == 1 {
		return "1 value is"
	}
	return fmt.Sprintf("%d values are", n)
}

func quoted(s string) string { return "“" + text.Clip(text.Collapse(s), 80) + "”" }

// idle lists the fields that give nothing at all.
func idle(b *blueprint.Blueprint, read []reading) []problem {
	var all []problem
	for _, name := range slices.Sorted(maps.Keys(b.Fields)) {
		given, records := 0, 0
		for _, r := range read {
			for _, d := range r.drafts {
				records++
				given += len(d.Fields.Texts(name))
			}
		}
		if given == 0 && records > 0 {
			all = append(all, about(name, "gives nothing in any record"))
		}
	}
	return all
}

// mostBroken is the share of records that may lack what their schema requires: lists
// have a heading or an advertisement in them.
const mostBroken = 0.2

// broken says which required fields are missing or cannot be read, and which other
// fields never can.
func (t *task) broken(read []reading) []problem {
	var all []problem
	for _, f := range t.schema.Fields {
		read := t.readField(f, read)
		switch {
		case f.Required && float64(read.lost) > mostBroken*float64(read.records):
			all = append(all, read.unread(f))
		case !f.Required && read.given > 0 && read.lost == read.records:
			all = append(all, about(f.Name, "no value can be read as %s, such as %s", f.Type, quoted(read.example)))
		}
	}
	return all
}

// fieldReading is how many records have a field, and in how many it cannot be read.
type fieldReading struct {
	records, given, lost int
	example              string // of what cannot be read
}

func (t *task) readField(f curlew.Field, read []reading) fieldReading {
	var all fieldReading
	for _, r := range read {
		for i, record := range r.records {
			all.records++
			raw := r.drafts[i].Fields.Texts(f.Name)
			if len(raw) > 0 {
				all.given++
			}
			if record.Fields[f.Name] == nil || f.Type == curlew.TypeTime && len(raw) > 0 && !counts(raw[0]) {
				if all.lost++; all.example == "" && len(raw) > 0 {
					all.example = raw[0]
				}
			}
		}
	}
	return all
}

// counts says whether a text has a number in it, in digits or in Chinese: a word alone
// ("more", "Sunday") is a day to a reader who wants one, but not of a list.
func counts(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsNumber(r) || unicode.Is(unicode.Han, r) })
}

func (r fieldReading) unread(f curlew.Field) problem {
	if r.example == "" {
		return about(f.Name, "%d of %s have none, and it is required", r.lost, counted(r.records, "record"))
	}
	return about(f.Name, "%d of %s have none that can be read as %s: %s", r.lost, counted(r.records, "record"), f.Type, quoted(r.example))
}

// same says when all records of a list have one name: that of something else.
func (t *task) same(b *blueprint.Blueprint, read []reading) []problem {
	if b.Page != curlew.PageList {
		return nil
	}
	var all []problem
	for _, f := range t.schema.Fields {
		if !f.Required || f.Type != curlew.TypeText {
			continue
		}
		names, n := map[string]bool{}, 0
		for _, r := range read {
			for _, d := range r.drafts {
				n++
				names[strings.Join(d.Fields.Texts(f.Name), " ")] = true
			}
		}
		if n >= 3 && len(names) == 1 {
			all = append(all, about(f.Name, "all %d records have the same: select it inside the record", n))
		}
	}
	return all
}
