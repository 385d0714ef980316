package main

import (
	"slices"
	"strings"
)

// window is within how many visits a change must be told to count as told.
const window = 6

// Tally is what came of the checks of a tool.
type Tally struct {
	Checks     int            `json:"checks"`
	Pages      int            `json:"pages"`
	Unwatched  int            `json:"unwatched,omitempty"` // pages that the tool could not begin to watch
	Due        int            `json:"due"`                 // changes that the watched pages showed
	Found      int            `json:"found"`
	Beyond     int            `json:"beyond"` // changes on further and detail pages
	BeyondTold int            `json:"beyond_told"`
	Told       int            `json:"told"` // that could be judged
	Right      int            `json:"right"`
	Alarms     int            `json:"alarms"` // checks that told something false
	WrongGone  int            `json:"wrong_gone"`
	GoneTold   int            `json:"gone_told"`
	Visits     int            `json:"visits"` // until the found ones were told, in sum
	Redesigns  int            `json:"redesigns"`
	Survived   int            `json:"survived"`
	Asked      int            `json:"asked,omitempty"` // times that the tool needed a person
	ByCause    map[string]int `json:"false_by_cause,omitempty"`
	False      []Event        `json:"-"`
	Missed     []Truth        `json:"-"`
}

// score compares what a tool told of a case with what happened.
func score(c *Case, events []Event) Tally {
	t := Tally{Checks: len(c.Steps) - 1, Pages: 1, ByCause: map[string]int{}}
	truths := c.truths()
	toldAt := make([]int, len(truths))
	alarmed := map[int]bool{}
	for _, e := range events {
		right, judged := judge(c, e, truths, toldAt)
		if !judged {
			continue
		}
		t.Told++
		if e.Kind == kindGone {
			t.GoneTold++
		}
		if right {
			t.Right++
			continue
		}
		alarmed[e.Visit] = true
		t.ByCause[c.Steps[e.Visit].Cause]++
		t.False = append(t.False, e)
		if e.Kind == kindGone {
			t.WrongGone++
		}
	}
	t.Alarms = len(alarmed)
	t.count(truths, toldAt, len(c.Steps))
	t.redesigns(c, truths, toldAt, alarmed)
	return t
}

// judge finds what an event tells of; what was told at an earlier visit is not told again.
func judge(c *Case, e Event, truths []Truth, toldAt []int) (right, judged bool) {
	about := false
	for i, truth := range truths {
		if truth.Visit > e.Visit || !sameItem(e, truth) {
			continue
		}
		about = true
		if e.Visit >= truth.Visit+window || !sameChange(e, truth) || toldAt[i] > 0 && toldAt[i] != e.Visit {
			continue
		}
		toldAt[i] = e.Visit
		right = true
	}
	if right || !c.Partial || e.Kind == kindNew || e.Kind == kindGone {
		return right, true
	}
	// The truth of others has some fields only: what is told of a record's other fields may be so.
	return false, !about && !c.ofKnown(e)
}

// ofKnown says whether a partly known item is what an event is about.
func (c *Case) ofKnown(e Event) bool {
	said := plain(e.Title + " " + e.Text + " " + e.Near)
	return slices.ContainsFunc(c.Known, func(title string) bool { return strings.Contains(said, plain(title)) })
}

// leastTitle is the length from which a title that is part of another is the same.
const leastTitle = 8

func sameItem(e Event, t Truth) bool {
	if e.Kind == kindText {
		return textHas(e, t)
	}
	if e.URL != "" && t.URL != "" && key(e.URL) == key(t.URL) {
		return true
	}
	said := plain(e.URL + " " + e.Title + " " + e.Was + " " + e.Text)
	if slices.ContainsFunc(t.Keys, func(k string) bool { return strings.Contains(said, plain(k)) }) {
		return true
	}
	for _, a := range []string{plain(e.Title), plain(e.Was)} {
		for _, value := range append([]string{t.Title, t.Was}, t.Values...) {
			b := plain(value)
			if a == "" || b == "" {
				continue
			}
			if a == b || len(a) >= leastTitle && len(b) >= leastTitle && (strings.Contains(a, b) || strings.Contains(b, a)) {
				return true
			}
		}
	}
	return false
}

// textHas says whether lines that changed are those of an item: they show it, or stand near it.
func textHas(e Event, t Truth) bool {
	text, near := plain(e.Text), plain(e.Near)
	for _, value := range append([]string{t.Was}, t.Values...) {
		if v := plain(value); v != "" && strings.Contains(text, v) {
			return true
		}
	}
	return strings.Contains(text, plain(t.Title)) || strings.Contains(near, plain(t.Title))
}

func sameChange(e Event, t Truth) bool {
	if e.Kind == kindText {
		return true
	}
	if e.Kind != t.Kind {
		return false
	}
	named := e.Kind == kindChanged && len(e.Fields) > 0 && len(t.Fields) > 0
	return !named || slices.ContainsFunc(e.Fields, func(f string) bool { return slices.Contains(t.Fields, f) })
}

// count counts what was due. What happened at the last visits had no time to be confirmed.
func (t *Tally) count(truths []Truth, toldAt []int, visits int) {
	for i, truth := range truths {
		told := toldAt[i] > 0
		switch {
		case truth.Optional || !told && truth.Visit > visits-confirming:
		case !truth.Shown:
			t.Beyond++
			if told {
				t.BeyondTold++
			} else {
				t.Missed = append(t.Missed, truth)
			}
		case told:
			t.Due++
			t.Found++
			t.Visits += toldAt[i] - truth.Visit + 1
		default:
			t.Due++
			t.Missed = append(t.Missed, truth)
		}
	}
}

// confirming is how many visits a tool may take to make sure.
const confirming = 3

// redesigns counts those after which nothing false was told and the next change was.
func (t *Tally) redesigns(c *Case, truths []Truth, toldAt []int, alarmed map[int]bool) {
	for visit, s := range c.Steps {
		if !s.Redesign || visit > len(c.Steps)-confirming {
			continue
		}
		t.Redesigns++
		survived := !alarmed[visit] && !alarmed[visit+1]
		for i, truth := range truths {
			if truth.Visit > visit && truth.Shown && !truth.Optional {
				survived = survived && toldAt[i] > 0
				break
			}
		}
		if survived {
			t.Survived++
		}
	}
}

// add sums tallies up.
func (t *Tally) add(o Tally) {
	t.Checks += o.Checks
	t.Pages += o.Pages
	t.Unwatched += o.Unwatched
	t.Due += o.Due
	t.Found += o.Found
	t.Beyond += o.Beyond
	t.BeyondTold += o.BeyondTold
	t.Told += o.Told
	t.Right += o.Right
	t.Alarms += o.Alarms
	t.WrongGone += o.WrongGone
	t.GoneTold += o.GoneTold
	t.Visits += o.Visits
	t.Redesigns += o.Redesigns
	t.Survived += o.Survived
	t.Asked += o.Asked
	if t.ByCause == nil {
		t.ByCause = map[string]int{}
	}
	for cause, n := range o.ByCause {
		t.ByCause[cause] += n
	}
	t.False = append(t.False, o.False...)
	t.Missed = append(t.Missed, o.Missed...)
}

func (t Tally) falses() int { return t.Told - t.Right }
func (t Tally) precision() float64 {
	return share(t.Right, t.Told)
}
func (t Tally) recall() float64 { return share(t.Found, t.Due) }
func (t Tally) perThousand() float64 {
	return 1000 * float64(t.falses()) / float64(max(1, t.Checks))
}

// share is 1 of nothing.
func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}
