package demo

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
)

// dice is randomness that is the same every time: a pure function of the seed
// and of the labels that say what is being decided.
type dice struct{ *rand.Rand }

func roll(seed uint64, labels ...any) *dice {
	h := sha256.New()
	fmt.Fprint(h, seed)
	for _, label := range labels {
		fmt.Fprintf(h, "\x00%v", label)
	}
	sum := h.Sum(nil)
	return &dice{rand.New(rand.NewPCG(binary.BigEndian.Uint64(sum), binary.BigEndian.Uint64(sum[8:])))}
}

// between gives a whole number from low to high, both included.
func (d *dice) between(low, high int) int { return low + d.IntN(high-low+1) }

// chance is true in the given number of cases out of a hundred.
func (d *dice) chance(percent int) bool { return d.IntN(100) < percent }

// hex gives n hexadecimal digits, as tokens and cache-busters have them.
func (d *dice) hex(n int) string {
	const digits = "0123456789abcdef"
	token := make([]byte, n)
	for i := range token {
		token[i] = digits[d.IntN(len(digits))]
	}
	return string(token)
}

func pick[T any](d *dice, from []T) T { return from[d.IntN(len(from))] }

// picks draws n different values, in the order of the draw.
func picks[T any](d *dice, from []T, n int) []T {
	order := d.Perm(len(from))
	drawn := make([]T, 0, n)
	for _, i := range order[:min(n, len(order))] {
		drawn = append(drawn, from[i])
	}
	return drawn
}
