package console

import (
	"context"
	"net/url"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
)

// importForm is a list of sites while it is written, and what became of one.
type importForm struct {
	Kinds  []curlew.SchemaName
	Typed  url.Values
	Wrong  curlew.Problems
	Report *app.ImportReport // of a list that was imported

	NoContact string
}

func (f importForm) view(v *visit) view {
	f.NoContact = v.app.NoContact()
	for _, s := range v.kinds.Current() {
		f.Kinds = append(f.Kinds, s.Name)
	}
	return view{"import", "Import a list of sites", f}
}

func importCandidates(_ context.Context, v *visit) (view, error) {
	return importForm{Typed: url.Values{"auto_deploy": {"1"}}}.view(v), nil
}

func sendImport(ctx context.Context, v *visit) (answer, error) {
	f := importForm{Typed: v.PostForm}
	var c app.ImportCandidates
	if f.Wrong = v.command(&c); len(f.Wrong) > 0 {
		return answer{page: f.view(v), wrong: true}, nil
	}
	c.List = v.text("list")
	report, err := v.app.ImportCandidates(ctx, v.who, c)
	if err == nil {
		f.Report = &report
		return answer{page: f.view(v)}, nil
	}
	if f.Wrong, err = problems(err); err != nil {
		return answer{}, err
	}
	return answer{page: f.view(v), wrong: true}, nil
}
