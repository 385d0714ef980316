package publish

import (
	"maps"
	"net/url"
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
)

// byRestlessParameter finds entities again whose addresses have a parameter with another value at every check, such as a token:
// no address of now was known, and without it most of them were. Their ids stay as they are.
func (m *matcher) byRestlessParameter() {
	records, entities := m.newAddresses(), m.lostAddresses()
	if len(records) < moveFloor || len(entities) < moveFloor {
		return
	}
	for _, name := range parameters(records) {
		of, is := byRest(records, name), byRest(entities, name)
		maps.DeleteFunc(of, func(rest string, _ int) bool { _, known := is[rest]; return !known })
		if 2*len(of) <= len(records) {
			continue
		}
		for rest, i := range of {
			m.matches[i].entity, m.taken[is[rest]] = is[rest], true
		}
		return
	}
}

// newAddresses are those of the records with parameters, where none of them is known.
func (m *matcher) newAddresses() map[int]*url.URL {
	all := map[int]*url.URL{}
	for i, made := range m.matches {
		u, err := url.Parse(made.id)
		switch {
		case err != nil || u.RawQuery == "" || made.known:
		case made.entity >= 0:
			return nil // addresses last
		default:
			all[i] = u
		}
	}
	return all
}

// lostAddresses are those with parameters of entities that were not found yet.
func (m *matcher) lostAddresses() map[int]*url.URL {
	all := map[int]*url.URL{}
	for e, entity := range m.prior.Entities {
		u, err := url.Parse(entity.ExternalID)
		if err == nil && u.RawQuery != "" && !m.taken[e] && m.watched[entity.ID] && entity.Status != curlew.EntityRemoved {
			all[e] = u
		}
	}
	return all
}

// parameters are the names of those that all addresses have.
func parameters(addresses map[int]*url.URL) (names []string) {
	count := map[string]int{}
	for _, u := range addresses {
		for name := range u.Query() {
			if count[name]++; count[name] == len(addresses) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// byRest are addresses by what they are without a parameter; those that are several then are left out.
func byRest(addresses map[int]*url.URL, name string) map[string]int {
	all, several := map[string]int{}, map[string]bool{}
	for i, u := range addresses {
		query := u.Query()
		query.Del(name)
		rest := *u
		rest.RawQuery = query.Encode()
		key := rest.String()
		if _, ok := all[key]; ok {
			several[key] = true
		}
		all[key] = i
	}
	for key := range several {
		delete(all, key)
	}
	return all
}
