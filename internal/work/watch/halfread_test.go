package watch_test

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/testkit/workers"
)

// shelf is a shop that is read as a list with detail pages, as an API or as a feed. The
// template of one of its things, and of its detail page, may come half filled.
type shelf struct {
	workers.Board
	form string // "detail", "cell", "api" or "feed"
	half bool
	few  int    // how many lamps there are, where not all
	dear int    // by how much the price of the same thing rose
	tail string // what a list in HTML ends with, instead of the ends of its elements
}

func (s *shelf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	name, detail := strings.CutPrefix(r.URL.Path, "/p/")
	switch {
	case r.URL.Path == "/" && s.form == "api":
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, s.list(`{"items":[`, ",", "]}"))
	case r.URL.Path == "/" && s.form == "feed":
		w.Header().Set("Content-Type", "application/rss+xml")
		fmt.Fprint(w, s.list(`<rss version="2.0"><channel><title>Lamps</title>`, "", "</channel></rss>"))
	case r.URL.Path == "/":
		tail := cmp.Or(s.tail, "</div></body></html>")
		fmt.Fprint(w, s.list(`<html lang="en"><head><title>Lamps</title></head><body><h1>Lamps</h1><div>`, "", tail))
	case detail && s.form == "detail":
		fmt.Fprint(w, s.detail(name))
	default:
		http.NotFound(w, r)
	}
}

func (s *shelf) list(head, between, tail string) string {
	var items []string
	for i, name := range workers.PlanNames[:cmp.Or(s.few, 8)] {
		half := s.half && i == 2
		format, extra := `<div class="card"><h3><a href="/p/%[1]s">Lamp %[1]s</a></h3><p class="price">€ %[2]d.00</p>%[3]s</div>`, ""
		switch s.form {
		case "cell":
			extra = fmt.Sprintf(`<p class="brand">Brand: %s</p>`, workers.PlanNames[i%3+8])
		case "api":
			format = `{"id":"%[2]d","name":"Lamp %[1]s","url":"/p/%[1]s","price":%[2]d.5,"currency":"EUR"%[3]s}`
			extra = fmt.Sprintf(`,"brand":"%s"`, workers.PlanNames[i%3+8])
		case "feed":
			format = `<item><title>Lamp %[1]s</title><link>/p/%[1]s</link><pubDate>Mon, 02 Mar 2026 09:00:00 GMT</pubDate>%[3]s</item>`
			extra = fmt.Sprintf(`<description>A lamp of %s for %s.</description>`, workers.PlanNames[i+1], workers.PlanNames[i%3+8])
		}
		if half {
			extra = ""
		}
		price := 20 + 3*i
		if i == 2 {
			price += s.dear
		}
		items = append(items, fmt.Sprintf(format, name, price, extra))
	}
	return head + strings.Join(items, between) + tail
}

func (s *shelf) detail(name string) string {
	fill := func(text string) string {
		if s.half && name == workers.PlanNames[2] {
			return ""
		}
		return text
	}
	i := strings.Index(strings.Join(workers.PlanNames, " "), name)
	return fmt.Sprintf(`<html lang="en"><head><title>Lamp %[1]s</title></head><body><h1>Lamp %[1]s</h1>
		<script type="application/ld+json">{"@type":"Product","name":"Lamp %[1]s","sku":"L-%[2]d"%[3]s,
		"offers":{"price":"%[4]d.00","priceCurrency":"EUR"}}</script><p>%[5]s</p></body></html>`, name, i,
		fill(fmt.Sprintf(`,"brand":"%s","description":"A lamp of %s that lights a room of %d feet."`, workers.PlanNames[i%3+8], name, i)), 20+3*i,
		strings.Repeat("All about it. ", 40))
}

// One half-filled page changes nothing: what it lacks is a warning, and is told only when a
// second reading lacks it too. It is the same for detail pages, cells, APIs and feeds.
func TestWhatOneHalfReadPageLacksIsNotGone(t *testing.T) {
	for _, form := range []string{"detail", "cell", "api", "feed"} {
		t.Run(form, func(t *testing.T) {
			observe(t, false, func(o *watching) {
				defer o.Work()()
				s := &shelf{form: form}
				site := demo.Site{Name: form, Title: "Lamps", Base: strings.TrimSuffix(o.Serve(s), "/")}
				watch := o.Add(site, o.Propose(site))
				o.MustVisit(watch)
				at := o.Sequence()
				show := func(half bool) string {
					s.Set(func(*workers.Board) { s.half = half })
					if half {
						o.Days.Add(1) // detail pages are due
					}
					run := o.MustVisit(watch)
					return fmt.Sprint(run.Counters[curlew.CountWarnings], " ", o.Said(run))
				}
				for range 2 {
					if said := show(true); strings.HasPrefix(said, "0") || !strings.Contains(said, workers.PlanNames[2]) {
						t.Errorf("a half-read page is no warning: %s", said)
					}
					o.Want(at)
					if said := show(false); !strings.HasPrefix(said, "0") {
						t.Errorf("a whole page is a warning: %s", said)
					}
					o.Want(at)
				}
				show(true)
				show(true)
				if told := o.Told(at); len(told) != 1 || !strings.Contains(told[0], workers.PlanNames[2]) || !strings.Contains(told[0], "→<nil>") {
					t.Errorf("what two readings lack was told as %q", told)
				}
				show(true)
				at = o.Sequence()
				o.Days.Add(1)
				show(false)
				if told := o.Told(at); len(told) != 1 || !strings.Contains(told[0], "<nil>→") {
					t.Errorf("what came back was told as %q", told)
				}
			})
		})
	}
}

// What a half-read page lacks keeps its evidence while another value changes.
func TestWhatStaysWhileAnotherValueChangesKeepsItsEvidence(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		s := &shelf{form: "cell"}
		site := demo.Site{Name: "cell", Title: "Lamps", Base: strings.TrimSuffix(o.Serve(s), "/")}
		watch := o.Add(site, o.Propose(site))
		o.MustVisit(watch)
		name := "Lamp " + workers.PlanNames[2]
		was := o.EntityOf(watch, name)
		s.Set(func(*workers.Board) { s.half, s.dear = true, 5 })
		at := o.Sequence()
		o.MustVisit(watch)
		o.Want(at, "entity_changed "+name+" price 2600→3100")
		is := o.EntityOf(watch, name)
		before, err := o.Store.Org(curlew.DefaultOrg).Records().Get(t.Context(), was.Record)
		if err != nil {
			t.Fatal(err)
		}
		record, err := o.Store.Org(curlew.DefaultOrg).Records().Get(t.Context(), is.Record)
		if err != nil || was.Record == is.Record {
			t.Fatalf("record %s after %s, error %v", is.Record, was.Record, err)
		}
		for field := range is.Fields.Flat() {
			if before.Provenance[field].Text != "" && record.Provenance[field].Text == "" {
				t.Errorf("of %s there is no evidence any more: %v", field, record.Provenance)
			}
		}
	})
}

// A page that no longer has the end that it had was cut off, unless it comes so again: a new template has none.
func TestAPageThatComesWithoutItsEndTwiceWasNotCutOff(t *testing.T) {
	observe(t, false, func(o *watching) {
		defer o.Work()()
		s := &shelf{form: "cell"}
		site := demo.Site{Name: "cell", Title: "Lamps", Base: strings.TrimSuffix(o.Serve(s), "/")}
		watch := o.Add(site, o.Propose(site))
		o.MustVisit(watch)
		for _, tail := range []string{"</div><p>Cut here", "</div><p>And th"} {
			s.Set(func(*workers.Board) { s.tail = tail })
			if run := o.Visit(watch); run.State != curlew.RunFailed || !strings.Contains(run.Summary, "cut off") {
				t.Errorf("a page that ends with %q: %s", tail, run.Summary)
			}
		}
		o.MustVisit(watch) // as it came before
	})
}

// A page that ends within its list was cut off, however often it comes so: within an entry, and between two.
func TestAPageThatEndsWithinItsListWasCutOff(t *testing.T) {
	for name, cut := range map[string]func(*shelf){
		"within an entry": func(s *shelf) { s.tail = `<div class="card"><h3><a href="/p/x">Lamp` },
		"between two":     func(s *shelf) { s.few, s.tail = 5, "</div>" },
	} {
		t.Run(name, func(t *testing.T) {
			observe(t, false, func(o *watching) {
				defer o.Work()()
				s := &shelf{form: "cell"}
				site := demo.Site{Name: "cell", Title: "Lamps", Base: strings.TrimSuffix(o.Serve(s), "/")}
				watch := o.Add(site, o.Propose(site))
				o.MustVisit(watch)
				at := o.Sequence()
				s.Set(func(*workers.Board) { s.dear = 5; cut(s) })
				for range 3 {
					if run := o.Visit(watch); run.State != curlew.RunFailed || !strings.Contains(run.Summary, "cut off") {
						t.Errorf("a page that ends %s: %s", name, run.Summary)
					}
				}
				o.Want(at, "watch_error")
			})
		})
	}
}
