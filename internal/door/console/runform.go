package console

import (
	"context"
	"encoding/json"
	"net/url"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// runForm is a crawl, or a check of a watch, while it is written.
type runForm struct {
	Typed   url.Values
	Wrong   curlew.Problems
	Plan    string // what a dry run says
	Watches []curlew.Watch
}

func (f *runForm) view() view { return view{"runform", "Start a run", f} }

func addRun(ctx context.Context, v *visit) (view, error) {
	f := &runForm{Typed: url.Values{"priority": {"2"}, "max_pages": {"100"}}}
	var err error
	f.Watches, err = v.read.Watches().List(ctx, store.WatchFilter{}, store.Window{Limit: 200})
	return f.view(), err
}

// sendRun says what a crawl would do, or starts it.
func sendRun(ctx context.Context, v *visit) (answer, error) {
	f := &runForm{Typed: v.PostForm}
	var err error
	if f.Watches, err = v.read.Watches().List(ctx, store.WatchFilter{}, store.Window{Limit: 200}); err != nil {
		return answer{}, err
	}
	c := app.StartCrawl{}
	if f.Wrong = v.command(&c); len(f.Wrong) > 0 {
		return answer{page: f.view(), wrong: true}, nil
	}
	same := v.PostFormValue("reach") != "site"
	c.SameHost, c.DryRun = &same, v.PostFormValue("do") != "start"
	done, err := v.app.StartCrawl(ctx, v.who, c)
	if err != nil {
		if f.Wrong, err = problems(err); err != nil {
			return answer{}, err
		}
		return answer{page: f.view(), wrong: true}, nil
	}
	if done.Run != nil {
		return answer{next: "/runs/" + string(done.Run.ID) + "?done=started"}, nil
	}
	text, err := json.MarshalIndent(done.Plan, "", "  ")
	f.Plan = plainLines(string(text))
	return answer{page: f.view()}, err
}

func confirmClear(context.Context, *visit) (view, error) {
	return confirmation("Clear the ended runs?", question{What: "All runs that have ended and that nothing refers to", Yes: "Yes, clear them",
		Back: "/runs", Danger: true, Lost: []string{
			"Their figures and logs are forgotten.", "Runs that found changes, pages or records stay, and so do those under way."}}), nil
}

func clearRuns(ctx context.Context, v *visit) (answer, error) {
	n, err := v.app.ClearRuns(ctx, v.who)
	if n == 0 {
		return answer{next: "/runs?done=nothing-cleared"}, err
	}
	return answer{next: "/runs?done=cleared"}, err
}

// logLevels are what a log can be narrowed down to: a level and those above it.
var logLevels = []curlew.LogLevel{curlew.LogInfo, curlew.LogWarn, curlew.LogError}
