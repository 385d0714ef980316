package induce

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"curlew/internal/read/blueprint"
	"curlew/internal/read/dom"
)

// patience is a context that ends when it has been asked so often whether it has.
type patience struct {
	context.Context
	left, asked int
}

func (p *patience) Err() error {
	if p.asked++; p.asked > p.left {
		return context.Canceled
	}
	return nil
}

func TestLearningStopsSoonAfterItsContextEnds(t *testing.T) {
	var page strings.Builder
	var known []LabelledPage
	for i := range 300 {
		fmt.Fprintf(&page, "<li><h3><a href=/e/%d>Concert %d</a></h3><p>by Band %d</p><span>%d €</span><time>%d May 2026</time></li>", i, i, i, i+5, i%28+1)
	}
	doc := dom.New([]byte("<html><body><ul>"+page.String()+"</ul></body></html>"), "https://example.org/")
	for i := range 40 {
		known = append(known, LabelledPage{Document: doc, Fields: map[string][]string{"title": {fmt.Sprintf("Concert %d", i)},
			"price": {fmt.Sprintf("%d €", i+5)}, "url": {fmt.Sprintf("https://example.org/e/%d", i)}}})
	}
	whole := &patience{Context: t.Context(), left: 1 << 30}
	if _, _, err := FewShot(whole, blueprint.SchemaCustom, known); err != nil || whole.asked < 50 {
		t.Fatalf("learned in %d steps: %v", whole.asked, err)
	}
	short := &patience{Context: t.Context(), left: 5}
	_, _, err := FewShot(short, blueprint.SchemaCustom, known)
	if !errors.Is(err, context.Canceled) || short.asked-short.left > whole.asked/10 {
		t.Errorf("it went on for %d of %d steps: %v", short.asked-short.left, whole.asked, err)
	}
	t.Logf("%d steps in all, %d after the end", whole.asked, short.asked-short.left)
}
