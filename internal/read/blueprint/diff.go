package blueprint

import (
	"fmt"
	"reflect"
	"strings"
)

// Diff tells in words how one version of a blueprint differs from another.
func Diff(a, b *Blueprint) []string {
	var d differences
	d.text("name", a.Name, b.Name)
	d.text("schema", string(a.Schema), string(b.Schema))
	d.text("page type", string(a.Page), string(b.Page))
	d.text("tier", string(a.Tier), string(b.Tier))
	d.text("sample page", a.URL, b.URL)
	d.text("record selector", recordsInWords(a.Records), recordsInWords(b.Records))
	for _, name := range sortedKeys(merged(a.Fields, b.Fields)) {
		d.field(name, a.Fields, b.Fields)
	}
	d.text("identity", identityInWords(a.Identity), identityInWords(b.Identity))
	d.whole("context", a.Context, b.Context)
	d.whole("request", a.Request, b.Request)
	d.whole("pagination", a.Pagination, b.Pagination)
	d.follow(a.Follow, b.Follow)
	d.whole("fields of the reader of articles", a.Article, b.Article)
	d.whole("expectations", a.Expect, b.Expect)
	return d
}

type differences []string

func (d *differences) add(format string, args ...any) { *d = append(*d, fmt.Sprintf(format, args...)) }

func (d *differences) text(what, a, b string) {
	switch {
	case a == b:
	case a == "":
		d.add("%s added: %s", what, b)
	case b == "":
		d.add("%s removed: %s", what, a)
	default:
		d.add("%s changed from %s to %s", what, a, b)
	}
}

func (d *differences) whole(what string, a, b any) {
	missing := func(v any) bool { return reflect.ValueOf(v).IsNil() }
	switch {
	case reflect.DeepEqual(a, b):
	case missing(a):
		d.add("%s added", what)
	case missing(b):
		d.add("%s removed", what)
	default:
		d.add("%s changed", what)
	}
}

func (d *differences) field(name string, before, after map[string]FieldRules) {
	a, was := before[name]
	b, is := after[name]
	switch {
	case !was:
		d.add("field %s added: %s", name, rulesInWords(b.Rules))
		return
	case !is:
		d.add("field %s removed", name)
		return
	}
	if old, current := rulesInWords(a.Rules), rulesInWords(b.Rules); old != current {
		d.add("field %s changed from %s to %s", name, old, current)
	} else if !reflect.DeepEqual(a.Rules, b.Rules) {
		d.add("field %s changed in the details of %s", name, current)
	}
	if a.Required != b.Required {
		d.add("field %s is %srequired now", name, no(b.Required))
	}
	if a.Many != b.Many {
		d.add("field %s is %sa list now", name, no(b.Many))
	}
}

func (d *differences) follow(a, b []Follow) {
	before, after := map[string]*Blueprint{}, map[string]*Blueprint{}
	for _, f := range a {
		before[f.Field] = f.With
	}
	for _, f := range b {
		after[f.Field] = f.With
	}
	for _, name := range sortedKeys(merged(before, after)) {
		switch was, is := before[name], after[name]; {
		case was == nil:
			d.add("follows %s", name)
		case is == nil:
			d.add("no longer follows %s", name)
		default:
			for _, line := range Diff(was, is) {
				d.add("behind %s: %s", name, line)
			}
		}
	}
}

func no(is bool) string {
	if is {
		return ""
	}
	return "not "
}

func merged[V any](a, b map[string]V) map[string]V {
	all := map[string]V{}
	for k, v := range a {
		all[k] = v
	}
	for k, v := range b {
		all[k] = v
	}
	return all
}

func recordsInWords(s *Selector) string {
	if s == nil {
		return ""
	}
	text := readable(Rule{Selector: *s})
	for _, part := range []struct{ name, value string }{{"shape", string(s.Shape)}, {"until", s.Until}, {"starts", s.Starts}} {
		if part.value != "" {
			text += " " + part.name + " " + part.value
		}
	}
	if len(s.Without) > 0 {
		text += " without " + strings.Join(s.Without, ", ")
	}
	if s.Days != nil {
		text += fmt.Sprintf(" days %d to %d", s.Days.Min, s.Days.Max)
	}
	return text
}

func rulesInWords(rules []Rule) string {
	all := make([]string, len(rules))
	for i, r := range rules {
		all[i] = readable(r)
	}
	return strings.Join(all, ", else ")
}

func identityInWords(i *IdentityFields) string {
	if i == nil {
		return ""
	}
	sets := make([]string, len(i.Fields))
	for j, set := range i.Fields {
		sets[j] = strings.Join(set, " and ")
	}
	return strings.Join(sets, ", else ")
}
