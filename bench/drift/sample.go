package main

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/demo"
)

// sampleDay is the first day of the sample web.
var sampleDay = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)

// unread are the sites of the sample web that have no list, or need a browser.
var unread = []string{"spa", "trap", "blog", "menu", "rude"}

// command is what happens to a site before a visit.
type command struct {
	cause  string
	do     func(w *demo.Web, site string) error
	breaks bool // for one visit
}

var (
	nothing   = command{cause: causeNothing, do: func(*demo.Web, string) error { return nil }}
	drifting  = command{cause: "tokens, counters, tracking, related items", do: (*demo.Web).Drift}
	advancing = command{cause: "a day of changes", do: (*demo.Web).Advance}
	newDesign = command{cause: "redesign", do: (*demo.Web).Redesign}
)

// broken are the ways in which a site fails for one visit.
func broken(mode demo.Mode) command {
	names := map[demo.Mode]string{demo.ModeError: "error 500", demo.ModeEmpty: "empty page", demo.ModeBlock: "blocked (403)",
		demo.ModeCaptcha: "challenge page (200)", demo.ModeTruncated: "cut connection", demo.ModeHalf: "half load"}
	return command{names[mode], func(w *demo.Web, site string) error { return w.Break(site, mode) }, true}
}

// sampleCases are the sites of the sample web, each with a story of its own for every seed.
func sampleCases(s sizes, seed uint64) (all []*Case, err error) {
	for n := range s.seeds {
		world := seed + uint64(n)
		web := demo.New(demo.Options{Seed: world, Today: sampleDay})
		for _, site := range web.Sites() {
			if site.Schema == "" || slices.Contains(unread, site.Name) {
				continue
			}
			c, err := sampleCase(site.Name, world, s.days)
			if err != nil {
				return nil, err
			}
			all = append(all, c)
		}
	}
	return all, nil
}

// sampleCase tells the story of a site once to learn what is true of it.
func sampleCase(name string, seed uint64, visits int) (*Case, error) {
	web := demo.New(demo.Options{Seed: seed, Today: sampleDay})
	site, err := web.Site(name)
	if err != nil {
		return nil, err
	}
	story := storyOf(rand.New(rand.NewPCG(seed, uint64(len(name))<<32+uint64(name[0]))), site, visits)
	c := &Case{ID: fmt.Sprintf("sample-%s-%d", name, seed), Group: groupSample, Path: site.Home, Host: name + ".test",
		Begin: sampleDay.Add(9 * time.Hour)}
	c.serve = func() func(int) http.Handler {
		web := demo.New(demo.Options{Seed: seed, Today: sampleDay})
		return func(visit int) http.Handler {
			if err := obey(web, name, story[visit]); err != nil {
				panic(err) // it was obeyed before
			}
			handler, err := web.Handler(name)
			if err != nil {
				panic(err)
			}
			return handler
		}
	}
	t := &teller{web: web, site: site}
	for visit, command := range story {
		step, err := t.tell(c, command)
		if err != nil {
			return nil, err
		}
		if visit == 0 {
			c.Items = t.items()
		}
		c.Steps = append(c.Steps, step)
	}
	return c, nil
}

// teller tells the story of a site, and what is true at each visit.
type teller struct {
	web     *demo.Web
	site    demo.Site
	shown   string            // the text of the watched page at the last whole visit
	records []demo.TrueRecord // what is true
}

// tell does what happens before a visit.
func (t *teller) tell(c *Case, happens command) (Step, error) {
	if err := obey(t.web, t.site.Name, happens); err != nil {
		return Step{}, err
	}
	before, was := t.shown, t.records
	var err error
	if t.records, err = t.web.Truth(t.site.Name); err != nil {
		return Step{}, err
	}
	handler, err := t.web.Handler(t.site.Name)
	if err != nil {
		return Step{}, err
	}
	if !happens.breaks {
		t.shown = plain(strings.Join(visibleLines(c.ask(handler).body), " "))
	}
	step := Step{Cause: happens.cause, Redesign: happens.cause == newDesign.cause}
	if happens.cause != advancing.cause {
		return step, nil
	}
	step.Days = 1
	now, err := t.web.Site(t.site.Name)
	if err != nil {
		return step, err
	}
	changes, err := t.web.Changes(t.site.Name, now.State.Day-1)
	titles, shared := named(slices.Concat(was, t.records))
	for _, change := range changes {
		truth := t.truth(change, before, titles[change.ExternalID], shared)
		truth.Optional = truth.Optional || truth.Kind == kindGone && lastDay(was, change.ExternalID, sampleDay.AddDate(0, 0, now.State.Day))
		step.Truth = append(step.Truth, truth)
	}
	return step, err
}

// lastDay says whether a thing was to end today or earlier: before anybody makes sure that it is gone, it is over.
func lastDay(records []demo.TrueRecord, id string, today time.Time) bool {
	at := slices.IndexFunc(records, func(r demo.TrueRecord) bool { return r.ExternalID == id })
	if at < 0 {
		return false
	}
	for _, name := range []string{"ends_at", "valid_through", "starts_at"} {
		if last, ok := records[at].Fields[name].(string); ok && last != "" {
			return last < today.AddDate(0, 0, 1).Format(time.DateOnly)
		}
	}
	return false
}

// truth is a change of the sample web in the words of the benchmark.
func (t *teller) truth(c demo.Change, before, title string, shared map[string]bool) Truth {
	truth := Truth{URL: c.URL, Title: title, Fields: slices.Sorted(maps.Keys(c.Fields)), Optional: c.Kind == demo.Finished}
	for _, name := range []string{"title", "name"} {
		if old, ok := c.Fields[name].Old.(string); ok {
			truth.Was = old
		}
	}
	if shared[c.URL] {
		truth.URL = ""
	}
	was, is := strings.Contains(before, plain(cmp.Or(truth.Was, title))), strings.Contains(t.shown, plain(title))
	listed := slices.ContainsFunc(truth.Fields, func(f string) bool { return slices.Contains(t.site.ListFields, f) })
	switch c.Kind {
	case curlew.EntityAppeared:
		truth.Kind, truth.Shown = kindNew, is
	case curlew.EntityChanged:
		truth.Kind, truth.Shown = kindChanged, was && is && listed
	default:
		truth.Kind, truth.Shown = kindGone, was
	}
	return truth
}

// items are those that the watched page shows.
func (t *teller) items() (items []Item) {
	for _, r := range t.records {
		if title := titleOf(r.Fields); strings.Contains(t.shown, plain(title)) {
			items = append(items, Item{Title: title, Link: r.URL})
		}
	}
	return items
}

func obey(web *demo.Web, name string, c command) error {
	if err := web.Repair(name); err != nil {
		return err
	}
	return c.do(web, name)
}

func titleOf(v curlew.Values) string {
	for _, name := range []string{"title", "name"} {
		if text, ok := v[name].(string); ok {
			return text
		}
	}
	return ""
}

// named are the titles of all things by their ids, and the addresses that several share.
func named(records []demo.TrueRecord) (titles map[string]string, shared map[string]bool) {
	titles, shared = map[string]string{}, map[string]bool{}
	ids := map[string]string{}
	for _, r := range records {
		titles[r.ExternalID] = titleOf(r.Fields)
		if id, known := ids[r.URL]; known && id != r.ExternalID {
			shared[r.URL] = true
		}
		ids[r.URL] = r.ExternalID
	}
	return titles, shared
}

// storyOf is what happens to a site: mostly nothing that matters. After a change comes a visit that
// can confirm it, after a redesign one that finds its feet.
func storyOf(dice *rand.Rand, site demo.Site, visits int) []command {
	story := []command{nothing, drifting}
	modes := demo.Modes()
	for len(story) < visits {
		switch n := dice.IntN(100); {
		case n < 22:
			story = append(story, nothing)
		case n < 55:
			story = append(story, drifting)
		case n < 75:
			story = append(story, advancing, drifting)
		case n < 96:
			story = append(story, broken(modes[dice.IntN(len(modes))]), drifting)
		case site.Designs > 1:
			story = append(story, newDesign, drifting, drifting, advancing, drifting)
		}
	}
	return story[:visits]
}
