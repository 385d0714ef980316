package main

import (
	"regexp"
	"strings"
	"time"

	"golang.org/x/net/html"
)

var (
	prices = regexp.MustCompile(`[€$£]\s?\d{1,3}(?:[,.]?\d{3})*(?:[.,]\d{2})?|\d{1,3}(?:[,.]\d{3})*[.,]\d{2}\s?(?:€|zł|kr|EUR|USD|GBP)`)
	dates  = regexp.MustCompile(`\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}/\d{1,2}/\d{4}\b|\b[A-Z][a-z]{2,8} \d{1,2}, \d{4}\b|\b\d{1,2} [A-Z][a-z]{2,8} \d{4}\b`)
)

// layouts are how pages write days.
var layouts = []string{"2006-01-02", "01/02/2006", "1/2/2006", "January 2, 2006", "January 02, 2006", "Jan 2, 2006", "Jan 02, 2006",
	"2 January 2006", "02 January 2006", "2 Jan 2006", "02 Jan 2006"}

// later is a day a week later, written alike; the day of the week stays.
func later(text string) string {
	for _, layout := range layouts {
		if at, err := time.Parse(layout, text); err == nil && at.Format(layout) == text {
			return at.AddDate(0, 0, 7).Format(layout)
		}
	}
	return text
}

// dearer is another price, written alike.
func dearer(text string) string {
	at := strings.IndexAny(text, "0123456789")
	return text[:at] + string('1'+(text[at]-'0')%9) + text[at+1:]
}

// rewrite changes the one price or date of an item. An item that has more than one is left alone, and
// one that says it in attributes as well: the page would contradict itself.
func (m *mutation) rewrite(what *regexp.Regexp, other func(string) string) *Truth {
	item := m.any()
	var place *html.Node
	found := 0
	hidden := false
	each(item.node, func(n *html.Node) {
		if n.Type == html.TextNode {
			if all := what.FindAllString(n.Data, -1); len(all) > 0 {
				found += len(all)
				place = n
			}
		}
		for _, a := range n.Attr {
			switch {
			case a.Key == "datetime" || a.Key == "content" || strings.HasPrefix(a.Key, "data-") || a.Key == "title" || a.Key == "aria-label":
				hidden = hidden || strings.ContainsAny(a.Val, "0123456789")
			}
		}
	})
	if found != 1 || hidden || strings.Contains(item.title, what.FindString(place.Data)) {
		return nil
	}
	was := what.FindString(place.Data)
	is := other(was)
	if is == was {
		return nil
	}
	place.Data = strings.Replace(place.Data, was, is, 1)
	return &Truth{Kind: kindChanged, Title: item.title, URL: item.link, Values: []string{is, was}}
}
