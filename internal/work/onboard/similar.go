package onboard

import (
	"cmp"
	"context"
	"encoding/base64"
	"hash/fnv"
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
)

// sketchSize is how many smallest hashes a sketch has: enough to tell sites of one
// template, which share most of their structure, from others, which share a tenth.
const sketchSize = 96

// Sketch is the structure of a page in so few bytes that those of all sources can be
// compared: of each of many orders of the page's parts the first.
func Sketch(f dom.Fingerprint) string {
	if len(f.Shingles) == 0 {
		return ""
	}
	var least [sketchSize]uint64
	for i := range least {
		least[i] = ^uint64(0)
	}
	for shingle := range f.Shingles {
		h := fnv.New64a()
		_, _ = h.Write([]byte(shingle))
		sum := h.Sum64()
		for i := range least {
			least[i] = min(least[i], scatter(sum+uint64(i)*0x9e3779b97f4a7c15))
		}
	}
	bytes := make([]byte, 0, 2*sketchSize)
	for _, n := range least {
		bytes = append(bytes, byte(n), byte(n>>8))
	}
	return base64.RawStdEncoding.EncodeToString(bytes)
}

// scatter is the finalizer of splitmix64 (Steele, Lea, Flood 2014).
func scatter(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Likeness estimates how much of their structure two sketched pages share, from 0 to 1.
func Likeness(a, b string) float64 {
	x, err1 := base64.RawStdEncoding.DecodeString(a)
	y, err2 := base64.RawStdEncoding.DecodeString(b)
	if err1 != nil || err2 != nil || len(x) != 2*sketchSize || len(y) != len(x) {
		return 0
	}
	same := 0
	for i := 0; i < len(x); i += 2 {
		if x[i] == y[i] && x[i+1] == y[i+1] {
			same++
		}
	}
	return float64(same) / sketchSize
}

// Relative is a deployed source that a new one may be like.
type Relative struct {
	Source curlew.SourceID
	Schema curlew.SchemaName
	Tier   curlew.Tier
	Sketch string
	Rules  []byte
}

// mostExamples is how many similar sources are looked at.
const mostExamples = 3

// Nearest are the blueprints of the sources that are most like the analysed one: of the
// same schema, by structure first, then by tier and language.
func (a Analysis) Nearest(schema curlew.SchemaName, relatives []Relative) []*blueprint.Blueprint {
	type example struct {
		source curlew.SourceID
		b      *blueprint.Blueprint
		worth  float64
	}
	schema = cmp.Or(schema, a.Report.Schema)
	var all []example
	for _, r := range relatives {
		if r.Schema != schema {
			continue
		}
		b, err := blueprint.Parse(r.Rules)
		if err != nil {
			continue // of a later Curlew
		}
		e := example{source: r.Source, b: b, worth: 0.7 * Likeness(a.Sketch, r.Sketch)}
		if r.Tier == a.Report.Strategy {
			e.worth += 0.15
		}
		if b.Context != nil && b.Context.Language != "" && b.Context.Language == a.Report.Language {
			e.worth += 0.15
		}
		all = append(all, e)
	}
	slices.SortStableFunc(all, func(x, y example) int {
		return cmp.Or(cmp.Compare(y.worth, x.worth), cmp.Compare(x.source, y.source))
	})
	var nearest []*blueprint.Blueprint
	for _, e := range all[:min(len(all), mostExamples)] {
		nearest = append(nearest, e.b)
	}
	return nearest
}

// prior is the blueprint of another source without what holds for that source alone;
// nil where nothing is left that could hold for others.
func prior(b *blueprint.Blueprint) *blueprint.Blueprint {
	if b.Request != nil || b.ByReaders() || b.Tier == curlew.TierAPI || b.Page != curlew.PageList {
		return nil
	}
	p := *b
	p.URL, p.Name, p.Expect, p.Follow, p.Pagination = "", "", nil, nil, nil
	if b.Context != nil {
		p.Context = &blueprint.Locale{Language: b.Context.Language, DateOrder: b.Context.DateOrder}
	}
	p.Fields = map[string]blueprint.FieldRules{}
	for name, f := range b.Fields {
		f.Rules = slices.DeleteFunc(slices.Clone(f.Rules), func(r blueprint.Rule) bool { return r.Constant != nil })
		if len(f.Rules) > 0 {
			p.Fields[name] = f
		}
	}
	if len(p.Fields) == 0 {
		return nil
	}
	return &p
}

// fromOthers are the ways in which similar sources are read.
func (l *Search) fromOthers(ctx context.Context) []Way {
	var all []Way
	for _, b := range l.Priors {
		if p := prior(b); p != nil && p.Schema == l.Schema && !l.Home.Document().IsJSON() {
			l.Paged(ctx, p, l.Home.Document())
			all = append(all, Way{Address: l.Home.URL, Blueprint: p, prior: true})
		}
	}
	return all
}
