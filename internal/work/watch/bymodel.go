package watch

import (
	"context"
	"fmt"
)

// whole says whether all of a list was read, and why not.
func (r *checkStep) whole(ctx context.Context, list ListReading) (bool, string, error) {
	left, err := r.leftOut(ctx, list)
	if err != nil || left == "" {
		return list.Whole, list.Why, err
	}
	return false, left, nil
}

// leftOut says what a model did not read although the page still shows it: a model may
// leave out anything, which is no sign that it is gone. It is "" for pages that are read
// otherwise.
func (r *checkStep) leftOut(ctx context.Context, list ListReading) (string, error) {
	if !r.compiled.Blueprint.ByModel() || len(r.progress.List) == 0 {
		return "", nil
	}
	read := map[string]bool{}
	for _, one := range list.Records {
		read[one.Record.ExternalID] = true
	}
	entities, err := r.scope.Entities().Sighted(ctx, r.watch.ID)
	if err != nil {
		return "", err
	}
	pages, err := r.pages(ctx, r.progress.List[:1])
	if err != nil {
		return "", err
	}
	material, err := r.Watching.Material(ctx, pages[r.progress.List[0].Page])
	if err != nil {
		return "", err
	}
	for _, e := range entities {
		if !read[e.ExternalID] && Shows(material, e) {
			return fmt.Sprintf("the model left out %q, which the page shows", r.compiled.Blueprint.Kind().TitleOf(e.Fields)), nil
		}
	}
	return "", nil
}
