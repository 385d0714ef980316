package induce

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/growth"
)

func TestLearningStopsSoonAfterItsContextEnds(t *testing.T) {
	var page strings.Builder
	for i := range 300 {
		fmt.Fprintf(&page, "<li><h3><a href=/e/%d>Concert %d</a></h3><p>by Band %d</p><span>%d €</span><time>%d May 2026</time></li>", i, i, i, i+5, i%28+1)
	}
	doc := dom.New([]byte("<html><body><ul>"+page.String()+"</ul></body></html>"), "https://example.org/")
	var known []LabelledPage
	var past []PastRecord
	for i := range 40 {
		fields := map[string][]string{"title": {fmt.Sprintf("Concert %d", i)}, "price": {fmt.Sprintf("%d €", i+5)},
			"url": {fmt.Sprintf("https://example.org/e/%d", i)}}
		known, past = append(known, LabelledPage{Document: doc, Fields: fields}), append(past, PastRecord{Fields: fields})
	}
	old := &blueprint.Blueprint{Language: 1, Schema: curlew.SchemaCustom, Page: curlew.PageList, Tier: curlew.TierHTML,
		Records: &blueprint.Selector{CSS: "li"}, Fields: map[string]blueprint.FieldRules{}}
	for name, learn := range map[string]func(context.Context) error{
		"few shot": func(ctx context.Context) error {
			_, _, err := FewShot(ctx, curlew.SchemaCustom.Kind(), known)
			return err
		},
		"learn": func(ctx context.Context) error {
			drafts := ReadPage(t.Context(), doc, time.Time{}, curlew.SchemaItem.Kind(), DayRange{})
			_, _, err := Learn(ctx, curlew.SchemaItem.Kind(), []Read{{Document: doc, Drafts: drafts}})
			return err
		},
		"chosen": func(ctx context.Context) error {
			_, _, err := Chosen(ctx, curlew.SchemaItem.Kind(), doc, time.Time{}, "li")
			return err
		},
		"details": func(ctx context.Context) error {
			other := dom.New([]byte(strings.ReplaceAll(string(doc.Body()), "Band", "Trio")), "https://example.org/2")
			_, _, err := Details(ctx, curlew.SchemaItem.Kind(), []LabelledPage{known[0], {Document: other, Fields: known[0].Fields}})
			return err
		},
		"teach": func(ctx context.Context) error {
			_, _, err := Teach(ctx, old, DatedPage{Document: doc}, []Example{{Node: "/html[1]/body[1]/ul[1]/li[1]", Fields: known[0].Fields}})
			return err
		},
		"heal": func(ctx context.Context) error {
			_, err := Case{Old: old, Past: past, Pages: []DatedPage{{Document: doc}}}.Heal(ctx)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			whole := growth.Endless(t)
			if err := learn(whole); err != nil || whole.Asked < 20 {
				t.Fatalf("learned in %d steps: %v", whole.Asked, err)
			}
			short := growth.Ending(t, 5)
			err := learn(short)
			if !errors.Is(err, context.Canceled) || short.Late() > whole.Asked/5 {
				t.Errorf("it went on for %d of %d steps: %v", short.Late(), whole.Asked, err)
			}
			t.Logf("%d steps in all, %d after the end", whole.Asked, short.Late())
		})
	}
}
