package publish

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
)

// sharedMark stands between an id that several things share and what tells them
// apart. The rest is made of content when an entity is first seen, and never again:
// afterwards it is found by likeness.
const sharedMark = "#="

// group is the records of one check that name themselves alike.
type group struct {
	id     string
	copies []SeenRecord // after merging: more than one are different things
}

// Leads lists the external ids by which entities may be found that a check's records
// are about; what Prior.Entities and Prior.Aliases must cover.
func Leads(o CheckResult) []string {
	s := shapeOf(o.Kind)
	groups := s.groups(o.Seen, o.Watch.URL)
	if _, count := firstPlace(o.Seen); count { // whether they name nothing is not known yet
		groups = append(groups, s.groups(withoutAddresses(o).Seen, o.Watch.URL)...)
	}
	var ids []string
	for _, g := range groups {
		ids = append(ids, g.id)
		if len(g.copies) > 1 {
			ids = append(ids, s.sharedIDs(g, o.Watch.URL)...)
		}
	}
	return ids
}

// groups puts the records of a check together that share an id (without one, what
// tells them apart is their id) and merges copies: pages show a list twice, for small and for large screens. The order of the page
// has no say in it.
func (s shape) groups(all []SeenRecord, list string) []group {
	byID := make(map[string][]SeenRecord, len(all))
	for _, seen := range all {
		id := seen.Record.ExternalID
		if id == "" {
			id = sharedMark + shortHash(s.key(s.featuresOf(seen.Record.Fields, seen.Record.URL, list)))
		}
		byID[id] = append(byID[id], seen)
	}
	groups := make([]group, 0, len(byID))
	for _, id := range slices.Sorted(maps.Keys(byID)) {
		same := byID[id]
		if len(same) > 1 {
			same = s.merged(same)
		}
		groups = append(groups, group{id, same})
	}
	return groups
}

// merged joins the copies of one thing, the fullest first.
func (s shape) merged(all []SeenRecord) []SeenRecord {
	ties := make(map[int]string, len(all))
	order := make([]int, len(all))
	for i, seen := range all {
		r := seen.Record
		ties[i] = strings.Join([]string{fieldText(r, "image_url"), fieldText(r, "url"), fieldText(r, "description"), contentHash(r.Fields)},
			"\x00")
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(len(all[b].Record.Fields)-len(all[a].Record.Fields), strings.Compare(ties[a], ties[b]))
	})
	var kept []SeenRecord
	exactly := map[string]bool{}
	for _, at := range order {
		seen := all[at]
		i := slices.IndexFunc(kept[:min(len(kept), maxShared)], func(k SeenRecord) bool { return s.copies(k.Record.Fields, seen.Record.Fields) })
		switch {
		case i >= 0:
			kept[i] = joined(kept[i], seen)
		case !exactly[ties[at]]:
			kept = append(kept, seen)
		}
		exactly[ties[at]] = true
	}
	return kept
}

// maxShared is how many things with one id are compared with each other; a page that
// gives its id to more of them has none.
const maxShared = 50

func fieldText(r curlew.Record, field string) string {
	text, _ := r.Fields[field].(string)
	return text
}

// copies says whether two records with one id show the same thing: no fact of one
// contradicts the other. Long texts, addresses and pictures differ between copies,
// and a text may be cut short in one.
func (s shape) copies(a, b curlew.Values) bool {
	for name, x := range a {
		y := present(b[name])
		if x = present(x); x == nil || y == nil || name == positionField || s.same(name, x, y) {
			continue
		}
		switch s.typeOf(name, x, y) {
		case curlew.TypeURL, curlew.TypePicture, curlew.TypeLong:
			continue
		}
		xText, xOK := x.(string)
		yText, yOK := y.(string)
		if !xOK || !yOK || !cutShort(xText, yText) && !cutShort(yText, xText) {
			return false
		}
	}
	return true
}

// cutShort says whether a text is the beginning of another, with dots at its end.
func cutShort(short, long string) bool {
	head, dots := strings.CutSuffix(plainText(short), "...")
	head = strings.TrimSpace(head)
	return dots && len(head) >= 8 && strings.HasPrefix(plainText(long), head)
}

// joined completes a record by a copy of it.
func joined(full, other SeenRecord) SeenRecord {
	record := completed(full.Record, other.Record)
	full.Record, full.Listed = record, min(full.Listed, other.Listed)
	if other.Position > 0 && (full.Position == 0 || other.Position < full.Position) {
		full.Position = other.Position
	}
	if full.Detail == nil {
		full.Detail, full.DetailAt = other.Detail, cmp.Or(full.DetailAt, other.DetailAt)
	}
	keep := map[string]bool{}
	for name := range full.Keep {
		if other.Keep[name] || present(other.Record.Fields[name]) == nil {
			keep[name] = full.Keep[name]
		}
	}
	full.Keep = keep
	return full
}

// completed takes from a copy what a record lacks or has cut short.
func completed(record, other curlew.Record) curlew.Record {
	record.Fields, record.Provenance = maps.Clone(record.Fields), maps.Clone(record.Provenance)
	if record.Provenance == nil {
		record.Provenance = map[string]curlew.Evidence{}
	}
	for name, value := range other.Fields {
		mine, isText := record.Fields[name].(string)
		theirs, alsoText := value.(string)
		if present(record.Fields[name]) != nil && !(isText && alsoText && cutShort(mine, theirs)) {
			continue
		}
		record.Fields[name], record.Hash = value, "" // its hash is of its own no more
		if evidence, ok := other.Provenance[name]; ok {
			record.Provenance[name] = evidence
		}
	}
	return record
}

// sharedIDs are the ids of the things of a group, each made of what tells it apart.
func (s shape) sharedIDs(g group, list string) []string {
	ids := make([]string, len(g.copies))
	count := map[string]int{}
	for i, seen := range g.copies {
		ids[i] = g.id + sharedMark + shortHash(s.key(s.featuresOf(seen.Record.Fields, seen.Record.URL, list)))
		count[ids[i]]++
	}
	for i, seen := range g.copies {
		if count[ids[i]] > 1 {
			ids[i] = g.id + sharedMark + shortHash(contentHash(seen.Record.Fields))
		}
	}
	return ids
}

func shortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}
