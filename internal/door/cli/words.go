package cli

import (
	"context"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
)

type wordsCommand struct {
	List   wordsList   `cmd:"" default:"withargs" help:"List your dictionary of words on pages."`
	Set    wordsSet    `cmd:"" help:"Define which value a word on pages means for a field; applies to all pages from now on."`
	Delete wordsDelete `cmd:"" help:"Forget what a word means."`
}

type wordsList struct{}

func (wordsList) Run(a *program) error {
	return a.use(func(ctx context.Context, use *app.App, who auth.Identity) error {
		all, err := use.FieldWords(ctx, who)
		if err != nil {
			return err
		}
		list(a, all, "No words of your own.", []string{"kind", "field", "word", "means", "said"}, func(w curlew.FieldWord) []string {
			return []string{string(w.Schema), w.Field, printable(w.Word), w.Value, moment(&w.MadeAt)}
		})
		return nil
	})
}

type wordName struct {
	Kind  string `arg:"" help:"Name of the kind, as product."`
	Field string `arg:"" help:"Name of the field, as availability."`
	Word  string `arg:"" help:"The word, as pages have it."`
}

func (c wordName) name() app.FieldWordName {
	return app.FieldWordName{Schema: curlew.SchemaName(c.Kind), Field: c.Field, Word: c.Word}
}

type wordsSet struct {
	wordName
	Value string `arg:"" help:"What it means: one of the field's choices, or yes or no."`
}

func (c wordsSet) Run(a *program) error {
	return a.use(func(ctx context.Context, use *app.App, who auth.Identity) error {
		w, err := use.SetFieldWord(ctx, who, app.SetFieldWord{FieldWordName: c.name(), Value: c.Value})
		if err != nil {
			return err
		}
		a.say(w, "“%s” means %s as %s of %s.", printable(w.Word), w.Value, w.Field, w.Schema)
		return nil
	})
}

type wordsDelete struct{ wordName }

func (c wordsDelete) Run(a *program) error {
	return a.use(func(ctx context.Context, use *app.App, who auth.Identity) error {
		if err := use.DeleteFieldWord(ctx, who, c.name()); err != nil {
			return err
		}
		a.say(map[string]any{"deleted": c.Word}, "“%s” was removed from your dictionary.", printable(c.Word))
		return nil
	})
}
