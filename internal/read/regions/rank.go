package regions

import (
	"cmp"
	"context"
	"slices"
)

// shortlist is how many candidates are looked into.
const shortlist = 160

// weights say how much each feature counts: fitted from a prior on real pages, and
// judged on pages left out (lists_test.go, whose -refit prints them).
var weights = Features{
	Count: 1.07, Length: 0.39, Coherent: 0.63, Uniform: 0.77, Distinct: 0.53, Rich: 0.40, Images: 0.73, Links: 0.63, Leads: 0.59,
	Numbers: 0.48, Prices: 0.62, Dates: 0.16, Headings: 0.25, Linked: -0.36, Navigation: -0.61, Aside: -0.51, Central: 0.58,
	Wraps: -2.13, Part: -1.22, Saved: 1.40, Coverage: 0.59, Regular: 0.60, Alone: 0.58, Grouped: -0.57, Broken: -0.25, Tiny: -0.53,
	Unseen: -0.50,
}

// rank orders candidates, the best first.
func (s *survey) rank(ctx context.Context, all []candidate) []candidate {
	all = s.shortlisted(ctx, all)
	for i := range all {
		all[i].score = all[i].features.score(&weights)
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	return all
}

// margin is how far the score of a region may lie behind that of the main list for
// the two to be peers. Between 1 and 1.4 nothing changes as long as peers must be
// alike, on pages as they are and in disguise (bench/disguise).
const margin = 1.1

// unlike is from where on records differ too much to be of one kind: about one
// feature of kinds from none to all. From 0.9 to 1.4 clean pages stay the same.
const unlike = 1.2

// kinds are the features that tell what a record is, not how well it is a list's.
var kinds = [...]Feature{Length, Rich, Images, Links, Numbers, Prices, Dates, Headings, Linked}

// alike says whether two regions hold records of one kind: the days of a calendar
// beside a list of hotels are no peers of theirs, however regular they are.
func alike(a, b *Features) bool {
	sum := 0.0
	for _, f := range kinds {
		sum += (a[f] - b[f]) * (a[f] - b[f])
	}
	return sum <= unlike*unlike
}

// Bounds of peers: how many records a further list needs to count, and how many
// lists and records there may be in all.
const (
	fewestOfPeer = 3
	maxPeers     = 12
)

// peers are the main list and the regions beside it that rank about the same: the
// sections of a front page, the weeks of a calendar. Candidates must be ranked.
func peers(ranked []candidate, margin float64) []candidate {
	if len(ranked) == 0 {
		return nil
	}
	chosen := []candidate{ranked[0]}
	taken := slices.Clone(ranked[0].runs)
	for _, c := range ranked[1:] {
		if c.score < ranked[0].score-margin || len(chosen) == maxPeers {
			break
		}
		if !alike(&ranked[0].features, &c.features) {
			continue
		}
		if len(c.runs) < fewestOfPeer || len(taken)+len(c.runs) > maxRecords || c.features[Navigation] > 0.5 || overlaps(taken, c.runs) {
			continue
		}
		chosen = append(chosen, c)
		taken = append(taken, c.runs...)
		slices.SortFunc(taken, func(a, b run) int { return cmp.Compare(a.from, b.from) })
	}
	return chosen
}

// overlaps says whether two sorted lists of runs share any node.
func overlaps(a, b []run) bool {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i].to <= b[j].from:
			i++
		case b[j].to <= a[i].from:
			j++
		default:
			return true
		}
	}
	return false
}

// shortlisted measures candidates and keeps those worth a closer look.
func (s *survey) shortlisted(ctx context.Context, all []candidate) []candidate {
	for i := range all {
		if ctx.Err() != nil {
			return nil
		}
		s.measure(&all[i])
		all[i].score = all[i].features.promise()
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	all = all[:min(len(all), shortlist)]
	for i := range all {
		if ctx.Err() != nil {
			return nil
		}
		s.inspect(&all[i])
	}
	relate(all)
	return all
}

// promise is a first guess from what costs nothing.
func (f *Features) promise() float64 {
	return f[Length]*f[Distinct]*(0.2+f[Rich])*(0.2+f[Count])*(0.3+f[Coverage]) - f[Tiny]*0.05
}

func (f *Features) score(w *Features) (sum float64) {
	for i := range f {
		sum += f[i] * w[i]
	}
	return sum
}
