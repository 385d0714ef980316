package recognise

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text/wordlist"
)

// candidate is a group that may hold entities of a schema.
type candidate struct {
	group      *group
	profile    *profile
	schema     curlew.SchemaName
	taken      map[string]*valuePath // by field
	clock      *valuePath            // a time of day beside a date
	endClock   *valuePath
	score      float64
	confidence float64
	shown      *evidence
}

// rank puts the sure before the doubtful, then the long before the short.
func (c *candidate) rank() float64 {
	return c.confidence + 0.02*math.Log2(float64(len(c.group.nodes)))
}

// unwanted are words on the way to a group that name what is never an entity.
var unwanted = wordlist.Named(words, "unwanted")

// judge decides what a group holds; nil means that it is nothing we know.
func judge(g *group, page *evidence) *candidate {
	if g.columns == nil && !titledGroup(g.nodes) {
		return nil
	}
	p := profileOf(g)
	if len(p.paths) < 2 {
		return nil
	}
	said := hintsOf(g, p)
	var best *candidate
	for _, schema := range curlew.Schemas() {
		if schema.Name == curlew.SchemaPage {
			continue
		}
		c := &candidate{group: g, profile: p, schema: schema.Name, taken: map[string]*valuePath{}, shown: page}
		c.match()
		if !c.holds(said[schema.Name]) {
			continue
		}
		c.weigh(said[schema.Name])
		if best == nil || c.score > best.score {
			best = c
		}
	}
	if best == nil || best.confidence < 0.3 {
		return nil
	}
	return best
}

// titledGroup says whether any of the first records has a key that may name it, so
// that the many groups without are not looked at further.
func titledGroup(nodes []any) bool {
	return slices.ContainsFunc(sample(nodes, 3), func(n any) bool { return hasTitle(n, 0) })
}

func hasTitle(value any, depth int) bool {
	o, _ := value.(map[string]any)
	for key, inner := range o {
		if nameMeanings[meaning([]string{key})] || strings.HasSuffix(meaning([]string{key}), " title") {
			return true
		}
		if depth < 2 && hasTitle(inner, depth+1) {
			return true
		}
	}
	return false
}

// nameMeanings are what keys mean that may name a record.
var nameMeanings = map[string]bool{"title": true, "subject": true, "role": true, "company": true}

// typeKeys are keys that name the kind of record.
var typeKeys = wordlist.Named(words, "type keys")

// hintsOf tells which schemas the names around a group speak for.
func hintsOf(g *group, p *profile) map[curlew.SchemaName]bool {
	var said []string
	for _, key := range g.keys[max(0, len(g.keys)-2):] {
		said = append(said, tokens(key)...)
	}
	for _, l := range p.paths {
		if typeKeys().Has(l.path) || l.path == "product_type" {
			for _, v := range sample(l.values, 5) {
				said = append(said, tokens(v)...)
			}
		}
	}
	found := map[curlew.SchemaName]bool{}
	for schema, known := range hints() {
		found[schema] = slices.ContainsFunc(said, known.Has)
	}
	return found
}

// match gives paths to the fields of the schema.
func (c *candidate) match() {
	used := map[*valuePath]bool{}
	for _, w := range tables()[c.schema] {
		if l := c.pick(w, used); l != nil {
			c.taken[w.field] = l
			used[l] = true
		}
	}
	if c.schema == curlew.SchemaEvent {
		c.clock = c.clockFor("starts_at", "start time", "time start", "time", "date time", "start date time", "start", "door time")
		c.endClock = c.clockFor("ends_at", "end time", "time end", "end", "end date time")
	}
}

// pick finds the leaf for a field: the first name that some path has.
func (c *candidate) pick(w wanted, used map[*valuePath]bool) *valuePath {
	for _, name := range w.names {
		var best *valuePath
		for _, l := range c.profile.called(name) {
			if !named(l, name, w.field) || used[l] || l.present*10 < c.profile.records*2 || !w.mayBe(l) || !w.fits(l) {
				continue
			}
			if best == nil || better(l, best) {
				best = l
			}
		}
		if best != nil {
			return c.startWithTime(used, w, best)
		}
	}
	return nil
}

// mayBe tells paths that are not about the record: what a list inside it says does not
// name or date it, and what kind of record it is does not say what it is about.
func (w wanted) mayBe(l *valuePath) bool {
	switch w.field {
	case "title", "name", "starts_at":
		return !l.many
	case "section", "category":
		return !typeKeys().Has(l.path)
	}
	return true
}

// titled are words before "title" that name something else than the record.
var titled = wordlist.Named(words, "titled")

func named(l *valuePath, name, field string) bool {
	suffix, loose := strings.CutPrefix(name, "…")
	if !loose {
		return l.meaning == name
	}
	if head, ends := strings.CutSuffix(l.meaning, suffix); !ends || head != "" && head[len(head)-1] != ' ' {
		return false
	}
	before, rest, _ := strings.Cut(l.meaning, " ")
	if suffix == "title" && (field == "title" || field == "name") {
		return !titled().Has(before) && l.depth == 0
	}
	switch before {
	case "published", "updated", "created":
		return false
	}
	return before != "sale" || rest == ""
}

// better compares two paths that mean the same.
func better(a, b *valuePath) bool {
	switch {
	case a.present*2 > b.present*3, b.present*2 > a.present*3:
		return a.present > b.present
	case a.precise() != b.precise():
		return a.precise() > b.precise()
	case a.many != b.many:
		return b.many
	case a.own() == "title" && b.own() == "title" && len(a.words()) != len(b.words()):
		return len(a.words()) < len(b.words())
	}
	if plain := cmp.Compare(a.titleWords(), b.titleWords()); plain != 0 && a.titleWords() > 0 && b.titleWords() > 0 {
		return plain < 0 // the plainer name
	}
	switch {
	case a.is(kindURL, kindImage) != b.is(kindURL, kindImage):
		return a.is(kindURL, kindImage)
	case a.is(kindHTML) != b.is(kindHTML):
		return b.is(kindHTML)
	case a.depth != b.depth:
		return a.depth < b.depth
	}
	return a.order < b.order
}

// precise ranks how exactly a path tells a time.
func (l *valuePath) precise() int {
	switch {
	case l.is(kindMoment) && l.midnights():
		return 1 // a date that a machine wrote
	case l.is(kindMoment):
		return 3
	case l.is(kindEpoch):
		return 2
	case l.is(kindDate):
		return 1
	}
	return 0
}

// titleWords is how many words stand before "title" in what a path means; 0 where it
// means something else.
func (l *valuePath) titleWords() int {
	if !strings.HasSuffix(l.meaning, " title") {
		return 0
	}
	return strings.Count(l.meaning, " ")
}

// midnights says whether all moments of a path are at midnight.
func (l *valuePath) midnights() bool {
	timed := func(v string) bool { return !strings.Contains(v, "T00:00") && !strings.Contains(v, " 00:00") }
	return len(l.values) > 0 && !slices.ContainsFunc(l.values, timed)
}

// startWithTime lets a moment with a time of day come before
// a date that a machine wrote at midnight, where both mean the start.
func (c *candidate) startWithTime(used map[*valuePath]bool, w wanted, l *valuePath) *valuePath {
	if w.field != "starts_at" || l == nil || !l.is(kindMoment) || !l.midnights() {
		return l
	}
	for _, other := range c.profile.paths {
		if used[other] || other.many || other.present*10 < l.present*8 {
			continue
		}
		timed := other.is(kindMoment) && !other.midnights()
		if timed && slices.Contains(w.names, other.meaning) && w.fits(other) {
			return other
		}
	}
	return l
}

// clockFor finds a time of day to go with a date that has none.
func (c *candidate) clockFor(field string, names ...string) *valuePath {
	date := c.taken[field]
	if date == nil || !date.is(kindDate) {
		return nil
	}
	for _, name := range names {
		for _, l := range c.profile.meanings[name] {
			if l.is(kindClock) && l.present*2 >= date.present {
				return l
			}
		}
	}
	return nil
}

// holds says whether what was matched is enough to be an entity of the schema.
func (c *candidate) holds(hinted bool) bool {
	title := c.title()
	if title == nil || title.present*2 < c.profile.records {
		return false
	}
	switch c.schema {
	case curlew.SchemaEvent:
		return c.holdsEvent(hinted)
	case curlew.SchemaProduct:
		return c.has("price") == 1 || c.has("sku", "gtin", "mpn") > 0 && c.has("brand", "availability", "image_url") > 1
	case curlew.SchemaJob:
		return c.holdsJob(hinted)
	case curlew.SchemaArticle:
		return c.holdsArticle(hinted)
	case curlew.SchemaOrganization:
		return c.holdsOrganization(hinted)
	}
	listed := c.group.listed && len(c.group.nodes) >= 3
	return listed && c.has("url") == 1 && c.has("image_url", "text", "price", "date") > 0
}

// has counts the fields that a third of the records have.
func (c *candidate) has(fields ...string) int {
	n := 0
	for _, f := range fields {
		if l := c.taken[f]; l != nil && l.present*3 >= c.profile.records {
			n++
		}
	}
	return n
}

// holdsEvent wants a start, and something that tells it from any other date.
func (c *candidate) holdsEvent(hinted bool) bool {
	if c.has("starts_at") == 0 {
		return false
	}
	if hinted || c.clock != nil || strings.Contains(c.taken["starts_at"].meaning, "start") {
		return true
	}
	return c.has("ends_at", "venue_name", "performers", "all_day") > 0
}

// holdsJob wants a company with something that only jobs have; names around it make up
// for a company.
func (c *candidate) holdsJob(hinted bool) bool {
	terms := c.has("salary_min", "remote", "employment_type", "valid_through")
	if c.has("company") == 1 && terms > 0 {
		return true
	}
	more := terms + c.has("location", "posted_date")
	return hinted && more > 0 && c.has("url", "company", "description_snippet") > 0
}

// holdsArticle wants something to read, with a date or an address.
func (c *candidate) holdsArticle(hinted bool) bool {
	more, address := c.has("author", "summary", "text", "image_url"), c.has("url") == 1
	switch {
	case more == 0:
		return false
	case c.has("published_at") == 1:
		return address || hinted || more > 1
	}
	return hinted && address
}

// holdsOrganization wants what identifies an organization or leads to it.
func (c *candidate) holdsOrganization(hinted bool) bool {
	switch {
	case c.has("legal_id") == 1:
		return true
	case c.has("phone") == 1 && c.has("address", "city") > 0:
		return true
	case c.has("address") == 1 && (hinted || c.has("latitude") == 1):
		return true
	}
	return hinted && c.has("city") == 1 && c.has("url", "latitude") > 0
}

// weigh scores a candidate by what its fields say, and turns that into a confidence.
func (c *candidate) weigh(hinted bool) {
	for _, w := range tables()[c.schema] {
		l := c.taken[w.field]
		if l == nil {
			continue
		}
		share := float64(l.present) / float64(c.profile.records)
		if l.depth > 0 && l.many {
			share /= 2
		}
		c.score += w.weight * share
	}
	if hinted {
		c.score += 2
	}
	if c.clock != nil {
		c.score++
	}
	c.confidence = 1 - math.Exp(-c.score/3.5)
	if c.schema == curlew.SchemaItem {
		c.score, c.confidence = c.score/2, min(c.confidence, 0.45)
	}
	title := c.title()
	if c.group.listed && len(title.values) > 2 && title.distinct() < 0.3 && c.schema != curlew.SchemaEvent {
		c.confidence *= 0.6
	}
	for _, key := range c.group.keys[max(0, len(c.group.keys)-2):] {
		if !hinted && slices.ContainsFunc(tokens(key), unwanted().Has) {
			c.confidence *= 0.5
			break
		}
	}
	c.single()
	c.confidence = math.Round(c.confidence*100) / 100
}

// single judges an object that stands alone: whose title the page shows is what the
// page is about.
func (c *candidate) single() {
	if c.group.listed {
		return
	}
	for _, v := range c.title().values {
		if share := c.shown.title(v); share > 0 {
			c.confidence = min(0.99, c.confidence+0.2*share)
			return
		}
	}
	c.confidence *= 0.75
}

func (c *candidate) title() *valuePath {
	if l := c.taken["title"]; l != nil {
		return l
	}
	return c.taken["name"]
}
