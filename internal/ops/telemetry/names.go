package telemetry

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// other is the label of all that is not named.
const other = "other"

// mostCodes bounds the codes of faults: they are words of ours, but nobody counts them.
const mostCodes = 100

// mostMethods is more than there are ways to read a page.
const mostMethods = 20

// mostName is the longest value of a label: names of hosts have at most 253 characters
// (RFC 1035), and few have half of that.
const mostName = 128

// names bounds the values of one label. The first ones that are given or seen keep their
// name for as long as the process lives, and everything after them is "other": a counter
// must not change its name, or what has been counted would vanish.
type names struct {
	most  int
	mu    sync.RWMutex
	known map[string]struct{}
}

func newNames(most int, first []string) *names {
	n := &names{most: most, known: map[string]struct{}{}}
	for _, name := range first {
		n.of(name)
	}
	return n
}

// of is the label for a name.
func (n *names) of(name string) string {
	name = strings.ToLower(name)
	if name == "" || len(name) > mostName || !utf8.ValidString(name) {
		return other
	}
	n.mu.RLock()
	_, ok := n.known[name]
	full := len(n.known) >= n.most
	n.mu.RUnlock()
	if ok {
		return name
	}
	if full {
		return other
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, ok := n.known[name]; !ok && len(n.known) >= n.most {
		return other
	}
	n.known[strings.Clone(name)] = struct{}{}
	return name
}
