package console

import (
	"context"
	"net/url"
)

// ownLessonPage is what the own page of a record says, and how to correct it.
type ownLessonPage struct {
	Lesson
	Chosen LessonRecord
	Field  string // that is looked at
	Before int    // there are no other records on it
	After  int
}

func (v *visit) own(ctx context.Context) (Lesson, error) {
	return v.rooms.OwnPages.Own(ctx, v.PathValue("lesson"))
}

func showOwn(ctx context.Context, v *visit) (view, error) {
	l, err := v.own(ctx)
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

func showOwnPieces(ctx context.Context, v *visit) (view, error) {
	l, err := v.own(ctx)
	if err != nil {
		return view{}, err
	}
	if !l.OwnPage {
		return alone(l), nil
	}
	return pieces(ctx, v, l)
}

// alone says that of a lesson only the list is read.
func alone(l Lesson) view { return view{"lessonalone", "Their own pages are not read", l} }

func ownAt(id string) string { return lessonAt(id) + "/own" }

func readOwn(ctx context.Context, v *visit) (string, error) {
	id := v.PathValue("lesson")
	return ownAt(id), v.rooms.OwnPages.ReadOwn(ctx, id)
}

func leaveOwn(ctx context.Context, v *visit) (string, error) {
	id := v.PathValue("lesson")
	return lessonAt(id) + "?done=listonly", v.rooms.OwnPages.LeaveOwn(ctx, id)
}

func pointAtOwn(ctx context.Context, v *visit) (string, error) {
	id := v.PathValue("lesson")
	p, err := v.pick()
	if err != nil {
		return "", err
	}
	return ownAt(id) + "?field=" + url.QueryEscape(p.Field) + "&done=taught", v.rooms.OwnPages.PointOwn(ctx, id, p)
}

func stepOwnField(step FieldStep) func(context.Context, *visit) (string, error) {
	return func(ctx context.Context, v *visit) (string, error) {
		id := v.PathValue("lesson")
		return ownAt(id) + "?done=taught", v.rooms.OwnPages.FieldOwn(ctx, id, v.PostFormValue("field"), step)
	}
}
