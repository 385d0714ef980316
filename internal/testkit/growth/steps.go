package growth

import (
	"context"
	"testing"
)

// Steps is a context that ends when it has been asked so often whether it has. By it tests count the steps of what must
// stop soon after its context ends.
type Steps struct {
	context.Context
	Left, Asked int
}

// Endless is a context that only counts.
func Endless(t *testing.T) *Steps { return Ending(t, 1<<30) }

// Ending is a context that ends after so many steps.
func Ending(t *testing.T, steps int) *Steps { return &Steps{Context: t.Context(), Left: steps} }

// Err is asked at each step.
func (s *Steps) Err() error {
	if s.Asked++; s.Asked > s.Left {
		return context.Canceled
	}
	return nil
}

// Late is how many steps were taken after the end.
func (s *Steps) Late() int { return s.Asked - s.Left }
