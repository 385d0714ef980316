package blueprint

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
)

// Limits of one blueprint.
const (
	maxFields   = 100
	maxRules    = 20
	maxDo       = 20
	maxFollows  = 5
	maxNested   = 3 // blueprints in blueprints
	maxSelector = 1_000
	maxJoin     = 2 // joins in joins
)

// Compiled is a blueprint ready for applying to many pages, also concurrently.
type Compiled struct {
	blueprint *Blueprint
	kind      curlew.Schema
	own       *curlew.Schema // the same, when drafts have to carry it
	selector  *records
	fields    []compiledField // by name
	heads     map[string]bool // of all columns that rules go by
	next      *rule           // of the pagination, like cursor and total
	cursor    *jsonPath
	total     *jsonPath
}

type compiledField struct {
	name     string
	rules    []*rule
	required bool
	many     bool
	address  bool     // an address: made absolute
	slot     bool     // a column of a list that the kind has no field for
	heads    []string // of the columns that its rules go by
}

// Blueprint is what was compiled.
func (c *Compiled) Blueprint() *Blueprint { return c.blueprint }

// Compile validates a blueprint and prepares its selectors. Its fault tells all
// that is wrong; see Problems.
func Compile(b *Blueprint) (compiled *Compiled, err error) {
	err = guard.Read(guard.Blueprint, b.madeFrom(), func() error {
		c := compiler{inline: map[string]bool{}}
		compiled = c.blueprint("", b, 0)
		return c.fault()
	})
	return compiled, err
}

// madeFrom is the address of a page that a blueprint was made from; "" where that is unknown.
func (b *Blueprint) madeFrom() string {
	if b == nil {
		return ""
	}
	return b.URL
}

// compiler validates while it compiles.
type compiler struct {
	problems
	inline map[string]bool // places of fields that are written as a single rule
	known  *selectors      // nil: each is compiled anew
}

// selectors are those that were compiled before, by their texts.
type selectors struct {
	css   map[string]*cssSelector
	xpath map[string]*xpathSelector
}

func (c *compiler) blueprint(place string, b *Blueprint, depth int) *Compiled {
	if b == nil {
		c.add(place, "a blueprint is missing")
		return nil
	}
	out := &Compiled{blueprint: b, kind: b.Kind(), heads: map[string]bool{}}
	if !b.Schema.BuiltIn() {
		out.own = &out.kind
	}
	c.header(place, b)
	if b.Records != nil {
		out.selector = c.records(place+"/records", b)
	}
	c.fields(place, b, out)
	c.article(place, b)
	c.identity(place, b)
	if b.Pagination != nil {
		c.pagination(place+"/pagination", b.Pagination, out)
	}
	if len(b.Follow) > maxFollows || depth >= maxNested && len(b.Follow) > 0 {
		c.add(place+"/follow", "at most %d, and blueprints nested at most %d deep", maxFollows, maxNested)
		return out
	}
	for i, f := range b.Follow {
		at := fmt.Sprintf("%s/follow/%d", place, i)
		byTitle := f.Field == "url" && b.Kind().OfType(curlew.TypeURL) == "" // where the name of a record leads to
		if !b.Gives(f.Field) && !byTitle {
			c.add(at+"/field", "%q is not among the fields of this blueprint: name the field that holds the address", f.Field)
		}
		c.blueprint(at+"/with", f.With, depth+1)
	}
	c.expect(place+"/expect", b)
	return out
}

// oneOf reports a value that is not in a closed set.
func (c *compiler) oneOf(place, value string, allowed ...string) {
	if !slices.Contains(allowed, value) {
		c.add(place, "%q is not known: use %s", value, list(allowed))
	}
}

// list names values for a person: a, b or c.
func list(values []string) string {
	quoted := make([]string, 0, len(values))
	for _, v := range values {
		if v != "" {
			quoted = append(quoted, v)
		}
	}
	if len(quoted) < 2 {
		return strings.Join(quoted, "")
	}
	return strings.Join(quoted[:len(quoted)-1], ", ") + " or " + quoted[len(quoted)-1]
}

func (c *compiler) header(place string, b *Blueprint) {
	if b.Language != 1 {
		c.add(place+"/curlew", "write 1, the version of this language")
	}
	c.kind(place, b)
	c.oneOf(place+"/page", string(b.Page), string(curlew.PageList), string(curlew.PageSingle))
	c.oneOf(place+"/tier", string(b.Tier), string(curlew.TierStructured), string(curlew.TierAPI), string(curlew.TierBundle),
		string(curlew.TierHTML), string(curlew.TierLLM))
	if b.Page == curlew.PageList && b.Records == nil {
		c.add(place+"/records", "a list needs a selector of its records")
	}
	if b.Context != nil {
		c.oneOf(place+"/context/date_order", b.Context.DateOrder, "", "day_first", "month_first")
	}
	if b.Request != nil {
		c.oneOf(place+"/request/method", b.Request.Method, "", "GET", "POST")
		if !strings.HasPrefix(b.Request.URL, "https://") && !strings.HasPrefix(b.Request.URL, "http://") {
			c.add(place+"/request/url", "%q is not an http address", b.Request.URL)
		}
	}
}

func (c *compiler) fields(place string, b *Blueprint, out *Compiled) {
	if len(b.Fields) == 0 && !b.dated() && !b.ByReaders() || len(b.Fields) > maxFields {
		c.add(place+"/fields", "give at least one field, at most %d", maxFields)
		return
	}
	schema := b.Kind()
	for _, name := range sortedKeys(b.Fields) {
		at := place + "/fields/" + escape(name)
		f := compiledField{name: name, required: b.Fields[name].Required, many: b.Fields[name].Many}
		field, ok := schema.Field(name)
		f.slot = schema.HasSlots() && strings.HasPrefix(name, "slots.") && len(name) > len("slots.")
		if !ok && !f.slot || name == "slots" {
			c.add(at, "the schema %s has no such field%s", b.Schema, suggest(name, fieldNames(schema)))
		}
		f.address = field.Type.Address()
		f.rules, f.heads = forField(field, c.rules(at, b.Fields[name])), headsOf(b.Fields[name])
		for _, head := range f.heads {
			out.heads[head] = true
		}
		out.fields = append(out.fields, f)
	}
}

// forField tells rules what they read.
func forField(f curlew.Field, rules []*rule) []*rule {
	for _, u := range rules {
		u.toPay = f.Type == curlew.TypeMoney && !dom.FormerName(f.Name)
	}
	return rules
}

// ArticleFields are what the reader of articles can fill.
var ArticleFields = []string{"title", "author", "published_at", "updated_at"}

// article checks the fields that are left to the reader of articles where no rule fills them.
func (c *compiler) article(place string, b *Blueprint) {
	if len(b.Article) > 0 && b.Page != curlew.PageSingle {
		c.add(place+"/article", "an article is one page: set page to single")
	}
	for _, name := range sortedKeys(b.Article) {
		at := place + "/article/" + escape(name)
		if _, ruled := b.Fields[name]; !ruled {
			c.add(at, "%q is not among the fields of this blueprint", name)
		}
		c.oneOf(at, b.Article[name], ArticleFields...)
	}
}

func fieldNames(s curlew.Schema) []string {
	names := make([]string, len(s.Fields))
	for i, f := range s.Fields {
		if names[i] = f.Name; f.Name == "slots" {
			names[i] = "slots.NAME"
		}
	}
	return names
}

func (c *compiler) rules(place string, f FieldRules) []*rule {
	if len(f.Rules) == 0 || len(f.Rules) > maxRules {
		c.add(place+"/rules", "give at least one rule, at most %d", maxRules)
		return nil
	}
	var all []*rule
	for i, rule := range f.Rules {
		at := place + "/rules/" + strconv.Itoa(i)
		if c.inline[place] {
			at = place
		}
		all = append(all, c.rule(at, rule, 0))
	}
	return all
}

func (c *compiler) identity(place string, b *Blueprint) {
	if b.Identity == nil {
		return
	}
	if len(b.Identity.Fields) == 0 {
		c.add(place+"/identity/fields", "give at least one list of fields")
	}
	for i, set := range b.Identity.Fields {
		if len(set) == 0 {
			c.add(fmt.Sprintf("%s/identity/fields/%d", place, i), "name at least one field")
		}
		for j, name := range set {
			if !b.Gives(name) {
				c.add(fmt.Sprintf("%s/identity/fields/%d/%d", place, i, j), "%q is not among the fields%s", name, suggest(name, sortedKeys(b.Fields)))
			}
		}
	}
}

func (c *compiler) pagination(place string, p *Pagination, out *Compiled) {
	c.oneOf(place+"/kind", p.Kind, "none", "next", "numbered", "page", "offset", "cursor", "month", "load_more", "found")
	if (p.Kind == "page" || p.Kind == "offset" || p.Kind == "cursor") && p.Parameter == "" {
		c.add(place+"/parameter", "name the parameter of the query")
	}
	if p.Kind == "next" && p.Next == nil && p.Cursor == "" {
		c.add(place+"/next", "give the rule that finds the address of the next page")
	}
	if p.Total != "" {
		out.total = c.path(place+"/total", p.Total)
	}
	if p.Cursor != "" {
		out.cursor = c.path(place+"/cursor", p.Cursor)
	}
	if p.First < 0 || p.Step < 0 || p.Size < 0 || p.Most < 0 {
		c.add(place, "numbers of pages and records are not negative")
	}
	if p.Next != nil {
		out.next = c.rule(place+"/next", *p.Next, 0)
	}
}

func (c *compiler) expect(place string, b *Blueprint) {
	if b.Expect == nil {
		return
	}
	if r := b.Expect.Records; r != nil && (r.Min < 0 || r.Max < r.Min) {
		c.add(place+"/records", "min and max must be in order")
	}
	for _, name := range sortedKeys(b.Expect.Fields) {
		at, e := place+"/fields/"+escape(name), b.Expect.Fields[name]
		if !b.Gives(name) {
			c.add(at, "%q is not among the fields%s", name, suggest(name, sortedKeys(b.Fields)))
		}
		if e.Present < 0 || e.Present > 1 || e.Distinct < 0 || e.Distinct > 1 {
			c.add(at, "shares lie between 0 and 1")
		}
		if e.MinLength < 0 || e.MaxLength < e.MinLength {
			c.add(at, "min_length and max_length must be in order")
		}
		c.oneOf(at+"/looks", e.Looks, "", "date", "duration", "price", "url", "number", "text")
	}
}

// escape writes a name for a JSON pointer (RFC 6901).
func escape(name string) string { return pointer.Replace(name) }

var pointer = strings.NewReplacer("~", "~0", "/", "~1")

func (c *compiler) pattern(place, written string) *regexp.Regexp {
	if len(written) > maxSelector {
		c.add(place, "at most %d characters", maxSelector)
		return nil
	}
	p, err := regexp.Compile(written)
	if err != nil {
		c.add(place, "%s", text.PatternProblem(written, err))
	}
	return p
}
