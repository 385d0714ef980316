package console

import (
	"context"
	"net/url"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/work/teach"
)

// detailTrainingPage is what the detail page of a record says, and how to correct it.
type detailTrainingPage struct {
	Training
	Chosen TrainingRecord
	Field  string // that is checked at
	Before int    // there are no other records on it
	After  int
}

// own opens a training and what the detail page of a record says, as far as it is read.
func (v *visit) own(ctx context.Context) (*teach.Training, Training, error) {
	l, err := v.app.Training(v.Context(), v.who, v.PathValue("training"))
	if err != nil {
		return nil, Training{}, err
	}
	seen, err := detailOf(ctx, l)
	return l, seen, err
}

func showDetail(ctx context.Context, v *visit) (view, error) {
	_, l, err := v.own(ctx)
	if err != nil {
		return view{}, err
	}
	if !l.DetailPage {
		return alone(l), nil
	}
	p := detailTrainingPage{Training: l, Field: v.form("field"), Before: -1, After: -1}
	if len(l.Records) > 0 {
		p.Chosen = l.Records[0]
	}
	return view{"trainingdetail", "Check what their detail pages add", p}, nil
}

func showDetailPieces(ctx context.Context, v *visit) (view, error) {
	l, seen, err := v.own(ctx)
	if err != nil {
		return view{}, err
	}
	if !seen.DetailPage {
		return alone(seen), nil
	}
	return pieces(ctx, v, l, seen, teach.DetailPage), nil
}

// alone says that of a training only the list is read.
func alone(l Training) view { return view{"trainingalone", "Their detail pages are not read", l} }

func detailAt(id string) string { return trainingAt(id) + "/own" }

func readDetail(ctx context.Context, v *visit) (string, error) {
	id := v.PathValue("training")
	return detailAt(id), v.app.ReadDetailPages(ctx, v.who, id)
}

func dropDetail(_ context.Context, v *visit) (string, error) {
	id := v.PathValue("training")
	return trainingAt(id) + "?done=listonly", v.app.LeaveDetailPages(v.Context(), v.who, id)
}

func pointAtDetail(_ context.Context, v *visit) (string, error) {
	id := v.PathValue("training")
	p, err := v.pick()
	if err != nil {
		return "", err
	}
	return detailAt(id) + "?field=" + url.QueryEscape(p.Field) + "&done=taught",
		v.app.PointAtValue(v.Context(), v.who, app.PointAtValue{Training: id, Detail: true, Selection: p})
}

func dropDetailField(undo bool) func(context.Context, *visit) (string, error) {
	return func(_ context.Context, v *visit) (string, error) {
		id := v.PathValue("training")
		return detailAt(id) + "?done=taught", v.app.DropField(v.Context(), v.who,
			app.DropField{Training: id, Detail: true, Field: v.PostFormValue("field"), Undo: undo})
	}
}
