package app

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/deliver"
	"github.com/curlew-data/curlew/internal/work/outbox"
)

// PreviewSubscription is which changes somebody wants, and how they are told.
type PreviewSubscription struct {
	Kinds   []curlew.ChangeKind `json:"kinds,omitempty" max:"20"`       // none means all
	Filter  string              `json:"filter,omitempty" maxlen:"4000"` // an expression, as docs/filters.md describes it
	Tree    json.RawMessage     `json:"filter_tree,omitempty"`          // the same as a tree, instead of the expression
	Source  curlew.SourceID     `json:"source_id,omitempty"`            // only changes of this source
	Watch   curlew.WatchID      `json:"watch_id,omitempty"`             // only changes that this watch finds
	Channel curlew.Channel      `json:"channel,omitempty"`              // how the sample is written; webhook by default
	Name    string              `json:"name,omitempty" maxlen:"200"`
	// Template is the text of a chat message; "" is the default text.
	Template string       `json:"template,omitempty" maxlen:"2000"`
	Digest   bool         `json:"digest,omitempty"`                                 // told together
	Recent   int          `json:"looks,omitempty" min:"0" max:"2000" default:"200"` // how many of the last changes to check; 200 by default
	Since    time.Time    `json:"-"`                                                // all changes from then on, instead of the last ones
	known    curlew.Kinds // whose fields a filter may name; none are the built-in ones
}

// Check says what is wrong with the command.
func (c PreviewSubscription) Check() curlew.Problems {
	all := bounds(c)
	checkKinds(c.Kinds, &all)
	all.Add("template", deliver.TemplateProblem(c.Template))
	if _, _, wrong := narrowed(c.expression(), c.Tree, c.known); wrong != nil {
		all = append(all, wrong...)
	}
	return all
}

// expression is the filter as text; a tree alone is no empty text.
func (c PreviewSubscription) expression() *string {
	if c.Filter == "" && c.Tree != nil {
		return nil
	}
	return &c.Filter
}

// Preview is what a subscription would have told.
type Preview struct {
	Checked int             `json:"looked"`           // so many changes were, the last ones of its source or watch
	Matched int             `json:"matched"`          // so many would have been told
	Changes []curlew.Change `json:"changes"`          // these, the newest first
	Sample  string          `json:"sample,omitempty"` // the newest one, as it would have been sent
}

// usualRecent is how many changes a preview checks by default.
const usualRecent = 200

// PreviewSubscription says which of the last changes would have been told, and how.
func (a *App) PreviewSubscription(ctx context.Context, who auth.Identity, c PreviewSubscription) (p Preview, err error) {
	scope, err := a.Read(who)
	if err != nil {
		return p, err
	}
	if c.known, err = scope.Kinds().All(ctx); err != nil { // whose fields a filter may name, too
		return p, err
	}
	if err := c.Check().Err(); err != nil {
		return p, err
	}
	s := curlew.Subscription{ID: "sub_preview", Org: who.Org, Name: c.Name, Kinds: c.Kinds, Source: c.Source, Watch: c.Watch,
		Channel: c.Channel}
	s.Filter, _, _ = narrowed(c.expression(), c.Tree, c.known)
	if err := outbox.CheckNamed(ctx, scope, s); err != nil {
		return p, err
	}
	match, err := outbox.Matcher(s, c.known)
	if err != nil {
		return p, err
	}
	c.Recent = cmp.Or(c.Recent, usualRecent)
	p.Changes = []curlew.Change{}
	for before, more := int64(0), true; more; {
		last, err := scope.Changes().ListBefore(ctx, store.ChangeFilter{Source: c.Source, Watch: c.Watch, Since: c.Since}, before, c.Recent)
		if err != nil {
			return p, err
		}
		for _, change := range last {
			before, p.Checked = change.Sequence, p.Checked+1
			if ok, _ := match(change); ok {
				p.Changes = append(p.Changes, change)
			}
		}
		more = !c.Since.IsZero() && len(last) == c.Recent
	}
	if p.Matched = len(p.Changes); p.Matched > 0 {
		p.Sample, err = a.sample(ctx, scope, s, p.Changes, c)
	}
	return p, err
}

// mostInSample is how many changes a digest in a preview holds.
const mostInSample = 5

// sample writes the newest change, or a digest of a few, as it would have been sent.
func (a *App) sample(
	ctx context.Context, scope store.Scope, s curlew.Subscription, changes []curlew.Change, c PreviewSubscription,
) (string, error) {
	var items []deliver.Item
	for _, change := range changes[:min(len(changes), mostInSample)] {
		item := deliver.Item{Delivery: "del_preview", Change: change, Kinds: c.known}
		if source, err := scope.Sources().Get(ctx, change.Source); err == nil {
			item.Source = source.Name
		}
		if watch, err := scope.Watches().Get(ctx, change.Watch); err == nil {
			item.Watch = watch.Name
		}
		items = append(items, item)
	}
	links := deliver.Links{Console: a.i.Config.Console.URL}
	if c.Digest {
		return deliver.Render(s.Channel, deliver.Digest(s, items, changes[0].OccurredAt, links), c.Template)
	}
	return deliver.Render(s.Channel, deliver.Single(s, items[0], links), c.Template)
}
