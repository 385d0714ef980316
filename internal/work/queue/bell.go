package queue

import "sync"

// bell wakes everybody who waits for work in this process. Ringing is cheap and
// never blocks; who is not listening at the moment finds the bell rung.
type bell struct {
	mu        sync.Mutex
	listeners map[chan struct{}]bool
}

func newBell() *bell { return &bell{listeners: map[chan struct{}]bool{}} }

func (b *bell) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for c := range b.listeners {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

// listen returns a channel that holds at most one ring, and its end.
func (b *bell) listen() (<-chan struct{}, func()) {
	c := make(chan struct{}, 1)
	b.mu.Lock()
	b.listeners[c] = true
	b.mu.Unlock()
	return c, func() {
		b.mu.Lock()
		delete(b.listeners, c)
		b.mu.Unlock()
	}
}
