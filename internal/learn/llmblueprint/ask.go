// Package llmblueprint asks a model for a blueprint and holds the answer against the page.
//
// What the model says is data. It has no tools, sees no secrets, and gets pages as
// fenced text that is never part of its instructions. Of its answer only selectors
// and steps are taken; they must be a valid blueprint, give whole records on every
// page, and every value must be a span of the page. What is wrong is told to the
// model, a few times at most; what still does not hold is thrown away. It keeps
// nothing, fetches nothing, and has no randomness of its own.
package llmblueprint

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/text"
)

// Model answers a conversation in which turns alternate: the first is ours, the next
// was the model's.
type Model interface {
	Answer(ctx context.Context, system string, turns []string) (string, curlew.ModelUsage, error)
}

// Options are how a model is asked.
type Options struct {
	Fence    string                 // random text that no page can know: it parts data from instructions
	Rounds   int                    // answers at most; 0 means 3
	Examples []*blueprint.Blueprint // of other sites; the three most alike are shown
	Size     int                    // bytes of pages that are sent; 0 means 60,000
}

// WriteResult is what came of asking.
type WriteResult struct {
	Blueprint *blueprint.Blueprint `json:"-"` // nil when no answer holds
	Proof     induce.Proof         `json:"proof"`
	Rounds    []Round              `json:"rounds"`
}

// Round is one answer of the model.
type Round struct {
	Usage    curlew.ModelUsage `json:"usage"`
	Feedback []string          `json:"feedback,omitempty"` // what is wrong with it; none when it holds
}

// Learn asks for a blueprint of pages, of which values may be known, as induce.Learn
// and induce.FewShot write one.
func Learn(ctx context.Context, m Model, kind curlew.Schema, pages []induce.LabelledPage, o Options) (WriteResult, error) {
	t := newTask(kind, o)
	for _, p := range pages {
		t.add(p.Document, p.Now, p.Fields)
	}
	return t.ask(ctx, m)
}

// Heal asks for a new blueprint in place of one that stopped fitting, as induce.Case.Heal
// makes one: it must give what was known before and is still on the pages, or else
// records that look like those before.
func Heal(ctx context.Context, m Model, c induce.Case, o Options) (WriteResult, error) {
	t := newTask(c.Old.Kind(), o)
	t.old, t.anywhere = c.Old, true
	for _, p := range c.Pages {
		t.add(p.Document, p.Now, nil)
	}
	for _, p := range c.Past[:min(len(c.Past), mostKnown)] {
		t.know(p.Fields)
	}
	asked, err := t.ask(ctx, m)
	if asked.Blueprint != nil {
		asked.Blueprint.Name, asked.Blueprint.Context = c.Old.Name, c.Old.Context
	}
	return asked, err
}

// mostKnown is how many known records count: more say nothing new.
const mostKnown = 200

// candidate is an answer that could be taken.
type candidate struct {
	blueprint *blueprint.Blueprint
	proof     induce.Proof
}

// worth orders candidates: by known values found again, then by what they give.
func (c *candidate) worth() int {
	found, _ := c.proof.Found()
	return found*10_000 + len(c.blueprint.Fields)*100 + min(c.proof.Records, 99)
}

// ask goes round after round until an answer holds.
func (t *task) ask(ctx context.Context, m Model) (WriteResult, error) {
	var asked WriteResult
	if err := t.ready(); err != nil {
		return asked, err
	}
	turns := []string{t.question()}
	var best *candidate
	for len(asked.Rounds) < t.rounds {
		text, usage, err := m.Answer(ctx, system, turns)
		if err != nil {
			asked.Rounds = append(asked.Rounds, Round{Usage: usage, Feedback: []string{"there was no answer"}})
			return t.settle(asked, best, err)
		}
		found, problems := t.judge(text, usage.Outcome == curlew.ModelCut)
		asked.Rounds = append(asked.Rounds, Round{Usage: usage, Feedback: sentences(problems)})
		if found != nil && (best == nil || found.worth() > best.worth()) {
			best = found
		}
		if len(problems) == 0 {
			break
		}
		turns = append(turns, shortened(text), t.feedback(problems))
	}
	return t.settle(asked, best, nil)
}

// settle takes the best answer, or says why none holds.
func (t *task) settle(asked WriteResult, best *candidate, err error) (WriteResult, error) {
	if best != nil {
		asked.Blueprint, asked.Proof = best.blueprint, best.proof
		if err != nil {
			asked.Proof.Notes = append(asked.Proof.Notes, "the model was asked to do better, but gave no further answer")
		}
		return asked, nil
	}
	if err != nil {
		return asked, err
	}
	last := asked.Rounds[len(asked.Rounds)-1].Feedback
	return asked, curlew.Permanent("model_failed", "none of the model's %d answers fits the page; the last one: %s",
		len(asked.Rounds), strings.Join(last[:min(len(last), 3)], "; "))
}

// judge reads one answer and holds it against the pages. It gives what can be taken of
// it, if anything, and all that is wrong with it.
func (t *task) judge(text string, cut bool) (*candidate, []problem) {
	if cut {
		return nil, []problem{{sentence: "the answer was cut off at its limit of tokens: write a shorter blueprint"}}
	}
	b, problems := t.parse(text)
	if b == nil {
		return nil, problems
	}
	found, wrong := t.hold(b)
	problems = append(problems, wrong...)
	if len(problems) == 0 {
		return found, nil
	}
	// What is wrong with a field that nobody requires costs that field, not the rest.
	if pruned := t.prune(b, problems); pruned != nil {
		again, left := t.hold(pruned)
		if again != nil && !slices.ContainsFunc(left, func(p problem) bool { return !p.soft }) {
			for _, p := range problems {
				if !p.soft {
					again.proof.Notes = append(again.proof.Notes, "left out: "+p.sentence)
				}
			}
			return again, problems
		}
	}
	return nil, problems
}

// problem is one thing wrong with an answer.
type problem struct {
	field    string // "" when it is not about one
	sentence string
	soft     bool // an answer with it can still be taken
}

// about is a problem with one field.
func about(field, format string, values ...any) problem {
	return problem{field: field, sentence: "/fields/" + field + ": " + fmt.Sprintf(format, values...)}
}

// mostFeedback is how many problems a model is told at once.
const mostFeedback = 12

func sentences(problems []problem) []string {
	var all []string
	for _, p := range problems {
		all = append(all, p.sentence)
		if len(all) == mostFeedback {
			break
		}
	}
	return all
}

// shortened keeps an endless answer out of the next question.
func shortened(answer string) string { return text.Clip(answer, 20_000) }

// prune leaves out the fields with problems; nil when that does not help.
func (t *task) prune(b *blueprint.Blueprint, problems []problem) *blueprint.Blueprint {
	out := *b
	out.Fields = map[string]blueprint.FieldRules{}
	for name, f := range b.Fields {
		out.Fields[name] = f
	}
	for _, p := range problems {
		switch {
		case p.soft:
		case p.field == "" || t.required(p.field):
			return nil
		default:
			delete(out.Fields, p.field)
		}
	}
	if out.Identity != nil {
		kept := slices.DeleteFunc(slices.Clone(out.Identity.Fields), func(set []string) bool {
			return slices.ContainsFunc(set, func(name string) bool { _, has := out.Fields[name]; return !has })
		})
		out.Identity = &blueprint.IdentityFields{Fields: kept}
		if len(kept) == 0 {
			out.Identity = nil
		}
	}
	if len(out.Fields) == 0 {
		return nil
	}
	return &out
}

var errNoFence = errors.New("ask: no fence was given")

// ready says why there is nothing to ask.
func (t *task) ready() error {
	switch {
	case len(t.fence) < 8:
		return errNoFence
	case len(t.pages) == 0:
		return curlew.Permanent("nothing_to_ask", "there is no page to ask a model about")
	}
	for _, p := range t.pages {
		if p.doc.IsJSON() {
			return curlew.Permanent("nothing_to_ask", "%s is an answer of an API, which is learned without a model", p.doc.URL())
		}
	}
	if len(t.schema.Fields) == 0 && len(t.wanted) == 0 {
		return curlew.Permanent("nothing_known", "the kind %s defines no fields: give known values", t.schema.Name)
	}
	return nil
}

// counted writes "1 record", "2 records".
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
