package rest

import (
	"context"
	"encoding/json"

	"curlew/internal/curlew"
)

// Rehearsal shows what a subscription would tell, and whether that arrives.
type Rehearsal interface {
	Preview(ctx context.Context, w Wish) (Preview, error)
	Test(ctx context.Context, id curlew.SubscriptionID) (TestReport, error)
}

// Wish is which changes somebody wants, and how they are told.
type Wish struct {
	Kinds   []curlew.ChangeKind `json:"kinds,omitempty" max:"20"`       // none means all
	Filter  string              `json:"filter,omitempty" maxlen:"4000"` // an expression, as docs/filters.md describes it
	Tree    json.RawMessage     `json:"filter_tree,omitempty"`          // the same as a tree, instead of the expression
	Source  curlew.SourceID     `json:"source_id,omitempty"`            // only changes of this source
	Watch   curlew.WatchID      `json:"watch_id,omitempty"`             // only changes that this watch finds
	Channel curlew.Channel      `json:"channel,omitempty"`              // how the sample is written; webhook when nobody says
	Name    string              `json:"name,omitempty" maxlen:"200"`
	Digest  bool                `json:"digest,omitempty"`                                 // told together
	Looks   int                 `json:"looks,omitempty" min:"1" max:"2000" default:"200"` // how many of the last changes to look at; 200 when nobody says
}

// Preview is what a subscription would have told.
type Preview struct {
	Looked  int             `json:"looked"`           // at so many changes, the last ones of its source or watch
	Matched int             `json:"matched"`          // so many would have been told
	Changes []curlew.Change `json:"changes"`          // these, the newest first
	Sample  string          `json:"sample,omitempty"` // the newest one, as it would have been sent
}

// TestReport is what became of a test.
type TestReport struct {
	Arrived  bool   `json:"arrived"`
	Status   int    `json:"status"` // of HTTP or SMTP; 0 when there was no answer
	Took     int64  `json:"took_ms"`
	Answer   string `json:"answer,omitempty"` // what the receiver said
	Sentence string `json:"sentence,omitempty"`
}

type previewSubscription struct {
	Body Wish `body:"json"`
}

func wishFor(filter string) Wish {
	return Wish{Kinds: []curlew.ChangeKind{curlew.EntityChanged}, Filter: filter}
}

// usualLooks is how many changes a preview looks at when nobody says.
const usualLooks = 200

func doPreview(ctx context.Context, c *Call, in previewSubscription) (Preview, error) {
	if in.Body.Looks == 0 {
		in.Body.Looks = usualLooks
	}
	p, err := c.Rooms.Rehearsal.Preview(ctx, in.Body)
	p.Changes = filled(p.Changes)
	return p, err
}

func doTest(ctx context.Context, c *Call, in subscriptionID) (TestReport, error) {
	return c.Rooms.Rehearsal.Test(ctx, in.ID)
}
