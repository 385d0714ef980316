package cli

import (
	"context"
	"fmt"

	"github.com/curlew-data/curlew/internal/change/publish"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

type publicationsCommand struct {
	List   publicationsList   `cmd:"" help:"List publications, newest first."`
	Latest publicationsLatest `cmd:"" help:"Show the current publication of a watch."`
}

type publicationsList struct {
	Watch string `help:"Only those of this watch." placeholder:"ID"`
	Limit atMost `help:"At most this many." default:"50"`
}

func (c publicationsList) Run(a *program) error {
	watch, err := parseOptional[curlew.WatchID](c.Watch)
	if err != nil {
		return err
	}
	return a.reads(func(ctx context.Context, scope store.Scope) error {
		of := ""
		if watch != "" {
			of = publish.Scope(watch)
		}
		all, err := scope.Publications().List(ctx, of, store.Window{Limit: int(c.Limit)})
		if err != nil {
			return err
		}
		list(a, all, "Nothing has been published.", []string{"publication", "scope", "decision", "class", "entities", "changes", "published",
			"reason"},
			func(p curlew.Publication) []string {
				return []string{string(p.ID), p.Scope, curlew.CodeWords(p.Decision), curlew.CodeWords(p.Class), fmt.Sprint(p.Entities),
					fmt.Sprint(p.Changes), moment(&p.PublishedAt), p.Reason}
			})
		return nil
	})
}

type publicationsLatest struct {
	Watch string `required:"" help:"Id of the watch." placeholder:"ID"`
}

func (c publicationsLatest) Run(a *program) error {
	return about(a, c.Watch, func(ctx context.Context, scope store.Scope, id curlew.WatchID) error {
		p, err := scope.Publications().Latest(ctx, publish.Scope(id))
		if err != nil {
			return err
		}
		if a.JSON {
			writeJSON(a.Out, p)
			return nil
		}
		fmt.Fprintf(a.Out, "%s  %s\n%s, %s: %s\n%s, %s\nrun %s\nsupersedes %s\nsnapshot   %s\nnormalized %s\nenvelope   %s\n", p.ID,
			moment(&p.PublishedAt),
			curlew.CodeWords(p.Decision), curlew.CodeWords(p.Class), printable(p.Reason),
			count(p.Entities, "entity", "entities"), count(p.Changes, "change", "changes"), p.Run,
			orNone(string(p.Supersedes)), p.SnapshotHash, p.NormalizedHash, p.EnvelopeHash)
		return nil
	})
}

func orNone(text string) string {
	if text == "" {
		return "nothing"
	}
	return text
}
