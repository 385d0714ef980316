package main

import (
	"context"
	"slices"
	"sync"
	"time"
)

// clock is the simulated time: that of this machine, and all that was skipped. Handlers of jobs are
// awake or asleep; while all are asleep or none runs, whoever drives the day may skip to the next
// thing that happens.
type clock struct {
	mu       sync.Mutex
	skipped  time.Duration
	awake    int
	sleepers []*sleeper
}

type sleeper struct {
	at   time.Time
	wake chan struct{}
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.time()
}

func (c *clock) time() time.Time { return time.Now().Add(c.skipped) }

// begin and end frame the work of a handler.
func (c *clock) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.awake++
}

func (c *clock) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.awake--
}

// sleep lets a handler sleep: until its time has come by itself, or is skipped to.
func (c *clock) sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	s := &sleeper{at: c.time().Add(d), wake: make(chan struct{})}
	c.sleepers = append(c.sleepers, s)
	c.awake--
	c.mu.Unlock()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-s.wake: // it counts as awake already
		return nil
	case <-timer.C:
		c.rouse(s)
		return nil
	case <-ctx.Done():
		c.rouse(s)
		return ctx.Err()
	}
}

// rouse is a sleeper that wakes by itself.
func (c *clock) rouse(s *sleeper) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.Index(c.sleepers, s); i >= 0 {
		c.sleepers = slices.Delete(c.sleepers, i, i+1)
		c.awake++
	}
}

// standing says how many handlers are awake and asleep, and when the first of these wakes.
func (c *clock) standing() (awake, asleep int, first time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.sleepers {
		if first.IsZero() || s.at.Before(first) {
			first = s.at
		}
	}
	return c.awake, len(c.sleepers), first
}

// skip moves the time on and wakes whose time has come.
func (c *clock) skip(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.skipped += d
	now := c.time()
	c.sleepers = slices.DeleteFunc(c.sleepers, func(s *sleeper) bool {
		if s.at.After(now) {
			return false
		}
		c.awake++
		close(s.wake)
		return true
	})
}
