// Package filter decides whether a change event is one that a subscriber wants.
//
// A filter is an expression such as
//
//	city = "Kraków" and (price decreased by 5% or availability became "in_stock")
//
// which can be written as text or built as a JSON tree; both say the same and turn
// into each other. It is checked when it is saved, against the fields of the schemas,
// and every problem is told with its place.
//
// The package is pure: the only time it knows is that of the change. There are no
// patterns to match, no loops and no functions, so an expression costs what it is
// long. docs/filters.md tells people how to write one.
package filter

import (
	"github.com/curlew-data/curlew/internal/curlew"
)

const (
	maxLength = 4 << 10 // bytes of an expression as text
	maxJSON   = 4 * maxLength
	maxDepth  = 32 // expressions within expressions
)

// Filter is a checked expression. It is safe for concurrent use.
type Filter struct {
	expr  Expr
	kinds curlew.Kinds // whose types values have, besides the built-in ones
}

// Compile reads an expression. When schemas are given, every field must be one of
// theirs and every test must fit its field; without, only the language is checked,
// so that a filter that was saved once keeps working. An empty expression wants
// everything.
func Compile(text string, schemas ...curlew.Schema) (*Filter, error) {
	expr, err := Parse(text)
	if err != nil {
		return nil, err
	}
	return compile(expr, text, schemas)
}

// CompileExpr is Compile for an expression that was built as a tree. Problems point
// into its text form.
func CompileExpr(expr Expr, schemas ...curlew.Schema) (*Filter, error) {
	return Compile(expr.String(), schemas...)
}

func compile(expr Expr, text string, schemas []curlew.Schema) (*Filter, error) {
	f := &Filter{expr: expr, kinds: schemas}
	if len(schemas) > 0 {
		if err := expr.check(text, schemas); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// Knowing is the filter with kinds whose fields it may be asked about.
func (f *Filter) Knowing(kinds curlew.Kinds) *Filter { return &Filter{expr: f.expr, kinds: kinds} }

// String writes the expression in its one canonical spelling.
func (f *Filter) String() string { return f.expr.String() }

// Matches says whether the change is wanted, and why or why not in a few words.
func (f *Filter) Matches(c curlew.Change) (bool, string) {
	event, err := Read(c)
	if err != nil {
		return f.expr.Empty(), "the change cannot be read"
	}
	return f.Wants(event)
}

// Admits is Matches for subscribers: a change about no entity, such as a source that broke, is
// wanted unless the filter rules it out. What a filter asks about entities says nothing about it.
func (f *Filter) Admits(c curlew.Change) (bool, string) {
	event, err := Read(c)
	if err != nil || event.payload.Entity != nil || f.expr.Empty() {
		return f.Matches(c)
	}
	v := f.judge(f.expr, event)
	return v.holds != no, v.why
}

// Wants is Matches for a change that was read once for many filters.
func (f *Filter) Wants(e *ChangeView) (bool, string) {
	if f.expr.Empty() {
		return true, "everything is wanted"
	}
	v := f.judge(f.expr, e)
	return v.holds == yes, v.why
}
