package console

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"curlew/internal/curlew"
)

// changeRow is a change as a page shows it.
type changeRow struct {
	curlew.Change
	Payload curlew.ChangePayload
	Title   string
	Where   string // name of the source
}

// Picture is what a change is about; changes of sources are about no entity.
func (r changeRow) Picture() curlew.EntityPicture {
	if r.Payload.Entity == nil {
		return curlew.EntityPicture{}
	}
	return *r.Payload.Entity
}

func changeRows(ctx context.Context, v *visit, f ChangeFilter, before int64, limit int) ([]changeRow, error) {
	changes, err := v.rooms.Changes.Changes(ctx, f, before, limit)
	if err != nil {
		return nil, err
	}
	names, _, err := sourceNames(ctx, v)
	rows := make([]changeRow, 0, len(changes))
	for _, c := range changes {
		rows = append(rows, readChange(c, names))
	}
	return rows, err
}

func readChange(c curlew.Change, names map[curlew.SourceID]string) changeRow {
	row := changeRow{Change: c, Where: names[c.Source]}
	_ = json.Unmarshal(c.Payload, &row.Payload)                                                                 // one of an older Curlew has less to tell
	if slices.ContainsFunc(row.Payload.Changes, func(c curlew.FieldChange) bool { return c.Field == "text" }) { // which markdown says again
		row.Payload.Changes = slices.DeleteFunc(row.Payload.Changes, func(c curlew.FieldChange) bool { return c.Field == "markdown" })
	}
	picture := row.Picture()
	if row.Title = nameOf(picture.Fields, picture.ExternalID); row.Title == "" {
		row.Title = row.Where
	}
	return row
}

// diff is a value before and after, as a page shows them.
type diff struct{ Old, New string }

// Of long texts a page shows so many characters, from shortly before they differ.
const mostDiff, beforeDiff = 110, 30

// diff shows a changed field. Two long texts that begin alike are shown from where
// they differ: else both would look the same.
func (c *Console) diff(f curlew.FieldChange, of curlew.EntityPicture) diff {
	before, isText := f.Old.(string)
	after, both := f.New.(string)
	if !isText || !both {
		return diff{shorten(c.value(of.Schema, f.Field, f.Old, of.Fields), mostDiff), shorten(c.value(of.Schema, f.Field, f.New, of.Fields), mostDiff)}
	}
	a, b := []rune(clean(readable(before))), []rune(clean(readable(after)))
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	from, sign := max(0, same-beforeDiff), "…"
	if from == 0 || max(len(a), len(b)) <= mostDiff {
		from, sign = 0, ""
	}
	return diff{sign + shorten(string(a[from:]), mostDiff), sign + shorten(string(b[from:]), mostDiff)}
}

type changeList struct {
	Changes []changeRow
	Sources []curlew.Source
	Kinds   []curlew.ChangeKind
	Filter  ChangeFilter
	Next    string
	Later   bool // not the first page
}

var changeKinds = []curlew.ChangeKind{curlew.EntityAppeared, curlew.EntityChanged, curlew.EntityDisappeared, curlew.EntityWentStale, curlew.PositionChanged,
	curlew.WatchFailed, curlew.SourceBroken, curlew.SourceHealed, curlew.QualityDropped}

func listChanges(ctx context.Context, v *visit) (view, error) {
	l := changeList{Later: v.later(), Kinds: changeKinds, Filter: ChangeFilter{Kind: curlew.ChangeKind(v.query("kind")), Source: curlew.SourceID(v.query("source")),
		Watch: curlew.WatchID(v.query("watch")), Entity: curlew.EntityID(v.query("entity"))}}
	rows, err := changeRows(ctx, v, l.Filter, v.sequence(), perPage+1)
	if err != nil {
		return view{}, err
	}
	l.Changes, l.Next = paged(v, rows, func(r changeRow) string { return strconv.FormatInt(r.Sequence, 10) })
	_, l.Sources, err = sourceNames(ctx, v)
	return view{"changes", "Changes", l}, err
}
