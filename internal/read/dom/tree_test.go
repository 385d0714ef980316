package dom

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestElementsOfAPagesOwnCarryTimes(t *testing.T) {
	d := New([]byte(`<p><relative-time datetime="2026-09-01T10:00:00Z">9/1</relative-time> <x-clock>9/1</x-clock> <ins datetime="2026-09-01">new</ins></p>`), "https://a.example/")
	var names []string
	for n := range d.Tree().Descendants() {
		if n.Type == html.ElementNode && n.Parent.Data == "p" {
			names = append(names, n.Data)
		}
	}
	if got := strings.Join(names, " "); got != "time x-clock ins" {
		t.Error(got)
	}
}
