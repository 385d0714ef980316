package publish

import (
	"maps"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

const (
	sureEnough  = 0.85 // two things are one
	surePartial = 0.95 // when the list was not read whole, its own record may be on the other part
	rivalRoom   = 0.1  // no other may come as near
	maxBlock    = 50   // candidates looked at for one record
)

// pairing is a record and an entity that may be one thing.
type pairing struct {
	match, entity int
	sure          float64
	why           string
}

// infer recognises entities that lost their id: a redesign gave everything new
// addresses, a name is spelled otherwise. Each record has one entity and each entity
// one record, and none is taken that has a rival nearly as near.
func (m *matcher) infer() {
	var records []int
	for i, made := range m.matches {
		if made.entity < 0 && !made.known {
			records = append(records, i)
		}
	}
	alive := m.alive()
	entities := m.free(alive)
	if len(records) == 0 || len(entities) == 0 {
		return
	}
	if m.shape.schema == curlew.SchemaPage && len(records) == 1 && len(entities) == 1 {
		m.recognise(pairing{records[0], entities[0], 1, "the watch is of one page"}) // wherever its address leads now
		return
	}
	if codes := m.codes(alive); len(codes) > 0 {
		m.shape.strong = slices.Concat(strong, codes)
		clear(m.features)
		clear(m.own)
	}
	enough := sureEnough
	if !m.o.Complete {
		enough = surePartial
	}
	m.twins(records, entities, enough, m.shape.wholeKey)
	m.twins(m.open(records), m.free(entities), enough, m.shape.key)
	m.nearest(m.open(records), m.free(entities), enough)
	m.rescheduled(m.open(records), m.free(entities))
	m.renamed(m.open(records), m.free(entities))
}

// alive are the entities that the watch knows as being there.
func (m *matcher) alive() []int {
	var entities []int
	for e, entity := range m.prior.Entities {
		if m.watched[entity.ID] && entity.Status != curlew.EntityRemoved {
			entities = append(entities, e)
		}
	}
	return entities
}

func (m *matcher) open(records []int) []int {
	return slices.DeleteFunc(slices.Clone(records), func(i int) bool { return m.matches[i].entity >= 0 })
}

func (m *matcher) free(entities []int) []int {
	return slices.DeleteFunc(slices.Clone(entities), func(e int) bool { return m.taken[e] })
}

func (m *matcher) recognise(p pairing) {
	made := &m.matches[p.match]
	made.entity, made.anew, made.sure, made.why = p.entity, true, p.sure, p.why
	m.taken[p.entity] = true
}

// twins pairs what agrees in a key: first in all its facts, then in its name and in
// what decides. Several that read the same are paired in order: which is which makes
// no difference to anybody.
func (m *matcher) twins(records, entities []int, enough float64, key func(features) string) {
	byKey := map[string]*[2][]int{}
	at := func(key string) *[2][]int {
		if byKey[key] == nil {
			byKey[key] = &[2][]int{}
		}
		return byKey[key]
	}
	for _, i := range records {
		pair := at(key(*m.ownOf(i)))
		pair[0] = append(pair[0], i)
	}
	for _, e := range entities {
		pair := at(key(*m.featuresOf(e)))
		pair[1] = append(pair[1], e)
	}
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		own, old := byKey[key][0], byKey[key][1]
		if len(own) != len(old) || len(own) > 1 && !m.alike(own, old) {
			continue
		}
		slices.SortFunc(own, func(a, b int) int { return strings.Compare(m.matches[a].id, m.matches[b].id) })
		slices.SortFunc(old, func(a, b int) int {
			return strings.Compare(m.prior.Entities[a].ExternalID, m.prior.Entities[b].ExternalID)
		})
		for n := range own {
			if sure, why := m.shape.likeness(*m.ownOf(own[n]), *m.featuresOf(old[n])); sure >= enough {
				m.recognise(pairing{own[n], old[n], sure, why})
			}
		}
	}
}

// alike says whether several records and entities read all the same, so that it does
// not matter who is who.
func (m *matcher) alike(records, entities []int) bool {
	skip := func(name string) bool { return name == "url" || m.shape.isImage(name) }
	first := m.ownOf(records[0]).fields
	for _, i := range records[1:] {
		if len(m.shape.diff(first, m.ownOf(i).fields, skip)) > 0 {
			return false
		}
	}
	return !slices.ContainsFunc(entities, func(e int) bool { return len(m.shape.diff(m.featuresOf(e).fields, first, skip)) > 0 })
}

// nearest pairs by likeness, among those that have words in common.
func (m *matcher) nearest(records, entities []int, enough float64) {
	if len(records) == 0 || len(entities) == 0 {
		return
	}
	var pairs []pairing
	blocks := m.blocks(entities)
	for _, i := range records {
		for _, e := range m.candidates(blocks, *m.ownOf(i)) {
			if sure, why := m.shape.likeness(*m.ownOf(i), *m.featuresOf(e)); sure >= enough-rivalRoom {
				pairs = append(pairs, pairing{i, e, sure, why})
			}
		}
	}
	forMatch, forEntity := best{}, best{}
	for _, p := range pairs {
		forMatch.add(p.match, p.sure)
		forEntity.add(p.entity, p.sure)
	}
	doubted := map[int]bool{}
	for _, p := range pairs {
		switch rival := max(forMatch.rival(p.match, p.sure), forEntity.rival(p.entity, p.sure)); {
		case p.sure < enough:
		case rival <= p.sure-rivalRoom:
			m.recognise(p)
		case !doubted[p.match]:
			doubted[p.match] = true
			m.warn("%q may be something that is known by another id, but there is more than one that it could be",
				text.CutBytes(m.shape.kind.TitleOf(m.matches[p.match].seen.Record.Fields), 120))
		}
	}
}

// best keeps the two highest likenesses that something has.
type best map[int][2]float64

func (b best) add(i int, sure float64) {
	switch two := b[i]; {
	case sure > two[0]:
		b[i] = [2]float64{sure, two[0]}
	case sure > two[1]: // also a second one that is as high
		b[i] = [2]float64{two[0], sure}
	}
}

// rival is the highest likeness besides one of its own.
func (b best) rival(i int, sure float64) float64 {
	if b[i][0] == sure {
		return b[i][1]
	}
	return b[i][0]
}

// blocks finds entities by a word of their name, by their address and by whatever
// names them, so that not everything is compared with everything.
func (m *matcher) blocks(entities []int) map[string][]int {
	blocks := map[string][]int{}
	for _, e := range entities {
		for _, key := range blockKeys(*m.featuresOf(e)) {
			blocks[key] = append(blocks[key], e)
		}
	}
	return blocks
}

func blockKeys(f features) []string {
	keys := make([]string, 0, len(f.name)+3)
	if f.url != "" {
		keys = append(keys, "url "+f.url)
	}
	for field, code := range f.strong {
		keys = append(keys, field+" "+code)
	}
	seen := map[string]bool{}
	for _, w := range f.name[:min(len(f.name), 30)] {
		if !seen[w] {
			seen[w] = true
			keys = append(keys, "word "+w)
		}
	}
	return keys
}

// candidates are the entities that share the rarest words; words that everything has
// ("concert") lead nowhere.
func (m *matcher) candidates(blocks map[string][]int, f features) []int {
	weight := map[int]float64{}
	for _, key := range blockKeys(f) {
		if block := blocks[key]; len(block) <= maxBlock {
			for _, e := range block {
				weight[e] += 1 / float64(len(block))
			}
		}
	}
	found := slices.Sorted(maps.Keys(weight))
	slices.SortStableFunc(found, func(a, b int) int { return sign(weight[b] - weight[a]) })
	return found[:min(len(found), maxBlock)]
}

// rescheduled recognises an event whose id is made of its date and place: its name is the
// only one of its kind, among what is known and among what is listed, its old date is still to
// come, and it is at the same time elsewhere, or its picture or its text is the same, or its
// list has nothing but names and dates to go by.
func (m *matcher) rescheduled(records, entities []int) {
	named := []curlew.SchemaName{curlew.SchemaEvent, curlew.SchemaItem}
	if !slices.Contains(named, m.shape.schema) || min(len(records), len(entities)) == 0 || !m.o.Complete {
		return
	}
	seen, known, byName := map[string]int{}, map[string]int{}, map[string]int{}
	for i := range m.matches {
		seen[m.ownOf(i).plain]++
	}
	for e := range m.prior.Entities {
		known[m.featuresOf(e).plain]++
	}
	for _, e := range entities {
		if !over(m.prior.Entities[e].Fields, m.zones, m.o.At) {
			byName[m.featuresOf(e).plain] = e
		}
	}
	for _, i := range records {
		name := m.ownOf(i).plain
		e, ok := byName[name]
		if !ok || seen[name] != 1 || known[name] != 1 || len(name) < 8 && !m.sameColumns(i, e) {
			continue
		}
		if why := m.moved(i, e); why != "" {
			m.recognise(pairing{i, e, 0.86, "the only one of its name, " + why})
		}
	}
}

// sameColumns says whether a record and an entity have columns that their kind has no field for, and the same ones.
func (m *matcher) sameColumns(record, entity int) bool {
	old := present(m.featuresOf(entity).fields["slots"])
	return old != nil && m.shape.same("slots", old, m.ownOf(record).fields["slots"])
}

// moved says how an event of the same name is the known one; "" where it may be another.
func (m *matcher) moved(record, entity int) string {
	own, old := m.ownOf(record), m.featuresOf(entity)
	if venue, known := (trait{field: "venue_name"}).compare(m.shape, own.fields, old.fields); !known || venue >= 0.5 {
		for _, field := range []string{"image_url", "description"} {
			if x := present(old.fields[field]); x != nil && m.shape.same(field, x, own.fields[field]) {
				return "with the same " + field + " at another time"
			}
		}
		if own.url == "" && old.url == "" {
			return "in a list without addresses"
		}
	}
	if m.shape.schema == curlew.SchemaEvent && m.shape.same("starts_at", old.fields["starts_at"], own.fields["starts_at"]) {
		return "at the same time elsewhere"
	}
	return ""
}

// leastOfName is the share of the words of a name that stays when something is renamed.
const leastOfName = 0.5

// renamed recognises what has another name and no address, now or before: all else that it says is as before, and nothing else
// that is listed or known says the same.
func (m *matcher) renamed(records, entities []int) {
	if min(len(records), len(entities)) == 0 {
		return
	}
	seen, known, byRest := map[string]int{}, map[string]int{}, map[string]int{}
	for i := range m.matches {
		seen[m.rest(*m.ownOf(i))]++
	}
	for e := range m.prior.Entities {
		known[m.rest(*m.featuresOf(e))]++
	}
	for _, e := range entities {
		byRest[m.rest(*m.featuresOf(e))] = e
	}
	for _, i := range records {
		own := *m.ownOf(i)
		rest := m.rest(own)
		e, ok := byRest[rest]
		if !ok || rest == "" || seen[rest] != 1 || known[rest] != 1 {
			continue
		}
		if renamedFrom(own, *m.featuresOf(e)) && (m.o.Complete || coded(own)) {
			m.recognise(pairing{i, e, 0.86, "it says all else as before, and nothing else does"})
		}
	}
}

// renamedFrom says whether a name may be that of a thing that was called otherwise, where not both have an address: words and numbers
// came or went, and no number gave way to another.
func renamedFrom(own, old features) bool {
	came, left := without(figures(own.name), old.name), without(figures(old.name), own.name)
	return (own.url == "" || old.url == "") && min(len(came), len(left)) == 0 && overlap(own.name, old.name) >= leastOfName
}

// coded says whether a thing has a code in a column of its list.
func coded(f features) bool {
	slots, _ := f.fields["slots"].(map[string]any)
	for _, value := range slots {
		if code, is := value.(string); is && isCode(code) {
			return true
		}
	}
	return false
}

// rest is all that something says beside its name, whatever its columns are called, but for what moves by itself; "" where that
// is less than two facts.
func (m *matcher) rest(f features) string {
	var facts []string
	for name, v := range f.fields.Flat() {
		value := plainText(curlew.ValueText(v))
		if name == positionField || value == f.plain || m.shape.typeOf(name, nil, v).Address() {
			continue
		}
		if strings.HasPrefix(name, "slots.") {
			if _, aged := besideAge(v, m.o.At); aged || countsAttention(name, v, v) {
				continue
			}
			name = "slot"
		}
		facts = append(facts, name+"="+value)
	}
	if len(facts) < leastFacts {
		return ""
	}
	slices.Sort(facts)
	return strings.Join(facts, "\x00")
}

// leastFacts must be the same for a thing to be known by them.
const leastFacts = 2
