package heal

import (
	"cmp"
	"context"
	"errors"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/sanitize"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/curlew-data/curlew/internal/work/pages"
	"github.com/curlew-data/curlew/internal/work/watch"
)

// Side is one of the two pages of a healing.
type Side string

const (
	SideBefore Side = "before"
	SideAfter  Side = "after"
)

// Page is the archived page of one side, and the blueprint that reads it; "" for none.
func (s Side) Page(h curlew.Heal) (curlew.PageID, curlew.BlueprintID) {
	switch {
	case s == SideBefore:
		return h.Report.PageBefore, h.From
	case h.To == "":
		return h.Report.PageAfter, h.From
	}
	return h.Report.PageAfter, h.To
}

// Picture is the sanitised copy of the page of one side, with what is read on it outlined.
func Picture(ctx context.Context, scope store.Scope, past *watch.Watching, h curlew.Heal, side Side) (p sanitize.SanitizedPage, err error) {
	pageID, blueprintID := side.Page(h)
	switch {
	case side != SideBefore && side != SideAfter:
		return p, curlew.NotFound("page", string(side))
	case pageID == "":
		return p, curlew.Permanent("not_archived", "the page %s the healing was not archived", side)
	}
	page, err := scope.Pages().Get(ctx, pageID)
	if err != nil {
		return p, err
	}
	material, err := past.Material(ctx, page)
	if err != nil {
		return p, err
	}
	b, err := scope.Blueprints().Get(ctx, blueprintID)
	if err != nil {
		return p, err
	}
	compiled, err := extract.CompileRules(b.Rules)
	if err != nil {
		return p, err
	}
	of, err := scope.Watches().Get(ctx, h.Watch)
	if err != nil && !errors.Is(err, curlew.ErrNotFound) {
		return p, err // one that is gone is read as any
	}
	o, err := pages.WatchOptions(ctx, scope, of)
	if err != nil {
		return p, err
	}
	applied := compiled.Apply(ctx, material, o.Applying())
	err = guard.Read(guard.Teach, cmp.Or(material.Archived, page.URL), func() error {
		doc := material.Document()
		marks := sanitize.Highlight(ctx, doc, compiled.Blueprint, extract.Located(applied.Readings))
		if len(marks.Fields) == 0 { // read from elsewhere, as from an API, or not at all: what the page shows of it
			marks = sanitize.HighlightTexts(doc, texts(h.Report.Values, side))
		}
		p = sanitize.Number(doc).Copy(marks)
		return ctx.Err()
	})
	return p, err
}

// texts are the values of one side that a page may show as they are, with their fields.
func texts(values []curlew.ComparedValue, side Side) map[string]string {
	all := map[string]string{}
	for _, v := range values {
		value := v.New
		if side == SideBefore {
			value = v.Old
		}
		if text, ok := value.(string); ok {
			all[text] = v.Field
		}
	}
	return all
}
