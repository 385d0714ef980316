package syndicate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text/money"
)

// name is what people call the subject.
func (s subject) name() string {
	for _, field := range []string{s.kind.Title, "title", "name"} {
		if text := line(plain(s.fields[field]), titleLength); text != "" {
			return text
		}
	}
	return cmp.Or(line(s.outside, titleLength), line(s.url, titleLength), string(s.entity), "something")
}

// noun is what the subject is.
func (s subject) noun() string {
	switch s.schema {
	case curlew.SchemaJob:
		return "vacancy"
	case "":
		return "entry"
	}
	return line(string(s.schema), 40)
}

// headline is the title of an entry: "Price of X: 29.99 → 24.99 EUR".
func (i item) headline() string {
	name := i.subject.name()
	if i.change == nil {
		switch {
		case i.subject.status == curlew.EntityRemoved:
			return "Gone: " + name
		case i.subject.fields["status"] == "cancelled":
			return "Cancelled: " + name
		}
		return name
	}
	reason := line(i.payload.Reason, titleLength)
	switch i.change.Kind {
	case curlew.EntityAppeared:
		return "New " + i.subject.noun() + ": " + name
	case curlew.EntityChanged, curlew.PositionChanged:
		return i.changed(name)
	case curlew.EntityDisappeared:
		return "Gone: " + name
	case curlew.EntityWentStale:
		return "Stale: " + name
	case curlew.WatchFailed:
		return "Watch failed" + after(reason)
	case curlew.SourceBroken:
		return "Source broken" + after(reason)
	case curlew.SourceHealed:
		return "Source healed" + after(reason)
	case curlew.QualityDropped:
		return "Quality dropped" + after(reason)
	case curlew.SourcePaused:
		return "Source paused" + after(reason)
	case curlew.SourceResumed:
		return "Source resumed" + after(reason)
	}
	return line(curlew.CodeWords(i.change.Kind), titleLength) + after(reason)
}

func after(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}

// changed tells the change that matters most, and how many others there are.
func (i item) changed(name string) string {
	all := slices.Clone(i.payload.Changes)
	slices.SortStableFunc(all, func(a, b curlew.FieldChange) int { return weight(a.Field) - weight(b.Field) })
	if len(all) == 0 {
		return "Changed: " + name
	}
	text := i.fieldChange(name, all[0])
	switch n := len(all) - 1; {
	case n == 1:
		text += ", and one more change"
	case n > 1:
		text += fmt.Sprintf(", and %d more changes", n)
	}
	return text
}

// weighty are the fields that people ask about first.
var weighty = []string{"status", "starts_at", "price", "price_min", "salary_min", "availability", "ends_at", "price_max", "salary_max",
	"venue_name", "city", "title", "name", "price_was", "valid_through", "position"}

// weight sorts a field among those that changed; the currency comes with its amount.
func weight(field string) int {
	if i := slices.Index(weighty, field); i >= 0 {
		return i
	}
	if field == "currency" || isLong(field) {
		return 1000
	}
	return 100
}

func isLong(field string) bool {
	f, _ := curlew.SchemaArticle.Kind().Field(field)
	return f.Type == curlew.TypeLong
}

// fieldChange says one change in words.
func (i item) fieldChange(name string, c curlew.FieldChange) string {
	label := label(c.Field)
	was, is := i.before(c), i.display(c.Field, c.New)
	switch {
	case i.subject.typeOf(c.Field) == curlew.TypeLong:
		return label + " of " + name + " changed"
	case c.Old == nil:
		return label + " of " + name + ": now " + brief(is, 80)
	case c.New == nil:
		return label + " of " + name + ": no longer given (was " + brief(i.display(c.Field, c.Old), 80) + ")"
	case c.Field == "title" || c.Field == "name":
		return label + " changed: " + brief(was, 80) + " → " + brief(is, 80)
	}
	return label + " of " + name + ": " + brief(was, 80) + " → " + brief(is, 80)
}

// before is the old value; an amount leaves the currency to the new one beside it.
func (i item) before(c curlew.FieldChange) string {
	was := i.display(c.Field, c.Old)
	if n, ok := units(c.Old); ok && c.New != nil && i.subject.typeOf(c.Field) == curlew.TypeMoney && !i.currencyChanged() {
		return money.Major(n, i.currency())
	}
	return was
}

func (i item) currencyChanged() bool {
	return slices.ContainsFunc(i.payload.Changes, func(c curlew.FieldChange) bool { return c.Field == "currency" })
}

func (i item) currency() string {
	code := i.subject.fields.Currency()
	if len(code) != 3 || strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return ""
	}
	return code
}

// display is a value for people, on one line.
func (i item) display(field string, value any) string {
	switch t := i.subject.typeOf(field); {
	case value == nil:
		return "nothing"
	case t == curlew.TypeMoney:
		if n, ok := units(value); ok {
			return money.Shown(n, i.currency())
		}
	case t == curlew.TypeBool:
		if value == true {
			return "yes"
		}
		return "no"
	case t == curlew.TypeChoice:
		return line(strings.ReplaceAll(plain(value), "_", " "), valueLength)
	case t.Dated():
		if w, ok := parseWhen(plain(value)); ok {
			return w.words()
		}
	}
	return line(plain(value), valueLength)
}

// label is a field's name for people.
func label(field string) string {
	switch field {
	case "starts_at":
		return "Start"
	case "ends_at":
		return "End"
	case "price_min":
		return "Lowest price"
	case "price_max":
		return "Highest price"
	case "price_was":
		return "Old price"
	case "salary_min":
		return "Lowest salary"
	case "salary_max":
		return "Highest salary"
	case "url", "gtin", "sku", "mpn":
		return strings.ToUpper(field)
	}
	text := strings.TrimSuffix(strings.TrimSuffix(line(curlew.FieldLabel(field), 60), "_at"), "_url")
	text = strings.ReplaceAll(text, "_", " ")
	if text == "" {
		return "Field"
	}
	first := []rune(text)
	return strings.ToUpper(string(first[:1])) + string(first[1:])
}

// shortText says in a sentence or two what an entry is about.
func (i item) shortText() string {
	if i.change != nil {
		if n := len(i.payload.Changes); n > 1 {
			var all []string
			for _, c := range i.payload.Changes {
				all = append(all, label(c.Field)+": "+brief(i.before(c), 80)+" → "+brief(i.display(c.Field, c.New), 80))
			}
			return brief(strings.Join(all, "; "), summaryLength)
		}
		if i.payload.Reason != "" {
			return line(i.payload.Reason, summaryLength)
		}
	}
	var parts []string
	for _, field := range []string{"starts_at", "venue_name", "city", "price", "availability", "company", "location", "published_at", "date"} {
		if value := i.subject.fields[field]; value != nil {
			parts = append(parts, brief(i.display(field, value), 120))
		}
	}
	for _, field := range []string{"summary", "description_snippet", "description", "text"} {
		if text := line(plain(i.subject.fields[field]), 300); text != "" {
			parts = append(parts, text)
			break
		}
	}
	return brief(strings.Join(parts, " · "), summaryLength)
}
