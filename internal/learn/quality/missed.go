package quality

import (
	"fmt"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"golang.org/x/net/html"
)

// missed are values that the part of the page about a record shows and that no
// field has: a price, a date, a time of day, an end, a link, a picture. A whole
// page shows too much that is about other things, so only parts are searched.
func (x *judgedRecord) missed() []Issue {
	if len(x.scope) == 0 {
		return nil
	}
	var issues []Issue
	note := func(field, value, what string) {
		if _, known := x.schema.Field(field); !known || value == "" {
			return
		}
		issues = append(issues, Issue{Kind: IssueMissed, Field: field, Expected: text.OneLine(value, 120),
			Sentence: fmt.Sprintf("the page shows %s %s, but there is no %s", what, quote(value), field)})
	}
	if !x.hasType(curlew.TypeMoney) {
		note(moneyField(x.record.Schema), x.pricedAlone(), "the price")
	}
	x.missedDates(note)
	node := x.views[0].document.At(x.node)
	if node == nil {
		return issues
	}
	if !has(x.record, "url") {
		note("url", onlyLink(x.views[0].document, node), "the link")
	}
	if !has(x.record, "image_url") {
		note("image_url", onlyPicture(x.views[0].document, node), "the picture")
	}
	return issues
}

// pricedAlone is the first price that is most of its block: a sum in running text
// is part of a story.
func (x *judgedRecord) pricedAlone() string {
	for i := range x.scope {
		b := &x.scope[i]
		for _, p := range b.prices(x.views[0].options) {
			if 3*(p.End-p.Begin) >= len(b.text) {
				return b.text[p.Begin:p.End]
			}
		}
	}
	return ""
}

func (x *judgedRecord) hasType(t curlew.FieldType) bool {
	return slices.ContainsFunc(x.schema.Fields, func(f curlew.Field) bool { return f.Type == t && has(x.record, f.Name) })
}

func moneyField(schema curlew.SchemaName) string {
	switch schema {
	case curlew.SchemaEvent:
		return "price_min"
	case curlew.SchemaJob:
		return "salary_min"
	}
	return "price"
}

func (x *judgedRecord) missedDates(note func(field, value, what string)) {
	when, ok := dated[x.record.Schema]
	if !ok {
		return
	}
	found, text := x.bestDate()
	if text == "" {
		return
	}
	start := textOf(x.record, when.field)
	switch {
	case start == "":
		note(when.field, text, "the date")
	case !when.timed || len(start) < len("2006-01-02") || !strings.HasPrefix(found.Start.Format("2006-01-02"), start[:10]):
	case !strings.Contains(start, "T") && found.TimeKnown && !wholeDay(x.record):
		note(when.field, text, "the time of day in")
	case !found.Date.End.IsZero() && found.Date.End.After(found.Start) && !has(x.record, "ends_at"):
		note("ends_at", text, "an end in")
	}
}

// bestDate is the first date where the record stands, with a time of day if one
// has it.
func (x *judgedRecord) bestDate() (best dates.Occurrence, text string) {
	for i := range x.scope {
		b := &x.scope[i]
		for _, f := range b.dates(x.views[0].options) {
			if !writesDay(b.text[f.Begin:f.End], f.Start.Day()) {
				continue // a weekday, which may be of any week
			}
			if text == "" || f.TimeKnown && !best.TimeKnown && f.Start.Format("2006-01-02") == best.Start.Format("2006-01-02") {
				best, text = f, b.text[f.Begin:f.End]
			}
		}
	}
	return best, text
}

// onlyLink is the address that all links of a part lead to, if it is one.
func onlyLink(d *dom.Document, node *html.Node) string {
	only := ""
	walk(node, func(n *html.Node) bool {
		if n.Data != "a" {
			return true
		}
		address := d.Resolve(dom.Attr(n, "href"))
		if address == "" || strings.HasPrefix(dom.Attr(n, "href"), "#") {
			return true
		}
		if only != "" && only != address {
			only = ""
			return false
		}
		only = address
		return true
	})
	return only
}

// onlyPicture is the only picture of a part, unless it is decoration.
func onlyPicture(d *dom.Document, node *html.Node) string {
	only, n := "", 0
	walk(node, func(e *html.Node) bool {
		if e.Data != "img" {
			return true
		}
		if address := d.Resolve(dom.Attr(e, "src")); address != "" && !decorative(address) {
			only, n = address, n+1
		}
		return n < 2
	})
	if n != 1 {
		return ""
	}
	return only
}

// walk visits the elements below a node until told to stop.
func walk(root *html.Node, visit func(*html.Node) bool) {
	n := root
	for n != nil {
		if n.Type == html.ElementNode && !visit(n) {
			return
		}
		if n.FirstChild != nil {
			n = n.FirstChild
			continue
		}
		for n != root && n.NextSibling == nil {
			n = n.Parent
			if n == nil {
				return
			}
		}
		if n == root {
			return
		}
		n = n.NextSibling
	}
}
