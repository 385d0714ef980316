package app

import (
	"context"
	"fmt"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// namedByModel lets a model name the fields that only a list's places name. A field keeps its old
// name as a label, by which readers find it. Without a model, or an answer, all stays.
func (a *App) namedByModel(ctx context.Context, proposed KindFields, watch curlew.Watch, entities []curlew.Entity) KindFields {
	teachers, err := a.teachers()
	if err != nil || teachers == nil {
		return proposed
	}
	var samples []onboard.FieldSample
	for _, f := range proposed.Fields {
		s := onboard.FieldSample{Name: f.Name, Type: f.Type}
		for _, e := range entities {
			slots, _ := e.Fields["slots"].(map[string]any)
			for _, name := range append([]string{f.Name}, f.Labels...) {
				if v := e.Fields[name]; v != nil {
					s.Values = append(s.Values, fmt.Sprint(v))
				} else if v := slots[name]; v != nil {
					s.Values = append(s.Values, fmt.Sprint(v))
				}
			}
		}
		samples = append(samples, s)
	}
	names, err := teachers.Of(watch.Org, watch.Source).Name(ctx, samples)
	if err != nil {
		return proposed
	}
	if named, err := proposed.renamed(names); err == nil {
		return named
	}
	return proposed
}
