package watch

import (
	"context"
	"errors"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/web/archive"
)

// TestNothingIsGoneFromAListThatIsLongerThanWhatIsRead reads a list of one page.
func TestNothingIsGoneFromAListThatIsLongerThanWhatIsRead(t *testing.T) {
	compiled, err := extract.Compile(blueprint.LeftToReaders(curlew.SchemaItem.Kind(), curlew.PageList, curlew.TierHTML))
	if err != nil {
		t.Fatal(err)
	}
	applied := extract.Applied{Fit: blueprint.FitReport{Fit: blueprint.FitWhole}}
	for _, over := range []string{"", "there are more"} {
		applied.Over = over
		list := ReadList(compiled, []ListPage{{Applied: applied}}, true, "")
		if list.Whole != (over == "") || list.Whole != (list.Why == "") {
			t.Errorf("with %q the list is whole: %t %q", over, list.Whole, list.Why)
		}
	}
}

// onePage is an archive of one page. Taking it may end what it is taken for.
type onePage struct{ taken func() }

func (p onePage) Read(context.Context, archive.Ref) (*archive.Exchange, error) {
	p.taken()
	const list = "<ul><li><a href=/1>Concert one</a><li><a href=/2>Concert two</a><li><a href=/3>Concert three</a></ul>"
	return &archive.Exchange{Body: []byte(list)}, nil
}

func TestAReadingEndsWithItsCheckAndIsNotKept(t *testing.T) {
	compiled, err := extract.Compile(blueprint.LeftToReaders(curlew.SchemaItem.Kind(), curlew.PageList, curlew.TierHTML))
	if err != nil {
		t.Fatal(err)
	}
	page := curlew.Page{ID: "pag_1", FinalURL: "https://hall.example/", ArchiveRef: "20261119215724-vm-25042-313270dc.warc.gz:12:345"}
	ctx, end := context.WithCancel(t.Context())
	w := &Watching{Past: onePage{end}}
	if a, err := w.Apply(ctx, compiled, page, extract.ApplyOptions{}); !errors.Is(err, context.Canceled) || len(a.Readings) > 0 {
		t.Errorf("a check that ended while it read: %d records, %v", len(a.Readings), err)
	}
	if a, err := w.Apply(t.Context(), compiled, page, extract.ApplyOptions{}); err != nil || a.Fault != nil || len(a.Readings) != 3 {
		t.Errorf("the check after it: %d records, %v, %v", len(a.Readings), a.Fault, err)
	}
}
