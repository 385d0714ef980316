package onboard

import (
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
)

// What it takes to doubt a list whose records have no names of their own: between how many
// of them the records of another list stand, and how much more of the page that explains.
const (
	leastBetween = 0.8
	farMore      = 3
)

// headsAnother says whether the records of a list have no name but the page's and stand over
// those of another list, which explains far more of the page: days over what was heard on
// them, all called by the title of the page. The days of a board's meetings have one name
// too, with nothing between them.
func (l *Search) headsAnother(r extract.Reading) bool {
	if r.Single || r.Tier != curlew.TierHTML || len(r.Records) < 3 || !namedByPage(l.Home.Document(), r) {
		return false
	}
	var order map[*html.Node]int
	return slices.ContainsFunc(l.Readings, func(o extract.Reading) bool {
		shown := o.Schema != r.Schema && !o.Single && o.Tier == curlew.TierHTML
		more := o.Signs["explained"] >= farMore*r.Signs["explained"] && len(o.Records) >= 2*len(r.Records)
		if !shown || !more || 2*distinctNames(o) < len(o.Records) {
			return false
		}
		if order == nil {
			order = orderOf(l.Home.Document())
		}
		return between(placesOf(l.Home.Document(), order, r), placesOf(l.Home.Document(), order, o)) >= leastBetween
	})
}

// namedByPage says whether records are called by what the whole page is called.
func namedByPage(doc *dom.Document, r extract.Reading) bool {
	headlines := text.Fold(strings.Join(append(doc.Headlines(), doc.Title()), " | "))
	return distinctNames(r) <= 1+len(r.Records)/20 &&
		!slices.ContainsFunc(r.Records, func(one extract.ReadRecord) bool { return !strings.Contains(headlines, text.Fold(one.Record.Name())) })
}

func distinctNames(r extract.Reading) int {
	names := map[string]bool{}
	for _, one := range r.Records {
		names[text.Fold(one.Record.Name())] = true
	}
	return len(names)
}

// orderOf numbers the elements of a page.
func orderOf(doc *dom.Document) map[*html.Node]int {
	order := map[*html.Node]int{}
	for n := range doc.Tree().Descendants() {
		order[n] = len(order)
	}
	return order
}

// placesOf are where the records of a reading begin, in order.
func placesOf(doc *dom.Document, order map[*html.Node]int, r extract.Reading) []int {
	var all []int
	for _, one := range r.Records {
		if n := doc.At(one.Node); n != nil {
			all = append(all, order[n])
		}
	}
	slices.Sort(all)
	return all
}

// between is the share of the gaps between places in which one of others lies.
func between(places, others []int) float64 {
	gaps, held := 0, 0
	for i := 1; i < len(places); i++ {
		if places[i] == places[i-1] {
			continue
		}
		gaps++
		if at, _ := slices.BinarySearch(others, places[i-1]+1); at < len(others) && others[at] < places[i] {
			held++
		}
	}
	return float64(held) / float64(max(1, gaps))
}
