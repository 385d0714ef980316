package app

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/work/teach"
)

// FieldWordName names a word of the org by where it stands.
type FieldWordName struct {
	Schema curlew.SchemaName `json:"schema" min:"1" maxlen:"60"` // name of the kind
	Field  string            `json:"field" min:"1" maxlen:"60"`  // one of a set, or yes or no
	Word   string            `json:"word" min:"1" maxlen:"200"`  // as pages have it
}

// Check says what is wrong with the command.
func (c FieldWordName) Check() curlew.Problems { return bounds(c) }

// SetFieldWord says what a word on pages means in a field of a kind.
type SetFieldWord struct {
	FieldWordName
	Value string `json:"value" min:"1" maxlen:"100"` // one of the field's choices, or yes or no
}

// Check says what is wrong with the command.
func (c SetFieldWord) Check() curlew.Problems { return bounds(c) }

// FieldWords lists what words mean, as the org said.
func (a *App) FieldWords(ctx context.Context, who auth.Identity) (curlew.FieldWords, error) {
	return see(a, who, func(s store.Scope) (curlew.FieldWords, error) { return s.FieldWords().All(ctx) })
}

// SetFieldWord keeps what a word means: all pages of the org are read by it from now on.
func (a *App) SetFieldWord(ctx context.Context, who auth.Identity, c SetFieldWord) (curlew.FieldWord, error) {
	return do(ctx, a.as(who), verb{"setFieldWord", auth.EditBlueprints}, c,
		func(ctx context.Context, tx *Tx) (none curlew.FieldWord, err error) {
			kind := c.Schema.Kind()
			if !c.Schema.BuiltIn() {
				if kind, err = tx.Kinds().Get(ctx, c.Schema); err != nil {
					return none, err
				}
			}
			f, known := kind.Field(c.Field)
			answers := f.Answers()
			switch {
			case !known:
				return none, curlew.Problems{{Field: "field", Sentence: fmt.Sprintf("%s has no field %q", c.Schema, c.Field)}}
			case len(answers) == 0:
				return none, curlew.Problems{{Field: "field", Sentence: c.Field + " is neither one of a set nor yes or no: its words need no meaning"}}
			case !slices.Contains(answers, c.Value):
				return none, curlew.Problems{{Field: "value", Sentence: "choose one of " + strings.Join(answers, ", ")}}
			}
			w := curlew.FieldWord{Schema: c.Schema, Field: c.Field, Word: text.Collapse(c.Word), Value: c.Value, MadeAt: a.i.Now()}
			tx.About(string(c.Schema))
			tx.Detail(changed(c))
			return w, tx.FieldWords().Set(ctx, w)
		})
}

// DeleteFieldWord forgets what a word means.
func (a *App) DeleteFieldWord(ctx context.Context, who auth.Identity, c FieldWordName) error {
	_, err := do(ctx, a.as(who), verb{"deleteFieldWord", auth.EditBlueprints}, c,
		func(ctx context.Context, tx *Tx) (none struct{}, err error) {
			tx.About(string(c.Schema))
			tx.Detail(changed(c))
			return none, tx.FieldWords().Remove(ctx, curlew.FieldWord{Schema: c.Schema, Field: c.Field, Word: text.Collapse(c.Word)})
		})
	return err
}

// AnswerTraining says what the word means that a training asked about.
type AnswerTraining struct {
	Training string
	Value    string
}

// Check finds nothing: whether the word may mean that is found out by keeping it.
func (c AnswerTraining) Check() curlew.Problems { return nil }

// AnswerTraining keeps what the word means for the org, and teaches what was pointed at.
func (a *App) AnswerTraining(ctx context.Context, who auth.Identity, c AnswerTraining) (teach.Question, error) {
	l, err := a.Training(ctx, who, c.Training)
	if err != nil {
		return teach.Question{}, err
	}
	if l.Question == nil {
		return teach.Question{}, curlew.Permanent("no_question", "there is no question to answer: point at a value first")
	}
	q := *l.Question
	word := FieldWordName{Schema: l.Goal.Schema, Field: q.Field, Word: q.Word}
	if _, err := a.SetFieldWord(ctx, who, SetFieldWord{FieldWordName: word, Value: c.Value}); err != nil {
		return q, err
	}
	return q, a.PointAtValue(ctx, who, PointAtValue{Training: c.Training, Detail: q.Detail, Selection: q.Selection})
}
