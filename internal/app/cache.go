package app

import (
	"maps"
	"sync"
	"time"
)

// cache keeps, for each org (and what else its key has), a figure that grows slow to
// count. Pages are made anew at every change, so it is kept for twenty times as long as counting took: a small
// installation never shows an old one, a large one spends no more than a twentieth of its
// time on counting.
type cache[K comparable, T any] struct {
	mu   sync.Mutex
	kept map[K]counted[T]
}

type counted[T any] struct {
	value T
	until time.Time
}

// of gives the figure of a key, as it was kept or counted now.
func (c *cache[K, T]) of(key K, count func() (T, error)) (T, error) {
	began := time.Now()
	c.mu.Lock()
	known, ok := c.kept[key]
	c.mu.Unlock()
	if ok && began.Before(known.until) {
		return known.value, nil
	}
	value, err := count()
	if err != nil {
		return value, err
	}
	now := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil {
		c.kept = map[K]counted[T]{}
	}
	maps.DeleteFunc(c.kept, func(_ K, old counted[T]) bool { return old.until.Before(now) })
	c.kept[key] = counted[T]{value, now.Add(20 * now.Sub(began))}
	return value, nil
}
