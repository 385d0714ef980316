package extract

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// merging is how what one tier says is joined with what another says.
type merging struct {
	preferred map[string]bool                                             // fields in which the other tier is right
	shown     func(schema curlew.SchemaName, name string, value any) bool // whether the page shows a value
}

// complete fills the readings of one tier with what another tier says of the same
// things, field by field, and keeps what the two say differently as rivals. What
// only the other tier knows is left out: it may be a box of related things. Where the
// other tier is preferred in a field, what was there becomes the rival.
func (m merging) complete(into, from []ReadRecord) {
	partners := map[string]int{}
	for i, r := range from {
		if r.Main && len(into) == 1 && into[0].Main && m.preferred != nil { // both are what the page is about
			m.fill(&into[0].Record, r.Record)
			return
		}
		for _, key := range sameness(r.Record) {
			if _, taken := partners[key]; !taken {
				partners[key] = i
			}
		}
	}
	for i := range into {
		for _, key := range sameness(into[i].Record) {
			if j, found := partners[key]; found {
				m.fill(&into[i].Record, from[j].Record)
				break
			}
		}
	}
}

// sameness gives the keys by which two readings are known to be of one thing, the
// surest first.
func sameness(r curlew.Record) []string {
	var keys []string
	day, _ := r.Fields["starts_at"].(string)
	if len(day) > len(time.DateOnly) {
		day = day[:len(time.DateOnly)]
	}
	if address, ok := r.Fields["url"].(string); ok && address != "" {
		keys = append(keys, "url "+strings.TrimSuffix(address, "/")+" "+day)
	}
	for _, name := range []string{"title", "name"} {
		if title, ok := r.Fields[name].(string); ok && title != "" {
			keys = append(keys, "title "+text.Letters(title)+" "+day)
		}
	}
	return keys
}

// of names the field that a field is a detail of: the one is worth nothing without
// the other, and must come from the same place.
var of = map[string]string{"time_known": "starts_at", "all_day": "starts_at", "timezone": "starts_at", "recurrence": "starts_at"}

// fill takes from other what r lacks.
func (m merging) fill(r *curlew.Record, other curlew.Record) {
	names := slices.Sorted(maps.Keys(other.Fields))
	moreExact := exacter(other.Fields["starts_at"], r.Fields["starts_at"])
	for _, name := range names {
		_, has := r.Fields[name]
		subject := name
		if owner := of[name]; owner != "" {
			subject = owner
		}
		switch {
		case m.preferred[name]:
			prefer(r, other, name)
		case subject == "starts_at" && (moreExact || r.Fields["starts_at"] == nil), !has && subject == name:
			take(r, other, name)
		case !has || of[name] != "":
		default:
			m.compare(r, other, name)
		}
	}
}

// compare keeps whether another tier says the same of a field, or what it says instead.
func (m merging) compare(r *curlew.Record, other curlew.Record, name string) {
	had, value := r.Fields[name], other.Fields[name]
	switch {
	case agree(had, value):
		second(r, name)
	case !comparable(name):
	case name == "price" && !m.shown(r.Schema, name, had) && m.shown(r.Schema, name, value):
		prefer(r, other, name) // nobody is charged what the page does not show
	default:
		contradict(r, other, name, value)
	}
}

func take(r *curlew.Record, other curlew.Record, name string) {
	r.Fields[name] = other.Fields[name]
	if evidence, ok := other.Provenance[name]; ok {
		r.Provenance[name] = evidence
	}
}

// second keeps that another tier says the same.
func second(r *curlew.Record, name string) {
	if evidence, ok := r.Provenance[name]; ok {
		evidence.Agreed++
		r.Provenance[name] = evidence
	}
}

// prefer takes a value in the place of another, which it keeps as a rival.
func prefer(r *curlew.Record, other curlew.Record, name string) {
	had, has := r.Fields[name]
	if has && reflect.DeepEqual(had, other.Fields[name]) {
		second(r, name)
		return
	}
	was := r.Provenance[name]
	take(r, other, name)
	if has && text.Letters(fmt.Sprint(had)) != text.Letters(fmt.Sprint(other.Fields[name])) {
		contradict(r, curlew.Record{Provenance: map[string]curlew.Evidence{name: was}}, name, had)
	}
}

// exacter says whether a is b with the time of day, which b lacks.
func exacter(a, b any) bool {
	x, _ := a.(string)
	y, _ := b.(string)
	return len(y) == len(time.DateOnly) && len(x) > len(y) && strings.HasPrefix(x, y)
}

// comparable says whether two different values of a field are a contradiction:
// descriptions and pictures differ in length and size without one being wrong.
func comparable(name string) bool {
	return !slices.Contains([]string{"description", "image_url", "text", "markdown", "summary", "description_snippet", "position", "slots",
		"section", "category"}, name)
}

func agree(a, b any) bool {
	x, isText := a.(string)
	y, isText2 := b.(string)
	if isText && isText2 {
		if exacter(x, y) || exacter(y, x) {
			return true
		}
		p, q := text.Letters(x), text.Letters(y)
		return p == q || len(p) > 3 && len(q) > 3 && (strings.Contains(p, q) || strings.Contains(q, p))
	}
	return reflect.DeepEqual(a, b) || fmt.Sprint(a) == fmt.Sprint(b)
}

// mostRivals bounds how many other voices are kept for a field.
const mostRivals = 5

func contradict(r *curlew.Record, other curlew.Record, name string, value any) {
	evidence, ok := r.Provenance[name]
	if !ok || len(evidence.Rivals) >= mostRivals {
		return
	}
	says := other.Provenance[name]
	rival := curlew.Rival{Value: curlew.ValueText(value), Tier: says.Tier, Rule: says.Rule}
	if !slices.Contains(evidence.Rivals, rival) {
		evidence.Rivals = append(slices.Clone(evidence.Rivals), rival)
	}
	r.Provenance[name] = evidence
}
