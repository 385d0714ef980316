package console

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/change/syndicate"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// exportWithin bounds how long making a file may take.
const exportWithin = 2 * time.Minute

// exported are the listings that people save as files, as they are filtered there.
var exported = map[string]func(*visit) app.Export{
	"entities": func(v *visit) app.Export { f, _ := entityFilter(v); return app.Export{Entities: f} },
	"changes":  func(v *visit) app.Export { f := changeFilter(v); return app.Export{Changes: &f} },
}

func entityFilter(v *visit) (f store.BrowseFilter, status curlew.EntityStatus) {
	f = store.BrowseFilter{Source: of[curlew.SourceID](v, "source"), Watch: of[curlew.WatchID](v, "watch"),
		Schema: v.ofKind("schema"), Search: v.search()}
	if status = chosen(v, "status", entityStatuses...); status != "" {
		f.Status = []curlew.EntityStatus{status}
	}
	return f, status
}

func changeFilter(v *visit) store.ChangeFilter {
	return store.ChangeFilter{Kind: chosen(v, "kind", curlew.ChangeKinds()...), Source: of[curlew.SourceID](v, "source"),
		Watch: of[curlew.WatchID](v, "watch"), Entity: of[curlew.EntityID](v, "entity"), Search: v.search()}
}

// export saves a listing. The file is made before anything of it is sent, so that nobody gets half of one.
func (c *Console) export(w http.ResponseWriter, r *http.Request, name string) {
	ctx, cancel := context.WithTimeout(r.Context(), exportWithin)
	defer cancel()
	file, format, err := c.makeExport(ctx, r, name)
	if file != nil {
		defer os.Remove(file.Name())
		defer file.Close()
	}
	if err != nil {
		c.fail(w, r, err)
		return
	}
	h := w.Header()
	guard(h)
	h.Set("Content-Type", format.ContentType())
	ending := r.URL.Query().Get("format")
	h.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", "curlew-"+name+"-"+c.Now().Format(time.DateOnly)+"."+ending))
	h.Set("Cache-Control", "no-store")
	_, _ = io.Copy(w, file) // the reader may have gone
}

func (c *Console) makeExport(ctx context.Context, r *http.Request, name string) (file *os.File, format syndicate.Format, err error) {
	v, err := c.visit(r)
	if err != nil {
		return nil, "", err
	}
	if format, err = syndicate.ParseExport(v.query("format")); err != nil {
		return nil, "", err
	}
	wanted := exported[name](v)
	if err := v.wrong.Err(); err != nil {
		return nil, "", err
	}
	feed, err := c.App.Export(ctx, v.who, wanted)
	if err != nil {
		return nil, "", err
	}
	if file, err = os.CreateTemp("", "curlew-export-*"); err != nil {
		return nil, "", err
	}
	if err = syndicate.Write(file, format, feed, syndicate.Options{BOM: true}); err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	return file, format, err
}
