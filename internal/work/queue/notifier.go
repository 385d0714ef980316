package queue

import "sync"

// notifier wakes everybody who waits for work in this process. Notifying is cheap and
// never blocks; who is not listening at the moment finds the notice later.
type notifier struct {
	mu        sync.Mutex
	listeners map[chan struct{}]bool
}

func newNotifier() *notifier { return &notifier{listeners: map[chan struct{}]bool{}} }

func (b *notifier) notify() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for c := range b.listeners {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

// listen returns a channel that holds at most one notice, and its end.
func (b *notifier) listen() (<-chan struct{}, func()) {
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
