package console

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// watchForm is a watch while it is written.
type watchForm struct {
	ID         curlew.WatchID // of one that is there
	Source     curlew.SourceID
	Command    app.AddWatch // of a new one; also what an edit says
	When       timetable
	Typed      url.Values
	Wrong      curlew.Problems
	Upcoming   *coming
	Sources    []curlew.Source
	Blueprints []curlew.Blueprint
	Every      []string
	Days       []string
}

func (f *watchForm) view() view {
	if f.ID != "" {
		return view{"watchform", "Edit a watch", f}
	}
	return view{"watchform", "Add a watch", f}
}

// offered fills in what can be chosen. Only a blueprint that reads lists or is in force
// makes sense; drafts can be tried too.
func (f *watchForm) offered(ctx context.Context, v *visit) (err error) {
	f.Every, f.Days = everyWith(f.When.Every), dayChoices
	if f.ID != "" {
		return nil
	}
	if _, f.Sources, err = sourceNames(ctx, v); err != nil || f.Source == "" {
		return err
	}
	source, err := v.read.Sources().Get(ctx, f.Source)
	if err != nil {
		return err
	}
	if f.Typed.Get("url") == "" {
		f.Typed.Set("url", source.BaseURL)
	}
	all, err := v.read.Blueprints().List(ctx, store.BlueprintFilter{Source: f.Source}, store.Window{Limit: 200})
	for _, b := range all {
		if b.Status != curlew.BlueprintArchived {
			f.Blueprints = append(f.Blueprints, b)
		}
	}
	return err
}

func addWatch(ctx context.Context, v *visit) (view, error) {
	f := &watchForm{Source: curlew.SourceID(v.query("source")), When: timetableOf("adaptive"), Typed: url.Values{}}
	err := f.offered(ctx, v)
	if err == nil && len(f.Blueprints) == 1 {
		f.Typed.Set("blueprint_id", string(f.Blueprints[0].ID))
	}
	f.upcoming(v)
	return f.view(), err
}

func editWatch(ctx context.Context, v *visit) (view, error) {
	w, err := v.read.Watches().Get(ctx, curlew.WatchID(v.PathValue("id")))
	if err != nil {
		return view{}, err
	}
	s := w.Settings
	f := &watchForm{ID: w.ID, Source: w.Source, When: timetableOf(w.Schedule),
		Typed: url.Values{"url": {w.URL}, "name": {w.Name}, "timezone": {s.Zone}, "only": {s.Only},
			"stale_days": {amountText(s.StaleDays)}, "max_pages": {amountText(s.MaxPages)}}}
	if s.Ranked {
		f.Typed.Set("ranked", "1")
	}
	if s.Upcoming {
		f.Typed.Set("upcoming", "1")
	}
	if s.RemovalShare > 0 {
		f.Typed.Set("removal_share", app.PercentOf(s.RemovalShare))
	}
	if s.Delay != nil {
		f.Typed.Set("delay", time.Duration(*s.Delay).String())
	}
	f.upcoming(v)
	return f.view(), f.offered(ctx, v)
}

func amountText(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// upcoming shows when the watch would come next; what is wrong is said elsewhere.
func (f *watchForm) upcoming(v *visit) {
	if text, wrong := f.When.text(); wrong == nil {
		f.Upcoming, _ = comingOf(text, string(f.ID), v.clock)
	}
}

func readWatch(v *visit) *watchForm {
	f := &watchForm{ID: curlew.WatchID(v.PathValue("id")), Source: curlew.SourceID(v.text("source")), When: readTimetable(v),
		Typed: v.PostForm}
	f.Wrong = v.command(&f.Command)
	if f.ID == "" && f.Command.Name != nil && *f.Command.Name == "" {
		f.Command.Name = nil // the address is the name of a new one
	}
	if share := f.Command.RemovalShare; share != nil { // people write percents
		f.Wrong = append(f.Wrong, app.Percent(*share).Check()...)
		*share /= 100
	}
	when, wrong := f.When.text()
	if f.Wrong = append(f.Wrong, wrong...); wrong == nil {
		f.Command.Schedule = &when
		f.Upcoming, wrong = comingOf(when, string(f.ID), v.clock)
		f.Wrong = append(f.Wrong, wrong...)
	}
	return f
}

// sendWatch does what a button of the form asks for: show when it comes, or keep it.
func sendWatch(ctx context.Context, v *visit) (answer, error) {
	f := readWatch(v)
	if f.ID != "" {
		if _, err := v.read.Watches().Get(ctx, f.ID); err != nil {
			return answer{}, err
		}
	}
	if err := f.offered(ctx, v); err != nil {
		return answer{}, err
	}
	if v.PostFormValue("do") != "save" || len(f.Wrong) > 0 {
		return answer{page: f.view(), wrong: len(f.Wrong) > 0}, nil
	}
	id, err := f.save(ctx, v)
	if err == nil {
		return answer{next: "/watches/" + string(id) + "?done=saved"}, nil
	}
	if f.Wrong, err = problems(err); err != nil {
		return answer{}, err
	}
	return answer{page: f.view(), wrong: true}, nil
}

// save keeps a new watch, or what was changed about one.
func (f *watchForm) save(ctx context.Context, v *visit) (curlew.WatchID, error) {
	if f.ID == "" {
		added, err := v.app.AddWatch(ctx, v.who, f.Command)
		return added.Watch.ID, err
	}
	_, err := v.app.EditWatch(ctx, v.who, app.EditWatch{ID: f.ID, URL: &f.Command.URL, WatchFields: f.Command.WatchFields})
	return f.ID, err
}

func confirmRemoveWatch(ctx context.Context, v *visit) (view, error) {
	w, err := v.read.Watches().Get(ctx, curlew.WatchID(v.PathValue("id")))
	return confirmation("Remove this watch?", question{What: w.Name, Yes: "Yes, remove it", Back: "/watches/" + string(w.ID), Danger: true,
		Lost: []string{
			"The page is no longer checked, and its feed address stops working.",
			"What the watch learned of how often the page changes is forgotten.",
			"What it found, and the history of that, stay. To stop for a while, pause it instead."}}), err
}

func removeWatch(ctx context.Context, v *visit) (answer, error) {
	id := curlew.WatchID(v.PathValue("id"))
	return answer{next: "/watches?done=removed"}, v.app.RemoveWatch(ctx, v.who, id)
}
