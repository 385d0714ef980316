package quality

import (
	"fmt"
	"net/url"
	"path"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
)

// urlsAreListPage finds records that all lead to the page they were read from,
// although they have links of their own.
func (c *judgedSample) urlsAreListPage() *SystematicError {
	all := c.with("url")
	if len(all) < fewest || distinct(all, exactly("url")) > 1 || distinct(all, folded(c.title())) == 1 {
		return nil
	}
	address := textOf(all[0].record, "url")
	linked, known := 0, 0
	for _, x := range all {
		if len(x.scope) == 0 {
			continue
		}
		known++
		if x.leadsOn(address) {
			linked++
		}
	}
	if known > 0 && linked == 0 {
		return nil // they have no page of their own
	}
	e := &SystematicError{Code: URLsAreListPage, Severity: SeverityError, Field: "url", Count: len(all), Of: len(all),
		Examples:   []string{text.OneLine(address, 100)},
		Sentence:   fmt.Sprintf("all %d records lead to the same page", len(all)),
		Suggestion: "Take the address from the link within each record."}
	if len(all[0].views) > 0 && text.SameURL(address, all[0].views[0].address) {
		e.Sentence += ", the list itself"
	}
	if known == 0 {
		e.Severity = SeverityWarning
	}
	return e
}

// leadsOn says whether the part that shows a record links to another page.
func (x *judgedRecord) leadsOn(address string) bool {
	d, found := x.views[0].document, false
	if node := d.At(x.node); node != nil {
		walk(node, func(n *html.Node) bool {
			if href := dom.Attr(n, "href"); n.Data == "a" && href != "" && !strings.HasPrefix(href, "#") {
				target := d.Resolve(href)
				found = target != "" && !text.SameURL(target, address)
			}
			return !found
		})
	}
	return found
}

var decorations = text.Pattern(`(^|[^a-z])(logo|logos|placeholder|default|no-?image|noimage|no-?photo|spacer|` +
	`blank|dummy|missing|pixel|transparent|avatar|icon|favicon|sprite|loading|lazy)([^a-z]|$)`)

// decorative says whether the name of a picture tells that it shows nothing.
func decorative(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	return u.Scheme == "data" || decorations().MatchString(strings.ToLower(path.Base(u.Path)))
}

// pictureIsDecoration finds the logo or a stand-in where pictures should be. A
// series may share a picture, so an equal picture for all is only a warning, and
// none at all where the things have one name.
func (c *judgedSample) pictureIsDecoration() *SystematicError {
	all := c.with("image_url")
	count, examples := matching(all, "image_url", func(x *judgedRecord) bool { return decorative(textOf(x.record, "image_url")) })
	e := &SystematicError{Code: PictureIsDecoration, Severity: SeverityError, Field: "image_url", Count: count, Of: len(all),
		Examples:   examples,
		Suggestion: "Take the picture from within each record (also from data-src and srcset), or leave it out."}
	switch {
	case count >= 2 && 2*count >= len(all):
		e.Sentence = fmt.Sprintf("%d of %d pictures are a logo or a stand-in by their name", count, len(all))
	case len(all) > fewest && distinct(all, exactly("image_url")) == 1 && distinct(all, folded(c.title())) > 1:
		e.Severity, e.Count, e.Examples = SeverityWarning, len(all), []string{text.OneLine(textOf(all[0].record, "image_url"), 100)}
		e.Sentence = fmt.Sprintf("all %d records have the same picture", len(all))
	default:
		return nil
	}
	return e
}

// organizerPerforms finds the organizer where performers should be: the same name
// in both fields, from the same place of the page.
func (c *judgedSample) organizerPerforms() *SystematicError {
	if c.schemaOf() != curlew.SchemaEvent {
		return nil
	}
	all := c.with("performers")
	count, examples := matching(all, "performers", func(x *judgedRecord) bool {
		names := texts(x.record.Fields["performers"])
		if len(names) != 1 {
			return false
		}
		if x.callsOrganizer(names[0]) {
			return true
		}
		organizer, performer := x.record.Provenance["organizer"], x.record.Provenance["performers"]
		apart := organizer.Rule != "" && performer.Rule != "" && organizer.Rule != performer.Rule
		return !apart && padded(names[0]) == padded(textOf(x.record, "organizer")) && padded(names[0]) != " "
	})
	if count < 2 || 2*count < len(all) {
		return nil
	}
	return &SystematicError{Code: OrganizerPerforms, Severity: SeverityWarning, Field: "performers", Count: count, Of: len(all),
		Examples:   examples,
		Sentence:   fmt.Sprintf("performers contains the organizer in %d of %d events", count, len(all)),
		Suggestion: "Take performers from where the page names who performs; keep the organizer in organizer."}
}

// callsOrganizer says whether the page calls a performer the organizer.
func (x *judgedRecord) callsOrganizer(name string) bool {
	if len(x.views) == 0 {
		return false
	}
	blocks := x.scope
	if len(blocks) == 0 {
		blocks = x.views[0].blocks
	}
	return x.called(blocks, "performers", name) == "organizer"
}
