package regions

import (
	"math"
	"slices"
)

// Feature is one property of a region by which regions are ranked.
type Feature int

// The features, each between 0 and 1.
const (
	Count      Feature = iota // how many records, up to 64
	Length                    // the median text of a record, up to 300 characters
	Coherent                  // how much the structures of records overlap
	Uniform                   // share of records with the most common class names
	Distinct                  // share of records that say something of their own
	Rich                      // pieces of text in a record, up to 12
	Images                    // share of records with an image
	Links                     // share of records with a link
	Leads                     // share of records whose links lead elsewhere than those of others
	Numbers                   // share of records with a number
	Prices                    // share of records with a price
	Dates                     // share of records with a date or time
	Headings                  // share of records with a heading
	Linked                    // share of the text that is inside links
	Navigation                // share of records in nav, header, footer
	Aside                     // share of records in an aside
	Central                   // share of records in main
	Wraps                     // records hold several records of another region each
	Part                      // records are only a part of those of another region
	Saved                     // how much shorter the page gets when the common structure is told once
	Coverage                  // share of the page's text
	Regular                   // how alike the lengths of records are
	Alone                     // share of the text of their container that is in records
	Grouped                   // records are groups of siblings
	Broken                    // records are lines of text
	Tiny                      // share of records with next to no text
	Unseen                    // share of records that the page hides
	featureCount
)

// Features are the features of a region by number.
type Features [featureCount]float64

// Samples: what is costly is measured on a few records only.
const (
	maxSampled = 8
	maxInside  = 150
)

// measure computes the features that running sums give.
func (s *survey) measure(c *candidate) {
	f := &c.features
	n := float64(len(c.runs))
	lengths := make([]int32, len(c.runs))
	pieces := make([]int32, len(c.runs))
	said, leads, names := make(map[uint64]bool, len(c.runs)), make(map[uint64]bool, len(c.runs)), map[uint64]int{}
	usual := 0
	var total tally
	for i, r := range c.runs {
		t := s.holds(r)
		lengths[i], pieces[i] = t.text, t.texts
		said[t.said] = true
		if t.links > 0 {
			leads[t.leads] = true
		}
		total.text += t.text
		total.linked += t.linked
		root := &s.flat[r.from]
		names[root.stable]++
		usual = max(usual, names[root.stable])
		f.share(s, r, t, n)
	}
	slices.Sort(lengths)
	slices.Sort(pieces)
	median := float64(lengths[len(lengths)/2])
	c.text = total.text
	f[Count] = capped(math.Log2(n) / 6)
	f[Length] = capped(math.Log1p(median) / math.Log1p(300))
	f[Rich] = capped(math.Log1p(float64(pieces[len(pieces)/2])) / math.Log1p(12))
	f[Distinct] = float64(len(said)) / n
	f[Uniform] = float64(usual) / n
	f[Leads] = float64(len(leads)) / n
	f[Linked] = float64(total.linked) / float64(max(total.text, 1))
	f[Coverage] = float64(total.text) / float64(max(s.sums[len(s.flat)].text, 1))
	f[Regular] = regular(lengths, median)
	around := s.holds(s.whole(s.container(c.runs)))
	f[Alone] = capped(float64(total.text) / float64(max(around.text, 1)))
	if c.kind == Groups || c.kind == Between {
		f[Grouped] = 1
	}
	if c.kind == Lines || c.kind == Paragraphs {
		f[Broken] = 1
	}
}

// share adds what one record has to the shares of all.
func (f *Features) share(s *survey, r run, t tally, n float64) {
	add := func(feature Feature, has bool) {
		if has {
			f[feature] += 1 / n
		}
	}
	add(Images, t.images > 0)
	add(Links, t.links > 0)
	add(Numbers, t.numbers > 0)
	add(Prices, t.prices > 0)
	add(Dates, t.dates > 0)
	add(Headings, t.headings > 0)
	add(Tiny, t.text < 12)
	where := s.flat[r.from].where
	add(Navigation, where&(inNav|inFrame) != 0)
	add(Aside, where&inAside != 0)
	add(Central, where&inMain != 0)
	add(Unseen, where&inHidden != 0)
}

func capped(x float64) float64 { return math.Max(0, math.Min(1, x)) }

// regular is 1 when all records are of one length.
func regular(sorted []int32, median float64) float64 {
	low, high := float64(sorted[len(sorted)/4]), float64(sorted[len(sorted)*3/4])
	return 1 - capped((high-low)/math.Max(1, 2*median))
}

// container is the deepest node that holds all runs.
func (s *survey) container(runs []run) int32 {
	c := s.flat[runs[0].from].parent
	last := runs[len(runs)-1]
	for c > 0 && s.flat[c].end < last.to {
		c = s.flat[c].parent
	}
	return max(c, 0)
}

// inspect computes the features that need a look into the records. It looks at
// neighbours here and there: with a fixed step, parts that alternate (every other
// one a caption) would seem all alike.
func (s *survey) inspect(c *candidate) {
	var previous, current []uint64
	coherent, common, pairs := 0.0, 0.0, 0.0
	for k, i := range sampled(len(c.runs)) {
		current = s.structure(c, c.runs[i], current[:0])
		if k > 0 {
			both := shared(previous, current)
			coherent += both / math.Max(1, float64(len(previous)+len(current))-both)
			common += both
			pairs++
		}
		previous, current = current, previous
	}
	pairs = math.Max(1, pairs)
	c.features[Coherent] = coherent / pairs
	c.features[Saved] = capped(math.Log1p(float64(len(c.runs)-1)*common/pairs) / math.Log1p(2000))
}

// sampled are the numbers of the records that are looked into: all of a few, pairs
// of neighbours of many.
func sampled(n int) []int {
	all := make([]int, 0, maxSampled)
	if n <= maxSampled {
		for i := range n {
			all = append(all, i)
		}
		return all
	}
	for k := range maxSampled / 2 {
		at := k * (n - 2) / (maxSampled/2 - 1)
		all = append(all, at, at+1)
	}
	return all
}

// structure is the set of paths inside a record, sorted, relative to it.
func (s *survey) structure(c *candidate, r run, out []uint64) []uint64 {
	base, depth := uint64(1), int32(0)
	if root := &s.flat[r.from]; c.kind == Nodes || c.kind == Rows || c.kind == Cells {
		base, depth = root.path, root.depth
	} else if root.parent >= 0 {
		base, depth = s.flat[root.parent].path, s.flat[root.parent].depth
	}
	for i := r.from; i < min(r.to, r.from+maxInside); i++ {
		p := &s.flat[i]
		out = append(out, p.path-base*power(p.depth-depth))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

var powers = func() (all [600]uint64) {
	all[0] = 1
	for i := 1; i < len(all); i++ {
		all[i] = all[i-1] * prime
	}
	return all
}()

func power(n int32) uint64 { return powers[min(max(n, 0), int32(len(powers)-1))] }

// shared counts what two sorted sets have in common.
func shared(a, b []uint64) (both float64) {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			both, i, j = both+1, i+1, j+1
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return both
}
