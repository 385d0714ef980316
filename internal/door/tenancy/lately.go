package tenancy

import (
	"maps"
	"sync"
	"time"
)

// lately keeps, for each org (and for what else its key has), a figure that grows slow to count. Pages are made anew at
// every change, so it is kept for twenty times as long as counting took: a small
// installation never shows an old one, a large one spends no more than a twentieth of its
// time on counting.
type lately[K comparable, T any] struct {
	mu   sync.Mutex
	kept map[K]counted[T]
}

type counted[T any] struct {
	value T
	until time.Time
}

// of gives the figure of a key, as it was kept or counted now.
func (l *lately[K, T]) of(key K, count func() (T, error)) (T, error) {
	began := time.Now()
	l.mu.Lock()
	known, ok := l.kept[key]
	l.mu.Unlock()
	if ok && began.Before(known.until) {
		return known.value, nil
	}
	value, err := count()
	if err != nil {
		return value, err
	}
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.kept == nil {
		l.kept = map[K]counted[T]{}
	}
	maps.DeleteFunc(l.kept, func(_ K, c counted[T]) bool { return c.until.Before(now) })
	l.kept[key] = counted[T]{value, now.Add(20 * now.Sub(began))}
	return value, nil
}
