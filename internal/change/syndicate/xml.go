package syndicate

import (
	"bufio"
	"cmp"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// document is XML under construction. Text and attributes are cleaned and escaped on
// the way; what goes wrong in writing shows when the writer is flushed.
type document struct{ out *bufio.Writer }

var xmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;")

func (d document) raw(text string) { _, _ = d.out.WriteString(text) }

// open begins an element; attributes are names and values in turn.
func (d document) open(name string, attributes ...string) {
	d.raw("<" + name + attributeText(attributes) + ">\n")
}

func (d document) close(name string) { d.raw("</" + name + ">\n") }

func (d document) leaf(name, text string, attributes ...string) {
	d.raw("<" + name + attributeText(attributes) + ">" + xmlEscapes.Replace(clean(text)) + "</" + name + ">\n")
}

func (d document) empty(name string, attributes ...string) {
	d.raw("<" + name + attributeText(attributes) + "/>\n")
}

func attributeText(attributes []string) string {
	var b strings.Builder
	for i := 0; i+1 < len(attributes); i += 2 {
		b.WriteString(" " + attributes[i] + `="` + xmlEscapes.Replace(line(attributes[i+1], valueLength)) + `"`)
	}
	return b.String()
}

// writeAtom writes RFC 4287.
func writeAtom(out *bufio.Writer, f Feed, _ Options) error {
	updated, err := f.lastUpdate()
	if err != nil {
		return err
	}
	d := document{out}
	d.raw(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	d.open("feed", "xmlns", "http://www.w3.org/2005/Atom")
	d.leaf("id", f.tag("feeds/"+f.ID))
	d.leaf("title", f.title())
	d.leaf("updated", updated.Format(time.RFC3339))
	if self := address(f.SelfURL); self != "" {
		d.empty("link", "rel", "self", "type", "application/atom+xml", "href", self)
	}
	if home := address(f.HomeURL); home != "" {
		d.empty("link", "rel", "alternate", "type", "text/html", "href", home)
	}
	d.open("author")
	d.leaf("name", f.author())
	d.close("author")
	d.leaf("generator", "Curlew")
	for e, err := range f.entries() {
		if err != nil {
			return err
		}
		d.atomEntry(f.item(e))
	}
	d.close("feed")
	return nil
}

func (d document) atomEntry(i item) {
	d.open("entry")
	d.leaf("id", i.id)
	d.leaf("title", i.title)
	d.leaf("updated", i.updated.Format(time.RFC3339))
	d.leaf("published", i.published.Format(time.RFC3339))
	if i.url != "" {
		d.empty("link", "rel", "alternate", "href", i.url)
	}
	for _, tag := range i.tags {
		d.empty("category", "term", tag)
	}
	if i.summary != "" {
		d.leaf("summary", i.summary)
	}
	d.leaf("content", i.html(), "type", "html")
	d.close("entry")
}

// writeRSS writes RSS 2.0 with the profile of the RSS Advisory Board.
func writeRSS(out *bufio.Writer, f Feed, _ Options) error {
	updated, err := f.lastUpdate()
	if err != nil {
		return err
	}
	d := document{out}
	d.raw(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	d.open("rss", "version", "2.0", "xmlns:atom", "http://www.w3.org/2005/Atom")
	d.open("channel")
	d.leaf("title", f.title())
	d.leaf("link", cmp.Or(address(f.HomeURL), address(f.SelfURL), "http://"+authority+"/"))
	d.leaf("description", f.title())
	if self := address(f.SelfURL); self != "" {
		d.empty("atom:link", "rel", "self", "type", "application/rss+xml", "href", self)
	}
	d.leaf("lastBuildDate", updated.Format(http.TimeFormat))
	d.leaf("generator", "Curlew")
	for e, err := range f.entries() {
		if err != nil {
			return err
		}
		d.rssItem(f.item(e))
	}
	d.close("channel")
	d.close("rss")
	return nil
}

func (d document) rssItem(i item) {
	d.open("item")
	d.leaf("title", i.title)
	if i.url != "" {
		d.leaf("link", i.url)
	}
	d.leaf("guid", i.id, "isPermaLink", "false")
	d.leaf("pubDate", i.updated.Format(http.TimeFormat))
	for _, tag := range i.tags {
		d.leaf("category", tag)
	}
	d.leaf("description", i.html())
	d.close("item")
}

func (f Feed) title() string {
	return cmp.Or(line(f.Title, titleLength), line(f.ID, titleLength), "Curlew")
}

// author is the site, which the words come from.
func (f Feed) author() string {
	if u, err := url.Parse(address(f.HomeURL)); err == nil && u.Host != "" {
		return u.Hostname()
	}
	return "Curlew"
}
