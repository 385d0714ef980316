package pages

import (
	"context"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/extract"
)

// Options are how an org reads pages as things of a kind: by the words that it said the
// meaning of. Everything that reads for an org begins with them.
func Options(ctx context.Context, scope store.Scope, kind curlew.Schema) (extract.ExtractOptions, error) {
	words, err := scope.FieldWords().All(ctx)
	return extract.ExtractOptions{Schema: kind.Name, Own: kind.Own(), Words: words}, err
}

// WatchOptions are how the pages of a watch are read.
func WatchOptions(ctx context.Context, scope store.Scope, w curlew.Watch) (extract.ExtractOptions, error) {
	o, err := Options(ctx, scope, curlew.Schema{})
	o.AllowPersonal = w.Settings.AllowPersonal
	if zone := w.Settings.Zone; zone != "" && err == nil {
		if o.Zone, err = time.LoadLocation(zone); err != nil {
			err = curlew.Permanent("unknown_zone", "unknown time zone %q in the settings of the watch", zone)
		}
	}
	return o, err
}
