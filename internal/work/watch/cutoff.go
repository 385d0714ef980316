package watch

import (
	"bytes"
	"context"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/read/dom"
)

// endsSo says whether a page without an end came with the same last bytes before, and has no fewer records and no more elements
// left open than the last page with an end: then nothing of it was cut off.
func (r *checkStep) endsSo(ctx context.Context, compiled *extract.Compiled, page curlew.Page, records int) (bool, error) {
	before, err := r.scope.Pages().Before(ctx, page)
	if err != nil {
		return false, archivedOnly(err)
	}
	was, err := r.Watching.Material(ctx, before)
	if err != nil {
		return false, archivedOnly(err)
	}
	is, err := r.Watching.Material(ctx, page)
	if err != nil || !bytes.Equal(lastBytes(was.Body), lastBytes(is.Body)) {
		return false, archivedOnly(err)
	}
	for range mostUnended {
		if extract.Ended(was) {
			applied, err := r.Watching.Apply(ctx, compiled, before, r.options)
			return dom.LeftOpen(is.Body) <= dom.LeftOpen(was.Body) && records >= len(applied.Readings), err
		}
		if before, err = r.scope.Pages().Before(ctx, before); err != nil {
			break
		}
		if was, err = r.Watching.Material(ctx, before); err != nil {
			break
		}
	}
	return true, archivedOnly(err)
}

// mostUnended is how often a page may come with the same last bytes and elements left open before it is believed that it is whole.
const mostUnended = 20

func lastBytes(body []byte) []byte {
	const enough = 80
	return body[max(0, len(body)-enough):]
}
