package queue

import (
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Limits bound how many jobs run at once over all workers. Zero is no limit.
type Limits struct {
	PerKey int            // jobs that share a limit key (a host)
	PerOrg int            // jobs of one org
	Kinds  map[string]int // jobs of one kind
}

func (l Limits) none() bool { return l.PerKey == 0 && l.PerOrg == 0 && len(l.Kinds) == 0 }

// trait is what a limit looks at.
type trait struct {
	kind string
	org  curlew.OrgID
	key  string
}

// bound is one limit that applies to a job: its name, and how many may run.
type bound struct {
	name string
	most int
}

// bounds lists the limits that apply to a job.
func (l Limits) bounds(t trait) []bound {
	var all []bound
	if most := l.Kinds[t.kind]; most > 0 {
		all = append(all, bound{"kind:" + t.kind, most})
	}
	if l.PerOrg > 0 {
		all = append(all, bound{"org:" + string(t.org), l.PerOrg})
	}
	if l.PerKey > 0 && t.key != "" {
		all = append(all, bound{"key:" + t.key, l.PerKey})
	}
	return all
}

// tally counts running jobs by the name of each limit that applies to them.
type tally map[string]int

func (l Limits) count(running []traitCount) tally {
	counts := tally{}
	for _, r := range running {
		for _, b := range l.bounds(r.trait) {
			counts[b.name] += r.n
		}
	}
	return counts
}

// full lists what no further job may be claimed for.
type full struct{ kinds, orgs, keys []string }

func (l Limits) full(running []traitCount) full {
	counts := l.count(running)
	f := full{kinds: []string{}, orgs: []string{}, keys: []string{}}
	seen := map[string]bool{}
	add := func(list *[]string, name, value string, most int) {
		if most > 0 && counts[name] >= most && !seen[name] {
			seen[name] = true
			*list = append(*list, value)
		}
	}
	for _, r := range running {
		add(&f.kinds, "kind:"+r.kind, r.kind, l.Kinds[r.kind])
		add(&f.orgs, "org:"+string(r.org), string(r.org), l.PerOrg)
		if r.key != "" {
			add(&f.keys, "key:"+r.key, r.key, l.PerKey)
		}
	}
	return f
}

// choose picks, in order, the candidates that fit under every limit. Limits
// whose lock somebody else holds are left alone: held lists those that are ours.
func (l Limits) choose(candidates []candidate, running []traitCount, held map[string]bool, want int) []JobID {
	counts := l.count(running)
	var chosen []JobID
	for _, c := range candidates {
		if len(chosen) == want {
			break
		}
		if l.fits(c.trait, counts, held) {
			chosen = append(chosen, c.id)
			for _, b := range l.bounds(c.trait) {
				counts[b.name]++
			}
		}
	}
	return chosen
}

func (l Limits) fits(t trait, counts tally, held map[string]bool) bool {
	return !slices.ContainsFunc(l.bounds(t), func(b bound) bool { return !held[b.name] || counts[b.name] >= b.most })
}
