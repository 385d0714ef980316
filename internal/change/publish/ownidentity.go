package publish

import (
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
)

// byOwnIdentity recognises things of an org's own kind by the values that make two of them
// the same: their ids are made of those, and are other ones once somebody says that
// something else decides.
func (m *matcher) byOwnIdentity() {
	if m.shape.kind.Name.BuiltIn() {
		return
	}
	entities := map[string][]int{}
	for e, entity := range m.prior.Entities {
		if key := m.shape.identity(entity.Fields); key != "" && !m.taken[e] && m.watched[entity.ID] && entity.Status != curlew.EntityRemoved {
			entities[key] = append(entities[key], e)
		}
	}
	records := map[string][]int{}
	for i, made := range m.matches {
		if key := m.shape.identity(made.seen.Record.Fields); key != "" && made.entity < 0 && !made.known {
			records[key] = append(records[key], i)
		}
	}
	for key, at := range records {
		if old := entities[key]; len(at) == 1 && len(old) == 1 {
			m.recognise(pairing{at[0], old[0], 1, "it has the same " + m.shape.identityNames(m.prior.Entities[old[0]].Fields)})
		}
	}
}

// identitySet are the fields of the first set of the kind's identity whose first field has
// a value; none where that is the address.
func (s shape) identitySet(fields curlew.Values) []string {
	for _, set := range s.kind.Identity {
		if len(set) > 0 && present(fields[set[0]]) != nil {
			if len(set) == 1 && set[0] == "url" {
				return nil
			}
			return set
		}
	}
	return nil
}

func (s shape) identityNames(fields curlew.Values) string {
	return strings.Join(s.identitySet(fields), " and ")
}

// identity is the values that make two things the same, as text; "" where there are none.
func (s shape) identity(fields curlew.Values) string {
	var b strings.Builder
	for _, name := range s.identitySet(fields) {
		b.WriteString(name + "=" + plainText(curlew.ValueText(fields[name])) + "\x00")
	}
	return b.String()
}
