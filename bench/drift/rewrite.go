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

// written is a price or a date as a text of an item has it.
type written struct {
	place *html.Node
	text  string
}

// said are the prices or the dates of an item; none of one that says something in attributes as well: the page would
// contradict itself.
func (i *listed) said(what *regexp.Regexp) (all []written) {
	hidden := false
	each(i.node, func(n *html.Node) {
		if n.Type == html.TextNode {
			for _, text := range what.FindAllString(n.Data, -1) {
				all = append(all, written{n, text})
			}
		}
		for _, a := range n.Attr {
			switch {
			case a.Key == "datetime" || a.Key == "content" || strings.HasPrefix(a.Key, "data-") || a.Key == "title" || a.Key == "aria-label":
				hidden = hidden || strings.ContainsAny(a.Val, "0123456789")
			}
		}
	})
	if hidden {
		return nil
	}
	return all
}

// rewrite changes the one price or date of an item. An item that has more than one is left alone.
func (m *mutation) rewrite(what *regexp.Regexp, other func(string) string) *Truth {
	item := m.any()
	all := item.said(what)
	if len(all) != 1 || strings.Contains(item.title, all[0].text) {
		return nil
	}
	was, is := all[0].text, other(all[0].text)
	if is == was {
		return nil
	}
	all[0].place.Data = strings.Replace(all[0].place.Data, was, is, 1)
	return &Truth{Kind: kindChanged, Title: item.title, URL: item.link, Values: []string{is, was}}
}

// swap lets the two prices or dates of an item change places.
func (m *mutation) swap(what *regexp.Regexp) *Truth {
	item := m.any()
	all := item.said(what)
	if len(all) != 2 || all[0].text == all[1].text || all[0].place == all[1].place ||
		strings.Contains(item.title, all[0].text) || strings.Contains(item.title, all[1].text) {
		return nil
	}
	first, second := all[0], all[1]
	first.place.Data = strings.Replace(first.place.Data, first.text, second.text, 1)
	second.place.Data = strings.Replace(second.place.Data, second.text, first.text, 1)
	return &Truth{Kind: kindChanged, Title: item.title, URL: item.link, Values: []string{first.text, second.text}}
}
