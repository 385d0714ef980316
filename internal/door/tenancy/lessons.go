package tenancy

import (
	"context"
	"time"

	"curlew/internal/curlew"
	"curlew/internal/data/store"
	"curlew/internal/door/console"
	"curlew/internal/work/pipeline"
	"curlew/internal/work/runs"
	"curlew/internal/work/teach"
)

// seenLessons are pages that people teach to read.
type seenLessons struct{ tenant }

// open reads a lesson of the org.
func (s seenLessons) open(id string) (*teach.Lesson, error) { return s.drafts.Open(s.org(), id) }

// change changes a lesson and keeps it.
func (s seenLessons) change(id string, edit func(*teach.Lesson) error) error {
	l, err := s.open(id)
	if err != nil {
		return err
	}
	if err := edit(l); err != nil {
		return err
	}
	return l.Save()
}

// Begin keeps a page and reads it.
func (s seenLessons) Begin(ctx context.Context, b console.Beginning) (string, error) {
	wish := teach.Goal{URL: b.URL, Schema: b.Schema, Page: b.Page, Instructions: b.Instructions, Source: b.Source, By: s.who}
	base, found, err := s.base(ctx, b.Source, b.Blueprint)
	if err != nil {
		return "", err
	}
	if found && (b.Schema == "" || b.Schema == base.Schema) && (b.Page == "" || b.Page == base.PageType) {
		wish.Schema, wish.Page, wish.Rules, wish.Blueprint, wish.Source = base.Schema, base.PageType, base.Rules, base.ID, base.Source
	}
	if wish.URL == "" {
		if wish.URL, err = s.addressOf(ctx, base, b.Source); err != nil {
			return "", err
		}
	} else {
		wish.URL = pipeline.ReadInstructions(b.Instructions).At(wish.URL)
	}
	if _, err := curlew.SiteOf(wish.URL); err != nil {
		return "", err
	}
	page, archived, err := s.page(ctx, wish, b.Archived)
	if err != nil {
		return "", err
	}
	wish.Schema = teach.FindOut(ctx, s.web, wish, page)
	l, err := teach.Begin(s.drafts, s.org(), wish, page, archived)
	if err != nil {
		return "", err
	}
	return l.ID, nil
}

// base is the blueprint that is to be corrected: the named one, or what a source is read
// by now.
func (s seenLessons) base(ctx context.Context, source curlew.SourceID, id curlew.BlueprintID) (curlew.Blueprint, bool, error) {
	if id != "" {
		b, err := s.scope.Blueprints().Get(ctx, id)
		return b, err == nil, err
	}
	if source == "" {
		return curlew.Blueprint{}, false, nil
	}
	if _, err := s.scope.Sources().Get(ctx, source); err != nil {
		return curlew.Blueprint{}, false, err
	}
	active, err := s.scope.Blueprints().ListBefore(ctx, store.BlueprintFilter{Source: source, Status: curlew.BlueprintActive}, store.Window{Limit: 1})
	if err != nil || len(active) == 0 {
		return curlew.Blueprint{}, false, err
	}
	return active[0], true, nil
}

// addressOf is the page that a blueprint is for: that of a watch that reads by it, else
// the one that it was made from.
func (s seenLessons) addressOf(ctx context.Context, b curlew.Blueprint, source curlew.SourceID) (string, error) {
	if b.ID == "" {
		known, err := s.scope.Sources().Get(ctx, source)
		return known.BaseURL, err
	}
	watches, err := s.scope.Watches().List(ctx, store.WatchFilter{Source: b.Source}, store.Window{Limit: 1000})
	for _, w := range watches {
		if w.Blueprint == b.ID {
			return w.URL, err
		}
	}
	return b.TestURL, err
}

// page is the page of a lesson: the last archived copy where that will do, else as the
// web has it now.
func (s seenLessons) page(ctx context.Context, wish teach.Goal, archived bool) (pipeline.Material, bool, error) {
	address, err := firstPage(wish)
	if err != nil {
		return pipeline.Material{}, false, err
	}
	if archived && s.i.Reading.Archive != nil {
		if page, err := s.scope.Pages().At(ctx, address, time.Time{}); err == nil {
			if m, err := (&pipeline.Watching{Past: s.i.Reading.Archive}).Material(ctx, page); err == nil {
				return m, true, nil
			}
		}
	}
	m, err := teach.Ask(ctx, s.web, address, s.i.Onboard.Now())
	return m, false, err
}

// firstPage is the address that a blueprint asks for first.
func firstPage(wish teach.Goal) (string, error) {
	if len(wish.Rules) == 0 {
		return wish.URL, nil
	}
	recipe, err := pipeline.ParseRecipe(wish.Rules)
	if err != nil {
		return wish.URL, nil // it is to be made anew
	}
	ask := recipe.First(wish.URL)
	if len(ask.Body) > 0 {
		return "", curlew.Permanent("not_a_page", "this blueprint asks an API by a form: there is no page to look at; correct it with \"curlew blueprints export\" and \"import\"")
	}
	return ask.URL, nil
}

// LastPage says what the last archived page of a blueprint or a source is.
func (s seenLessons) LastPage(ctx context.Context, source curlew.SourceID, id curlew.BlueprintID) (string, time.Time, error) {
	b, _, err := s.base(ctx, source, id)
	if err != nil {
		return "", time.Time{}, err
	}
	address, err := s.addressOf(ctx, b, source)
	if err != nil {
		return "", time.Time{}, err
	}
	if at, err := firstPage(teach.Goal{URL: address, Rules: b.Rules}); err == nil {
		address = at
	}
	page, err := s.scope.Pages().At(ctx, address, time.Time{})
	if err != nil {
		return "", time.Time{}, nil // it was never archived, or no longer is
	}
	return address, page.FetchedAt, nil
}

// Choose reads another list of the page.
func (s seenLessons) Choose(_ context.Context, id, way string) error {
	return s.change(id, func(l *teach.Lesson) error { return l.Choose(way) })
}

// Again reads the page as something else.
func (s seenLessons) Again(_ context.Context, id string, schema curlew.SchemaName, page curlew.PageType) error {
	return s.change(id, func(l *teach.Lesson) error { return l.Again(schema, page) })
}

// Point teaches a value.
func (s seenLessons) Point(_ context.Context, id string, p console.Pick) error {
	return s.change(id, func(l *teach.Lesson) error { return l.Point(teach.Selection(p)) })
}

// Field leaves a field out, or forgets what was said about it.
func (s seenLessons) Field(_ context.Context, id, field string, step console.FieldStep) error {
	return s.change(id, func(l *teach.Lesson) error {
		if step == console.RemoveField {
			return l.Remove(field)
		}
		return l.Restore(field)
	})
}

// Test reads another page.
func (s seenLessons) Test(ctx context.Context, id, address string) error {
	if _, err := curlew.SiteOf(address); err != nil {
		return err
	}
	return s.change(id, func(l *teach.Lesson) error { return l.Try(ctx, s.web, address, s.i.Onboard.Now()) })
}

// draft is a lesson and the blueprint that it came to.
func (s seenLessons) draft(id string) (*teach.Lesson, curlew.Blueprint, error) {
	l, err := s.open(id)
	if err != nil {
		return nil, curlew.Blueprint{}, err
	}
	b, err := l.Draft()
	return l, b, err
}

// AsVersion keeps what was learned as the next version of a source's blueprint.
func (s seenLessons) AsVersion(ctx context.Context, id string, source curlew.SourceID) (curlew.BlueprintID, error) {
	l, b, err := s.draft(id)
	if err != nil {
		return "", err
	}
	known, err := s.scope.Sources().Get(ctx, source)
	if err != nil {
		return "", err
	}
	if own, err := curlew.SiteOf(l.Wish.URL); err != nil || !isSite(own, known.BaseURL) {
		return "", curlew.Permanent("other_site", "the page is of another site than the source, %s: keep it as a watch of its own", known.BaseURL)
	}
	b.Source = source
	kept, _, err := s.i.Jobs.AddVersion(ctx, s.org(), b)
	if err == nil {
		l.Close()
	}
	return kept.ID, err
}

// AsWatch keeps what was learned with a source and a watch, and begins.
func (s seenLessons) AsWatch(ctx context.Context, id string, n console.NewWatch) (curlew.WatchID, error) {
	l, b, err := s.draft(id)
	if err != nil {
		return "", err
	}
	base, err := curlew.SiteOf(n.URL)
	if err != nil {
		return "", err
	}
	if own, err := curlew.SiteOf(l.Wish.URL); err != nil || own != base {
		return "", curlew.Permanent("other_site", "the rules are learned for %s: watch an address of that site", own)
	}
	when, err := s.rhythm(n.Schedule)
	if err != nil {
		return "", err
	}
	if n.Name == "" {
		n.Name = curlew.NameOf(n.URL)
	}
	in := pipeline.ReadInstructions(l.Wish.Instructions)
	watch := curlew.Watch{URL: n.URL, Name: n.Name, Schedule: when, Status: curlew.WatchActive, Settings: curlew.WatchSettings{Zone: in.Zone}}
	source := curlew.Source{Name: n.Name, BaseURL: base, Trust: curlew.TrustProbation, Rules: curlew.SourceRules{Zone: in.Zone, Instructions: l.Wish.Instructions}}
	b.TestURL = n.URL
	added, err := s.i.Jobs.AddWatch(ctx, s.org(), runs.NewWatch{Source: source, Blueprint: b, Watch: watch, Visit: true})
	if err == nil {
		l.Close()
	}
	return added.Watch.ID, err
}
