package tenancy

import (
	"context"
	"maps"
	"slices"
	"strings"

	"curlew/internal/curlew"
	"curlew/internal/door/console"
	"curlew/internal/learn/induce"
	"curlew/internal/read/blueprint"
	"curlew/internal/work/pipeline"
	"curlew/internal/work/teach"
)

// mostSeen bounds the records that a page of the wizard shows.
const mostSeen = 100

// Lesson shows a lesson.
func (s seenLessons) Lesson(_ context.Context, id string) (console.Lesson, error) {
	l, err := s.open(id)
	if err != nil {
		return console.Lesson{}, err
	}
	seen := console.Lesson{ID: l.ID, URL: l.Wish.URL, Schema: l.Wish.Schema, Page: l.Wish.Page, Instructions: l.Wish.Instructions, At: l.Page.At, Archived: l.Page.Archived,
		Source: l.Wish.Source, Blueprint: l.Wish.Blueprint, Notes: l.Notes, Removed: l.Removed, Data: l.Document(teach.ThePage).IsJSON(),
		Places: l.Places(teach.ThePage), Leads: l.Leads(), Own: ownReading(l)}
	for _, w := range l.Ways {
		seen.Ways = append(seen.Ways, console.Way{Key: w.Key, Title: w.Title, Sample: w.Sample, Tier: w.Tier, Records: w.Records, Chosen: w.Key == l.Way})
	}
	if len(l.Lost) > 0 {
		seen.Notes = append(slices.Clone(seen.Notes), "no longer read, since only the data of the page have it: "+strings.ReplaceAll(strings.Join(l.Lost, ", "), "_", " "))
	}
	if field := l.Astray(); field != "" {
		seen.Notes = append(slices.Clone(seen.Notes), "own pages are not read while the list has no "+strings.ReplaceAll(field, "_", " ")+" that leads to them: point at one, or take it in again")
	}
	applied, err := l.Applied(teach.ThePage)
	if err != nil {
		return seen, err
	}
	b := l.Blueprint()
	if b != nil {
		seen.Tier, seen.Where, seen.Onward = b.Tier, b.Records.Words(), onwardWords(b)
	}
	seen.Total = len(applied.Readings)
	seen.Records = lessonRecords(l, applied.Readings)
	seen.Fields, seen.Missing = said{l.Wish.Schema, l.Taught, l.Removed, true}.fields(b, applied.Readings)
	seen.Test = lessonTest(l)
	return seen, nil
}

func onwardWords(b *blueprint.Blueprint) string {
	words := ""
	if b.Pagination != nil && b.Pagination.Kind != "none" {
		words = b.Pagination.Words()
	}
	if len(b.Follow) > 0 {
		if words != "" {
			words += "; "
		}
		words += "each record’s own page is read too"
	}
	return words
}

func lessonRecords(l *teach.Lesson, readings []pipeline.ReadRecord) []console.LessonRecord {
	var all []console.LessonRecord
	for i, r := range readings[:min(len(readings), mostSeen)] {
		record := console.LessonRecord{Number: i, Fields: flat(r.Record.Fields), Evidence: r.Record.Provenance, Taught: map[string]bool{}, Confidence: r.Confidence}
		if record.Evidence == nil {
			record.Evidence = map[string]curlew.Evidence{}
		}
		for _, t := range l.Taught {
			if l.Wish.Page == curlew.PageSingle || t.Node != "" && t.Node == r.Node && t.Record == r.Text || t.ID != "" && t.ID == r.Record.ExternalID {
				record.Taught[t.Field] = true
			}
		}
		all = append(all, record)
	}
	return all
}

// flat gives the slots of an item names of their own, and lists one shape.
func flat(fields curlew.Values) curlew.Values {
	out := curlew.Values{}
	for name, v := range fields {
		switch v := v.(type) {
		case map[string]any:
			for slot, value := range v {
				out[name+"."+slot] = value
			}
		case []string:
			list := make([]any, len(v))
			for i, one := range v {
				list[i] = one
			}
			out[name] = list
		default:
			out[name] = v
		}
	}
	return out
}

// said is what somebody said about a page of some schema.
type said struct {
	schema  curlew.SchemaName
	taught  []teach.Taught
	removed []string
	whole   bool // its records need what the schema requires
}

// fields are those that are read, in the order of the schema, and those that could be.
func (s said) fields(b *blueprint.Blueprint, readings []pipeline.ReadRecord) (read []console.LessonField, missing []string) {
	present := map[string]int{}
	for _, r := range readings {
		for name := range flat(r.Record.Fields) {
			present[name]++
		}
	}
	taught := map[string]bool{}
	for _, t := range s.taught {
		taught[t.Field] = true
	}
	schema, err := curlew.SchemaByName(s.schema)
	if err != nil {
		return nil, nil
	}
	add := func(name string, required bool) {
		f := console.LessonField{Name: name, Required: required, Present: present[name], Taught: taught[name]}
		if b != nil {
			f.Rules = ruleWords(b.Fields[name])
		}
		read = append(read, f)
		delete(present, name)
	}
	for _, f := range schema.Fields {
		switch {
		case f.Name == "slots" || f.Name == "position":
		case present[f.Name] > 0 || s.whole && f.Required && len(readings) > 0:
			add(f.Name, s.whole && f.Required)
		case !slices.Contains(s.removed, f.Name):
			missing = append(missing, f.Name)
		}
	}
	delete(present, "position")
	for _, name := range slices.Sorted(maps.Keys(present)) {
		add(name, false)
	}
	return read, missing
}

func lessonTest(l *teach.Lesson) *console.LessonTest {
	t := l.Test
	if t == nil {
		return nil
	}
	seen := &console.LessonTest{URL: t.URL, At: t.Page.At, Fit: string(t.Fit), Reasons: t.Reasons, Total: t.Records, Accuracy: t.Accuracy, Passed: t.Passed, Sentence: t.Sentence, Feedback: t.Feedback}
	if t.Empty != "" {
		seen.Reasons = append(slices.Clone(seen.Reasons), whyEmpty[t.Empty])
	}
	applied, err := l.Applied(teach.TestPage)
	if err != nil {
		return seen
	}
	seen.Own = ownTest(l)
	seen.Records = lessonRecords(l, applied.Readings[:min(len(applied.Readings), 20)])
	names := map[string]bool{}
	for _, r := range seen.Records {
		for name := range r.Fields {
			names[name] = true
		}
	}
	fields, _ := said{l.Wish.Schema, l.Taught, l.Removed, true}.fields(nil, applied.Readings)
	for _, f := range fields {
		if names[f.Name] {
			seen.Fields = append(seen.Fields, f.Name)
		}
	}
	return seen
}

var whyEmpty = map[induce.Emptiness]string{induce.NothingToday: "what held the records is there, and empty", induce.Blocked: "the page turns machines away", induce.Broken: "what held the records is not there"}

// Copy makes the inert copy of a page of a lesson.
func (s seenLessons) Copy(_ context.Context, id, page string) (console.Copy, error) {
	l, err := s.open(id)
	if err != nil {
		return console.Copy{}, err
	}
	if !l.Has(page) {
		return console.Copy{}, curlew.NotFound("page", page)
	}
	p, err := l.Picture(page)
	return console.Copy{HTML: p.HTML, Places: p.Places, Cut: p.Cut}, err
}

// Pieces are what a person may choose from instead of clicking.
func (s seenLessons) Pieces(_ context.Context, id string, own bool, record int) ([]console.Piece, error) {
	l, err := s.open(id)
	if err != nil {
		return nil, err
	}
	page := teach.ThePage
	if own {
		page = teach.OwnPage
	}
	if !l.Has(page) {
		return nil, curlew.NotFound("page", page)
	}
	var all []console.Piece
	for _, p := range l.Pieces(page, record) {
		all = append(all, console.Piece{Place: p.Number, Text: p.Text, Link: p.Link, Image: p.Image})
	}
	return all, nil
}
