package console

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/text/money"
)

type entityList struct {
	Entities []entityRow
	Sources  []curlew.Source
	Schemas  []curlew.Schema
	Statuses []curlew.EntityStatus
	Filter   store.BrowseFilter
	Status   curlew.EntityStatus
	Next     string
	Later    bool // not the first page
}

type entityRow struct {
	curlew.Entity
	Kind  curlew.Schema
	Where string
	Facts []fact
}

// fact is a field that tells entities apart.
type fact struct {
	Field string
	Value any
}

// factsOf are some of the fields that a thing has, and after them what its list says beside
// its fields.
func factsOf(fields curlew.Values, names []string, most int) (facts []fact) {
	for _, name := range names {
		if value := fields[name]; value != nil {
			facts = append(facts, fact{name, value})
		}
	}
	slots, _ := fields["slots"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(slots)) {
		if fields[name] == nil {
			facts = append(facts, fact{name, slots[name]})
		}
	}
	return facts[:min(len(facts), most)]
}

// telling are the fields that a listing shows, as far as an entity has them.
var telling = []string{"starts_at", "venue_name", "city", "price", "price_min", "availability", "company", "location", "salary_min",
	"published_at", "date"}

// tellingOf are the fields that a listing shows of a kind.
func tellingOf(kind curlew.Schema) []string {
	if kind.Name.BuiltIn() || len(kind.Fields) == 0 {
		return telling
	}
	return kind.Short()
}

var entityStatuses = []curlew.EntityStatus{curlew.EntityActive, curlew.EntityStale, curlew.EntityRemoved, curlew.EntityFinished}

func listEntities(ctx context.Context, v *visit) (view, error) {
	l := entityList{Later: v.later(), Schemas: v.kinds,
		Statuses: entityStatuses}
	l.Filter, l.Status = entityFilter(v)
	all, err := v.read.Entities().Browse(ctx, l.Filter, v.window())
	if err != nil {
		return view{}, err
	}
	all, l.Next = paged(v, all, func(e curlew.Entity) string { return string(e.ID) })
	names, sources, err := sourceNames(ctx, v)
	l.Sources = sources
	for _, e := range all {
		row := entityRow{Entity: e, Kind: v.kinds.Kind(e.Schema), Where: names[e.Source]}
		row.Facts = factsOf(e.Fields, tellingOf(row.Kind), 3)
		l.Entities = append(l.Entities, row)
	}
	return view{"entities", "Entities", l}, err
}

type entityPage struct {
	curlew.Entity
	Kind    curlew.Schema
	Where   string
	Fields  []fieldRow
	History []changeRow
	Charts  []*line
	Bands   []*bands
}

type fieldRow struct {
	Name     string
	Value    any
	Evidence *curlew.Evidence
	Last     *curlew.Confirmation // nil where the last reading lacks it
}

// mostHistory is how many changes of an entity its page shows.
const mostHistory = 200

func showEntity(ctx context.Context, v *visit) (view, error) {
	e, err := v.read.Entities().Get(ctx, curlew.EntityID(v.PathValue("id")))
	if err != nil {
		return view{}, err
	}
	names, _, err := sourceNames(ctx, v)
	if err != nil {
		return view{}, err
	}
	confirmed := []curlew.Entity{e}
	if err := v.read.Entities().Confirm(ctx, confirmed); err != nil {
		return view{}, err
	}
	p := entityPage{Entity: e, Kind: v.kinds.Kind(e.Schema), Where: names[e.Source]}
	proof := map[string]curlew.Evidence{}
	if e.Record != "" {
		record, err := v.read.Records().Get(ctx, e.Record)
		if err != nil && !errors.Is(err, curlew.ErrNotFound) { // old records are forgotten
			return view{}, err
		}
		proof = record.Provenance
	}
	listed := e.Fields.Listed()
	for _, name := range listed.Order(p.Kind) {
		row := fieldRow{Name: name, Value: listed[name]}
		if found, ok := proof[name]; ok {
			row.Evidence = &found
		}
		if last, ok := confirmed[0].Confirmed[name]; ok {
			row.Last = &last
		}
		p.Fields = append(p.Fields, row)
	}
	if p.History, err = changeRows(ctx, v, store.ChangeFilter{Entity: e.ID}, 0, mostHistory); err != nil {
		return view{}, err
	}
	p.draw(v)
	return view{"entity", nameOf(p.Kind, e.Fields, e.ExternalID), p}, nil
}

// draw makes the charts of what is worth looking at.
func (p *entityPage) draw(v *visit) {
	numbers, states := []string{"price", "price_min", "salary_min", "position"}, []string{"availability", "status"}
	if !p.Schema.BuiltIn() && len(p.Kind.Fields) > 0 {
		numbers, states = []string{"position"}, nil
		for _, f := range p.Kind.Fields {
			if f.Type.Numeric() {
				numbers = append(numbers, f.Name)
			} else if f.Type == curlew.TypeChoice {
				states = append(states, f.Name)
			}
		}
	}
	for _, field := range numbers {
		if drawn := v.drawField(p, field); drawn != nil {
			p.Charts = append(p.Charts, drawn)
		}
	}
	for _, field := range states {
		if drawn := drawBands(word(field), spansOf(p.History, field, p.Entity), v.now); drawn != nil {
			p.Bands = append(p.Bands, drawn)
		}
	}
}

// spansOf is how long a field had which value, from changes with the newest first.
func spansOf(history []changeRow, field string, e curlew.Entity) []span {
	now, ok := e.Fields[field].(string)
	if !ok {
		return nil
	}
	var spans []span
	for _, row := range slices.Backward(history) {
		for _, c := range row.Payload.Changes {
			if c.Field != field {
				continue
			}
			if before, isText := c.Old.(string); isText && len(spans) == 0 {
				spans = append(spans, span{e.FirstSeenAt, before})
			}
			if after, isText := c.New.(string); isText {
				spans = append(spans, span{row.OccurredAt, after})
			}
		}
	}
	if len(spans) == 0 {
		spans = append(spans, span{e.FirstSeenAt, now})
	}
	return spans
}

// drawField draws how a number went, from changes with the newest first.
func (v *visit) drawField(p *entityPage, field string) *line {
	history, e := p.History, p.Entity
	var points []point
	for i, row := range slices.Backward(history) {
		if n, ok := number(row.Picture().Fields[field]); ok && row.Kind == curlew.EntityAppeared && len(points) == 0 {
			points = append(points, point{row.OccurredAt, n, curlew.ValueText(n)})
		}
		for _, c := range row.Payload.Changes {
			if c.Field != field {
				continue
			}
			if n, ok := number(c.Old); ok && len(points) == 0 {
				points = append(points, point{history[len(history)-1].OccurredAt, n, curlew.ValueText(n)})
			}
			if n, ok := number(c.New); ok {
				points = append(points, point{history[i].OccurredAt, n, curlew.ValueText(n)})
			}
		}
	}
	if len(points) > 1 && e.Status == curlew.EntityActive { // it holds until now
		points = append(points, point{v.now, points[len(points)-1].Value, points[len(points)-1].Label})
	}
	if of, _ := p.Kind.Find(field); of.Type == curlew.TypeMoney {
		currency := e.Fields.Currency()
		for i := range points {
			points[i].Label = clean(money.Shown(int64(points[i].Value), currency))
		}
	}
	return steps(word(field), points, field == "position")
}
