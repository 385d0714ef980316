package quality

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
)

// SampleRecord is a record with the pages that it was read from.
type SampleRecord struct {
	Record curlew.Record
	Pages  []*dom.Document // the one that Node names first; none when they are not at hand
	Node   string          // the part of the first page that shows the record; "" means all of it
}

// IssueKind is what is wrong with one value.
type IssueKind string

const (
	IssueInvented IssueKind = "invented" // it is nowhere on the pages
	IssueMismatch IssueKind = "mismatch" // the page says something else of this record
	IssueSwap     IssueKind = "swap"     // it belongs to another field
	IssueMissed   IssueKind = "missed"   // the page shows it, and no field has it
)

// Issue is something that is wrong with one value of one record.
type Issue struct {
	Kind     IssueKind `json:"kind"`
	Field    string    `json:"field"`
	Got      string    `json:"got,omitempty"`
	Expected string    `json:"expected,omitempty"`
	Sentence string    `json:"sentence"`
}

// RecordJudgement is what the judge found about one record.
type RecordJudgement struct {
	ExternalID string      `json:"external_id"`
	Name       string      `json:"name"`
	Found      []Grounding `json:"found"` // where each value stands
	Issues     []Issue     `json:"issues"`
}

// Judgement is what the grounding judge says about a sample.
type Judgement struct {
	Accuracy   int               `json:"accuracy"` // 0 to 100
	Passed     bool              `json:"passed"`
	Sentence   string            `json:"sentence"`
	Records    []RecordJudgement `json:"records"`
	Systematic []SystematicError `json:"systematic"`
	Opinion    *Opinion          `json:"opinion,omitempty"` // of a second judge, where one was asked
}

// The judge hears at most so many records and passes at this accuracy. The
// specification asks for three to five.
const (
	mostJudged  = 5
	passingFrom = 80
)

// What an issue takes from a record, in values: an invention is worse than a gap.
var costs = map[IssueKind]float64{IssueInvented: 2, IssueMismatch: 1, IssueSwap: 1, IssueMissed: 0.5}

// Judge holds up to five records of a sample, spread over it, against their pages,
// value by value, and looks through all of them for errors that follow a pattern.
// The options say how the pages' dates are to be read. Once the context has ended the
// sample is not passed.
func Judge(ctx context.Context, sample []SampleRecord, o dates.Options) Judgement {
	judged := newJudgedSample(sample, o)
	j := Judgement{Records: []RecordJudgement{}, Systematic: judged.systematic(ctx)}
	values, lost := 0.0, 0.0
	for _, i := range spread(len(judged.records), mostJudged) {
		x := judged.records[i]
		if len(x.views) == 0 || ctx.Err() != nil {
			continue
		}
		h := x.judge()
		for _, issue := range h.Issues {
			lost += costs[issue.Kind]
			if issue.Kind == IssueMissed {
				values++
			}
		}
		values += float64(len(h.Found))
		j.Records = append(j.Records, h)
	}
	j.contradictions()
	if values > 0 {
		j.Accuracy = int(math.Round(100 * max(0, 1-lost/values)))
	}
	j.decide(len(sample))
	if ctx.Err() != nil {
		j.Passed, j.Sentence = false, "judging was stopped"
	}
	return j
}

// judgedSample holds the sample while it is judged; pages are read once for all records.
type judgedSample struct {
	records []*judgedRecord
	options dates.Options
}

// part is a part of a page; records of a feed may share one.
type part struct {
	page *dom.Document
	node string
}

func newJudgedSample(sample []SampleRecord, o dates.Options) *judgedSample {
	views, scopes := map[*dom.Document]*view{}, map[part][]block{}
	c := &judgedSample{options: o}
	for _, s := range sample {
		x := &judgedRecord{record: s.Record, node: s.Node}
		x.schema = s.Record.Kind()
		for _, page := range s.Pages {
			if page == nil {
				continue
			}
			if views[page] == nil {
				views[page] = newView(page, o)
			}
			x.views = append(x.views, views[page])
		}
		if len(x.views) > 0 && s.Pages[0] != nil {
			at := part{s.Pages[0], s.Node}
			if _, known := scopes[at]; !known {
				scopes[at] = x.views[0].within(s.Node)
			}
			x.scope = scopes[at]
		}
		c.records = append(c.records, x)
	}
	c.findCards()
	return c
}

// spread picks up to most of n places, evenly, the first and the last included.
func spread(n, most int) []int {
	if n <= most {
		most = n
	}
	places := make([]int, 0, most)
	for i := range most {
		if most == 1 {
			return []int{0}
		}
		places = append(places, i*(n-1)/(most-1))
	}
	return places
}

// judge judges one record.
func (x *judgedRecord) judge() RecordJudgement {
	h := RecordJudgement{ExternalID: x.record.ExternalID, Name: text.OneLine(nameOf(x.record), 120), Found: []Grounding{}, Issues: []Issue{}}
	for _, name := range fieldsOf(x.record) {
		value := x.record.Fields[name]
		if value == nil {
			continue
		}
		found := x.locate(name, value)
		h.Found = append(h.Found, found)
		if found.Seen == curlew.SeenNowhere {
			h.Issues = append(h.Issues, Issue{Kind: IssueInvented, Field: name, Got: text.OneLine(said(value), 120),
				Sentence: fmt.Sprintf("%s %s is nowhere on the page", name, quote(value))})
		}
	}
	h.Issues = append(h.Issues, x.mismatches(h.Found)...)
	h.Issues = append(h.Issues, x.swaps()...)
	h.Issues = append(h.Issues, x.mistakenTimes()...)
	h.Issues = append(h.Issues, x.missed()...)
	return h
}

// decide says whether the sample passes, and why.
func (j *Judgement) decide(sample int) {
	counts := map[IssueKind]int{}
	for _, h := range j.Records {
		for _, issue := range h.Issues {
			counts[issue.Kind]++
		}
	}
	var parts []string
	for _, e := range j.Systematic {
		if e.Severity == SeverityError {
			parts = append(parts, e.Sentence)
		}
	}
	broken := len(parts) > 0 || counts[IssueInvented] > 0
	for _, kind := range []IssueKind{IssueInvented, IssueMismatch, IssueSwap, IssueMissed} {
		if n := counts[kind]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", text.Plural(n, "value", "values"), wasWere(kind, n)))
		}
	}
	switch {
	case sample == 0:
		j.Sentence = "there is nothing to judge"
	case len(j.Records) == 0:
		j.Passed = !broken
		j.Sentence = strings.Join(append([]string{"the pages are not available, so no value could be checked"}, parts...), "; ")
	case len(parts) == 0:
		j.Passed = j.Accuracy >= passingFrom
		j.Sentence = fmt.Sprintf("all values of %s are on their pages", text.Plural(len(j.Records), "record", "records"))
	default:
		j.Passed = !broken && j.Accuracy >= passingFrom
		j.Sentence = strings.Join(parts, "; ")
	}
}

// WithNamesKnown is the judgement where the things are known by the names that were read, whatever
// else their records show.
func (j Judgement) WithNamesKnown() Judgement {
	unread := func(e SystematicError) bool { return e.Code == OwnNameUnread }
	j.Systematic = slices.DeleteFunc(slices.Clone(j.Systematic), unread)
	j.decide(len(j.Records))
	return j
}

func wasWere(kind IssueKind, n int) string {
	be := "are"
	if n == 1 {
		be = "is"
	}
	return map[IssueKind]string{
		IssueInvented: be + " nowhere on the page", IssueMismatch: be + " contradicted by the page",
		IssueSwap: be + " in the wrong field", IssueMissed: be + " on the page and in no field",
	}[kind]
}

// Feedback is what to change, for whoever learns the site again: systematic
// errors first, then what is wrong with single values, each once.
func (j Judgement) Feedback() []string {
	var all []string
	for _, e := range j.Systematic {
		all = append(all, e.Code.title()+": "+e.Sentence+". "+e.Suggestion)
	}
	seen := map[string]bool{}
	for _, h := range j.Records {
		for _, issue := range h.Issues {
			key := string(issue.Kind) + " " + issue.Field
			if seen[key] {
				continue
			}
			seen[key] = true
			line := issue.Sentence
			if h.Name != "" {
				line += " (in " + quote(h.Name) + ")"
			}
			all = append(all, line+". "+remedies[issue.Kind])
		}
	}
	return all
}

var remedies = map[IssueKind]string{
	IssueInvented: "Take only values that the page shows.",
	IssueMismatch: "Take the value from within the record.",
	IssueSwap:     "Exchange the rules of the two fields.",
	IssueMissed:   "Add a rule for this field.",
}
