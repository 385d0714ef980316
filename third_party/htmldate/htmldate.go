// Package htmldate stands in for the library of this name, of which go-trafilatura
// needs the types and Curlew nothing: Curlew reads dates itself and switches that
// part of go-trafilatura off. The library loads tables of two hundred languages when
// a program starts, which costs every command a quarter of a second and 80 MB.
// See docs/decisions/0013-a-stand-in-for-htmldate.md.
package htmldate

import (
	"errors"
	"time"

	"golang.org/x/net/html"
)

// Options are those that go-trafilatura sets.
type Options struct {
	UseOriginalDate     bool
	SkipExtensiveSearch bool
	URL                 string
}

// Result is a date as the library tells it.
type Result struct {
	DateTime    time.Time
	HasTime     bool
	HasTimezone bool
	SrcString   string
}

// IsZero says whether there is no date.
func (r Result) IsZero() bool { return r.DateTime.IsZero() }

var errStandIn = errors.New("this stand-in finds no dates")

// FromDocument finds nothing.
func FromDocument(*html.Node, Options) (Result, error) { return Result{}, errStandIn }
