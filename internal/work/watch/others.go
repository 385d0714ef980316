package watch

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/web/urls"
)

// leastKnown is how many things must be known for a list without any of them to say something.
const leastKnown = 5

// leastShown is how many known things a page must show, and half of them, for it not to be empty.
const leastShown = 2

// misreads says why the first page of a list is not read as it should be, though its rules do not say so themselves; nil where it is.
func (r *checkStep) misreads(ctx context.Context, f fetched, list ListPage) (*curlew.Fault, error) {
	switch {
	case r.plan.Archive || r.readsText():
		return nil, nil
	case len(list.Applied.Readings) == 0:
		return r.showsUnread(ctx, f.page)
	}
	return r.readsOthers(ctx, f, list)
}

// showsUnread is a page that is empty for its rules, and shows what is known.
func (r *checkStep) showsUnread(ctx context.Context, at curlew.Page) (*curlew.Fault, error) {
	known, err := r.scope.Entities().Sighted(ctx, r.watch.ID)
	if err != nil || len(known) < leastShown {
		return nil, err
	}
	page, err := r.Watching.Material(ctx, at)
	if err != nil {
		return nil, err
	}
	if shown := r.shown(known, page); shown >= leastShown && 2*shown >= len(known) {
		return curlew.Permanent(ErrUnfit, "%s no longer fits its blueprint: it has no records, and the page shows %d of the %d known ones",
			at.URL, shown, len(known)), nil
	}
	return nil, nil
}

// mostNewWords is how many words a page may say that it did not say before for it to be the same page without its list.
const mostNewWords = 15

// emptied says whether a page for whose rules there is nothing is as it was, but for its list: it has the same title and heading,
// shows nothing that is known, and says hardly anything that it did not say at the last check that went well.
func (r *checkStep) emptied(ctx context.Context, f fetched, list ListPage) (bool, error) {
	a := list.Applied
	if r.plan.Archive || a.Fault != nil || a.Cut != "" || a.Fit.Fit != blueprint.FitEmpty || a.Empty != induce.Broken {
		return false, nil
	}
	before, err := r.lastCopy(ctx, f.task)
	if err != nil || before == nil {
		return false, err
	}
	was, err := r.Watching.Material(ctx, *before)
	if err != nil {
		return false, archivedOnly(err)
	}
	is, err := r.Watching.Material(ctx, f.page)
	if err != nil {
		return false, err
	}
	known, err := r.scope.Entities().Sighted(ctx, r.watch.ID)
	if err != nil || len(known) == 0 || r.shown(known, is) > 0 {
		return false, err
	}
	return headOf(was) == headOf(is) && saysNothingNew(was, is), nil
}

// endOf says whether a further page is the end of a list although it does not fit: it has the same records as its copy before, or
// none as that, and hardly anything that the first page does not say.
func (r *checkStep) endOf(ctx context.Context, before []ListPage, last ListPage) (bool, error) {
	a := last.Applied
	if len(before) == 0 || a.Fault != nil || a.Cut != "" || a.Whole() {
		return false, nil
	}
	own, err := r.readBefore(ctx, last.Page)
	if err != nil || own.Shown() != last.Shown() {
		return false, archivedOnly(err)
	}
	first, err := r.Watching.Material(ctx, before[0].Page)
	if err != nil {
		return false, archivedOnly(err)
	}
	is, err := r.Watching.Material(ctx, last.Page)
	return err == nil && saysNothingNew(first, is), archivedOnly(err)
}

// headOf is the title of a page and its first heading.
func headOf(m extract.Material) [2]string {
	head := [2]string{text.Fold(m.Document().Title())}
	if all := m.Document().Headings(); len(all) > 0 {
		head[1] = text.Fold(all[0].Text)
	}
	return head
}

// saysNothingNew says whether at least half of what a page says, and all but a few words, it said before.
func saysNothingNew(was, is extract.Material) bool {
	said := map[string]bool{}
	for _, word := range text.Words(was.Document().VisibleText()) {
		said[word] = true
	}
	words := text.Words(is.Document().VisibleText())
	news := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return said[word] })
	return len(words) > 0 && len(news) <= mostNewWords && 2*len(news) <= len(words)
}

// shown counts the names of things that stand in the text of a page, also where only a script shows it.
func (r *checkStep) shown(entities []curlew.Entity, page extract.Material) (n int) {
	var said strings.Builder
	for node := range page.Document().Tree().Descendants() {
		if node.Type == html.TextNode && node.Parent.DataAtom != atom.Script && node.Parent.DataAtom != atom.Style {
			said.WriteString(node.Data + " ")
		}
	}
	words := strings.Join(text.Words(said.String()), " ")
	for _, e := range entities {
		name := strings.Join(text.Words(r.compiled.Blueprint.Kind().TitleOf(e.Fields)), " ")
		if name != "" && strings.Contains(" "+words+" ", " "+name+" ") {
			n++
		}
	}
	return n
}

// readsOthers is a page of which the rules read another part than the list, such as the menus of a new design: its structure is
// another, more so where they fit whole, and they give nothing that is known.
func (r *checkStep) readsOthers(ctx context.Context, f fetched, list ListPage) (*curlew.Fault, error) {
	if r.watch.Fingerprint == "" || r.watch.RulesHash != r.rulesHash() {
		return nil, nil
	}
	page, err := r.Watching.Material(ctx, f.page)
	if err != nil || Structure(page) == r.watch.Fingerprint {
		return nil, err
	}
	known, err := r.scope.Entities().Sighted(ctx, r.watch.ID)
	if err != nil || len(known) < leastKnown || r.givesKnown(known, list) {
		return nil, err
	}
	least := leastRedesign
	if list.Applied.Fit.Fit == blueprint.FitPartly {
		least = leastMoved
	}
	if !r.redesigned(ctx, f.task, page, least) {
		return nil, nil
	}
	return curlew.Permanent(ErrUnfit, "%s no longer fits its blueprint: in another design, it gives %s, none of them known",
		list.Page.URL, curlew.Counted(len(list.Applied.Readings), "record")), nil
}

// The shares of the structure of a page from which on another one is another design: by itself, and where the rules fit in part.
const (
	leastRedesign = 0.5
	leastMoved    = 0.15
)

// redesigned says whether so much of a page is built otherwise than at the last check that went well.
func (r *checkStep) redesigned(ctx context.Context, asked pageTask, is extract.Material, least float64) bool {
	before, err := r.lastCopy(ctx, asked)
	if err != nil || before == nil {
		return false
	}
	was, err := r.Watching.Material(ctx, *before)
	return err == nil && dom.Compare(was.Document().Fingerprint(), is.Document().Fingerprint()).Distance >= least
}

// givesKnown says whether any record is known.
func (r *checkStep) givesKnown(entities []curlew.Entity, list ListPage) bool {
	known := map[string]bool{}
	for _, e := range entities {
		for _, key := range namesOf(e.ExternalID, e.URL, r.compiled.Blueprint.Kind().TitleOf(e.Fields)) {
			known[key] = true
		}
	}
	return slices.ContainsFunc(list.Applied.Readings, func(one extract.ReadRecord) bool {
		return slices.ContainsFunc(namesOf(one.Record.ExternalID, one.Record.URL, one.Record.Name()), func(key string) bool { return known[key] })
	})
}

// namesOf are the keys by which a thing is known.
func namesOf(id, address, name string) []string {
	all := []string{"id " + id, "at " + urls.Key(address), "is " + text.Letters(name)}
	return slices.DeleteFunc(all, func(key string) bool { return len(key) == len("is ") })
}
