package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/text"
)

// wholeSource is a source with all that is known of it.
func wholeSource(ctx context.Context, scope store.Scope, id curlew.SourceID) (r sourceReport, err error) {
	source, err := scope.Sources().Get(ctx, id)
	if err != nil {
		return r, err
	}
	if r, err = reportSource(ctx, scope, source); err != nil {
		return r, err
	}
	if r.Blueprints, err = scope.Blueprints().List(ctx, store.BlueprintFilter{Source: id}, store.Window{Limit: 1000}); err != nil {
		return r, err
	}
	if r.Scorecards, err = scope.Scorecards().List(ctx, id, 5); err != nil {
		return r, err
	}
	if r.Heals, err = scope.Heals().List(ctx, id, 5); err != nil {
		return r, err
	}
	c, err := scope.Candidates().OfSource(ctx, id)
	switch {
	case err == nil:
		c.Report = nil // "candidates show" has it
		r.Candidate = &c
	case !errors.Is(err, curlew.ErrNotFound):
		return r, err
	}
	return r, nil
}

func (r sourceReport) print(a *program) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(a.Out, "%-10s %s\n", name, printable(fmt.Sprintf(format, args...)))
	}
	fmt.Fprintf(a.Out, "%s  %s\n", r.ID, printable(r.Name))
	line("address", "%s", r.BaseURL)
	line("trust", "%s", trustWords(r.Source))
	if r.Why != "" {
		line("", "%s", r.Why)
	}
	line("quality", "%s", points(r.Quality))
	if len(r.Scorecards) > 1 {
		line("", "%s", trend(r.Scorecards))
	}
	if r.Candidate != nil {
		line("candidate", "%s %s", r.Candidate.ID, candidateWord(*r.Candidate))
	}
	line("since", "%s", moment(&r.CreatedAt))
	line("entities", "%s", statusCounts(r.Entities))
	fmt.Fprintln(a.Out)
	var rows [][]string
	for _, w := range r.Watches {
		rows = append(rows, []string{string(w.ID), text.Clip(w.Name, 40), watchWord(w), moment(w.LastRunAt), w.Schedule})
	}
	table(a.Out, []string{"watch", "name", "status", "last run", "schedule"}, rows)
	fmt.Fprintln(a.Out)
	blueprintTable(a, r.Blueprints)
	if len(r.Heals) == 0 {
		return
	}
	fmt.Fprintln(a.Out)
	rows = nil
	for _, h := range r.Heals {
		rows = append(rows, []string{string(h.Run), curlew.CodeWords(h.Outcome), moment(&h.BeganAt),
			fmt.Sprintf("%d of %d", h.Report.Found, h.Report.CouldBeFound()), text.Clip(h.Report.Cause, 80)})
	}
	table(a.Out, []string{"heal", "outcome", "began", "found again", "cause"}, rows)
}

// trustWords tell how far a source is trusted, and what it takes to be trusted more.
func trustWords(s curlew.Source) string {
	if s.Trust != curlew.TrustProbation {
		return string(s.Trust)
	}
	words := fmt.Sprintf("probation, %s in a row", count(s.GoodRuns, "good run", "good runs"))
	if s.ProbationUntil != nil {
		words += ", until " + moment(s.ProbationUntil)
	}
	return words
}

type sourcesPause struct {
	ID string `arg:"" help:"Id of the source."`
}

func (c sourcesPause) Run(a *program) error {
	return a.steerSource(c.ID, "is paused, with its watches", (*app.App).PauseSource)
}

type sourcesResume struct {
	ID string `arg:"" help:"Id of the source."`
}

func (c sourcesResume) Run(a *program) error {
	return a.steerSource(c.ID, "is on probation again, and its watches are due now", (*app.App).ResumeSource)
}

type sourcesPromote struct {
	ID string `arg:"" help:"Id of the source."`
}

func (c sourcesPromote) Run(a *program) error {
	return a.steerSource(c.ID, "is trusted", (*app.App).PromoteSource)
}

func (a *program) steerSource(
	text, words string, step func(*app.App, context.Context, auth.Identity, curlew.SourceID) (curlew.Source, error),
) error {
	return useOn(a, text, func(ctx context.Context, app *app.App, who auth.Identity, id curlew.SourceID) error {
		source, err := step(app, ctx, who, id)
		if err != nil {
			return err
		}
		a.say(source, "%s %s.", id, words)
		return nil
	})
}

type sourcesRollback struct {
	ID    string `arg:"" help:"Id of the source."`
	To    int    `help:"Go back to this version; the previous one by default." placeholder:"VERSION"`
	Watch string `help:"Go back with the blueprint of this watch, where the source reads several lists." placeholder:"ID"`
	switching
}

func (c sourcesRollback) Run(a *program) error {
	return useOn(a, c.ID, func(ctx context.Context, cases *app.App, who auth.Identity, id curlew.SourceID) error {
		command := app.RollBackSource{ID: id, Watch: curlew.WatchID(c.Watch), Switching: c.how()}
		if c.To != 0 {
			command.Version = &c.To
		}
		done, err := cases.RollBackSource(ctx, who, command)
		if err := c.shadowed(a, done.Shadows, err); err != nil {
			return err
		}
		a.say(done, "Back from version %d to %d (%s): %s. \"curlew replay --watch ID\" reads what is archived again.", done.From.Version,
			done.To.Version, done.To.ID,
			count(len(done.Watches), "watch follows", "watches follow"))
		return nil
	})
}
