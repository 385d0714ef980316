package llmblueprint

import (
	"context"
	_ "embed" // for the instructions
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/quality"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
)

// judging are the instructions for judging, the same for every page.
//
//go:embed judge.txt
var judging string

// How many records are shown to a model, how much of their pages, and how long a quote
// may be.
const (
	mostJudged   = 5
	mostOfPage   = 6_000
	mostOfValue  = 300
	longestQuote = 400
)

// questioned is one value that a model is asked about.
type questioned struct {
	record int // of the sample
	name   string
	value  string
}

// bench is a sample that is shown to a model.
type bench struct {
	schema curlew.Schema
	fence  string
	size   int
	places []int    // of the records that are shown, in the sample
	texts  []string // of their pages, as they are shown
	asked  []questioned
}

// Judge shows a model some records beside what their pages say, and asks of every value
// whether it is what its field means. Answers come from a closed set; one against a value
// counts only with words that are on the record's page. An error means that nothing was
// heard, which says nothing about the sample.
func Judge(ctx context.Context, m Model, sample []quality.SampleRecord, o Options) (quality.Opinion, curlew.ModelUsage, error) {
	b := newBench(sample, o)
	if len(o.Fence) < 8 {
		return quality.Opinion{}, curlew.ModelUsage{}, errNoFence
	}
	if len(b.asked) == 0 {
		return quality.Opinion{}, curlew.ModelUsage{}, curlew.Permanent("nothing_to_ask", "there are no records with pages to ask a model about")
	}
	text, usage, err := m.Answer(ctx, judging, []string{b.question()})
	if err != nil {
		return quality.Opinion{}, usage, err
	}
	opinion, ok := b.hear(text)
	if !ok {
		return quality.Opinion{}, usage, curlew.Permanent("model_failed", "the model's answer does not have the required form")
	}
	return opinion, usage, nil
}

func newBench(sample []quality.SampleRecord, o Options) *bench {
	b := &bench{fence: o.Fence, size: o.Size}
	if b.size <= 0 {
		b.size = usualSize
	}
	shown := min(len(sample), mostJudged)
	left := b.size
	for n := range shown {
		i := n * len(sample) / shown
		s := sample[i]
		text := text.Clip(pageText(s), max(500, left/(shown-n)))
		if strings.TrimSpace(text) == "" {
			continue
		}
		left -= len(text)
		b.schema = s.Record.Kind()
		b.places, b.texts = append(b.places, i), append(b.texts, text)
		for _, name := range slices.Sorted(maps.Keys(s.Record.Fields)) {
			if value, ok := b.askable(name, s.Record.Fields[name]); ok {
				b.asked = append(b.asked, questioned{i, name, value})
			}
		}
	}
	return b
}

var (
	notAskedTypes  = []curlew.FieldType{curlew.TypeBool, curlew.TypeMap, curlew.TypeChoice}
	notAskedFields = []string{"currency", "country", "timezone", "language", "position"}
)

// askable is a value as it is shown. Codes and flags, which pages say in other words, are
// not asked about.
func (b *bench) askable(name string, value any) (string, bool) {
	f, _ := b.schema.Field(name)
	if slices.Contains(notAskedTypes, f.Type) || slices.Contains(notAskedFields, name) {
		return "", false
	}
	s := text.Collapse(curlew.ValueText(value))
	if list, ok := value.([]string); ok {
		s = strings.Join(list, ", ")
	}
	return text.Clip(s, mostOfValue), s != ""
}

// pageText is what the pages of a record show of it: its part of the list, and its own
// pages.
func pageText(s quality.SampleRecord) string {
	var parts []string
	for i, page := range s.Pages {
		if page == nil {
			continue
		}
		raw := page.Text()
		if node := page.At(s.Node); i == 0 && s.Node != "" && !page.IsJSON() && node != nil {
			var blocks []string
			for _, block := range dom.Blocks(node) {
				blocks = append(blocks, text.Collapse(block.Text))
			}
			raw = strings.Join(blocks, "\n")
		}
		parts = append(parts, text.Clip(strings.TrimSpace(raw), mostOfPage))
	}
	return strings.Join(parts, "\n\n")
}

// question is what the model is asked: data alone, between fences.
func (b *bench) question() string {
	t := &task{fence: b.fence}
	var q strings.Builder
	t.warn(&q)
	fmt.Fprintf(&q, "These are records of the kind %q. Its fields: %s.\n\n", b.schema.Name, strings.Join(b.fieldNames(), ", "))
	for n, i := range b.places {
		t.fenced(&q, fmt.Sprintf("record %d, what its page shows", n+1), b.texts[n])
		var lines []string
		for id, a := range b.asked {
			if a.record != i {
				continue
			}
			line, err := marshal(map[string]any{"id": id + 1, "field": a.name, "value": a.value})
			if err == nil {
				lines = append(lines, string(line))
			}
		}
		t.fenced(&q, fmt.Sprintf("record %d, what was read", n+1), strings.Join(lines, "\n"))
	}
	q.WriteString("Answer for every id with the JSON object alone.")
	return q.String()
}

func (b *bench) fieldNames() []string {
	var all []string
	for _, f := range b.schema.Fields {
		all = append(all, f.Name)
	}
	if len(all) == 0 {
		for _, a := range b.asked {
			if !slices.Contains(all, a.name) {
				all = append(all, a.name)
			}
		}
	}
	return all
}

// said is one answer as the model wrote it.
type said struct {
	ID     int    `json:"id"`
	Answer string `json:"answer"`
	Field  string `json:"field"`
	Quote  string `json:"quote"`
}

// hear takes of an answer what holds against the pages; ok is false when it is none.
func (b *bench) hear(text string) (quality.Opinion, bool) {
	var answer struct {
		Answers []json.RawMessage `json:"answers"`
	}
	raw, ok := objectWith(text, "answers")
	if !ok || json.Unmarshal(raw, &answer) != nil || len(answer.Answers) == 0 {
		return quality.Opinion{}, false
	}
	o := quality.Opinion{Answered: true, Asked: map[string]int{}}
	for _, a := range b.asked {
		o.Asked[a.name]++
	}
	told := map[int]bool{}
	for _, raw := range answer.Answers[:min(len(answer.Answers), 2*len(b.asked))] {
		var s said
		if json.Unmarshal(raw, &s) != nil || s.ID < 1 || s.ID > len(b.asked) || told[s.ID] {
			o.Dismissed++
			continue
		}
		told[s.ID] = true
		switch x, ok := b.hold(s); {
		case s.Answer == "yes" || s.Answer == "unsure":
		case ok:
			o.Doubted = append(o.Doubted, x)
		default:
			o.Dismissed++
		}
	}
	return o, true
}

// hold says whether an answer against a value counts: from the closed set, and with
// words that the page of this record shows in one piece.
func (b *bench) hold(s said) (quality.DoubtedValue, bool) {
	a := b.asked[s.ID-1]
	x := quality.DoubtedValue{Record: a.record, Field: a.name, Doubt: quality.Doubt(s.Answer), Got: a.value,
		Quote: text.Clip(text.Collapse(s.Quote), longestQuote)}
	page := text.Fold(text.Collapse(b.texts[slices.Index(b.places, a.record)]))
	switch {
	case !slices.Contains(quality.Doubts(), x.Doubt), len(s.Quote) > longestQuote, !span(page, text.Fold(text.Collapse(s.Quote))):
		return x, false
	case x.Doubt != quality.DoubtOtherField:
		return x, true
	}
	x.Belongs = s.Field
	shown := span(page, text.Fold(text.Collapse(a.value))) // a claim about a text must quote it
	quotes := span(text.Fold(text.Collapse(s.Quote)), text.Fold(text.Collapse(a.value))) ||
		span(text.Fold(text.Collapse(a.value)), text.Fold(text.Collapse(s.Quote)))
	return x, s.Field != a.name && slices.Contains(b.fieldNames(), s.Field) && (quotes || !shown)
}
