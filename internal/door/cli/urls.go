package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/web/urls"
	"github.com/curlew-data/curlew/internal/work/watch"
)

type watchesURLs struct {
	ID    string `arg:"" help:"Id of the watch."`
	Limit atMost `help:"At most this many; all unless given."`
}

func (c watchesURLs) Run(a *program) error {
	return a.reads(func(ctx context.Context, scope store.Scope) error {
		w, err := scope.Watches().Get(ctx, curlew.WatchID(c.ID))
		if err != nil {
			return err
		}
		return listURLs(ctx, a, scope, watch.URLLog(w.ID), c.Limit)
	})
}

type runsURLs struct {
	ID    string `arg:"" help:"Id of the run: a crawl, or a check of a watch."`
	Limit atMost `help:"At most this many; all unless given."`
}

func (c runsURLs) Run(a *program) error {
	return about(a, c.ID, func(ctx context.Context, scope store.Scope, id curlew.RunID) error {
		run, err := scope.Runs().Get(ctx, id)
		if err != nil {
			return err
		}
		return listURLs(ctx, a, scope, watch.URLLogOf(run), c.Limit)
	})
}

// listURLs prints a URL log: for each URL why it was asked for at the last check, or why not.
func listURLs(ctx context.Context, a *program, scope store.Scope, log string, limit atMost) error {
	all, err := scope.URLs().List(ctx, log, false, store.Window{Limit: limit.orAll()})
	if err != nil {
		return err
	}
	now := time.Now()
	list(a, all, "No URL was found yet.", []string{"url", "decision", "asked", "answer", "lastmod", "listed"}, func(f curlew.Found) []string {
		return []string{text.Clip(f.URL, 80), urls.FetchReason(f.Reason).Means(), ago(f.FetchedAt, now), answerWord(f),
			dayWord(f.LastMod), listedWord(f, now)}
	})
	return nil
}

// answerWord is what came of asking for a URL last.
func answerWord(f curlew.Found) string {
	switch {
	case f.Outcome == "":
		return "–"
	case f.Failures > 1:
		return fmt.Sprintf("%s %d, %d times", curlew.CodeWords(f.Outcome), f.Status, f.Failures)
	case f.Failures == 1:
		return fmt.Sprintf("%s %d", curlew.CodeWords(f.Outcome), f.Status)
	}
	return curlew.CodeWords(f.Outcome)
}

func dayWord(day *time.Time) string {
	if day == nil {
		return "–"
	}
	return day.Format(time.DateOnly)
}

// listedWord is since when a URL is known, or is no longer listed.
func listedWord(f curlew.Found, now time.Time) string {
	if !f.Active {
		return "not since " + ago(&f.LastSeenAt, now)
	}
	return "since " + ago(&f.FirstSeenAt, now)
}
