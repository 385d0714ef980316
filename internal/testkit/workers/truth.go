package workers

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/normalise"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/web/urls"
)

// Feasible are the sites of the sample web that can be read without a browser.
func Feasible(web *demo.Web) []demo.Site {
	return slices.DeleteFunc(web.Sites(), func(s demo.Site) bool {
		return s.Schema == "" || slices.Contains([]string{"spa", "trap", "blog", "menu", "rude"}, s.Name)
	})
}

// Agreement compares what we know of a site with what is true of it, field by field.
func (o *Watching) Agreement(site demo.Site, watch curlew.Watch) (right, all int, wrong []string) {
	o.Helper()
	truth, err := o.Web.Truth(site.Name)
	if err != nil {
		o.Fatal(err)
	}
	entities, err := o.Store.Org(curlew.DefaultOrg).Entities().Sighted(o.Context(), watch.ID)
	if err != nil {
		o.Fatal(err)
	}
	names := map[string]int{} // how many things have the same page
	for _, want := range truth {
		names[urls.Key(want.URL)]++
	}
	byKey := map[string][]curlew.Entity{} // talks of one name may begin at once, in two tables
	for _, e := range entities {
		key := KeyOf(e.URL, e.Fields, names)
		byKey[key] = append(byKey[key], e)
	}
	for _, want := range truth {
		key := KeyOf(want.URL, want.Fields, names)
		var e curlew.Entity
		found := len(byKey[key]) > 0
		if found {
			best := closest(byKey[key], want.Fields)
			e = byKey[key][best]
			byKey[key] = slices.Delete(byKey[key], best, best+1)
		}
		for _, name := range site.Fields {
			value, shown := want.Fields[name]
			if !shown {
				continue
			}
			all++
			if found && Alike(name, e.Fields, value) {
				right++
			} else {
				wrong = append(wrong, fmt.Sprintf("%s %s: %.60q, want %.60q", want.ExternalID, name, fmt.Sprint(e.Fields[name]), fmt.Sprint(value)))
			}
		}
	}
	for key, rest := range byKey {
		for _, e := range rest {
			all++
			wrong = append(wrong, fmt.Sprintf("there is no %s: %s %.300v", key, e.URL, e.Fields))
		}
	}
	return right, all, wrong
}

// closest is the entity that agrees with most of what is wanted.
func closest(entities []curlew.Entity, want curlew.Values) int {
	best, most := 0, -1
	for i, e := range entities {
		n := 0
		for name, value := range want {
			if Alike(name, e.Fields, value) {
				n++
			}
		}
		if n > most {
			best, most = i, n
		}
	}
	return best
}

// KeyOf names a thing by its page, or where pages have many by its title and start.
func KeyOf(address string, fields curlew.Values, names map[string]int) string {
	if key := urls.Key(address); names[key] == 1 {
		return key
	}
	title, _ := cmp.Or(fields["title"], fields["name"]).(string)
	start, _ := fields["starts_at"].(string)
	return strings.ToLower(text.Collapse(title)) + " " + start[:min(len(start), len(clock))]
}

// Alike compares a field with what is true of it. Kinds of employment and phone
// numbers have one spelling in Curlew, whatever the site's; the text of an article
// begins with its standfirst where the page shows one above it.
func Alike(name string, fields curlew.Values, want any) bool {
	got := fields[name]
	switch name {
	case "employment_type", "phone":
		schema := map[string]curlew.SchemaName{"employment_type": curlew.SchemaJob, "phone": curlew.SchemaOrganization}[name]
		draft := curlew.Draft{Schema: schema, Fields: curlew.Values{"title": "x", "name": "x", name: want}}
		record, _ := normalise.Record(draft, normalise.Context{})
		want = record.Fields[name]
	case "remote": // no is as good as silence
		if got == false {
			got = nil
		}
	case "text":
		if text, ok := got.(string); ok {
			got = strings.TrimSpace(strings.TrimPrefix(text, fmt.Sprint(fields["summary"])))
		}
	}
	return equal(got, want)
}

func equal(got, want any) bool {
	g, _ := json.Marshal(got)
	w, _ := json.Marshal(want)
	if string(g) == string(w) {
		return true
	}
	var a, b any
	_ = json.Unmarshal(g, &a)
	_ = json.Unmarshal(w, &b)
	if x, ok := a.(string); ok {
		if y, ok := b.(string); ok {
			sameText := text.Collapse(x) == text.Collapse(y)
			return sameText || sameMoment(x, y) || urls.Key(x) == urls.Key(y) && strings.HasPrefix(x, "http")
		}
	}
	return reflect.DeepEqual(a, b)
}

// clock is a time as pages show it that do not say of which zone.
const clock = "2006-01-02T15:04:05"

func sameMoment(a, b string) bool {
	if _, err := time.Parse(clock, a); err == nil {
		return strings.HasPrefix(b, a)
	}
	x, errX := time.Parse(time.RFC3339, a)
	y, errY := time.Parse(time.RFC3339, b)
	return errX == nil && errY == nil && x.Equal(y)
}

// LeastTrue is the share of fields that must be right.
const LeastTrue = 0.98
