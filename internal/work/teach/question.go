package teach

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/text"
)

// Question is asked where somebody points at a word that a field of a closed set does not
// know: what it means is remembered for the org.
type Question struct {
	Selection
	Detail  bool     // the place is on the detail page of a record
	Word    string   // that is not known
	Answers []string // what it may mean
}

// Sentence asks.
func (q Question) Sentence() string {
	if slices.Equal(q.Answers, []string{"yes", "no"}) {
		return "“" + q.Word + "” is not known as " + q.Field + ": is it yes or no?"
	}
	return "“" + q.Word + "” is not known as " + q.Field + ": is it " + strings.ReplaceAll(strings.Join(q.Answers, ", "), "_", " ") + "?"
}

// unreadError is a value that was pointed at and that its field cannot hold.
type unreadError struct {
	taught Taught
	field  curlew.Field
}

// Unwrap is the fault that says so.
func (e unreadError) Unwrap() error {
	if answers := e.field.Answers(); len(answers) > 0 {
		return curlew.Permanent("unknown_word", "%s", Question{Selection: Selection{Field: e.taught.Field}, Word: wordOf(e.taught),
			Answers: answers}.Sentence())
	}
	const why = "“%s” cannot be read as %s: it is %s. Point at another place, or choose a field that holds text"
	return curlew.Permanent("reads_nothing", why, wordOf(e.taught), e.taught.Field, holds(e.field))
}

func (e unreadError) Error() string { return e.Unwrap().Error() }

func wordOf(t Taught) string { return text.CutWords(t.Value, 60) }

// ask keeps the question that a pointing leads to, so that it can be answered: what the word
// means that it failed at, or else what another record has in that field.
func (l *Training) ask(ctx context.Context, p Selection, detail bool, err error) error {
	l.Question = nil
	if err == nil && !detail {
		l.Question = l.otherWord(ctx, p)
	}
	var unread unreadError
	if errors.As(err, &unread) {
		if answers := unread.field.Answers(); len(answers) > 0 {
			l.Question = &Question{Selection: p, Detail: detail, Word: unread.taught.Value, Answers: answers}
		}
	}
	return err
}

// otherWord asks for a word that the rules find in a field of a closed set, in records other
// than the one that was pointed at, and that is not known; nil for none.
func (l *Training) otherWord(ctx context.Context, p Selection) *Question {
	f, _ := l.Goal.Kind().Field(p.Field)
	applied, err := l.Applied(ctx, ThePage)
	compiled, broken := blueprint.Compile(l.Blueprint())
	if err != nil || broken != nil || len(f.Answers()) == 0 {
		return nil
	}
	known := map[string]bool{}
	for _, r := range applied.Readings {
		known[text.Fold(r.Record.Provenance[p.Field].Text)] = true
	}
	for _, d := range compiled.Apply(blueprint.PageInput{Document: l.Document(ThePage), Now: l.Page.At}).Drafts {
		if word, _ := d.Fields[p.Field].(string); word != "" && !known[text.Fold(word)] {
			return &Question{Selection: p, Word: word, Answers: f.Answers()}
		}
	}
	return nil
}

// reproduces refuses rules that do not read what was pointed at where it was pointed at: what
// stands there is nothing that the field can hold.
func (l *Training) reproduces(ctx context.Context, b *blueprint.Blueprint) error {
	applied, err := l.apply(ctx, b, ThePage)
	if err != nil {
		return err
	}
	for _, t := range l.Taught {
		if err := l.unread(t, applied.Readings); err != nil {
			return err
		}
	}
	return nil
}

// detailReproduces is reproduces for what was pointed at on a detail page.
func (l *Training) detailReproduces(ctx context.Context) error {
	applied, err := l.Applied(ctx, DetailPage)
	if err != nil {
		return err
	}
	for _, t := range l.Detail.Taught {
		if err := l.unread(t, applied.Readings); err != nil {
			return err
		}
	}
	return nil
}

// unread says that the record that was pointed at lacks what it was taught; where that record
// is not among them, that all do.
func (l *Training) unread(t Taught, readings []extract.ReadRecord) error {
	same := func(r extract.ReadRecord) bool { return t.Node != "" && r.Node == t.Node && r.Text == t.Record }
	if at := slices.IndexFunc(readings, same); at >= 0 {
		readings = readings[at : at+1]
	}
	if slices.ContainsFunc(readings, func(r extract.ReadRecord) bool { return has(r.Record.Fields, t.Field) }) {
		return nil
	}
	f, _ := l.Goal.Kind().Field(t.Field)
	return unreadError{t, f}
}

// has says whether a record has a field, or a part of one that holds several.
func has(fields curlew.Values, name string) bool {
	whole, part, parts := strings.Cut(name, ".")
	value, ok := fields[whole]
	if !parts {
		return ok
	}
	all, _ := value.(map[string]any)
	_, ok = all[part]
	return ok
}

// holds is what a field can hold, in words.
func holds(f curlew.Field) string {
	if f.Type == curlew.TypeTime {
		return "a moment"
	}
	return cmp.Or(string(f.Type), "text")
}
