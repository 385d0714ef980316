package console

import (
	"context"
	"net/url"

	"curlew/internal/app"
	"curlew/internal/work/teach"
)

// ownLessonPage is what the own page of a record says, and how to correct it.
type ownLessonPage struct {
	Lesson
	Chosen LessonRecord
	Field  string // that is looked at
	Before int    // there are no other records on it
	After  int
}

// own opens a lesson and what the own page of a record says, as far as it is read.
func (v *visit) own() (*teach.Lesson, Lesson, error) {
	l, err := v.app.Lesson(v.who, v.PathValue("lesson"))
	if err != nil {
		return nil, Lesson{}, err
	}
	seen, err := ownOf(l)
	return l, seen, err
}

func showOwn(_ context.Context, v *visit) (view, error) {
	_, l, err := v.own()
	if err != nil {
		return view{}, err
	}
	if !l.OwnPage {
		return alone(l), nil
	}
	p := ownLessonPage{Lesson: l, Field: v.form("field"), Before: -1, After: -1}
	if len(l.Records) > 0 {
		p.Chosen = l.Records[0]
	}
	return view{"lessonown", "Check what their own pages add", p}, nil
}

func showOwnPieces(_ context.Context, v *visit) (view, error) {
	l, seen, err := v.own()
	if err != nil {
		return view{}, err
	}
	if !seen.OwnPage {
		return alone(seen), nil
	}
	return pieces(v, l, seen, teach.OwnPage), nil
}

// alone says that of a lesson only the list is read.
func alone(l Lesson) view { return view{"lessonalone", "Their own pages are not read", l} }

func ownAt(id string) string { return lessonAt(id) + "/own" }

func readOwn(ctx context.Context, v *visit) (string, error) {
	id := v.PathValue("lesson")
	return ownAt(id), v.app.ReadDetailPages(ctx, v.who, id)
}

func leaveOwn(_ context.Context, v *visit) (string, error) {
	id := v.PathValue("lesson")
	return lessonAt(id) + "?done=listonly", v.app.LeaveDetailPages(v.who, id)
}

func pointAtOwn(_ context.Context, v *visit) (string, error) {
	id := v.PathValue("lesson")
	p, err := v.pick()
	if err != nil {
		return "", err
	}
	return ownAt(id) + "?field=" + url.QueryEscape(p.Field) + "&done=taught",
		v.app.PointAtValue(v.who, app.PointAtValue{Lesson: id, Detail: true, Selection: p})
}

func dropOwnField(undo bool) func(context.Context, *visit) (string, error) {
	return func(_ context.Context, v *visit) (string, error) {
		id := v.PathValue("lesson")
		return ownAt(id) + "?done=taught", v.app.DropField(v.who,
			app.DropField{Lesson: id, Detail: true, Field: v.PostFormValue("field"), Undo: undo})
	}
}
