package watch

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/ops/instrument"
)

// mostKept and mostReadings bound what is remembered of pages: the list and the detail
// pages of one run, which looks at them several times until it ends.
const (
	mostKept     = 128
	mostReadings = 200
)

// memo remembers what blueprints gave on archived pages, which never change.
type memo struct {
	mu      sync.Mutex
	applied map[string]extract.Applied
	order   []string
}

func (m *memo) find(key string) (extract.Applied, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a, ok := m.applied[key]
	a.Readings = slices.Clone(a.Readings)
	return a, ok
}

func (m *memo) keep(key string, a extract.Applied) {
	if a.Fault != nil || len(a.Readings) > mostReadings {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.applied == nil {
		m.applied = map[string]extract.Applied{}
	}
	if _, known := m.applied[key]; known {
		return
	}
	if len(m.order) >= mostKept {
		delete(m.applied, m.order[0])
		m.order = m.order[1:]
	}
	a.Readings = slices.Clone(a.Readings)
	m.applied[key] = a
	m.order = append(m.order, key)
}

// Apply reads an archived page by a compiled, or remembers how it did so a moment ago.
// The fields of the readings are not to be changed.
func (w *Watching) Apply(ctx context.Context, r *extract.Compiled, page curlew.Page, o extract.ApplyOptions) (extract.Applied, error) {
	subject := string(page.ID)
	if r.Blueprint.ByModel() && page.Digest != "" {
		subject = page.Digest // the same bytes are not paid for twice
	}
	key := fmt.Sprint(subject, " ", r.Print, " ", o.Zone, " ", o.AllowPersonal, " ", slices.Sorted(maps.Keys(o.Noise)), o.Words, o.Unended)
	if page.ID != "" {
		if a, ok := w.seen.find(key); ok {
			return a, nil
		}
	}
	ctx, span := instrument.Begin(ctx, instrument.Start{Name: "extract"})
	material, err := w.Material(ctx, page)
	if err != nil {
		span.End(err)
		return extract.Applied{}, err
	}
	a := r.Apply(ctx, material, o)
	span.Note(slog.String("curlew.tier", r.Method()), slog.Int("curlew.records", len(a.Readings)), slog.Int64("curlew.bytes", page.Bytes))
	if a.Fault != nil {
		span.End(a.Fault)
	} else {
		span.End(nil)
	}
	if ctx.Err() != nil {
		return extract.Applied{}, ctx.Err()
	}
	if page.ID != "" {
		w.seen.keep(key, a)
	}
	return a, nil
}
