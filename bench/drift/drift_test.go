package main

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/bench/measure"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"golang.org/x/net/html"
)

// The short form of the benchmark: some two hundred checks of the sample web.
func TestCurlewTellsWhatHappenedToTheSampleWebAndNothingElse(t *testing.T) {
	cases, err := sampleCases(sizes{seeds: 1, days: 20}, 1)
	if err != nil {
		t.Fatal(err)
	}
	var progress bytes.Buffer
	got := measureAll(t.Context(), cases, measure.Progress{Writer: &progress}, nil)
	y := got.Groups[groupSample][toolCurlew]
	if len(got.Notes) > 0 || y == nil || y.Checks < 200 || y.Due < 20 || y.Unwatched > 0 {
		t.Fatalf("%+v\n%s", got.Notes, progress.String())
	}
	if y.falses() > 0 || y.recall() < 1 || y.WrongGone > 0 || y.BeyondTold < y.Beyond || y.Survived < y.Redesigns {
		t.Errorf("%+v\n%s", y, progress.String())
	}
	for _, name := range []string{toolKeyed, toolIndex, toolText} {
		if r := got.Groups[groupSample][name]; r.Found == 0 || r.Told == 0 {
			t.Errorf("%s finds nothing: %+v", name, r)
		}
	}
}

// made is a list page of our own, in the place of a captured one.
func made(t *testing.T) *realPage {
	t.Helper()
	var out strings.Builder
	out.WriteString(`<html><body><nav><a href="/">Home</a></nav><ul class="deals">`)
	for _, name := range []string{"Copper kettle", "Oak barrel", "Brass lamp", "Wool blanket", "Tin whistle", "Glass marble", "Clay teapot", "Iron skillet"} {
		out.WriteString(`<li class="deal"><h3><a href="/p/` + strings.ReplaceAll(strings.ToLower(name), " ", "-") + `">` + name +
			`</a></h3><span class="price">€ 12.50</span> <span class="since">March 3, 2026</span></li>`)
	}
	root, err := html.Parse(strings.NewReader(out.String() + `</ul></body></html>`))
	if err != nil {
		t.Fatal(err)
	}
	p := &realPage{id: "made", address: "http://shop.example/deals", root: root, now: sampleDay}
	each(root, func(n *html.Node) {
		if n.Data == "li" {
			p.items = append(p.items, &listed{node: n, title: headingOf(n), link: linkOf(n)})
		}
	})
	if !p.clear(8) {
		t.Fatal("its items are not clear")
	}
	return p
}

// shownItems are the items that fixed selectors read, as one text.
func shownItems(p *realPage, body []byte) string {
	var items []Item
	for _, i := range p.items {
		items = append(items, Item{i.title, i.link})
	}
	rules, _ := learnSelectors(p.root, items)
	var all []string
	for _, e := range rules.read(parse(body)) {
		all = append(all, e.title+" "+key(e.link)+" "+e.values["/span.price"]+" "+e.values["/span.since"])
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

func TestAPageWhoseItemsStandInSeveralElementsIsNotTaken(t *testing.T) {
	for page, want := range map[string]bool{
		"<h4>1 Pier Road</h4><div>Porch 1</div><h4>2 Pier Road</h4><div>Porch 2</div><h4>3 Pier Road</h4><div>Porch 3</div>": false,
		"<h4>Applications</h4><div>Porch 1</div><div>Porch 2</div><p> </p><div>Porch 3</div>":                                true,
	} {
		root, err := parsed([]byte(page))
		if err != nil {
			t.Fatal(err)
		}
		p := &realPage{root: root}
		each(root, func(n *html.Node) {
			if n.Data == "div" {
				p.items = append(p.items, &listed{node: n})
			}
		})
		if p.whole() != want {
			t.Errorf("whole: %t, of %s", !want, page)
		}
	}
}

func TestNoiseChangesThePageAndNoItem(t *testing.T) {
	p := made(t)
	for _, n := range noises {
		t.Run(n.name, func(t *testing.T) {
			m := newMutation(p, 3)
			_, before := m.show(Step{}, nil)
			was := string(before.body)
			_, after := m.show(Step{}, n.change)
			if string(after.body) == was {
				t.Error("it changes nothing")
			}
			if a, b := shownItems(p, before.body), shownItems(p, after.body); a != b && n.name != "an advert in the list" {
				t.Errorf("the items were\n%s\nand are\n%s", a, b)
			}
		})
	}
}

func TestEveryChangeIsOnThePageAndInTheTruth(t *testing.T) {
	p := made(t)
	kinds := map[string]int{}
	m := newMutation(p, 5)
	_, last := m.next(0)
	before := shownItems(p, last.body)
	for range 60 {
		step, a := m.change()
		after := shownItems(p, a.body)
		if len(step.Truth) == 1 {
			kinds[step.Truth[0].Kind]++
		}
		if (after == before) != (len(step.Truth) == 0) {
			t.Fatalf("%+v, and the items were\n%s\nand are\n%s", step.Truth, before, after)
		}
		before = after
	}
	if kinds[kindNew] == 0 || kinds[kindGone] == 0 || kinds[kindChanged] == 0 {
		t.Errorf("there were %v", kinds)
	}
}

func TestAStoryIsTheSameForEveryTool(t *testing.T) {
	p := made(t)
	c := mutatedCase(p, 9, 40)
	a, b := c.serve(), c.serve()
	for visit := range c.Steps {
		if x, y := c.ask(a(visit)), c.ask(b(visit)); x.status != y.status || !bytes.Equal(x.body, y.body) {
			t.Fatalf("visit %d differs", visit)
		}
	}
}

func TestAPageStaysTheSameWhateverElseIsAskedFor(t *testing.T) {
	c := mutatedCase(made(t), 9, 2)
	h := c.serve()(0)
	want := c.ask(h)
	other := httptest.NewRecorder()
	h.ServeHTTP(other, httptest.NewRequest(http.MethodGet, "http://shop.example/deals?page=2", nil))
	if other.Code != http.StatusOK || strings.Contains(other.Body.String(), "kettle") {
		t.Errorf("the next page is %d %s", other.Code, other.Body)
	}
	root, err := parsed([]byte(`<a href="/">Home</a> <a href="2">Next</a> <p><a href="/p/1">Copper kettle</a></p>`))
	if err != nil {
		t.Fatal(err)
	}
	item := root.LastChild.LastChild.LastChild
	if got := linksBeside("/deals/1?lang=en", root, []*html.Node{item}); !got["deals/2"] || got["p/1"] || got[""] {
		t.Errorf("further pages may be %v", got)
	}
	conditional := httptest.NewRequest(http.MethodGet, "http://shop.example/deals", nil)
	first := httptest.NewRecorder()
	h.ServeHTTP(first, conditional)
	conditional.Header.Set("If-None-Match", first.Header().Get("ETag"))
	again := httptest.NewRecorder()
	if h.ServeHTTP(again, conditional); again.Code != http.StatusNotModified {
		t.Errorf("an unchanged page answers %d", again.Code)
	}
	if got := c.ask(h); got.status != want.status || !bytes.Equal(got.body, want.body) {
		t.Error("the page is another one afterwards")
	}
}

func TestAFurtherPageShowsNoItemAndIsOfTheSameDesign(t *testing.T) {
	root, err := parsed([]byte(`<nav class="menu"><ul><li><a href="/">Home</a></li></ul></nav>
		<ul><li class="a">Copper kettle</li><li class="a">Brass lamp</li><li class="a">Closed today</li></ul>`))
	if err != nil {
		t.Fatal(err)
	}
	list := root.LastChild.LastChild.LastChild
	m := &mutation{design: func(n *html.Node) { each(n, func(n *html.Node) { n.Attr = nil }) }}
	got := string(m.designed(emptied(root, []*html.Node{list.FirstChild, list.FirstChild.NextSibling})))
	if strings.Contains(got, "kettle") || strings.Contains(got, "Closed") || strings.Contains(got, "menu") || !strings.Contains(got, "Home") {
		t.Errorf("the further page is %s", got)
	}
}

func TestWhatIsToldIsJudgedByItemKindAndTime(t *testing.T) {
	c := &Case{ID: "c", Steps: make([]Step, 12)}
	c.Steps[3] = Step{Cause: causeChange, Truth: []Truth{{Kind: kindGone, Title: "Copper kettle", URL: "http://a/p/1", Shown: true}}}
	c.Steps[5] = Step{Redesign: true}
	c.Steps[6].Truth = []Truth{{Kind: kindChanged, Title: "Brass lamp", Fields: []string{"price"}, Values: []string{"€ 9"}, Shown: true}}
	for name, x := range map[string]struct {
		events []Event
		want   Tally
	}{
		"nothing":           {nil, Tally{Due: 2, Redesigns: 1}},
		"all, and in time":  {[]Event{{Visit: 4, Kind: kindGone, URL: "/p/1?utm_source=x"}, {Visit: 6, Kind: kindChanged, Title: "Brass lamp"}}, Tally{Due: 2, Found: 2, Told: 2, Right: 2, Visits: 3, GoneTold: 1, Redesigns: 1, Survived: 1}},
		"too early":         {[]Event{{Visit: 2, Kind: kindGone, URL: "/p/1"}}, Tally{Due: 2, Told: 1, Alarms: 1, WrongGone: 1, GoneTold: 1, Redesigns: 1}},
		"twice":             {[]Event{{Visit: 3, Kind: kindGone, URL: "/p/1"}, {Visit: 4, Kind: kindGone, URL: "/p/1"}}, Tally{Due: 2, Found: 1, Told: 2, Right: 1, Alarms: 1, WrongGone: 1, GoneTold: 2, Visits: 1, Redesigns: 1}},
		"of another field":  {[]Event{{Visit: 6, Kind: kindChanged, Title: "Brass lamp", Fields: []string{"stock"}}}, Tally{Due: 2, Told: 1, Alarms: 1, Redesigns: 1}},
		"as text":           {[]Event{{Visit: 6, Kind: kindText, Text: "€ 9"}, {Visit: 6, Kind: kindText, Text: "12 visitors"}}, Tally{Due: 2, Found: 1, Told: 2, Right: 1, Alarms: 1, Visits: 1, Redesigns: 1}},
		"at the redesign":   {[]Event{{Visit: 5, Kind: kindNew, Title: "Home"}, {Visit: 6, Kind: kindChanged, Title: "Brass lamp"}}, Tally{Due: 2, Found: 1, Told: 2, Right: 1, Alarms: 1, Visits: 1, Redesigns: 1}},
		"as something else": {[]Event{{Visit: 3, Kind: kindChanged, URL: "/p/1"}}, Tally{Due: 2, Told: 1, Alarms: 1, Redesigns: 1}},
	} {
		got := score(c, x.events)
		x.want.Checks, x.want.Pages = 11, 1
		got.ByCause, got.False, got.Missed = nil, nil, nil
		if a, b := asJSON(got), asJSON(x.want); a != b {
			t.Errorf("%s:\n got %s\nwant %s", name, a, b)
		}
	}
}

func asJSON(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}

func TestLinesThatDifferAreFound(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		var a, b []string
		for range dice.IntN(12) {
			a = append(a, string('a'+rune(dice.IntN(4))))
		}
		for range dice.IntN(12) {
			b = append(b, string('a'+rune(dice.IntN(4))))
		}
		var made []string
		at := 0
		for _, h := range hunks(a, b) {
			made = append(append(made, a[at:h.fromA]...), b[h.fromB:h.toB]...)
			at = h.toA
		}
		if made = append(made, a[at:]...); !slices.Equal(made, b) {
			t.Fatalf("%v to %v: %v", a, b, hunks(a, b))
		}
	}
}

func TestAnotherToolIsScoredByFiles(t *testing.T) {
	cases, err := sampleCases(sizes{seeds: 1, days: 12}, 1)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	var out bytes.Buffer
	if err := export(cases[:3], folder, measure.Progress{Writer: &out}); err != nil {
		t.Fatal(err)
	}
	var told []Event
	want := Tally{}
	for _, c := range cases[:3] {
		events := rivals(c)[toolKeyed]
		want.add(score(c, events))
		for _, e := range events {
			e.Case = c.ID
			told = append(told, e)
		}
	}
	file := filepath.Join(t.TempDir(), "events.jsonl")
	if err := writeLines(file, told); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), []string{"--export", folder, "--score", file}, &out, os.Stderr); err != nil {
		t.Fatal(err)
	}
	if line := "the tool  " + measure.Thousands(want.Told); !strings.Contains(out.String(), line) {
		t.Errorf("no %q in\n%s", line, out.String())
	}
	if err := os.WriteFile(file, []byte(`{"case":"x","visit":1,"kind":"moved"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), []string{"--export", folder, "--score", file}, &out, os.Stderr); err == nil {
		t.Error("an event of no known kind is taken")
	}
}

func TestThePictureShowsEveryTool(t *testing.T) {
	got := &table{Groups: map[string]map[string]*Tally{groupSample: {}}, Tools: tools}
	for _, name := range tools {
		got.Groups[groupSample][name] = &Tally{Checks: 1000, Told: 3, Right: 1}
	}
	for _, name := range tools {
		if !strings.Contains(string(got.draw()), name) {
			t.Errorf("%s is not on it", name)
		}
	}
}

// Many visits of one day must not take the clock to the next day of a page that has not come there.
func TestTheClockOfAVisitKeepsToTheDaysOfThePage(t *testing.T) {
	at, days := sampleDay, 0
	for visit := range 400 {
		if visit%40 == 39 {
			days++
		}
		at = visitAt(sampleDay, at, days, visit%40 == 39)
		if got := int(at.Sub(sampleDay).Hours()) / 24; got != days {
			t.Fatalf("visit %d is on day %d of the clock, and on day %d of the page", visit, got, days)
		}
	}
	if next := visitAt(sampleDay, at, days-1, true); !next.After(at) {
		t.Error("the clock goes back")
	}
}

// What leaves a list on its last day is over before a second check can say that it is gone: it may be told or not.
func TestWhatLeavesOnItsLastDayMayBeToldOrNot(t *testing.T) {
	for fields, want := range map[string]bool{"starts_at 2026-03-02T20:00:00+01:00": true, "starts_at 2026-03-03": false,
		"ends_at 2026-03-08": false, "valid_through 2026-03-01": true, "price 12": false} {
		name, value, _ := strings.Cut(fields, " ")
		r := demo.TrueRecord{ExternalID: "a", Fields: curlew.Values{name: value}}
		if name == "ends_at" {
			r.Fields["starts_at"] = "2026-03-01"
		}
		if lastDay([]demo.TrueRecord{r}, "a", sampleDay) != want {
			t.Errorf("%s: %t", fields, !want)
		}
	}
}
