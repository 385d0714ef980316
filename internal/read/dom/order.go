package dom

import (
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/text/dates"
)

type orderKey struct{}

type dateOrder struct {
	order dates.Order
	sure  bool
}

// DateOrder is the order of day and month in the numeric dates of a page, and whether the
// page itself tells it.
func (d *Document) DateOrder(now time.Time) (order dates.Order, sure bool) {
	found := d.Kept(orderKey{}, func() any {
		if d.IsJSON() {
			return dateOrder{}
		}
		tag := d.Language()
		declared := d.Lang()
		agree := strings.HasPrefix(strings.ToLower(declared), strings.ToLower(tag))
		if agree {
			tag = declared // it may name a region
		}
		order, sure := dates.OrderOn(strings.Split(d.VisibleText(), "\n"), dates.Options{Now: now, Lang: tag}, d.URL().Hostname())
		if !sure && !agree && declared != "" { // in two languages, or declared wrongly
			order = dates.OrderUnknown
		}
		return dateOrder{order, sure}
	}).(dateOrder)
	return found.order, found.sure
}
