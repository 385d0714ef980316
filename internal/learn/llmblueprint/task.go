package llmblueprint

import (
	"maps"
	"slices"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/normalise"
)

// task is one question to a model.
type task struct {
	schema   curlew.Schema
	pages    []*page
	known    []known
	wanted   []string // fields of which values are known
	old      *blueprint.Blueprint
	anywhere bool // known values may be gone, and stand on any page
	fence    string
	rounds   int
	size     int
	examples []*blueprint.Blueprint
}

// page is a page with what is needed to judge answers by it.
type page struct {
	doc     *dom.Document
	now     time.Time
	lang    string
	context normalise.Context
	ground  *ground
}

// known is a record of which values are known.
type known struct {
	page   *page // nil: any
	fields map[string][]string
}

// The defaults of Options.
const (
	usualRounds = 3
	usualSize   = 60_000 // some 20,000 tokens
)

func newTask(kind curlew.Schema, o Options) *task {
	t := &task{schema: kind, fence: o.Fence, rounds: o.Rounds, size: o.Size}
	if t.rounds <= 0 {
		t.rounds = usualRounds
	}
	if t.size <= 0 {
		t.size = usualSize
	}
	t.examples = alike(o.Examples, kind.Name)
	return t
}

// add takes a page and what is known of it. Several records of one document are a list.
func (t *task) add(doc *dom.Document, now time.Time, fields map[string][]string) {
	i := slices.IndexFunc(t.pages, func(p *page) bool { return p.doc == doc })
	if i < 0 {
		tag := doc.Language()
		p := &page{doc: doc, now: now, lang: tag, context: normalise.Context{Now: now, Lang: tag, Base: doc.URL().String(), Unhashed: true}}
		p.ground = newGround(p)
		t.pages = append(t.pages, p)
		i = len(t.pages) - 1
	}
	if len(fields) > 0 && len(t.known) < mostKnown {
		t.know(fields)
		t.known[len(t.known)-1].page = t.pages[i]
	}
}

func (t *task) know(fields map[string][]string) {
	t.known = append(t.known, known{fields: fields})
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if !slices.Contains(t.wanted, name) {
			t.wanted = append(t.wanted, name)
		}
	}
	slices.Sort(t.wanted)
}

// required says whether records without a field are none.
func (t *task) required(field string) bool {
	f, ok := t.schema.Field(field)
	return ok && f.Required
}

// kind is the type of a field; those of a kind without a definition are text.
func (t *task) kind(field string) curlew.FieldType {
	if f, ok := t.schema.Field(field); ok {
		return f.Type
	}
	return curlew.TypeText
}

// alike takes the blueprints that show most: of the same schema first.
func alike(all []*blueprint.Blueprint, schema curlew.SchemaName) []*blueprint.Blueprint {
	const most = 3
	var same, others []*blueprint.Blueprint
	for _, b := range all {
		switch {
		case b == nil:
		case b.Schema == schema:
			same = append(same, b)
		default:
			others = append(others, b)
		}
	}
	same = append(same, others...)
	return same[:min(len(same), most)]
}
