package console

import (
	"context"
	"strconv"
	"strings"
	"time"

	"curlew/internal/curlew"
)

// watchForm is a watch while it is written.
type watchForm struct {
	ID         curlew.WatchID // of one that is there
	Source     curlew.SourceID
	Wish       WatchWish
	When       timetable
	Stale      string
	Pages      string
	Share      string // of removals, in percent
	Delay      string
	Wrong      Mistakes
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
	source, err := v.rooms.Sources.Source(ctx, f.Source)
	if err != nil {
		return err
	}
	if f.Wish.URL == "" {
		f.Wish.URL = source.BaseURL
	}
	all, err := v.rooms.Desk.Watches.Blueprints(ctx, f.Source)
	for _, b := range all {
		if b.Status != curlew.BlueprintArchived {
			f.Blueprints = append(f.Blueprints, b)
		}
	}
	return err
}

func addWatch(ctx context.Context, v *visit) (view, error) {
	f := &watchForm{Source: curlew.SourceID(v.query("source")), When: timetableOf("adaptive")}
	err := f.offered(ctx, v)
	if err == nil && len(f.Blueprints) == 1 {
		f.Wish.Blueprint = f.Blueprints[0].ID
	}
	f.upcoming(v)
	return f.view(), err
}

func editWatch(ctx context.Context, v *visit) (view, error) {
	w, err := v.rooms.Watches.Watch(ctx, curlew.WatchID(v.PathValue("id")))
	if err != nil {
		return view{}, err
	}
	s := w.Settings
	f := &watchForm{ID: w.ID, Source: w.Source, When: timetableOf(w.Schedule), Wish: WatchWish{URL: w.URL, Name: w.Name, Zone: s.Zone, Ranked: s.Ranked}}
	f.Stale, f.Pages = amountText(s.StaleDays), amountText(s.MaxPages)
	if s.RemovalShare > 0 {
		f.Share = strconv.FormatFloat(100*s.RemovalShare, 'f', -1, 64)
	}
	if s.Delay != nil {
		f.Delay = time.Duration(*s.Delay).String()
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
	f := &watchForm{Source: curlew.SourceID(v.text("source", 60)), When: readTimetable(v), Stale: v.text("stale", 20), Pages: v.text("pages", 20), Share: v.text("share", 20),
		Delay: v.text("delay", 20)}
	f.Wish = WatchWish{Blueprint: curlew.BlueprintID(v.text("blueprint", 60)), URL: v.text("url", mostURL), Name: v.text("name", mostName), Zone: v.text("pagezone", 60),
		Ranked: v.ticked("ranked")}
	return f
}

// settle checks what the form says.
func (f *watchForm) settle(v *visit) {
	var wrong Mistakes
	f.Wrong = tooLong(map[string]string{"name": f.Wish.Name, "url": f.Wish.URL}, map[string]int{"name": mostName, "url": mostURL})
	if webAddress(f.Wish.URL) == "" {
		f.Wrong = append(f.Wrong, Mistake{"url", "give the whole address of a page, such as https://example.org/events"})
	}
	if f.Wish.Zone != "" && !knownZone(f.Wish.Zone) {
		f.Wrong = append(f.Wrong, Mistake{"pagezone", "nobody knows this time zone: write it as Europe/Warsaw"})
	}
	f.Wish.Schedule, wrong = f.When.text()
	if f.Wrong = append(f.Wrong, wrong...); wrong == nil {
		f.Upcoming, wrong = comingOf(f.Wish.Schedule, string(f.ID), v.clock)
		f.Wrong = append(f.Wrong, wrong...)
	}
	if f.Wish.StaleDays, wrong = v.whole("stale", "the number of days", 0, 3650); wrong != nil {
		f.Wrong = append(f.Wrong, wrong...)
	}
	if f.Wish.MaxPages, wrong = v.whole("pages", "the number of pages", 0, 100_000); wrong != nil {
		f.Wrong = append(f.Wrong, wrong...)
	}
	share, err := strconv.ParseFloat(strings.TrimSuffix(f.Share, "%"), 64)
	if f.Share != "" && (err != nil || !(share >= 0 && share <= 100)) {
		f.Wrong = append(f.Wrong, Mistake{"share", "the share is a number from 0 to 100"})
	}
	f.Wish.RemovalShare = share / 100
	if f.Delay != "" {
		d, err := time.ParseDuration(f.Delay)
		if err != nil || d < 0 || d > time.Hour {
			f.Wrong = append(f.Wrong, Mistake{"delay", "write the pause as 2s or 500ms, an hour at most"})
		}
		f.Wish.Delay = &d
	}
	if f.ID == "" && f.Wish.Blueprint == "" {
		f.Wrong = append(f.Wrong, Mistake{"blueprint", "choose by which blueprint the page is read"})
	}
}

// sendWatch does what a button of the form asks for: show when it comes, or keep it.
func sendWatch(ctx context.Context, v *visit) (answer, error) {
	f := readWatch(v)
	f.ID = curlew.WatchID(v.PathValue("id"))
	if f.ID != "" {
		if _, err := v.rooms.Watches.Watch(ctx, f.ID); err != nil {
			return answer{}, err
		}
	}
	if err := f.offered(ctx, v); err != nil {
		return answer{}, err
	}
	f.settle(v)
	if v.PostFormValue("do") != "save" || len(f.Wrong) > 0 {
		return answer{page: f.view(), wrong: len(f.Wrong) > 0}, nil
	}
	id, err := f.ID, error(nil)
	if id == "" {
		id, err = v.rooms.Desk.Watches.AddWatch(ctx, f.Wish)
	} else {
		err = v.rooms.Desk.Watches.AmendWatch(ctx, id, f.Wish)
	}
	if err == nil {
		return answer{next: "/watches/" + string(id) + "?done=saved"}, nil
	}
	if f.Wrong, err = mistakes(err); err != nil {
		return answer{}, err
	}
	return answer{page: f.view(), wrong: true}, nil
}

func askRemoveWatch(ctx context.Context, v *visit) (view, error) {
	w, err := v.rooms.Watches.Watch(ctx, curlew.WatchID(v.PathValue("id")))
	return asks("Remove this watch?", question{What: w.Name, Yes: "Yes, remove it", Back: "/watches/" + string(w.ID), Danger: true, Lost: []string{
		"The page is not visited any more, and the address of its feed stops working.", "What the watch learned of how often the page changes is forgotten.",
		"What it found, and the history of that, stay. To stop for a while, pause it instead."}}), err
}

func removeWatch(ctx context.Context, v *visit) (answer, error) {
	id := curlew.WatchID(v.PathValue("id"))
	return answer{next: "/watches?done=removed", thing: string(id)}, v.rooms.Desk.Watches.RemoveWatch(ctx, id)
}
