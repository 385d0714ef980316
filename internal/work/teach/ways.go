package teach

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/feasibility"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/recognise"
	"github.com/curlew-data/curlew/internal/read/regions"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"github.com/curlew-data/curlew/internal/text/language"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// ReadingOption is one thing on the page that could be read.
type ReadingOption struct {
	Key     string      `json:"key"`
	Title   string      `json:"title"`
	Tier    curlew.Tier `json:"tier"`
	Records int         `json:"records"`
	Sample  string      `json:"sample,omitempty"` // what the first record says
}

// mostRegions bounds the lists of a page that are offered.
const mostRegions = 8

// ways are all that could be read, as far as can be seen without learning any.
func (l *Training) ways(ctx context.Context) []ReadingOption {
	var all []ReadingOption
	if b := parsed(l.Goal.Rules); b != nil {
		all = append(all, l.counted(ctx, ReadingOption{Key: "base", Title: "As it is read now", Tier: b.Tier}, b))
	}
	doc := l.Document(ThePage)
	if l.Goal.Page == curlew.PageSingle {
		e := extract.Extract(ctx, l.Material(ThePage), l.extracting())
		if len(e.Readings) > 0 {
			all = append(all, ReadingOption{Key: "readers", Title: "What Curlew’s readers find", Tier: e.Tier, Records: 1,
				Sample: sampleOf(e.Readings[0].Text)})
		}
		return all
	}
	for i, f := range l.findings() {
		title := map[curlew.Tier]string{curlew.TierStructured: "Structured data in the page",
			curlew.TierBundle: "Data in a script of the page", curlew.TierAPI: "The data of this answer"}[f.Blueprint.Tier]
		title = cmp.Or(title, "Data in the page")
		all = append(all, l.counted(ctx, ReadingOption{Key: fmt.Sprintf("data:%d", i), Title: title, Tier: f.Blueprint.Tier}, l.fromData(f)))
	}
	if doc.IsJSON() {
		return withRecords(all)
	}
	if css := l.selector(); css != "" {
		all = append(all, l.chosenWay(ctx, css))
	}
	if drafts := induce.ReadPage(ctx, doc, l.Page.At, l.Goal.Kind(), induce.DayRange{}); len(drafts) > 0 {
		title := "The main list of the page"
		if l.Goal.Schema == curlew.SchemaEvent {
			title = "The dated entries of the page"
		}
		all = append(all, ReadingOption{Key: "sight", Title: title, Tier: curlew.TierHTML, Records: len(drafts),
			Sample: sampleOf(drafts[0].Text)})
	}
	for i, r := range l.regions(ctx) {
		if len(r.Records) > 1 {
			all = append(all, ReadingOption{Key: fmt.Sprintf("list:%d", i), Title: "A list of " + plural(r.Kind), Tier: curlew.TierHTML,
				Records: len(r.Records), Sample: sampleOf(r.Records[0].Text)})
		}
	}
	return withRecords(all)
}

// selector is what the instructions choose records by; "" where they do not.
func (l *Training) selector() string {
	return onboard.ReadInstructions(l.Goal.Instructions).Selector
}

// chosenWay reads what the selector of the instructions matches. It is tried also where it
// matches nothing, so that somebody is told why.
func (l *Training) chosenWay(ctx context.Context, css string) ReadingOption {
	w := ReadingOption{Key: "selector", Title: "What your selector " + sampleOf(css) + " matches", Tier: curlew.TierHTML}
	if b, _, err := induce.Chosen(ctx, l.Goal.Kind(), l.Document(ThePage), l.Page.At, css); err == nil {
		w = l.counted(ctx, w, b)
	}
	return w
}

func plural(k regions.Kind) string {
	if k == regions.Nodes {
		return "entries"
	}
	return string(k)
}

// withRecords drops what has no records, and what is there already.
func withRecords(all []ReadingOption) []ReadingOption {
	var some []ReadingOption
	for _, w := range all {
		double := slices.ContainsFunc(some, func(o ReadingOption) bool {
			return o.Tier == w.Tier && o.Records == w.Records && o.Sample == w.Sample && o.Key != "base" && w.Key != "selector"
		})
		if (w.Records > 0 || w.Key == "base" || w.Key == "selector") && !double {
			some = append(some, w)
		}
	}
	return some
}

// counted adds how many records a blueprint finds.
func (l *Training) counted(ctx context.Context, w ReadingOption, b *blueprint.Blueprint) ReadingOption {
	if b == nil {
		return w
	}
	if applied, err := l.apply(ctx, b, ThePage); err == nil && applied.Fault == nil && len(applied.Readings) > 0 {
		w.Records, w.Sample = len(applied.Readings), sampleOf(applied.Readings[0].Text)
		if w.Sample == "" {
			w.Sample = sampleOf(applied.Readings[0].Record.Name())
		}
	}
	return w
}

func sampleOf(s string) string {
	return text.Clip(text.Collapse(s), 90)
}

func (l *Training) extracting() extract.ExtractOptions {
	return extract.ExtractOptions{Schema: l.Goal.Schema, Own: l.Goal.Own, Asserted: l.Goal.Schema != "", Words: l.Goal.Words}
}

// findings are the lists in the structured data of the page, or in the data that it is.
func (l *Training) findings() []recognise.Recognition {
	var all []recognise.Recognition
	seen := map[*blueprint.Blueprint]bool{}
	for _, f := range extract.DataFindings(l.Document(ThePage), l.Goal.Kind()) {
		if f.Schema == l.Goal.Schema && f.Blueprint != nil && !f.Main && f.Blueprint.Records != nil && !seen[f.Blueprint] {
			seen[f.Blueprint] = true
			all = append(all, f)
		}
	}
	return all
}

func (l *Training) fromData(f recognise.Recognition) *blueprint.Blueprint {
	b := *f.Blueprint
	b.Page = curlew.PageList
	return &b
}

func (l *Training) regions(ctx context.Context) []regions.Region {
	return regions.Regions(ctx, l.Document(ThePage), l.segmenting(mostRegions))
}

func (l *Training) segmenting(most int) regions.Options {
	tag := l.Document(ThePage).Language()
	return regions.Options{Dates: dates.Options{Now: l.Page.At, Lang: language.Primary(tag)}, Most: most}
}

// learnWay writes a blueprint for a way.
func (l *Training) learnWay(ctx context.Context, key string) (*blueprint.Blueprint, error) {
	doc := l.Document(ThePage)
	kind, number, _ := strings.Cut(key, ":")
	at := 0
	if _, err := fmt.Sscanf(number, "%d", &at); err != nil && number != "" || at < 0 {
		kind = ""
	}
	switch kind {
	case "base":
		if b := parsed(l.Goal.Rules); b != nil {
			return b, nil
		}
	case "readers":
		e := extract.Extract(ctx, l.Material(ThePage), l.extracting())
		return blueprint.LeftToReaders(l.Goal.Kind(), curlew.PageSingle, e.Tier), nil
	case "data":
		if all := l.findings(); at < len(all) {
			return l.fromData(all[at]), nil
		}
	case "selector":
		if css := l.selector(); css != "" {
			b, proof, err := induce.Chosen(ctx, l.Goal.Kind(), doc, l.Page.At, css)
			l.Proof = proof
			return b, err
		}
	case "sight":
		return l.learnFrom(ctx, induce.ReadPage(ctx, doc, l.Page.At, l.Goal.Kind(), induce.DayRange{}))
	case "list":
		if all := l.regions(ctx); at < len(all) {
			return l.learnFrom(ctx, induce.InSchema(regions.Drafts(ctx, doc, all[at], l.segmenting(mostRegions)), l.Goal.Kind()))
		}
	}
	return nil, curlew.Permanent("no_such_way", "this page has no such list: choose one of those that are shown")
}

func (l *Training) learnFrom(ctx context.Context, drafts []curlew.Draft) (*blueprint.Blueprint, error) {
	b, proof, err := induce.Learn(ctx, l.Goal.Kind(), []induce.Read{{Document: l.Document(ThePage), Now: l.Page.At, Drafts: drafts}})
	l.Proof = proof
	return b, err
}

// dress adds to a new blueprint what the page says about its further pages, and what the
// person said about its language and times.
func (l *Training) dress(ctx context.Context, b *blueprint.Blueprint, doc *dom.Document) {
	if b.Page == curlew.PageList && b.Pagination == nil && !doc.IsJSON() && feasibility.ReadPagination(ctx, doc).Onward() != "" {
		b.Pagination = &blueprint.Pagination{Kind: "found"}
	}
	in := onboard.ReadInstructions(l.Goal.Instructions)
	if in.Language == "" && in.Zone == "" {
		return
	}
	context := blueprint.Locale{}
	if b.Context != nil {
		context = *b.Context
	}
	if in.Language != "" {
		context.Language = in.Language
	}
	if in.Zone != "" {
		context.Timezone = in.Zone
	}
	b.Context = &context
}
