package urls

import "github.com/curlew-data/curlew/internal/curlew"

// Admission decides which URLs become visits of a crawl, and keeps none of
// them: that is for a table with one row per visit, in which a key comes once.
// A row is a page of the budget, whatever becomes of it. So a crawl of at most
// 500 pages has 500 rows and never one more, and an endless site ends.
type Admission struct {
	Scope    *CrawlScope
	MaxPages int // visits of the whole crawl, the starts included
	MaxDepth int // links away from a start; 0 for any, since MaxPages ends it
}

// Admit makes a visit of a URL that was found on the page of another visit, or
// with the zero visit, of a start. The refusal is RefusalNone when the visit is
// to be kept; admitted is how many are already.
func (a Admission) Admit(url string, from curlew.Visit, admitted int) (curlew.Visit, Refusal) {
	target, err := resolver{}.resolve(url)
	if err != nil {
		return curlew.Visit{}, refusalOf(err)
	}
	visit := curlew.Visit{URL: target.String(), Key: target.key(), State: curlew.VisitWaiting}
	parent, err := resolver{}.resolve(from.URL)
	if err == nil {
		visit.FoundOn, visit.Depth = from.URL, from.Depth+1
	}
	if refusal := a.Scope.admits(target); refusal != RefusalNone {
		return visit, refusal
	}
	switch trap := target.trap(parent); {
	case trap != RefusalNone:
		return visit, trap
	case a.MaxDepth > 0 && visit.Depth > a.MaxDepth:
		return visit, RefusalDepth
	case admitted >= a.MaxPages:
		return visit, RefusalBudget
	}
	return visit, RefusalNone
}

// AdmitAll admits the links of a page in their order, each once, and counts the
// refusals. known tells whether the crawl has a key already: a known URL takes
// no place in the budget.
func (a Admission) AdmitAll(urls []string, from curlew.Visit, known func(key string) bool, admitted int) ([]curlew.Visit, map[Refusal]int) {
	var visits []curlew.Visit
	taken := map[string]bool{}
	refused := map[Refusal]int{}
	for _, url := range urls {
		visit, refusal := a.Admit(url, from, admitted+len(visits))
		switch {
		case visit.Key != "" && (taken[visit.Key] || known(visit.Key)):
			refused[RefusalKnown]++
		case refusal != RefusalNone:
			refused[refusal]++
		default:
			taken[visit.Key] = true
			visits = append(visits, visit)
		}
	}
	return visits, refused
}
