package extract

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"github.com/curlew-data/curlew/internal/text/language"
	"github.com/curlew-data/curlew/internal/text/money"
)

// believeShown reads lists that the data of a page tell from what it shows, where that says
// otherwise of the same things: what people see is what is true.
func believeShown(ctx context.Context, m Material, doc *dom.Document, o ExtractOptions, all []Reading) {
	at := slices.IndexFunc(all, func(r Reading) bool { return r.Schema == curlew.SchemaItem && r.Tier == curlew.TierHTML })
	if at < 0 || o.Schema != "" {
		return
	}
	c := contradictionOf(m, doc, all[at].Records)
	for i, r := range all {
		if ctx.Err() != nil || r.Single || !fromData(r.Tier) || !c.of(r.Records) {
			continue
		}
		o.Schema = r.Schema
		if seen, most := readShown(ctx, m, doc, o, len(r.Records)); most {
			all[i] = Reading{Schema: r.Schema, Tier: seen.Tier, Also: seen.Also, Records: seen.Readings, Denied: true}
		}
	}
}

// shownInstead is a list as the page shows it, where its data say otherwise.
func shownInstead(ctx context.Context, m Material, o ExtractOptions, e Extraction) Extraction {
	if !fromData(e.Tier) || len(e.Readings) < fewestUnlike {
		return e
	}
	items := o
	items.Schema, items.Own = curlew.SchemaItem, nil
	shown, _ := readShown(ctx, m, m.document, items, 0)
	if !contradictionOf(m, m.document, shown.Readings).of(e.Readings) {
		return e
	}
	if seen, most := readShown(ctx, m, m.document, o, len(e.Readings)); most {
		return seen
	}
	return e
}

func fromData(t curlew.Tier) bool { return t == curlew.TierStructured || t == curlew.TierBundle }

// readShown reads the list that a page shows, and says whether it has nearly as many records as there should be.
func readShown(ctx context.Context, m Material, doc *dom.Document, o ExtractOptions, want int) (Extraction, bool) {
	o.Tier, o.Asserted = curlew.TierHTML, true
	seen := (&Extractor{ExtractOptions: o, Material: m, Document: doc}).once(ctx)
	return seen, seen.Fault == nil && 10*len(seen.Readings) >= 9*want
}

func contradictionOf(m Material, doc *dom.Document, items []ReadRecord) contradiction {
	lang := doc.Language()
	order, _ := doc.DateOrder(m.Now)
	c := contradiction{shown: map[string]*ReadRecord{}, dates: dates.Options{Now: m.Now, Lang: language.Primary(lang), Order: order}}
	for i := range items {
		one := &items[i]
		name := text.Letters(one.Record.Name())
		if _, twice := c.shown[name]; twice {
			one = nil // which of them it is, nobody knows
		}
		c.shown[name] = one
	}
	return c
}

// contradiction compares records with the list that a page shows.
type contradiction struct {
	shown map[string]*ReadRecord // by name; nil where several have it
	dates dates.Options
}

// leastUnlike is the share of things, and their number, that a page must show otherwise than its
// data for these not to be believed.
const leastUnlike, fewestUnlike = 0.1, 2

// of says whether the page shows other prices or days of some records than these have.
func (c contradiction) of(records []ReadRecord) bool {
	compared, unlike := 0, 0
	for _, one := range records {
		shown := c.shown[text.Letters(one.Record.Name())]
		if shown == nil {
			continue
		}
		compared++
		if c.price(one.Record, shown) || c.day(one.Record, shown.Text) {
			unlike++
		}
	}
	return unlike >= fewestUnlike && float64(unlike) >= leastUnlike*float64(compared)
}

// price says whether what is shown of a thing has prices, and none of them is that of the record; or
// whether less is to be paid, and the data still have the price that is struck out.
func (c contradiction) price(r curlew.Record, shown *ReadRecord) bool {
	units, has := r.Fields["price"].(int64)
	currency := r.Fields.Currency()
	if !has || currency == "" {
		return false
	}
	if toPay, is := shown.Record.Fields["price"].(int64); is && toPay > 0 && toPay < units {
		return true
	}
	prices := money.Find(shown.Text)
	for _, value := range shown.Record.Fields.Flat() { // the text of a card may run its pieces together
		if piece, is := value.(string); is {
			prices = append(prices, money.Find(piece)...)
		}
	}
	prices = slices.DeleteFunc(prices, func(p money.Price) bool { return p.Sign == "" })
	return len(prices) > 0 && !slices.ContainsFunc(prices, func(p money.Price) bool {
		told, ok := money.Minor(p.Amount, currency)
		return ok && told == units && cmp.Or(p.Currency, currency) == currency
	})
}

// day says whether a text has one day, and it is not that on which the record begins, or has an hour that the record lacks.
// A time with its zone may be of the day before or after, unless the page shows the same hour.
func (c contradiction) day(r curlew.Record, shown string) bool {
	moment, _ := r.Fields["starts_at"].(string)
	day, has := dayOf(r)
	found := dates.Find(shown, c.dates)
	if !has || moment == "" || len(found) != 1 || !found[0].Date.End.IsZero() || found[0].Relative != dates.Absolute {
		return false
	}
	const oneDay = 24 * time.Hour
	apart := found[0].Start.Truncate(oneDay).Sub(day).Abs()
	zoned := len(moment) > len("2006-01-02T15:04:05") && !(found[0].TimeKnown && found[0].Start.Format("T15:04") == moment[10:16])
	return apart > oneDay || apart == oneDay && !zoned || apart == 0 && found[0].TimeKnown && r.Fields["time_known"] == false
}
