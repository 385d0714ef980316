package console

import (
	"context"
	"encoding/json"
	"strconv"

	"curlew/internal/curlew"
	"curlew/internal/data/store"
)

// runForm is a crawl, or a visit of a watch, while it is written.
type runForm struct {
	URLs, Domains    string
	Mode             string
	Priority         string
	Concurrency      string
	Pages, Depth     string
	Reach            string // host or site
	Include, Exclude string
	Refetch          bool
	Metadata         string
	Wrong            Mistakes
	Plan             string // what a dry run says
	Watches          []curlew.Watch
}

func (f *runForm) view() view { return view{"runform", "Start a run", f} }

func addRun(ctx context.Context, v *visit) (view, error) {
	f := &runForm{Mode: "concurrent", Priority: "2", Pages: "100", Reach: "host"}
	var err error
	f.Watches, err = v.app.Watches(ctx, v.who, store.WatchFilter{}, store.Window{Limit: 200})
	return f.view(), err
}

// wish reads the form and says what is wrong with it.
func (f *runForm) wish(v *visit) (w RunWish) {
	w = RunWish{URLs: v.lines("urls", 100_000), Domains: v.lines("domains", 20_000), Sequential: f.Mode == "sequential", WholeSite: f.Reach == "site",
		Include: v.lines("include", 10_000), Exclude: v.lines("exclude", 10_000), Refetch: f.Refetch, DryRun: v.PostFormValue("do") != "start"}
	n, wrong := v.whole("pages", "the number of pages", 1, 10_000_000)
	w.MaxPages, f.Wrong = n, append(f.Wrong, wrong...)
	n, wrong = v.whole("depth", "the depth", 0, 1000)
	w.Depth, f.Wrong = n, append(f.Wrong, wrong...)
	n, wrong = v.whole("concurrency", "the number at once", 1, 64)
	w.Concurrency, f.Wrong = n, append(f.Wrong, wrong...)
	priority, err := strconv.Atoi(f.Priority)
	if err != nil || priority < int(curlew.PriorityHigh) || priority > int(curlew.PriorityLow) {
		f.Wrong = append(f.Wrong, Mistake{"priority", "choose a priority"})
	}
	w.Priority = curlew.Priority(priority)
	switch {
	case len(w.URLs)+len(w.Domains) == 0:
		f.Wrong = append(f.Wrong, Mistake{"urls", "name at least one address, or a domain below"})
	case len(w.URLs) > 1000:
		f.Wrong = append(f.Wrong, Mistake{"urls", "name at most 1000 addresses"})
	case len(w.Domains) > 100:
		f.Wrong = append(f.Wrong, Mistake{"domains", "name at most 100 domains"})
	}
	if len(w.Include) > 50 || len(w.Exclude) > 50 {
		f.Wrong = append(f.Wrong, Mistake{"include", "give at most 50 patterns of each sort"})
	}
	if f.Metadata != "" && (json.Unmarshal([]byte(f.Metadata), &w.Metadata) != nil || w.Metadata == nil) {
		f.Wrong = append(f.Wrong, Mistake{"metadata", `write it as a JSON object: {"ticket": "NEWS-7"}`})
	}
	return w
}

// sendRun says what a crawl would do, or starts it.
func sendRun(ctx context.Context, v *visit) (answer, error) {
	f := &runForm{URLs: v.text("urls", 100_000), Domains: v.text("domains", 20_000), Mode: v.text("mode", 20), Priority: v.text("priority", 5), Concurrency: v.text("concurrency", 5),
		Pages: v.text("pages", 12), Depth: v.text("depth", 6), Reach: v.text("reach", 10), Include: v.text("include", 10_000), Exclude: v.text("exclude", 10_000),
		Refetch: v.ticked("refetch"), Metadata: v.text("metadata", 10_000)}
	var err error
	if f.Watches, err = v.app.Watches(ctx, v.who, store.WatchFilter{}, store.Window{Limit: 200}); err != nil {
		return answer{}, err
	}
	w := f.wish(v)
	if len(f.Wrong) > 0 {
		return answer{page: f.view(), wrong: true}, nil
	}
	run, plan, err := v.rooms.Desk.Runs.Submit(ctx, w)
	if err != nil {
		if f.Wrong, err = mistakes(err); err != nil {
			return answer{}, err
		}
		return answer{page: f.view(), wrong: true}, nil
	}
	if run != "" {
		return answer{next: "/runs/" + string(run) + "?done=started"}, nil
	}
	text, err := json.MarshalIndent(plan, "", "  ")
	f.Plan = plainLines(string(text))
	return answer{page: f.view()}, err
}

func askClear(context.Context, *visit) (view, error) {
	return asks("Clear the ended runs?", question{What: "All runs that have ended and that nothing refers to", Yes: "Yes, clear them", Back: "/runs", Danger: true, Lost: []string{
		"Their figures and logs are forgotten.", "Runs that found changes, pages or records stay, and so do those under way."}}), nil
}

func clearRuns(ctx context.Context, v *visit) (answer, error) {
	n, err := v.rooms.Desk.Runs.Clear(ctx)
	done := "cleared"
	if n == 0 {
		done = "nothing-cleared"
	}
	return answer{next: "/runs?done=" + done, thing: strconv.FormatInt(n, 10) + " runs"}, err
}

// logLevels are what a log can be narrowed down to: a level and those above it.
var logLevels = []curlew.LogLevel{curlew.LogInfo, curlew.LogWarn, curlew.LogError}
