package console

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/text"
)

// changeRow is a change as a page shows it.
type changeRow struct {
	curlew.Change
	Of      curlew.Schema // the kind of its entity
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

func changeRows(ctx context.Context, v *visit, f store.ChangeFilter, before int64, limit int) ([]changeRow, error) {
	changes, err := v.read.Changes().ListBefore(ctx, f, before, limit)
	if err != nil {
		return nil, err
	}
	names, _, err := sourceNames(ctx, v)
	rows := make([]changeRow, 0, len(changes))
	for _, c := range changes {
		rows = append(rows, readChange(c, names, v.kinds))
	}
	return rows, err
}

func readChange(c curlew.Change, names map[curlew.SourceID]string, kinds curlew.Kinds) changeRow {
	row := changeRow{Change: c, Where: names[c.Source]}
	// one of an older Curlew has less to tell
	_ = json.Unmarshal(c.Payload, &row.Payload)
	if slices.ContainsFunc(row.Payload.Changes, func(c curlew.FieldChange) bool { return c.Field == "text" }) { // which markdown says again
		row.Payload.Changes = slices.DeleteFunc(row.Payload.Changes, func(c curlew.FieldChange) bool { return c.Field == "markdown" })
	}
	picture := row.Picture()
	row.Of = kinds.Kind(picture.Schema)
	if row.Title = nameOf(row.Of, picture.Fields, picture.ExternalID); row.Title == "" {
		row.Title = row.Where
	}
	return row
}

// diff is a value before and after, as a page shows them: word by word where it is a
// long text of which much stayed.
type diff struct {
	Old, New string
	Words    []text.Stretch
}

// Values up to so many characters are shown whole, one after the other.
const mostWhole, mostDiff = 60, 110

// diffOf shows a changed field.
func diffOf(f curlew.FieldChange, of curlew.EntityPicture, kind curlew.Schema) diff {
	before, after := wholeValue(kind, f.Field, f.Old, of.Fields), wholeValue(kind, f.Field, f.New, of.Fields)
	if len(before) > mostWhole || len(after) > mostWhole {
		if words := text.WordDiff(before, after); words != nil {
			return diff{Words: words}
		}
	}
	return diff{Old: text.ShortenWords(before, mostDiff), New: text.ShortenWords(after, mostDiff)}
}

type changeList struct {
	Changes []changeRow
	Sources []curlew.Source
	Kinds   []curlew.ChangeKind
	Filter  store.ChangeFilter
	Next    string
	Later   bool // not the first page
}

func listChanges(ctx context.Context, v *visit) (view, error) {
	l := changeList{Later: v.later(), Kinds: curlew.ChangeKinds(), Filter: changeFilter(v)}
	rows, err := changeRows(ctx, v, l.Filter, v.sequence(), perPage+1)
	if err != nil {
		return view{}, err
	}
	l.Changes, l.Next = paged(v, rows, func(r changeRow) string { return strconv.FormatInt(r.Sequence, 10) })
	_, l.Sources, err = sourceNames(ctx, v)
	return view{"changes", "Changes", l}, err
}
