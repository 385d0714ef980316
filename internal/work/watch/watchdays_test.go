package watch_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/testkit/workers"
	"github.com/curlew-data/curlew/internal/web/urls"
)

// watchedSite is a site that is watched for some days.
type watchedSite struct {
	site    demo.Site
	watch   curlew.Watch
	said    int // changes that were published
	right   int // of those, that are true
	due     int // changes that there were
	worst   float64
	mistake []string
	before  []demo.TrueRecord // what was true yesterday
	shared  map[string]int    // how many things have the same page
}

// watchAll begin to watch every site that can be read.
func (o *watching) watchAll() []*watchedSite {
	o.Helper()
	var all []*watchedSite
	for _, site := range workers.Feasible(o.Web) {
		if only := os.Getenv("CURLEW_TEST_SITE"); only != "" && !strings.Contains(only, site.Name) {
			continue
		}
		v := &watchedSite{site: site, watch: o.Add(site, o.Propose(site)), worst: 1, shared: map[string]int{}}
		o.MustVisit(v.watch)
		var err error
		if v.before, err = o.Web.Truth(site.Name); err != nil {
			o.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

// mistaken keeps the first few mistakes, for people.
func (v *watchedSite) mistaken(format string, args ...any) {
	if len(v.mistake) < 12 || os.Getenv("CURLEW_TEST_LOG") != "" {
		v.mistake = append(v.mistake, fmt.Sprintf(format, args...))
	}
}

// Sites change what does not matter all the time: tokens, counters, tracking, the
// order of attributes. None of it is a change.
func TestDriftOfTheSampleWebIsNoChange(t *testing.T) {
	drifts := times("CURLEW_TEST_DRIFTS", 20)
	if testing.Short() {
		drifts = 5
	}
	observe(t, false, func(o *watching) {
		stop := o.Work()
		defer stop()
		for _, v := range o.watchAll() {
			began := time.Now()
			for i := range drifts {
				if err := o.Web.Drift(v.site.Name); err != nil {
					o.Fatal(err)
				}
				since := o.Sequence()
				o.MustVisit(v.watch)
				for _, c := range o.ChangesAfter(since) {
					v.said++
					v.mistaken("drift %d: %s", i+1, shown(c))
				}
			}
			o.Logf("drift of %s: %d/%d checks without a change, in %s", v.site.Name, drifts-min(drifts, v.said), drifts, time.Since(began).Round(time.Millisecond))
			if v.said > 0 {
				o.Errorf("%s: %d changes came of drift:\n%s", v.site.Name, v.said, strings.Join(v.mistake, "\n"))
			}
		}
	})
}

func shown(c curlew.Change) string {
	var p curlew.ChangePayload
	_ = json.Unmarshal(c.Payload, &p)
	text := string(c.Kind)
	if p.Entity != nil {
		text += fmt.Sprintf(" %s %v%v %v", p.Entity.URL, p.Entity.Fields["title"], p.Entity.Fields["name"], p.Entity.Fields["starts_at"])
	}
	for _, f := range p.Changes {
		text += fmt.Sprintf(" | %s: %.80v -> %.80v", f.Field, f.Old, f.New)
	}
	return text
}

// Days go by: things come, change, are called off and go. What is published is what
// happened, no more and no less, and what is known stays true.
func TestTenDaysOfTheSampleWebAreToldExactly(t *testing.T) {
	days := times("CURLEW_TEST_DAYS", 10)
	if testing.Short() {
		days = 3
	}
	observe(t, false, func(o *watching) {
		stop := o.Work()
		defer stop()
		all := o.watchAll()
		for range days {
			o.Web.AdvanceAll()
			o.Days.Add(1)
			for _, v := range all {
				o.day(v)
			}
		}
		for _, v := range all {
			o.Logf("changes of %s: %d/%d told, %d of %d that were told are right, at least %.3f of the fields true", v.site.Name, v.right, v.due, v.right, v.said, v.worst)
			precision, recall := float64(v.right)/float64(max(1, v.said)), float64(v.right)/float64(max(1, v.due))
			if precision < 1 || recall < 1 || v.worst < workers.LeastTrue {
				o.Errorf("%s: %s", v.site.Name, strings.Join(v.mistake, "\n    "))
			}
		}
	})
}

// day visits a site twice, so that what is missing is missing twice, and compares what
// was published with what happened.
func (o *watching) day(v *watchedSite) {
	o.Helper()
	site, err := o.Web.Site(v.site.Name)
	if err != nil {
		o.Fatal(err)
	}
	since := o.Sequence()
	o.MustVisit(v.watch)
	o.MustVisit(v.watch)
	happened, err := o.Web.Changes(site.Name, site.State.Day-1)
	if err != nil {
		o.Fatal(err)
	}
	due := map[string]demo.Change{}
	for _, c := range happened {
		if c.Kind != demo.Finished {
			due[c.ExternalID] = c
		}
	}
	v.due += len(due)
	names := o.names(v, site)
	for _, c := range o.ChangesAfter(since) {
		v.said++
		id := names[keyIn(c, v)]
		want, ok := due[id]
		delete(due, id)
		if why := differs(c, want, v.site); !ok || why != "" {
			v.mistaken("day %d: %s %s: %s %s", site.State.Day, id, shown(c), why, itsFields(want))
			continue
		}
		v.right++
	}
	for _, id := range slices.Sorted(maps.Keys(due)) {
		v.mistaken("day %d: not told: %s %s %s", site.State.Day, due[id].Kind, due[id].URL, itsFields(due[id]))
	}
	right, fields, wrong := o.Agreement(site, v.watch)
	v.worst = min(v.worst, float64(right)/float64(max(1, fields)))
	if float64(right) < workers.LeastTrue*float64(fields) {
		v.mistaken("day %d: %d of %d fields are true, as %s", site.State.Day, right, fields, wrong[0])
	}
}

// keyIn is what a change calls its entity; shared pages name none.
func keyIn(c curlew.Change, v *watchedSite) string {
	var p curlew.ChangePayload
	if json.Unmarshal(c.Payload, &p) != nil || p.Entity == nil {
		return ""
	}
	return workers.KeyOf(p.Entity.URL, p.Entity.Fields, v.shared)
}

// names are the ids of all things by their keys, as they were and as they are.
func (o *watching) names(v *watchedSite, site demo.Site) map[string]string {
	o.Helper()
	truth, err := o.Web.Truth(site.Name)
	if err != nil {
		o.Fatal(err)
	}
	ofPage := map[string]map[string]bool{}
	for _, r := range slices.Concat(v.before, truth) {
		key := urls.Key(r.URL)
		if ofPage[key] == nil {
			ofPage[key] = map[string]bool{}
		}
		ofPage[key][r.ExternalID] = true
		v.shared[key] = len(ofPage[key])
	}
	all := map[string]string{}
	for _, r := range slices.Concat(v.before, truth) {
		all[workers.KeyOf(r.URL, r.Fields, v.shared)] = r.ExternalID
	}
	v.before = truth
	return all
}

func itsFields(c demo.Change) string {
	text := ""
	for _, name := range slices.Sorted(maps.Keys(c.Fields)) {
		text += fmt.Sprintf(" [%s: %.60v -> %.60v]", name, c.Fields[name].Old, c.Fields[name].New)
	}
	return text
}

// differs says in what a change that was published is not the one that happened.
func differs(c curlew.Change, want demo.Change, site demo.Site) string {
	if c.Kind != want.Kind {
		return fmt.Sprintf("it is a %s", want.Kind)
	}
	var p curlew.ChangePayload
	if err := json.Unmarshal(c.Payload, &p); err != nil {
		return err.Error()
	}
	told := map[string]bool{}
	for _, f := range p.Changes {
		due, ok := want.Fields[f.Field]
		if !slices.Contains(site.Fields, f.Field) { // markdown follows text, and so on
			continue
		}
		_, summary := want.Fields["summary"]
		if f.Field == "text" && !ok && summary { // it begins with the standfirst
			continue
		}
		if !ok || !workers.Alike(f.Field, p.Entity.Fields, due.New) {
			return "its " + f.Field + " is not so"
		}
		told[f.Field] = true
	}
	for name := range want.Fields {
		if !told[name] {
			return "its " + name + " changed too"
		}
	}
	return ""
}

// times is how often something is done: as often as the environment says, where a long
// campaign wants more than the tests.
func times(variable string, usually int) int {
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil && n > 0 {
		return n
	}
	return usually
}
