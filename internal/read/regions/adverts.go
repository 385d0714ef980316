package regions

import (
	"github.com/curlew-data/curlew/internal/read/dom"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// adverts are the nodes of adverts within records, between what these say of themselves: elements all links of which are
// paid for, in at most half of the records, where no record has an element of that make that is not paid for.
func (s *survey) adverts(runs []run) map[int32]bool {
	found, having := map[int32]bool{}, 0
	for _, part := range runs {
		if s.holds(part).links == 0 {
			continue
		}
		if in := s.advertsIn(part); len(in) > 0 {
			having++
			for _, at := range in {
				found[at] = true
			}
		}
	}
	if len(found) == 0 || 2*having > len(runs) {
		return nil
	}
	usual := map[shapeOf]bool{}
	for _, part := range runs {
		for i := part.from; i < part.to; i++ {
			if s.flat[i].node.Type == html.ElementNode && !found[i] {
				usual[s.shapeAt(i)] = true
			}
		}
	}
	for at := range found {
		if usual[s.shapeAt(at)] {
			delete(found, at)
		}
	}
	return found
}

// advertsIn are the largest elements within a record all links of which are paid for; none where all of its links are.
func (s *survey) advertsIn(part run) (found []int32) {
	paid := make([]int32, part.to-part.from+1) // before each node
	for i := part.from; i < part.to; i++ {
		paid[i-part.from+1] = paid[i-part.from]
		if n := s.flat[i].node; n.DataAtom == atom.A && dom.PaidFor(n) {
			paid[i-part.from+1]++
		}
	}
	all := func(r run) bool {
		n := paid[r.to-part.from] - paid[r.from-part.from]
		return n > 0 && n == s.holds(r).links
	}
	if paid[len(paid)-1] == 0 || all(part) {
		return nil
	}
	for i := part.from; i < part.to; {
		if s.flat[i].node.Type == html.ElementNode && all(s.whole(i)) {
			found = append(found, i)
			i = s.flat[i].end
			continue
		}
		i++
	}
	return found
}

// shapeOf is where elements stand and of which classes they are.
type shapeOf struct{ path, classes uint64 }

func (s *survey) shapeAt(i int32) shapeOf { return shapeOf{s.flat[i].path, s.flat[i].stable} }
