// Package blueprint is the language in which Curlew writes down how to get
// entities of one schema from one type of page of one site, and the applying of
// it. A blueprint is data: a small JSON document with a published schema
// (docs/blueprint.schema.json), validated with errors that point at the place.
//
// Applying is pure: it reads a page and gives drafts, each value with the rule,
// the node and the original text. It does not normalise, fetch or judge.
package blueprint

import (
	"encoding/json"
	"sync"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/structured"
	"github.com/curlew-data/curlew/internal/text/dates"
)

// Blueprint is how to read one type of page.
type Blueprint struct {
	Language   int                   `json:"curlew"` // version of this language: 1
	Name       string                `json:"name,omitempty"`
	Schema     curlew.SchemaName     `json:"schema"`
	Own        *curlew.Schema        `json:"kind,omitempty"` // the definition of schema, when it is none of Curlew's own
	Page       curlew.PageType       `json:"page"`
	Tier       curlew.Tier           `json:"tier"`
	URL        string                `json:"url,omitempty"` // of a page that it was made from
	Context    *Locale               `json:"context,omitempty"`
	Request    *APIRequest           `json:"request,omitempty"` // of an API that wants more than a GET of the watched address
	Records    *Selector             `json:"records,omitempty"` // none: the whole page is one record
	Fields     map[string]FieldRules `json:"fields"`
	Article    map[string]string     `json:"article,omitempty"` // of one page: fields that the reader of articles fills where no rule does, by its names
	Identity   *IdentityFields       `json:"identity,omitempty"`
	Pagination *Pagination           `json:"pagination,omitempty"`
	Follow     []Follow              `json:"follow,omitempty"`
	Expect     *Expect               `json:"expect,omitempty"`
}

// Locale is what the pages do not say themselves.
type Locale struct {
	Language  string `json:"language,omitempty"`
	Timezone  string `json:"timezone,omitempty"`
	Country   string `json:"country,omitempty"`
	Currency  string `json:"currency,omitempty"`
	DateOrder string `json:"date_order,omitempty"` // "day_first" or "month_first"
}

// APIRequest is how an API is asked.
type APIRequest struct {
	Method  string            `json:"method,omitempty"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers,omitempty"`
	Body    json.RawMessage   `json:"body,omitempty"`
}

// Selector finds nodes or values. Exactly one of CSS, XPath, Items and JSON is
// given, except that items may be narrowed by a JSON path, and that a rule may have
// none: the record itself; so may dated records: the whole page.
type Selector struct {
	CSS   string   `json:"css,omitempty"`
	XPath string   `json:"xpath,omitempty"`
	Items []string `json:"items,omitempty"` // types of structured items, subtypes written out
	JSON  string   `json:"json,omitempty"`  // path into JSON: "$.data.events[*]"; in fields relative: "venue.name"
	In    string   `json:"in,omitempty"`    // with JSON: the name of the state; "" is the body of an API answer

	Shape  Shape  `json:"shape,omitempty"`  // of records only: what one match means
	Until  string `json:"until,omitempty"`  // shape group: the CSS selector of a sibling that ends the last record
	Starts string `json:"starts,omitempty"` // shape lines: a record begins at lines that match this pattern
	Days   *Range `json:"days,omitempty"`   // shape dated: only entries so many days from the day of reading

	Without []string `json:"without,omitempty"` // shape readers of the kind page: CSS selectors of the parts that are left out, with ## and the words beside them for figures
}

// Shape is how records lie in the tree.
type Shape string

const (
	ShapeNode       Shape = ""           // every match is a record
	ShapeGroup      Shape = "group"      // a match and its following siblings, up to the next match: headings, dt and dd
	ShapeBetween    Shape = "between"    // the siblings between matches: hr
	ShapeLines      Shape = "lines"      // every line of text in a match: br
	ShapeParagraphs Shape = "paragraphs" // lines in a match, cut where a line is empty
	ShapeReaders    Shape = "readers"    // what Curlew's own readers find of the schema; the pipeline asks them
	ShapeDated      Shape = "dated"      // the entries of events that a reader of dates finds in a match, or on the page
)

// FieldRules is how to get one field: the first rule that gives a value wins. In JSON a
// field with a single rule is written as that rule.
type FieldRules struct {
	Rules    []Rule `json:"rules"`
	Required bool   `json:"required,omitempty"` // a record without it is no record
	Many     bool   `json:"many,omitempty"`     // all matches, as a list
}

// Rule is one way to a value.
type Rule struct {
	Selector
	Label    string      `json:"label,omitempty"`    // the value that stands with this label ("Price:", "Kiedy")
	Column   string      `json:"column,omitempty"`   // of a table row: the cell under this heading, or its number
	After    string      `json:"after,omitempty"`    // the text right after this text; with css or xpath: the match that stands there
	Before   string      `json:"before,omitempty"`   // likewise, right before
	Join     []Rule      `json:"join,omitempty"`     // what these give, joined by With
	With     string      `json:"with,omitempty"`     // "" is a space
	Constant *string     `json:"constant,omitempty"` // this value; with a selector: only where that matches
	From     From        `json:"from,omitempty"`     // where to look; "" is the record
	Attr     string      `json:"attr,omitempty"`     // take this attribute instead of the text
	Last     bool        `json:"last,omitempty"`     // the last match instead of the first
	Do       []Transform `json:"do,omitempty"`       // applied in order
}

// From is where a rule looks.
type From string

const (
	FromRecord  From = ""
	FromPage    From = "page"    // the whole page
	FromHeading From = "heading" // the nearest match before the record, in document order
	FromColumn  From = "column"  // of a table cell: the heading cell of its column
	FromRow     From = "row"     // of a table cell: the first cell of its row
)

// Transform is one step from a closed list; see docs/blueprints.md. In JSON a step
// without arguments is written as its name.
type Transform struct {
	Op   string `json:"op"`
	Text string `json:"text,omitempty"`
	With string `json:"with,omitempty"` // replace
	N    int    `json:"n,omitempty"`
	To   int    `json:"to,omitempty"`
}

// IdentityFields says which fields make the external id, in order of preference: the
// first set of which all have values is used.
type IdentityFields struct {
	Fields [][]string `json:"fields"`
}

// Pagination is how to get at the further pages.
type Pagination struct {
	Kind      string `json:"kind"`                // none, next, numbered, page, offset, cursor, month, load_more, found (by the reader of pagination)
	Next      *Rule  `json:"next,omitempty"`      // next, load_more: the address of the next page
	Parameter string `json:"parameter,omitempty"` // page, offset, cursor: of the query
	First     int    `json:"first,omitempty"`
	Step      int    `json:"step,omitempty"`
	Size      int    `json:"size,omitempty"`   // records per page
	Total     string `json:"total,omitempty"`  // JSON path to the number of records or pages
	Cursor    string `json:"cursor,omitempty"` // JSON path to the next cursor or address
	Most      int    `json:"most,omitempty"`   // pages at most
}

// Follow leads from a record to a page with more of it.
type Follow struct {
	Field string     `json:"field"` // that holds the address
	With  *Blueprint `json:"with"`
}

// Expect is what the sample looked like, so that a page that no longer fits can be
// told from one that has nothing today.
type Expect struct {
	Records *Range                 `json:"records,omitempty"`
	Fields  map[string]Expectation `json:"fields,omitempty"`
	Ended   bool                   `json:"ended,omitempty"` // the pages ended with </html>: one that does not was cut off
}

// Range is inclusive.
type Range struct {
	Min int `json:"min"`
	Max int `json:"max"`
}

// Expectation is what the values of one field looked like.
type Expectation struct {
	Present   float64 `json:"present"`              // share of records that have it
	Distinct  float64 `json:"distinct,omitempty"`   // share of different values among those
	MinLength int     `json:"min_length,omitempty"` // in characters
	MaxLength int     `json:"max_length,omitempty"`
	Looks     string  `json:"looks,omitempty"` // date, duration, price, url, number or text
}

// PageInput is what a blueprint is applied to.
type PageInput struct {
	Document *dom.Document
	Graph    *structured.Graph // nil: read when the blueprint needs it
	Now      time.Time         // the day of reading, for dated records; zero: unknown
	Lang     string            // of the page, for dated records; "": what it says itself

	texts func() *visibleText // nil: read when a rule needs them
}

// Keep makes a page for which what rules need of its texts is prepared once, however
// many blueprints are applied to it.
func (p PageInput) Keep() PageInput {
	p.texts = sync.OnceValue(func() *visibleText { return visibleTextOf(p.Document.Tree()) })
	return p
}

// Output is what applying gave.
type Output struct {
	Drafts  []curlew.Draft `json:"drafts"`
	Dropped []Drop         `json:"dropped,omitempty"` // records that lacked a required field
	Cut     string         `json:"cut,omitempty"`     // why not everything was read, when the page is too large
}

// Drop is a record that was not taken.
type Drop struct {
	Node string `json:"node"`
	Why  string `json:"why"`
}

// The orders of day and month, as blueprints write them.
var dateOrders = map[string]dates.Order{"day_first": dates.DayFirst, "month_first": dates.MonthFirst}

// DateOrder is the order of day and month in the numeric dates of its pages.
func (b *Blueprint) DateOrder() dates.Order {
	if b.Context == nil {
		return dates.OrderUnknown
	}
	return dateOrders[b.Context.DateOrder]
}

// SetDateOrder writes the order of day and month down where there is none yet.
func (b *Blueprint) SetDateOrder(order dates.Order) {
	if order == dates.OrderUnknown || b.DateOrder() != dates.OrderUnknown {
		return
	}
	context := Locale{}
	if b.Context != nil {
		context = *b.Context
	}
	for name, o := range dateOrders {
		if o == order {
			context.DateOrder = name
		}
	}
	b.Context = &context
}
