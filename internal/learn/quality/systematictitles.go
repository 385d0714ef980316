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

// titleVenueSwapped finds names of places in the titles and names of events in the
// venues. Two signs are needed: what the page calls them, the words of the names,
// and that places recur where events do not.
func (c *judgedSample) titleVenueSwapped() *SystematicError {
	all := slices.DeleteFunc(c.with("venue_name"), func(x *judgedRecord) bool { return !has(x.record, "title") })
	if c.schemaOf() != curlew.SchemaEvent || len(all) < fewest {
		return nil
	}
	housed, venues, named := 0, 0, 0
	for _, x := range all {
		venue := hasWordOf(textOf(x.record, "venue_name"), "place")
		if venue {
			venues++
		} else if hasWordOf(textOf(x.record, "title"), "place") {
			housed++
		}
		if x.titleIsCalledVenue() {
			named++
		}
	}
	signs := 0
	if 2*named > len(all) {
		signs += 2
	}
	if 2*housed > len(all) && 4*venues < len(all) {
		signs++
	}
	if titlesRecur(all) {
		signs++
	}
	if signs < 2 {
		return nil
	}
	e := &SystematicError{Code: TitleVenueSwapped, Severity: SeverityError, Field: "title", Count: max(named, housed), Of: len(all),
		Examples:   []string{},
		Sentence:   fmt.Sprintf("titles and venues are exchanged in %d of %d records", max(named, housed), len(all)),
		Suggestion: "Exchange the rules of title and venue_name."}
	for _, x := range all {
		e.Examples = few(e.Examples, text.OneLine(textOf(x.record, "title"), 40)+" at "+text.OneLine(textOf(x.record, "venue_name"), 40))
	}
	return e
}

// titlesRecur says whether titles recur as places do, and venues do not.
func titlesRecur(all []*judgedRecord) bool {
	titles, places := distinct(all, folded("title")), distinct(all, folded("venue_name"))
	return titles < len(all) && 10*places >= 9*len(all) && 3*titles <= 2*places
}

// titleIsCalledVenue says whether the page calls the title a venue, or makes the
// venue its heading.
func (x *judgedRecord) titleIsCalledVenue() bool {
	if len(x.views) == 0 {
		return false
	}
	blocks, venue, title := x.scope, padded(textOf(x.record, "venue_name")), padded(textOf(x.record, "title"))
	if len(blocks) == 0 {
		blocks = x.views[0].blocks
	}
	if x.called(blocks, "title", x.record.Fields["title"]) == "venue_name" {
		return true
	}
	for i := range blocks {
		if isHeading(blocks[i].node) {
			return blocks[i].words == venue && venue != title // the first heading decides
		}
	}
	return false
}

// isHeading says whether an element is a heading or stands in one.
func isHeading(n *html.Node) bool { return headingOf(n) != nil }

// headingOf is the heading that an element is or stands in.
func headingOf(n *html.Node) *html.Node {
	for depth := 0; n != nil && depth < 3; depth, n = depth+1, n.Parent {
		if len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6' {
			return n
		}
	}
	return nil
}

// headlineAsTitle finds the headline of the list in every title. A play with
// twenty evenings has one title as well, so the records must have names of their
// own, or the title must be that of the whole page with addresses that differ.
func (c *judgedSample) headlineAsTitle() *SystematicError {
	field := c.title()
	all := c.with(field)
	if len(all) < fewest || distinct(all, folded(field)) > 1 {
		return nil
	}
	title := padded(said(all[0].record.Fields[field]))
	own, names := 0, map[string]bool{}
	for _, x := range all {
		if b := x.ownName(title); b != nil {
			own++
			names[b.words] = true
		}
	}
	headline := all[0].pageIsCalled(title)
	apart := distinct(all, exactly("url")) == len(all)
	e := &SystematicError{Code: HeadlineAsTitle, Severity: SeverityError, Field: field, Count: len(all), Of: len(all),
		Examples:   []string{text.OneLine(said(all[0].record.Fields[field]), 80)},
		Sentence:   fmt.Sprintf("all %d records have the same %s, %s", len(all), field, quote(all[0].record.Fields[field])),
		Suggestion: "Take the title from within each record, not from the headline of the list."}
	switch {
	case own*10 >= len(all)*8 && len(names)*10 >= len(all)*8:
		e.Sentence += ", although each shows a name of its own"
		return e
	case headline && apart && len(all[0].scope) == 0:
		e.Sentence += ", which is the headline of the page"
		return e
	case apart && len(all[0].views) == 0 && len(all) > fewest:
		e.Severity = SeverityWarning
		return e
	}
	return nil
}

// ownName is a heading or the text of a link in the part that shows a record,
// other than its title.
func (x *judgedRecord) ownName(title string) *block {
	for i := range x.scope {
		b := &x.scope[i]
		if b.words == title || len(b.words) < 6 || navigation(b.words) {
			continue
		}
		if o := x.views[0].options; len(b.dates(o)) > 0 || len(b.prices(o)) > 0 {
			continue
		}
		if isHeading(b.node) || isLinked(b.node) {
			return b
		}
	}
	return nil
}

// isLinked says whether an element is a link, stands in one or holds one.
func isLinked(n *html.Node) bool {
	for up, depth := n, 0; up != nil && depth < 3; depth, up = depth+1, up.Parent {
		if up.Data == "a" && dom.Attr(up, "href") != "" {
			return true
		}
	}
	found := false
	walk(n, func(e *html.Node) bool {
		found = e.Data == "a" && dom.Attr(e, "href") != ""
		return !found
	})
	return found
}

func (x *judgedRecord) pageIsCalled(title string) bool {
	return len(x.views) > 0 && slices.ContainsFunc(x.views[0].document.Headlines(), func(h string) bool { return padded(h) == title })
}

func (c *judgedSample) navigationAsTitle() *SystematicError {
	field := c.title()
	all := c.with(field)
	count, examples := matching(all, field, func(x *judgedRecord) bool { return navigation(padded(said(x.record.Fields[field]))) })
	if count < 2 || 5*count < len(all) {
		return nil
	}
	e := &SystematicError{Code: NavigationAsTitle, Severity: SeverityWarning, Field: field, Count: count, Of: len(all), Examples: examples,
		Sentence:   fmt.Sprintf("%d of %d titles are words of menus and buttons, such as %s", count, len(all), quote(examples[0])),
		Suggestion: "Read another part of the page: this is its navigation, or the link beside the title."}
	if 2*count >= len(all) {
		e.Severity = SeverityError
	}
	return e
}

// dateAsTitle finds titles that are nothing but a date.
func (c *judgedSample) dateAsTitle() *SystematicError {
	field := c.title()
	all := c.with(field)
	count, examples := matching(all, field, func(x *judgedRecord) bool {
		text := textOf(x.record, field)
		if len(text) > 60 {
			return false
		}
		options := c.options
		if len(x.views) > 0 {
			options = x.views[0].options
		}
		found := dates.Find(text, options)
		return len(found) == 1 && padded(text[:found[0].Begin]) == " " && padded(text[found[0].End:]) == " "
	})
	if count < 2 || 2*count < len(all) {
		return nil
	}
	return &SystematicError{Code: DateAsTitle, Severity: SeverityError, Field: field, Count: count, Of: len(all), Examples: examples,
		Sentence:   fmt.Sprintf("%d of %d titles are dates", count, len(all)),
		Suggestion: "Take the title from the element that names the record, not from its date."}
}

func (c *judgedSample) titlesTruncated() *SystematicError {
	field := c.title()
	all := c.with(field)
	count, examples := matching(all, field, func(x *judgedRecord) bool {
		text := textOf(x.record, field)
		return strings.HasSuffix(text, "…") || strings.HasSuffix(text, "...") || strings.HasSuffix(text, "[…]")
	})
	if count < 2 || 10*count < 3*len(all) {
		return nil
	}
	return &SystematicError{Code: TitlesTruncated, Severity: SeverityWarning, Field: field, Count: count, Of: len(all), Examples: examples,
		Sentence:   fmt.Sprintf("%d of %d titles are cut off", count, len(all)),
		Suggestion: "Take the whole title from the title attribute of the link, or from the record's detail page."}
}

var leftMarkup = text.Pattern(`</?[a-zA-Z][a-zA-Z0-9]*(\s[^<>]*)?/?>|&(amp|nbsp|quot|lt|gt|#\d+|#x[0-9a-fA-F]+);`)

// markupInText finds tags and entities that nobody undid.
func (c *judgedSample) markupInText() *SystematicError {
	for _, field := range []string{c.title(), "description", "summary", "venue_name"} {
		all := c.with(field)
		count, examples := matching(all, field, func(x *judgedRecord) bool { return leftMarkup().MatchString(textOf(x.record, field)) })
		if count < 2 || 2*count < len(all) {
			continue
		}
		return &SystematicError{Code: MarkupInText, Severity: SeverityError, Field: field, Count: count, Of: len(all), Examples: examples,
			Sentence:   fmt.Sprintf("%s has markup or entities in %d of %d records", field, count, len(all)),
			Suggestion: "Read the text of the element, or undo the escaping once more."}
	}
	return nil
}

func (c *judgedSample) descriptionIsTitle() *SystematicError {
	title := c.title()
	for _, field := range []string{"description", "summary", "description_snippet", "text"} {
		all := c.with(field)
		count, examples := matching(all, field, func(x *judgedRecord) bool {
			return padded(textOf(x.record, field)) == padded(textOf(x.record, title)) && textOf(x.record, title) != ""
		})
		if count < 2 || 2*count < len(all) {
			continue
		}
		return &SystematicError{Code: DescriptionIsTitle, Severity: SeverityWarning, Field: field, Count: count, Of: len(all), Examples: examples,
			Sentence:   fmt.Sprintf("%s repeats the %s in %d of %d records", field, title, count, len(all)),
			Suggestion: fmt.Sprintf("Take the %s from another element, or leave it out.", field)}
	}
	return nil
}
