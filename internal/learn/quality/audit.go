package quality

import (
	"context"
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
)

// MismatchClass is why a value differs from the truth.
type MismatchClass string

const (
	SourceNotVisible    MismatchClass = "SOURCE_NOT_VISIBLE"    // the page does not have it
	PartialSourceData   MismatchClass = "PARTIAL_SOURCE_DATA"   // the page has a part of it
	ParserDrift         MismatchClass = "PARSER_DRIFT"          // the page has it, and it was not taken
	NormalizationBug    MismatchClass = "NORMALIZATION_BUG"     // it was taken, and spoiled afterwards
	IDResolutionBug     MismatchClass = "ID_RESOLUTION_BUG"     // it is known under another id
	SubdomainVariant    MismatchClass = "SUBDOMAIN_VARIANT"     // it is the same on another host of the site
	ExpectationWasWrong MismatchClass = "EXPECTATION_WAS_WRONG" // the page says what was read: the truth file is wrong
	UnsupportedVariant  MismatchClass = "UNSUPPORTED_VARIANT"   // a form of page or value that is not read yet
)

// MismatchClasses lists them in the order of reports.
func MismatchClasses() []MismatchClass {
	return []MismatchClass{
		ParserDrift, NormalizationBug, IDResolutionBug, SubdomainVariant, UnsupportedVariant,
		PartialSourceData, SourceNotVisible, ExpectationWasWrong,
	}
}

// Mismatch is a value that differs from the truth.
type Mismatch struct {
	Line       int           `json:"line,omitempty"` // of the truth file
	ExternalID string        `json:"external_id"`
	Name       string        `json:"name"`
	Field      string        `json:"field"` // "" when the whole record is missing
	Want       any           `json:"want"`
	Got        any           `json:"got"`
	Class      MismatchClass `json:"class"`
	Why        string        `json:"why"`
	Sure       bool          `json:"sure"` // false where the page was not at hand or the evidence is thin
}

// FieldTally is how often a field was right.
type FieldTally struct {
	Field   string `json:"field"`
	Checked int    `json:"checked"`
	Right   int    `json:"right"`
}

// AuditReport compares records with the truth, field by field.
type AuditReport struct {
	Rows       int                   `json:"rows"`     // of the truth
	Matched    int                   `json:"matched"`  // rows for which there is a record
	Whole      int                   `json:"whole"`    // rows that are right in every field
	Extra      int                   `json:"extra"`    // records that no row speaks of; a truth set need not be complete
	Checked    int                   `json:"checked"`  // values
	Right      int                   `json:"right"`    // values
	Accuracy   float64               `json:"accuracy"` // share of right values in percent, one decimal
	Fields     []FieldTally          `json:"fields"`
	Classes    map[MismatchClass]int `json:"classes"`
	Mismatches []Mismatch            `json:"mismatches"`
}

// Audit holds records against the truth. Each mismatch gets the class that the
// evidence speaks for: what the page shows, what the rule took, what other fields
// and records have. It stops with its context, and its report then is no use.
func Audit(ctx context.Context, truth []TruthRow, got []curlew.Record) AuditReport {
	a := &auditor{records: got, taken: map[int]bool{}, views: map[*dom.Document]*view{}, fields: map[string]*FieldTally{},
		read: map[string]bool{}, rows: map[string]int{}}
	a.report = AuditReport{Rows: len(truth), Classes: map[MismatchClass]int{}, Mismatches: []Mismatch{}, Fields: []FieldTally{}}
	a.index()
	for _, row := range truth {
		if row.URL != "" {
			a.rows[tailOf(row.URL)]++
		}
	}
	matches := a.match(truth)
	for i, row := range truth {
		if matches[i] >= 0 && row.Page != "" {
			a.read[row.Page] = true
		}
	}
	for i, row := range truth {
		if ctx.Err() != nil {
			break
		}
		a.compare(row, matches[i])
	}
	for _, name := range slices.Sorted(maps.Keys(a.fields)) {
		a.report.Fields = append(a.report.Fields, *a.fields[name])
	}
	a.report.Extra = len(got) - len(a.taken)
	if a.report.Checked > 0 {
		a.report.Accuracy = math.Floor(1000*float64(a.report.Right)/float64(a.report.Checked)) / 10
	}
	return a.report
}

// auditor is an audit on its way.
type auditor struct {
	records []curlew.Record
	byID    map[string][]int
	byURL   map[string][]int
	byName  map[string][]int
	byLocal map[string][]int
	rows    map[string]int // of the truth, by address
	taken   map[int]bool
	read    map[string]bool // pages from which anything was read
	views   map[*dom.Document]*view
	fields  map[string]*FieldTally
	report  AuditReport
}

func (a *auditor) index() {
	a.byID, a.byURL, a.byName, a.byLocal = map[string][]int{}, map[string][]int{}, map[string][]int{}, map[string][]int{}
	for i, r := range a.records {
		if r.ExternalID != "" {
			a.byID[r.ExternalID] = append(a.byID[r.ExternalID], i)
		}
		if r.URL != "" {
			a.byURL[tailOf(r.URL)] = append(a.byURL[tailOf(r.URL)], i)
		}
		if key := meeting(r); key != "" {
			a.byName[key] = append(a.byName[key], i)
		}
		if key := local(r); key != "" {
			a.byLocal[key] = append(a.byLocal[key], i)
		}
	}
}

// tailOf is an address without its host, by which variants of a site meet.
func tailOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.EscapedPath() + "?" + u.RawQuery + "#" + u.Fragment
}

// match finds the record of each row, the surest ways first for all rows: the id
// together with the name, an address of its own, the name and the moment, the same with
// the moment as it is written on the spot, the id, the name.
func (a *auditor) match(truth []TruthRow) []int {
	matches := make([]int, len(truth))
	for i := range matches {
		matches[i] = -1
	}
	ways := []func(TruthRow) []int{
		func(row TruthRow) []int { return a.both(a.byID[row.ExternalID], a.byName[meeting(asRecord(row))]) },
		a.at,
		func(row TruthRow) []int { return a.named(row, true) },
		func(row TruthRow) []int { return a.byLocal[local(asRecord(row))] },
		func(row TruthRow) []int { return a.byID[row.ExternalID] },
		a.near,
		func(row TruthRow) []int { return a.named(row, false) },
	}
	for _, way := range ways {
		for i, row := range truth {
			if matches[i] >= 0 {
				continue
			}
			if at := a.likest(row, way(row)); at >= 0 {
				matches[i], a.taken[at] = at, true
			}
		}
	}
	return matches
}

// likest is the record that has most of what a row says, of those that nobody has yet:
// what happens in two rooms at once under one name is told apart by the rest. It is -1
// when there is none.
func (a *auditor) likest(row TruthRow, among []int) int {
	best, most := -1, -1
	for _, at := range among {
		if a.taken[at] || a.records[at].Schema != row.Schema {
			continue
		}
		n := 0
		for name := range row.Fields {
			f, _ := row.Kind().Field(name)
			if row.right(name, f.Type, a.records[at].Fields[name]) {
				n++
			}
		}
		if n > most {
			best, most = at, n
		}
	}
	return best
}

func (a *auditor) both(one, other []int) []int {
	return slices.DeleteFunc(slices.Clone(one), func(i int) bool { return !slices.Contains(other, i) })
}

// named are the records of a name, for rows that have a moment or for those without.
func (a *auditor) named(row TruthRow, dated bool) []int {
	r := asRecord(row)
	if (startOf(r) != "") != dated {
		return nil
	}
	return a.byName[meeting(r)]
}

// at is the only record of exactly the address that a row has for itself.
func (a *auditor) at(row TruthRow) []int {
	if row.ExternalID != "" || a.rows[tailOf(row.URL)] != 1 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(a.near(row)), func(i int) bool { return !text.SameURL(row.URL, a.records[i].URL) })
}

// local is the name and the moment as a clock on the spot shows it: of two that speak of
// the same, one may know the zone.
func local(r curlew.Record) string {
	at, clock, ok := moment(startOf(r))
	if name := strings.TrimSpace(padded(nameOf(r))); ok && clock != "" && name != "" {
		return name + "|" + at.Format("2006-01-02T15:04")
	}
	return ""
}

// near is the only record of an address on the same domain.
func (a *auditor) near(row TruthRow) []int {
	if row.URL == "" {
		return nil
	}
	all := slices.DeleteFunc(slices.Clone(a.byURL[tailOf(row.URL)]), func(i int) bool {
		return !text.SameURL(row.URL, a.records[i].URL) && !siblings(row.URL, a.records[i].URL)
	})
	if len(all) != 1 {
		return nil
	}
	return all
}

func asRecord(row TruthRow) curlew.Record {
	return curlew.Record{Schema: row.Schema, Own: row.Own, ExternalID: row.ExternalID, URL: row.URL, Fields: row.Fields}
}

// compare holds one row against its record.
func (a *auditor) compare(row TruthRow, at int) {
	if at < 0 {
		for _, name := range fieldsOf(asRecord(row)) {
			a.tally(name, false)
		}
		a.missing(row)
		return
	}
	a.report.Matched++
	x := a.recordFor(row, a.records[at])
	before := len(a.report.Mismatches)
	a.compareID(row, x.record)
	for _, name := range fieldsOf(asRecord(row)) {
		want, got := row.Fields[name], x.record.Fields[name]
		right := row.right(name, x.field(name).Type, got)
		a.tally(name, right)
		if !right {
			a.note(row, x.classify(row, name, want, got))
		}
	}
	for _, name := range row.Absent {
		got := x.record.Fields[name]
		a.tally(name, got == nil)
		if got != nil {
			a.note(row, x.unexpected(name, got))
		}
	}
	if len(a.report.Mismatches) == before {
		a.report.Whole++
	}
}

// compareID looks at the id and, where the fields do not, at the address.
func (a *auditor) compareID(row TruthRow, r curlew.Record) {
	if row.ExternalID != "" {
		a.tally("external_id", row.ExternalID == r.ExternalID)
		why := ""
		switch others := len(a.byID[row.ExternalID]); {
		case row.ExternalID != r.ExternalID && others > 0:
			why = "something else has this id"
		case row.ExternalID != r.ExternalID:
			why = "the same thing is known under another id"
		case others > 1:
			why = fmt.Sprintf("%d records share this id", others)
		}
		if why != "" {
			a.note(row, Mismatch{Field: "external_id", Want: row.ExternalID, Got: r.ExternalID, Class: IDResolutionBug, Sure: true, Why: why})
		}
	}
	if row.URL == "" || row.Fields["url"] != nil || r.URL == "" {
		return
	}
	a.tally("url", text.SameURL(row.URL, r.URL))
	m := Mismatch{Field: "url", Want: row.URL, Got: r.URL}
	if siblings(row.URL, r.URL) {
		m.Class, m.Sure, m.Why = SubdomainVariant, true, "the same page on another host of the site"
		a.note(row, m)
	} else if !text.SameURL(row.URL, r.URL) {
		m.Class, m.Why = IDResolutionBug, "the record leads to another page"
		a.note(row, m)
	}
}

func (a *auditor) tally(field string, right bool) {
	if a.fields[field] == nil {
		a.fields[field] = &FieldTally{Field: field}
	}
	a.fields[field].Checked++
	a.report.Checked++
	if right {
		a.fields[field].Right++
		a.report.Right++
	}
}

func (a *auditor) note(row TruthRow, m Mismatch) {
	m.Line, m.ExternalID, m.Name = row.Line, row.ExternalID, text.OneLine(nameOf(asRecord(row)), 120)
	a.report.Classes[m.Class]++
	a.report.Mismatches = append(a.report.Mismatches, m)
}

// recordFor is the record with the page of the row.
func (a *auditor) recordFor(row TruthRow, r curlew.Record) *judgedRecord {
	x := &judgedRecord{record: r}
	x.schema = row.Kind()
	if row.Document != nil {
		if a.views[row.Document] == nil {
			a.views[row.Document] = newView(row.Document, row.Options)
		}
		x.views = []*view{a.views[row.Document]}
	}
	return x
}
