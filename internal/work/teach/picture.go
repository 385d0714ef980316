package teach

import (
	"context"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/sanitize"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"golang.org/x/net/html"
)

// Picture is a sanitized copy of a page of the training, with what was found outlined.
type Picture struct {
	sanitize.SanitizedPage
	Places int // how many places can be pointed at
}

// Picture makes the copy of a page.
func (l *Training) Picture(ctx context.Context, name string) (p Picture, err error) {
	err = l.guarded(func() error {
		doc := l.Document(name)
		index := sanitize.Number(doc)
		applied, err := l.Applied(ctx, name)
		if err != nil {
			return err
		}
		p = Picture{index.Copy(sanitize.Highlight(ctx, doc, l.read(name), extract.Located(applied.Readings))), index.Count()}
		return ctx.Err()
	})
	return p, err
}

// read is the blueprint that a page is read by, as far as its records have places.
func (l *Training) read(name string) *blueprint.Blueprint {
	if name == ThePage || name == TestPage {
		return l.Blueprint()
	}
	return &blueprint.Blueprint{Page: curlew.PageSingle}
}

// Pieces are what a person may point at instead of clicking: all of a record, or of the
// page where there are no records.
func (l *Training) Pieces(ctx context.Context, name string, record int) []sanitize.Element {
	doc := l.Document(name)
	index := sanitize.Number(doc)
	applied, err := l.Applied(ctx, name)
	if err == nil && record >= 0 && record < len(applied.Readings) {
		parts := sanitize.RecordNodes(doc, l.read(name), extract.Located(applied.Readings))
		if len(parts[record]) > 0 {
			return index.Pieces(parts[record], mostPieces)
		}
	}
	return index.Pieces([]*html.Node{doc.Tree()}, mostPieces)
}

// mostPieces bounds a table of things to point at.
const mostPieces = 300

// Places is how many places of a page can be pointed at.
func (l *Training) Places(name string) int { return sanitize.Number(l.Document(name)).Count() }
