package main

import (
	"math"

	"github.com/curlew-data/curlew/internal/change/match"
)

const (
	pull   = 1e-4 // how much of the weight of all pairs draws each weight to its prior
	rounds = 30
	settle = 6 // rounds after which a weight of the wrong sign stays 0
	stride = 2 // the longest step of a weight in one round
)

const signs = len(match.Table)

// example is the signs of a pair, with 1 for the weight of none.
type example struct {
	values [signs + 1]float64
	same   float64
	weight float64
}

// fit fits a logistic regression twice: what fits better can only be found with weights.
func fit(all []*benchmark) match.Weights {
	for _, b := range all {
		for _, block := range b.blocks {
			match.Weights{}.FindBetter(block)
		}
	}
	first := regress(examples(all))
	for _, b := range all {
		b.find(first)
	}
	return regress(examples(all))
}

func examples(all []*benchmark) []example {
	var rows []example
	for _, b := range all {
		from, total := len(rows), 0.0
		for i, block := range b.blocks {
			for j, c := range block {
				row := example{same: count(b.same[i][j]), weight: 1 + (favour-1)*count(b.same[i][j])}
				copy(row.values[:], c.Values[:])
				row.values[signs] = 1
				rows = append(rows, row)
				total++
			}
		}
		for k := from; k < len(rows); k++ {
			rows[k].weight /= total
		}
	}
	return rows
}

// regress is Newton's method with bounded steps; weights keep the direction of their signs.
func regress(rows []example) match.Weights {
	total := 0.0
	for _, row := range rows {
		total += row.weight
	}
	var w [signs + 1]float64
	var fixed [signs + 1]bool
	for i, sign := range match.Table {
		w[i] = sign.Prior
	}
	for round := range rounds {
		step := solve(system(rows, w, fixed, total*pull))
		longest := 0.0
		for i := range w {
			by := max(-stride, min(stride, step[i]))
			w[i] += by
			longest = max(longest, math.Abs(by))
			if i < signs && float64(match.Table[i].Direction)*w[i] < 0 {
				w[i], fixed[i] = 0, round >= settle
			}
		}
		if longest < 1e-4 {
			break
		}
	}
	result := match.Weights{One: w[signs]}
	copy(result.Signs[:], w[:signs])
	return result
}

// system is the linear equations of one step: second derivatives, and the first in the last column.
func system(rows []example, w [signs + 1]float64, fixed [signs + 1]bool, pull float64) [][]float64 {
	h := make([][]float64, signs+1)
	for i := range h {
		h[i] = make([]float64, signs+2)
	}
	for _, row := range rows {
		sum := 0.0
		for i, value := range row.values {
			sum += w[i] * value
		}
		likely := 1 / (1 + math.Exp(-sum))
		slope, bend := row.weight*(row.same-likely), row.weight*max(likely*(1-likely), 1e-4)
		for i, value := range row.values {
			if value == 0 || fixed[i] {
				continue
			}
			h[i][signs+1] += slope * value
			for j, other := range row.values {
				if !fixed[j] {
					h[i][j] += bend * value * other
				}
			}
		}
	}
	for i := range h {
		switch {
		case fixed[i]:
			h[i][i] = 1
		case i < signs:
			h[i][i] += pull
			h[i][signs+1] -= pull * (w[i] - match.Table[i].Prior)
		}
	}
	return h
}

// solve solves linear equations by elimination.
func solve(h [][]float64) []float64 {
	n := len(h)
	for i := range h {
		pivot := i
		for r := i; r < n; r++ {
			if math.Abs(h[r][i]) > math.Abs(h[pivot][i]) {
				pivot = r
			}
		}
		h[i], h[pivot] = h[pivot], h[i]
		for r := i + 1; r < n; r++ {
			if by := h[r][i] / h[i][i]; by != 0 {
				for c := i; c <= n; c++ {
					h[r][c] -= by * h[i][c]
				}
			}
		}
	}
	x := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		x[i] = h[i][n]
		for c := i + 1; c < n; c++ {
			x[i] -= h[i][c] * x[c]
		}
		x[i] /= h[i][i]
	}
	return x
}
