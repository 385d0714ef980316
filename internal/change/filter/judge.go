package filter

import (
	"fmt"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
)

// truth knows a third answer: a question about a field that is not there is
// neither answered with yes nor with no, so that "not" cannot turn a missing
// price into a match.
type truth int8

const (
	no truth = iota
	unknown
	yes
)

type verdict struct {
	holds truth
	why   string
}

func (f *Filter) judge(x Expr, e *ChangeView) verdict {
	switch {
	case x.Not != nil:
		v := f.judge(*x.Not, e)
		return verdict{yes - v.holds, v.why}
	case len(x.All) > 0:
		return f.together(x.All, e, no)
	case len(x.Any) > 0:
		return f.together(x.Any, e, yes)
	}
	return f.test(x, e)
}

// maxReasons is how many parts a reason lists before it says "and so on".
const maxReasons = 4

// together joins parts, of which a single one can decide: a "no" among all, a
// "yes" among any.
func (f *Filter) together(parts []Expr, e *ChangeView, decisive truth) verdict {
	open := false
	var reasons []string
	missing := ""
	for _, part := range parts {
		v := f.judge(part, e)
		switch v.holds {
		case decisive:
			return v
		case unknown:
			open = true
			if missing == "" {
				missing = v.why
			}
		}
		if len(reasons) < maxReasons {
			reasons = append(reasons, v.why)
		}
	}
	if open {
		return verdict{unknown, missing}
	}
	return verdict{yes - decisive, strings.Join(reasons, "; ")}
}

// say builds a verdict whose reason fits its answer.
func say(holds bool, yesFormat, noFormat string, args ...any) verdict {
	if holds {
		return verdict{yes, fmt.Sprintf(yesFormat, args...)}
	}
	return verdict{no, fmt.Sprintf(noFormat, args...)}
}

func (f *Filter) typeOf(e *ChangeView, name string) curlew.FieldType {
	if t, ok := e.types[name]; ok || e.payload.Entity == nil {
		return t
	}
	field, _ := f.kinds.Kind(e.payload.Entity.Schema).Find(name)
	if field.Type == curlew.TypeDate {
		return curlew.TypeTime
	}
	return field.Type
}

// nameIn is what a change calls a field: by its name, or by one that it had.
func (f *Filter) nameIn(e *ChangeView, name string) string {
	if e.payload.Entity == nil {
		return name
	}
	field, _ := f.kinds.Kind(e.payload.Entity.Schema).Find(name)
	for _, called := range append([]string{name}, field.Names()...) {
		_, changed := e.changes[called]
		if _, has := e.payload.Entity.Fields[called]; has || changed {
			return called
		}
	}
	return name
}

func (f *Filter) test(x Expr, e *ChangeView) verdict {
	if e.payload.Entity == nil && !isOwn(x.Field) {
		return verdict{unknown, "the change is about no entity"}
	}
	x.Field = f.nameIn(e, x.Field)
	switch x.Test {
	case Changed, Became, Was, Increased, Decreased, FallsBelow, RisesAbove, Gains, Loses:
		return f.testChange(x, e)
	}
	v := e.value(x.Field)
	switch x.Test {
	case IsSet:
		return say(v != nil, "%s is set", "%s is missing", x.Field)
	case IsMissing:
		return say(v == nil, "%s is missing", "%s is set", x.Field)
	}
	if v == nil {
		return verdict{unknown, x.Field + " is missing"}
	}
	q := question{x.Field, f.typeOf(e, x.Field), e}
	switch x.Test {
	case Contains, StartsWith, EndsWith:
		return q.text(x, v)
	case Equals, In:
		return q.equalsAny(v, x.Values)
	case Differs:
		w := q.equalsAny(v, x.Values)
		return verdict{yes - w.holds, w.why}
	case Within, WithinLast:
		return q.within(x, v)
	}
	return q.ordered(x, v)
}

// question is what is asked about a field of an event.
type question struct {
	field string
	kind  curlew.FieldType
	event *ChangeView
}

func (q question) text(x Expr, v any) verdict {
	wanted := q.event.foldOnce(x.Values[0].Text)
	fits := map[Test]func(s, part string) bool{Contains: strings.Contains, StartsWith: strings.HasPrefix, EndsWith: strings.HasSuffix}[x.Test]
	words := map[Test]string{Contains: "contains", StartsWith: "starts with", EndsWith: "ends with"}[x.Test]
	for _, s := range texts(v) {
		if fits(q.event.foldOnce(s), wanted) {
			return verdict{yes, fmt.Sprintf("%s %s %q", q.field, words, x.Values[0].Text)}
		}
	}
	return verdict{no, fmt.Sprintf("no %s %s %q", q.field, words, x.Values[0].Text)}
}

// texts are the texts of a value: its own, or those of its parts.
func texts(v any) []string {
	switch v := v.(type) {
	case []any:
		var all []string
		for _, part := range v {
			all = append(all, plain(part))
		}
		return all
	case map[string]any:
		var all []string // any of them will do, so their order does not matter
		for _, part := range v {
			all = append(all, plain(part))
		}
		return all
	}
	return []string{plain(v)}
}

// equalsAny says whether a value, or a part of a list, is one of those wanted.
func (q question) equalsAny(v any, wanted []Literal) verdict {
	parts, isList := v.([]any)
	if !isList {
		parts = []any{v}
	}
	result := verdict{no, fmt.Sprintf("%s is %s", q.field, q.show(v))}
	for _, part := range parts {
		for _, l := range wanted {
			holds, why := q.equal(part, l)
			if holds == yes {
				return verdict{yes, fmt.Sprintf("%s is %s", q.field, q.show(part))}
			}
			if holds == unknown {
				result = verdict{unknown, why}
			}
		}
	}
	return result
}

func (q question) equal(v any, l Literal) (truth, string) {
	if l.Kind == LiteralText || l.Kind == LiteralNumber {
		if order, why, ok := q.compare(v, l); ok {
			return truthOf(order == 0), ""
		} else if why != "" {
			return unknown, why
		}
	}
	return truthOf(q.event.foldOnce(plain(v)) == q.event.foldOnce(l.Text)), ""
}

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

func (q question) ordered(x Expr, v any) verdict {
	order, why, ok := q.compare(v, x.Values[0])
	if !ok {
		if why == "" {
			why = fmt.Sprintf("%s is %s, which cannot be compared", q.field, q.show(v))
		}
		return verdict{unknown, why}
	}
	holds := map[Test]bool{Below: order < 0, AtMost: order <= 0, Above: order > 0, AtLeast: order >= 0}[x.Test]
	return verdict{truthOf(holds), fmt.Sprintf("%s is %s", q.field, q.show(v))}
}

func (q question) within(x Expr, v any) verdict {
	m, ok := parseMoment(plain(v))
	if !ok {
		return verdict{unknown, fmt.Sprintf("%s is no time", q.field)}
	}
	now, length := q.event.change.OccurredAt, parseSpan(x.Values[0].Text)
	from, to := now, now.Add(length)
	if x.Test == WithinLast {
		from, to = now.Add(-length), now
	}
	return verdict{truthOf(m.between(from, to)), fmt.Sprintf("%s is %s", q.field, q.show(v))}
}
