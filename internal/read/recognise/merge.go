package recognise

import (
	"cmp"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/structured"
	"github.com/curlew-data/curlew/internal/text"
)

// merge makes one entry of those that describe the same entity. The more trusted
// syntax leads; the others fill what it lacks, and contradict it as rivals.
func merge(entries []*entry, doc *dom.Document, schema curlew.SchemaName) []*entry {
	ordered := slices.Clone(entries)
	slices.SortStableFunc(ordered, func(a, b *entry) int { return cmp.Compare(trust[b.item.Syntax], trust[a.item.Syntax]) })
	var kept []*entry
	byKey := map[string][]*entry{}
	for _, e := range ordered {
		if host := host(e, byKey, kept, schema); host != nil {
			host.absorb(e)
			continue
		}
		kept = append(kept, e)
		for _, key := range e.keys() {
			byKey[key] = append(byKey[key], e)
		}
	}
	slices.SortStableFunc(kept, func(a, b *entry) int { return cmp.Compare(a.order, b.order) })
	return kept
}

// host finds the kept entry that e describes again. Cards of the head describe what
// the page is about, so that they join its only entity whatever they call it.
func host(e *entry, byKey map[string][]*entry, kept []*entry, schema curlew.SchemaName) *entry {
	for _, key := range e.keys() {
		for _, k := range byKey[key] {
			if compatible(k, e, schema) {
				return k
			}
		}
	}
	if e.item.Syntax != structured.OpenGraph && e.item.Syntax != structured.Meta {
		return nil
	}
	var only *entry
	for _, k := range kept {
		if !similarTitles(k, e) {
			continue
		}
		if only != nil {
			return nil
		}
		only = k
	}
	if only == nil && len(kept) == 1 {
		only = kept[0]
	}
	return only
}

// keys are what two descriptions of one entity have in common.
func (e *entry) keys() []string {
	var keys []string
	if e.item.ID != "" {
		keys = append(keys, "id "+e.item.ID)
	}
	if e.draft.URL != "" {
		keys = append(keys, "url "+text.URLKey(e.draft.URL))
	}
	if t := titleKey(e.title()); t != "" {
		keys = append(keys, "title "+t)
	}
	return keys
}

func (e *entry) title() string {
	for _, field := range []string{"title", "name"} {
		if text, ok := e.draft.Fields[field].(string); ok {
			return text
		}
	}
	return ""
}

// compatible says whether two entries can be the same: those of one syntax are so
// only when they agree in all that tells entities apart, since a list repeats names
// for several dates, and one page may serve for several entities.
func compatible(a, b *entry, schema curlew.SchemaName) bool {
	if a.item.Syntax != b.item.Syntax && titleKey(a.title()) != titleKey(b.title()) && !similarTitles(a, b) {
		return false
	}
	if a.item.Syntax == b.item.Syntax && titleKey(a.title()) != titleKey(b.title()) {
		return false
	}
	for _, field := range telltales[schema] {
		x, _ := a.draft.Fields[field].(string)
		y, _ := b.draft.Fields[field].(string)
		if x != "" && y != "" && !sameMoment(x, y) {
			return false
		}
		if a.item.Syntax == b.item.Syntax && (x == "") != (y == "") {
			return false
		}
	}
	return true
}

// telltales are the fields that tell two entities of one name apart.
var telltales = map[curlew.SchemaName][]string{
	curlew.SchemaEvent: {"starts_at"}, curlew.SchemaProduct: {"sku"}, curlew.SchemaJob: {"location"},
	curlew.SchemaOrganization: {"address"},
}

// sameMoment compares texts, of which times need agree in the day only: one syntax
// may leave out the hour or the zone.
func sameMoment(a, b string) bool {
	if len(a) >= 10 && len(b) >= 10 && isoDate().MatchString(a[:10]) && isoDate().MatchString(b[:10]) {
		return a[:10] == b[:10]
	}
	return titleKey(a) == titleKey(b)
}

// similarTitles says whether one title holds the other: cards add the name of the site.
func similarTitles(a, b *entry) bool {
	x, y := titleKey(a.title()), titleKey(b.title())
	if len(x) > len(y) {
		x, y = y, x
	}
	return len(x) > 3 && strings.Contains(y, x) && len(y) < 4*len(x)+20
}

// absorb takes over what another description of the entity adds or contradicts.
func (e *entry) absorb(other *entry) {
	e.main = e.main || other.main
	if e.draft.URL == "" {
		e.draft.URL = other.draft.URL
	}
	for _, f := range e.draft.Kind().Fields {
		theirs, there := other.draft.Fields[f.Name]
		if !there {
			continue
		}
		ours, here := e.draft.Fields[f.Name]
		if !here {
			e.draft.Fields[f.Name] = theirs
			e.draft.Provenance[f.Name] = other.draft.Provenance[f.Name]
			continue
		}
		mine, their := asText(ours), asText(theirs)
		if sameValue(mine, their) {
			continue
		}
		evidence := e.draft.Provenance[f.Name]
		rival := curlew.Rival{Value: text.Clip(their, 500), Tier: curlew.TierStructured, Rule: other.draft.Provenance[f.Name].Rule}
		evidence.Rivals = append(evidence.Rivals, rival)
		e.draft.Provenance[f.Name] = evidence
	}
}

// sameValue ignores how addresses, amounts and names are spelled.
func sameValue(a, b string) bool {
	if text.SameURL(a, b) || titleKey(a) == titleKey(b) {
		return true
	}
	trim := func(s string) string {
		if strings.Contains(s, ".") {
			s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
		}
		return s
	}
	return plainCount().MatchString(a) && plainCount().MatchString(b) && trim(a) == trim(b)
}

func asText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case []string:
		return strings.Join(v, ", ")
	}
	return ""
}

// markMain tells what the page is about from what it merely shows, and puts it
// first. A page of several entities that are alike is about none of them.
func markMain(entries []*entry, g *structured.Graph, doc *dom.Document) {
	if len(entries) == 0 {
		return
	}
	titles := titlesOf(g, doc)
	page := doc.URL().String()
	canonical := ""
	for _, item := range g.Items {
		if text := item.Text("rel:canonical"); item.Syntax == structured.Meta && text != "" {
			canonical = text
		}
	}
	best, most := -1, 0.0
	tie := false
	for i, e := range entries {
		score := claim(e, titles, page, canonical)
		if len(entries) == 1 {
			score += 0.5
		}
		switch {
		case score > most:
			best, most, tie = i, score, false
		case score == most:
			tie = true
		}
		e.main = false
	}
	if best < 0 || most < 1 || tie && most < 2 {
		return
	}
	main := entries[best]
	main.main = true
	if main.draft.URL == "" {
		if main.draft.URL = canonical; canonical == "" {
			main.draft.URL = page
		}
	}
	copy(entries[1:best+1], entries[:best])
	entries[0] = main
}

// claim is how much speaks for an entry being what the page is about.
func claim(e *entry, titles map[string]float64, page, canonical string) float64 {
	score := 0.0
	if e.main {
		score++
	}
	if text.SameURL(e.draft.URL, page) || text.SameURL(e.draft.URL, canonical) {
		score += 1.5
	}
	if share := titles[titleKey(e.title())]; share > 0 {
		score += 1.5 * share
	}
	if e.position != "" {
		score -= 0.5
	}
	return score + 0.02*float64(len(e.draft.Fields))
}

// distinguish gives entities that share an address ids of their own: by what tells
// them apart, else by their place on the page.
func distinguish(entries []*entry, schema curlew.SchemaName) {
	count := map[string]int{}
	for _, e := range entries {
		count[e.draft.ExternalID]++
	}
	used := map[string]bool{}
	for i, e := range entries {
		if count[e.draft.ExternalID] > 1 {
			for _, field := range append([]string{"title", "name"}, telltales[schema]...) {
				if s := asText(e.draft.Fields[field]); s != "" {
					e.draft.ExternalID += "|" + text.Clip(s, 100)
				}
			}
		}
		if used[e.draft.ExternalID] {
			e.draft.ExternalID += "|" + itoa(i+1)
		}
		used[e.draft.ExternalID] = true
	}
}
