package console

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/work/onboard"
	"github.com/curlew-data/curlew/internal/work/teach"
)

// Training is a page and what is read from it so far.
type Training struct {
	ID           string
	URL          string
	Title        string // as the page calls itself; "" where it does not
	Schema       curlew.SchemaName
	Kind         curlew.Schema
	Page         curlew.PageType
	Instructions string
	At           time.Time // when the page was as it is
	Archived     bool
	Source       curlew.SourceID
	Blueprint    curlew.BlueprintID

	Readings []onboard.Finding // what the page can be read as, where that was found out
	Why      string            // what would become of a candidate

	Ways    []Way
	Notes   []string
	Where   string // the records, in words
	Tier    curlew.Tier
	Onward  string // further and detail pages, in words
	Fields  []TrainingField
	Records []TrainingRecord
	Total   int
	Missing []string // fields of the schema that are not read
	Removed []string
	Places  int
	Data    bool // the page is data: there is nothing to look at
	Test    *TrainingTest

	Question *teach.Question // what a word means; nil for none

	Leads      bool           // its records have pages of their own
	Own        *DetailReading // how those are read; nil for not
	DetailPage bool           // this is such a page, not the list
}

// DetailReading is how the detail pages of records are read.
type DetailReading struct {
	URL   string   // of the first one that was asked for; "" for none yet
	Adds  []string // fields that they tell and the list does not, or not as fully
	Rules []ExplainedFollow
	Rows  []DetailRow
}

// DetailRow is what the detail page of one record adds.
type DetailRow struct {
	URL    string
	Name   string
	Record TrainingRecord
	Speaks bool
}

// Under is where the forms of a training lead.
func (l Training) Under() string {
	if l.DetailPage {
		return trainingAt(l.ID) + "/own"
	}
	return trainingAt(l.ID)
}

// Frame is where the copy of its page is.
func (l Training) Frame() string {
	if l.DetailPage {
		return trainingAt(l.ID) + "/page?of=own"
	}
	return trainingAt(l.ID) + "/page"
}

// Learned says whether there is anything to keep.
func (l Training) Learned() bool { return l.Total > 0 }

// Way is one thing on the page that could be read.
type Way struct {
	teach.ReadingOption
	Chosen bool
}

// TrainingField is one field over all records.
type TrainingField struct {
	Name     string
	Required bool
	Present  int // records that have it
	Taught   bool
	Rules    []string
	Note     string // how it stands to what the list says
}

// TrainingRecord is one record as it is read.
type TrainingRecord struct {
	Number     int
	Fields     curlew.Values
	Evidence   map[string]curlew.Evidence
	Taught     map[string]bool
	Confidence float64
}

// TrainingTest is what the rules gave on another page.
type TrainingTest struct {
	URL      string
	At       time.Time
	Fit      string
	Reasons  []string
	Total    int
	Accuracy int
	Passed   bool
	Sentence string
	Feedback []string
	Records  []TrainingRecord
	Fields   []string
	Own      *DetailTest
}

// DetailTest is what list and detail page of one record gave together.
type DetailTest struct {
	URL      string
	Problem  string // why the page was not read
	Accuracy int
	Passed   bool
	Sentence string
	Feedback []string
	Record   TrainingRecord
	Fields   []TrainingField
}

// mostSeen bounds the records that a page of the wizard shows.
const mostSeen = 100

// trainingOf shows a training.
func trainingOf(ctx context.Context, l *teach.Training) (Training, error) {
	seen := Training{ID: l.ID, URL: l.Goal.URL, Schema: l.Goal.Schema, Kind: l.Goal.Kind(), Page: l.Goal.Page,
		Instructions: l.Goal.Instructions, At: l.Page.At, Archived: l.Page.Archived,
		Source: l.Goal.Source, Blueprint: l.Goal.Blueprint, Notes: l.Notes,
		Readings: l.Goal.Readings, Why: l.Goal.Why,
		Question: l.Question, Removed: l.Removed, Data: l.Document(teach.ThePage).IsJSON(),
		Places: l.Places(teach.ThePage), Leads: l.Leads(ctx), Own: detailReading(ctx, l)}
	_, seen.Title = l.Names()
	for _, w := range l.Ways {
		seen.Ways = append(seen.Ways, Way{w, w.Key == l.Way})
	}
	if len(l.Lost) > 0 {
		lost := strings.ReplaceAll(strings.Join(l.Lost, ", "), "_", " ")
		seen.Notes = append(slices.Clone(seen.Notes), "no longer read, since only the data of the page have it: "+lost)
	}
	if field := l.LostFollowField(); field != "" {
		seen.Notes = append(slices.Clone(seen.Notes), "detail pages are not read while the list has no "+strings.ReplaceAll(field, "_",
			" ")+" that leads to them: point at one, or take it in again")
	}
	applied, err := l.Applied(ctx, teach.ThePage)
	if err != nil {
		return seen, err
	}
	b := l.Blueprint()
	if b != nil {
		seen.Tier, seen.Where, seen.Onward = b.Tier, b.Records.Words(), onwardWords(b)
	}
	seen.Total = len(applied.Readings)
	seen.Records = trainingRecords(l, applied.Readings)
	seen.Fields, seen.Missing = taughtOf{l.Goal.Kind(), l.Taught, l.Removed, true}.fields(b, applied.Readings)
	seen.Test = trainingTest(ctx, l)
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
		words += "each record’s detail page is read too"
	}
	return words
}

func trainingRecords(l *teach.Training, readings []extract.ReadRecord) []TrainingRecord {
	var all []TrainingRecord
	for i, r := range readings[:min(len(readings), mostSeen)] {
		record := TrainingRecord{Number: i, Fields: flat(r.Record.Fields), Evidence: r.Record.Provenance, Taught: map[string]bool{},
			Confidence: r.Confidence}
		if record.Evidence == nil {
			record.Evidence = map[string]curlew.Evidence{}
		}
		for _, t := range l.Taught {
			here, same := t.Node != "" && t.Node == r.Node && t.Record == r.Text, t.ID != "" && t.ID == r.Record.ExternalID
			if l.Goal.Page == curlew.PageSingle || here || same {
				record.Taught[t.Field] = true
			}
		}
		all = append(all, record)
	}
	return all
}

// flat gives the slots of an item names of their own, and lists one shape.
func flat(fields curlew.Values) curlew.Values {
	out := fields.Flat()
	for name, v := range out {
		if texts, ok := v.([]string); ok {
			list := make([]any, len(texts))
			for i, one := range texts {
				list[i] = one
			}
			out[name] = list
		}
	}
	return out
}

// taughtOf is what somebody said about a page of some schema.
type taughtOf struct {
	kind    curlew.Schema
	taught  []teach.Taught
	removed []string
	whole   bool // its records need what the schema requires
}

// presentFields are how many records have each field.
func presentFields(readings []extract.ReadRecord) map[string]int {
	present := map[string]int{}
	for _, r := range readings {
		for name := range flat(r.Record.Fields) {
			present[name]++
		}
	}
	return present
}

func (s taughtOf) teaches(field string) bool {
	return slices.ContainsFunc(s.taught, func(t teach.Taught) bool { return t.Field == field })
}

// fields are those that are read, in the order of the schema, and those that could be.
func (s taughtOf) fields(b *blueprint.Blueprint, readings []extract.ReadRecord) (read []TrainingField, missing []string) {
	present := presentFields(readings)
	add := func(name string, required bool) {
		f := TrainingField{Name: name, Required: required, Present: present[name], Taught: s.teaches(name)}
		if b != nil {
			f.Rules = ruleWords(b.Fields[name])
		}
		read = append(read, f)
		delete(present, name)
	}
	for _, f := range s.kind.Fields {
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

func trainingTest(ctx context.Context, l *teach.Training) *TrainingTest {
	t := l.Test
	if t == nil {
		return nil
	}
	seen := &TrainingTest{URL: t.URL, At: t.Page.At, Fit: string(t.Fit), Reasons: t.Reasons, Total: t.Records, Accuracy: t.Accuracy,
		Passed: t.Passed, Sentence: t.Sentence, Feedback: t.Feedback}
	if t.Empty != "" {
		seen.Reasons = append(slices.Clone(seen.Reasons), whyEmpty[t.Empty])
	}
	applied, err := l.Applied(ctx, teach.TestPage)
	if err != nil {
		return seen
	}
	seen.Own = detailTest(ctx, l)
	seen.Records = trainingRecords(l, applied.Readings[:min(len(applied.Readings), 20)])
	names := map[string]bool{}
	for _, r := range seen.Records {
		for name := range r.Fields {
			names[name] = true
		}
	}
	fields, _ := taughtOf{l.Goal.Kind(), l.Taught, l.Removed, true}.fields(nil, applied.Readings)
	for _, f := range fields {
		if names[f.Name] {
			seen.Fields = append(seen.Fields, f.Name)
		}
	}
	return seen
}

var whyEmpty = map[induce.Emptiness]string{induce.NothingToday: "the list is there, and empty",
	induce.Blocked: "the page blocks crawlers", induce.Broken: "the container of the records is missing"}
