package regions

import (
	"cmp"
	"math"
	"slices"
)

// example is a page for fitting: its candidates and how right each would be.
type example struct {
	name       string
	fold       int
	clean      bool
	page       *survey
	judge      *judge
	candidates []candidate
	right      []float64
}

// prior is what is known of lists without looking at any page. Fitting moves weights
// away from here as far as pages demand, never across zero: a list in navigation is
// no better for being there.
var prior = Features{
	Count: 0.5, Length: 0.5, Coherent: 0.5, Uniform: 0.5, Distinct: 0.5, Rich: 0.5, Images: 0.5, Links: 0.5, Leads: 0.5, Numbers: 0.5, Prices: 0.5, Dates: 0.5,
	Headings: 0.5, Linked: -0.5, Navigation: -0.5, Aside: -0.5, Central: 0.5, Wraps: -2, Part: -1, Saved: 1, Coverage: 0.5, Regular: 0.5, Alone: 0.5,
	Grouped: -0.5, Broken: -0.25, Tiny: -0.5, Unseen: -0.5,
}

// ridge is how strongly weights are held at the prior.
const ridge = 0.03

// fit finds weights under which the first choice is expected to be right: gradient
// ascent on the mean of right, weighted by softmax of the scores.
func fit(pages []example) Features {
	w, velocity := prior, Features{}
	const rounds, rate = 400, 0.4
	for range rounds {
		var slope Features
		for _, p := range pages {
			p.slope(&w, &slope)
		}
		for f := range w {
			g := slope[f]/float64(len(pages)) - ridge*(w[f]-prior[f])
			velocity[f] = 0.9*velocity[f] + g
			w[f] += rate * velocity[f]
			if w[f]*prior[f] < 0 {
				w[f], velocity[f] = 0, 0
			}
		}
	}
	return w
}

// slope adds the gradient of one page. Pages whose truth marks several lists at once
// say less about which is the main one.
func (p example) slope(w, out *Features) {
	const sharp = 3
	scores, most := make([]float64, len(p.candidates)), math.Inf(-1)
	for i := range p.candidates {
		scores[i] = sharp * p.candidates[i].features.score(w)
		most = math.Max(most, scores[i])
	}
	sum, value := 0.0, 0.0
	for i := range scores {
		scores[i] = math.Exp(scores[i] - most)
		sum += scores[i]
	}
	for i := range scores {
		scores[i] /= sum
		value += scores[i] * p.right[i]
	}
	weight := 1.0
	if !p.clean {
		weight = 0.5
	}
	for i := range scores {
		pull := weight * sharp * scores[i] * (p.right[i] - value)
		if math.Abs(pull) < 1e-6 {
			continue
		}
		for f := range out {
			out[f] += pull * p.candidates[i].features[f]
		}
	}
}

// choice is how right the choice of a main list and its peers is.
func (p example) choice(w *Features, margin float64) float64 {
	ranked := slices.Clone(p.candidates)
	for i := range ranked {
		ranked[i].score = ranked[i].features.score(w)
	}
	slices.SortStableFunc(ranked, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	var all []run
	for _, c := range peers(ranked, margin) {
		all = append(all, c.runs...)
	}
	return p.judge.right(p.page, all)
}

// bestMargin tries a few margins on pages.
func bestMargin(pages []example, w *Features) float64 {
	best, at := -1.0, 0.0
	for _, m := range []float64{0, 0.3, 0.6, 0.9, 1.1, 1.3} {
		sum := 0.0
		for _, p := range pages {
			sum += p.choice(w, m)
			if p.clean {
				sum += p.choice(w, m)
			}
		}
		if sum > best {
			best, at = sum, m
		}
	}
	return at
}
