package heal

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// likeSlots is the share of its values that a slot must have in common with a known one to
// be the same: a site changes some of them while it is redesigned.
const likeSlots = 0.8

// keepSlotNames lets a way read slots by the names that they are known by, where their
// values tell which is which: names come from classes, and change with them. Those of a way
// that is left to a reader are renamed for the comparison alone.
func (m Repair) keepSlotNames(p *onboard.Proposal) {
	var records []curlew.Record
	for _, r := range p.Readings {
		records = append(records, r.Record)
	}
	names := m.slotNames(records)
	if len(names) == 0 {
		return
	}
	for _, readings := range []*[]extract.ReadRecord{&p.Readings, &p.Sample} {
		*readings = slices.Clone(*readings)
		for i := range *readings {
			renameSlots(&(*readings)[i].Record, names)
		}
	}
	if !p.Blueprint.ByReaders() {
		b := *p.Blueprint
		b.Define(b.Kind(), names)
		p.Blueprint = &b
	}
}

// callSlots gives the slots of what was read the names that they are known by.
func (m Repair) callSlots(s shade) {
	var records []curlew.Record
	for _, one := range s.samples {
		records = append(records, one.Record)
	}
	names := m.slotNames(records)
	for i := range s.samples {
		renameSlots(&s.samples[i].Record, names)
	}
}

// slotPair is a slot that was read and one that is known, and how many values of both are
// there and the same.
type slotPair struct {
	read, known string
	both, same  int
}

// slotNames are the names of slots, "slots.stock", by those that were read, where these
// differ.
func (m Repair) slotNames(records []curlew.Record) curlew.Renaming {
	var likely []slotPair
	read := map[string]bool{}
	for _, p := range m.slotPairs(records) {
		read[p.read] = true
		if p.same > 0 && float64(p.same) >= likeSlots*float64(p.both) {
			likely = append(likely, p)
		}
	}
	slices.SortFunc(likely, func(a, b slotPair) int {
		return cmp.Or(cmp.Compare(b.same, a.same), cmp.Compare(boolInt(b.read == b.known), boolInt(a.read == a.known)),
			strings.Compare(a.read, b.read), strings.Compare(a.known, b.known))
	})
	names, taken := curlew.Renaming{}, map[string]bool{}
	for _, p := range likely {
		if _, named := names[p.read]; !named && !taken[p.known] {
			names[p.read], taken[p.known] = p.known, true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(read)) { // what is new must not go by a name that is another's now
		if _, named := names[name]; named {
			continue
		}
		free := name
		for n := 2; taken[free]; n++ {
			free = name + "_" + strconv.Itoa(n)
		}
		names[name], taken[free] = free, true
	}
	maps.DeleteFunc(names, func(from, to string) bool { return from == to })
	return names
}

// slotPairs counts how alike every slot that was read is to every one that is known.
func (m Repair) slotPairs(records []curlew.Record) []slotPair {
	pairs, by := map[[2]string]*slotPair{}, m.byName()
	for _, r := range records {
		at, ok := by.find(r)
		if !ok {
			continue
		}
		known := m.Known[at].Fields.Flat()
		for name, is := range r.Fields.Flat() {
			if !isSlot(name) {
				continue
			}
			for other, was := range known {
				if !isSlot(other) {
					continue
				}
				key := [2]string{name, other}
				if pairs[key] == nil {
					pairs[key] = &slotPair{read: name, known: other}
				}
				pairs[key].both++
				pairs[key].same += boolInt(sameValue(was, is))
			}
		}
	}
	var all []slotPair
	for _, p := range pairs {
		all = append(all, *p)
	}
	return all
}

func isSlot(name string) bool { return strings.HasPrefix(name, "slots.") }

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// renameSlots gives the slots of a record other names.
func renameSlots(r *curlew.Record, names curlew.Renaming) {
	slots, ok := r.Fields["slots"].(map[string]any)
	if !ok || len(names) == 0 {
		return
	}
	renamed := make(map[string]any, len(slots))
	for name, value := range slots {
		renamed[strings.TrimPrefix(names.Name("slots."+name), "slots.")] = value
	}
	r.Fields, r.Provenance = maps.Clone(r.Fields), curlew.RenamedKeys(r.Provenance, names)
	r.Fields["slots"] = renamed
}
