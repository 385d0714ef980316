package main

import (
	"context"
	"fmt"

	"github.com/curlew-data/curlew/bench/measure"
)

// bench is one run of the benchmark.
type bench struct {
	measure.Progress
	sizes sizes
	place *place
}

// entrant is a contender in a column of the table.
type entrant struct {
	contender
	column  column
	system  string
	address string
}

func (e entrant) options(atOnce int) processOptions {
	return processOptions{system: e.system, address: e.address, atOnce: atOnce}
}

// entrants opens a fresh database for each contender.
func (b *bench) entrants(ctx context.Context, name string, withRiver bool) ([]entrant, error) {
	columns := []column{sqliteColumn}
	if b.place.server != "" {
		columns = append(columns, postgresColumn)
		if withRiver {
			columns = append(columns, riverColumn)
		}
	}
	var all []entrant
	for _, c := range columns {
		e, err := b.entrant(ctx, c, name)
		if err != nil {
			closeAll(all)
			return nil, fmt.Errorf("%s: %w", c, err)
		}
		all = append(all, e)
	}
	return all, nil
}

func (b *bench) entrant(ctx context.Context, c column, name string) (e entrant, err error) {
	e = entrant{column: c, system: curlewSystem, address: b.place.sqlite(name)}
	if c == riverColumn {
		e.system = riverSystem
	}
	if c != sqliteColumn {
		if e.address, err = b.place.postgres(ctx, e.system+"_"+name); err != nil {
			return e, err
		}
	}
	e.contender, err = openContender(ctx, e.system, e.address)
	return e, err
}

func closeAll(all []entrant) {
	for _, e := range all {
		e.Close()
	}
}

// measure measures everything, or the one part that is named.
func (b *bench) measure(ctx context.Context, only string) (*table, error) {
	t := &table{}
	known := false
	for _, part := range []struct {
		name    string
		measure func(context.Context, *table) error
	}{{"throughput", b.throughput}, {"growth", b.growth}, {"blocked", b.blocked}, {"rerun", b.rerun}} {
		if only != "" && only != part.name {
			continue
		}
		known = true
		if err := part.measure(ctx, t); err != nil {
			return nil, err
		}
	}
	if !known {
		return nil, fmt.Errorf("there is no part %q to measure", only)
	}
	return t, nil
}

// series collects what the rounds brought, by column.
type series map[column][]float64

func (s series) add(c column, value float64) { s[c] = append(s[c], value) }

func (s series) medians() map[column]float64 {
	all := map[column]float64{}
	for c, values := range s {
		all[c] = measure.Median(values)
	}
	return all
}

// ratio is the median of the rounds' ratios of two columns: what slows the
// machine down for a while slows both.
func (s series) ratio(of, to column) float64 {
	var ratios []float64
	for i := range min(len(s[of]), len(s[to])) {
		ratios = append(ratios, s[of][i]/s[to][i])
	}
	return measure.Median(ratios)
}
