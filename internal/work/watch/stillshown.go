package watch

import (
	"context"
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/quality"
	"github.com/curlew-data/curlew/internal/text/dates"
)

// stillShown are the fields among those that the list lacks whose known texts its pages show for more
// than half of the entities.
func (r *round) stillShown(ctx context.Context, lost map[string]bool, known []curlew.Entity) (map[string]bool, error) {
	if len(lost) == 0 {
		return nil, nil
	}
	had, shown := map[string]int{}, map[string]int{}
	pages, err := r.pages(ctx, r.progress.List)
	if err != nil {
		return nil, err
	}
	var texts []*quality.PageText
	for _, s := range r.progress.List {
		m, err := r.Watching.Material(ctx, pages[s.Page])
		if err != nil {
			return nil, archivedOnly(err)
		}
		texts = append(texts, quality.NewPageText(m.Document(), dates.Options{Now: m.Now}))
	}
	for _, e := range known {
		for field := range lost {
			value, ok := e.Fields.At(field).(string)
			if !ok || e.Status != curlew.EntityActive {
				continue
			}
			had[field]++
			if slices.ContainsFunc(texts, func(t *quality.PageText) bool { return t.ShowsText(value) }) {
				shown[field]++
			}
		}
	}
	still := map[string]bool{}
	for field, n := range shown {
		still[field] = 2*n > had[field]
	}
	return still, nil
}
