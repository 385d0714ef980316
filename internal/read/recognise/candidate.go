package recognise

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/wordlist"
)

// finding writes a candidate down as a blueprint, with a sentence for each field.
func (c *candidate) finding(where string, paging *blueprint.Pagination) Recognition {
	b := &blueprint.Blueprint{
		Language: 1, Schema: c.schema, Page: curlew.PageList, Tier: curlew.TierAPI, Fields: map[string]blueprint.FieldRules{},
		Records: &blueprint.Selector{JSON: c.group.path, In: where},
	}
	if where != "" {
		b.Tier = curlew.TierBundle
	}
	if c.group.listed {
		b.Pagination = paging
	} else {
		b.Page = curlew.PageSingle
	}
	f := Recognition{
		Schema: c.schema, Page: b.Page, Confidence: c.confidence, Blueprint: b,
		Where: where, Path: c.group.path, Count: len(c.group.nodes),
	}
	for _, w := range tables()[c.schema] {
		if l := c.taken[w.field]; l != nil {
			b.Fields[w.field] = c.field(w, l)
			f.Reasons = append(f.Reasons, FieldReason{w.field, c.sentence(l)})
		}
	}
	if low := c.taken["price_min"]; low != nil && c.taken["price_max"] == nil {
		switch {
		case low.many: // of several, the lowest and the highest
			b.Fields["price_max"] = blueprint.FieldRules{Rules: c.rules(wanted{field: "price_max"}, low)}
		case onePrice(low.meaning):
			b.Fields["price_max"] = b.Fields["price_min"] // one price is the lowest and the highest
		}
	}
	c.flags(b)
	if where == "" && c.group.listed && c.schema.Kind().HasSlots() {
		c.slots(b)
	}
	if id := c.identity(); id != nil {
		b.Identity = id
	}
	return f
}

// onePrice says whether a name means the price and no bound of it: "price", "price cents",
// but not "price from".
func onePrice(meaning string) bool {
	named := false
	for word := range strings.FieldsSeq(meaning) {
		named = named || word == "price"
		if word != "price" && word != "value" && word != "amount" && !minorWords().Has(word) {
			return false
		}
	}
	return named
}

func (c *candidate) sentence(l *valuePath) string {
	example := ""
	if len(l.values) > 0 {
		example = fmt.Sprintf(", such as %q", text.Clip(l.values[0], 60))
	}
	return fmt.Sprintf("%s has %s in %d of %d records%s", l.path, kindNames[l.usual()], l.present, c.profile.records, example)
}

var kindNames = map[kind]string{
	kindBool: "yes or no", kindNumber: "numbers", kindMoment: "dates with times", kindDate: "dates", kindEpoch: "times since 1970",
	kindClock: "times of day", kindDateText: "written dates", kindURL: "addresses", kindPath: "parts of addresses",
	kindImage: "addresses of pictures", kindPrice: "prices", kindCurrency: "currencies", kindHTML: "marked-up text",
	kindWords: "words", kindLong: "long text", kindCode: "codes", kindMail: "mail addresses", kindPhone: "phone numbers",
}

// usual is the kind that most values have.
func (l *valuePath) usual() kind {
	best := kindNone
	for k := kindBool; k <= kindPhone; k++ {
		if l.kinds()[k] > l.kinds()[best] {
			best = k
		}
	}
	return best
}

// field writes down how a field is read: the path that was taken, then others that
// mean the same.
func (c *candidate) field(w wanted, l *valuePath) blueprint.FieldRules {
	f := blueprint.FieldRules{Many: w.many, Required: w.field == "title" || w.field == "name" || w.field == "starts_at"}
	add := func(l *valuePath) {
		f.Rules = append(f.Rules, c.rules(w, l)...)
	}
	add(l)
	taken := map[*valuePath]bool{l: true}
	for _, t := range c.taken {
		taken[t] = true
	}
	for _, name := range w.names {
		for _, other := range c.profile.meanings[name] {
			if taken[other] || len(f.Rules) >= 5 {
				continue
			}
			if w.fits(other) && other.kindsAgree(l) {
				add(other)
				taken[other] = true
			}
		}
	}
	return f
}

// kindsAgree keeps fallbacks from mixing what is not comparable.
func (l *valuePath) kindsAgree(other *valuePath) bool {
	return !other.is(kindNumber) || l.is(kindNumber)
}

func (c *candidate) rules(w wanted, l *valuePath) []blueprint.Rule {
	rule := blueprint.Rule{Selector: blueprint.Selector{JSON: l.path}}
	switch w.field {
	case "starts_at":
		return c.dated(rule, l, c.clock)
	case "ends_at":
		return c.dated(rule, l, c.endClock)
	case "price", "price_was", "price_min", "price_max", "salary_min", "salary_max":
		switch {
		case l.many && w.field == "price_min":
			rule.Do = []blueprint.Transform{{Op: "min"}}
		case l.many && w.field == "price_max":
			rule.Do = []blueprint.Transform{{Op: "max"}}
		}
		if c.minor(l) {
			rule.Do = append(rule.Do, blueprint.Transform{Op: "minor"})
			return []blueprint.Rule{rule}
		}
	}
	if l.markup() && (!titular[w.field] || strings.HasSuffix(l.path, "rendered") || slices.ContainsFunc(l.values, entity().MatchString)) {
		rule.Do = append(rule.Do, blueprint.Transform{Op: "strip_tags"})
	}
	return []blueprint.Rule{rule}
}

// titular are fields whose tags may be part of the name: whether they are is seen on
// the page.
var titular = map[string]bool{"title": true, "name": true}

var entity = text.Pattern(`&(#\d+|#x[0-9a-fA-F]+|[a-zA-Z]{2,8});`)

// markup says whether values are HTML: most have tags, or some have entities. A
// single "<b>" in plain text is what its author wrote.
func (l *valuePath) markup() bool {
	named := strings.HasSuffix(l.path, "rendered") || strings.HasSuffix(l.path, "html")
	return named || l.is(kindHTML) || slices.ContainsFunc(l.values, entity().MatchString)
}

// dated joins a date with the time of day that stands beside it.
func (c *candidate) dated(rule blueprint.Rule, date, clock *valuePath) []blueprint.Rule {
	if clock == nil || !date.is(kindDate) {
		return []blueprint.Rule{rule}
	}
	joined := blueprint.Rule{Join: []blueprint.Rule{rule, {Selector: blueprint.Selector{JSON: clock.path}}}, With: " "}
	return []blueprint.Rule{joined, rule}
}

// minorWords name the hundredth part of a currency.
var minorWords = wordlist.Named(words, "minor words")

// minor says whether amounts are counted in cents: by name, by a neighbour that
// names the number of decimals, or by one that writes the same amount with a point.
func (c *candidate) minor(l *valuePath) bool {
	long := func(v string) bool { return len(v) > 2 }
	decimal := func(v string) bool { return strings.ContainsAny(v, ".,") }
	if !slices.ContainsFunc(l.values, long) || slices.ContainsFunc(l.values, decimal) {
		return false
	}
	if slices.ContainsFunc(append(tokens(l.path), l.words()...), minorWords().Has) || c.shown.countsMinor(l.values) {
		return true
	}
	folder := l.folder()
	for _, other := range c.profile.paths {
		if other != l && len(other.values) > 0 && other.folder() == folder && other.tellsMinor(l.values[0]) {
			return true
		}
	}
	return false
}

// folder is the path of the object that holds a path.
func (l *valuePath) folder() string { return l.path[:strings.LastIndexAny("."+l.path, ".")] }

// tellsMinor says whether a path beside an amount tells that it is counted in cents.
func (l *valuePath) tellsMinor(amount string) bool {
	first := l.values[0]
	if minorWords().Has(strings.ToLower(first)) || l.is(kindPrice) && sameDigits(amount, first) {
		return true
	}
	key := strings.ToLower(strings.Join(tokens(strings.TrimPrefix(l.path, l.folder())), " "))
	switch key {
	case "exponent", "precision", "decimals", "decimal places":
		return first == "2"
	}
	return first == "2" && strings.Contains(key, "minor unit")
}

// sameDigits says whether a text writes an amount of cents with its decimals.
func sameDigits(cents, text string) bool {
	if len(cents) < 3 {
		return false
	}
	decimal := cents[:len(cents)-2] + "." + cents[len(cents)-2:]
	return strings.Contains(strings.ReplaceAll(text, ",", "."), decimal)
}

// identity prefers an address of its own to a title with a start.
func (c *candidate) identity() *blueprint.IdentityFields {
	if l := c.taken["url"]; l != nil && l.distinct() > 0.95 {
		return nil // the address is the identity by default
	}
	if c.schema == curlew.SchemaEvent {
		return &blueprint.IdentityFields{Fields: [][]string{{"title", "starts_at"}}}
	}
	return nil
}

func itoa(n int) string { return strconv.Itoa(n) }

func atoi(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}
