package recognise

import (
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/text/dates"
	"github.com/curlew-data/curlew/internal/text/labels"
	"github.com/curlew-data/curlew/internal/text/wordlist"
)

// machineKeys are words in the names of values that only machines want, beside those that change by
// themselves: ids, versions, addresses.
var machineKeys = wordlist.Named(words, "machine keys")

// ownedKeys name things that have records of their own.
var ownedKeys = wordlist.Named(words, "owned keys")

const (
	mostSlots   = 20
	longestCode = 16 // of codes that people write; longer ones are hashes and tokens
)

// slots lets what the records of an answer say and the kind has no field for travel with them,
// under the names that a plain list has for it. A change there would not be told otherwise.
func (c *candidate) slots(b *blueprint.Blueprint) {
	read, said, n := readBy(b), map[string]bool{}, 0
	for _, l := range c.profile.paths {
		for _, v := range l.values {
			said[v] = said[v] || read[l.path]
		}
	}
	for _, l := range c.profile.paths {
		again := read[l.path] || !slices.ContainsFunc(l.values, func(v string) bool { return !said[v] })
		if c.schema == curlew.SchemaEvent && l.is(kindClock) {
			again = true // the time of day of its start or end
		}
		name := labels.Name(l.key)
		if name != "" && !again && l.present*5 >= c.profile.records && l.telling() && n < mostSlots {
			b.Fields["slots."+name] = blueprint.FieldRules{Rules: []blueprint.Rule{{Selector: blueprint.Selector{JSON: l.path}}}}
			n++
		}
	}
}

// readBy are the paths that the fields of a blueprint are read from.
func readBy(b *blueprint.Blueprint) map[string]bool {
	paths := map[string]bool{}
	for _, f := range b.Fields {
		for _, rule := range f.Rules {
			for _, part := range append(rule.Join, rule) {
				paths[part.Selector.JSON] = true
			}
		}
	}
	return paths
}

// telling says whether people would want to know of a change of a value that stands right in a record.
func (l *valuePath) telling() bool {
	switch {
	case l.depth > 0 || l.many, l.is(kindURL, kindPath, kindImage), l.is(kindHTML, kindLong), l.is(kindEpoch):
		return false
	case l.is(kindCode) && l.length() >= longestCode, typeKeys().Has(l.path):
		return false
	case l.is(kindNumber) && slices.ContainsFunc(l.words(), ownedKeys().Has): // the id of another thing
		return false
	}
	forMachines := func(w string) bool { return machineKeys().Has(w) || labels.ForMachines(w) }
	return !slices.ContainsFunc(l.words(), forMachines) && !slices.ContainsFunc(l.values, dates.Passing)
}
