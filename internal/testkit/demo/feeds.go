package demo

import (
	"encoding/xml"
	"net/http"
	"strings"
	"time"
)

// rss is RSS 2.0.
type rss struct {
	XMLName xml.Name  `xml:"rss"`
	Version string    `xml:"version,attr"`
	Title   string    `xml:"channel>title"`
	Link    string    `xml:"channel>link"`
	About   string    `xml:"channel>description"`
	Lang    string    `xml:"channel>language"`
	Built   string    `xml:"channel>lastBuildDate"`
	Items   []rssItem `xml:"channel>item"`
}

type rssItem struct {
	Title     string  `xml:"title"`
	Link      string  `xml:"link"`
	GUID      rssGUID `xml:"guid"`
	Published string  `xml:"pubDate"`
	Section   string  `xml:"category,omitempty"`
	Text      string  `xml:"description"`
}

type rssGUID struct {
	Permanent bool   `xml:"isPermaLink,attr"`
	ID        string `xml:",chardata"`
}

// feedPage is the feed of a site's things as they last changed.
func feedPage(s scene, _ *http.Request) page {
	var items []rssItem
	for _, t := range s.things {
		item := rssItem{Title: t.title(), Link: s.base + t.path(), GUID: rssGUID{false, s.base + "/?p=" + t.id()},
			Published: s.modified(t.id()).Format(time.RFC1123Z)}
		if text, ok := t.values(s.base)["description"].(string); ok {
			item.Text = text
		}
		items = append(items, item)
	}
	return feedOf(s, items)
}

func feedOf(s scene, items []rssItem) page {
	return xmlPage("application/rss+xml; charset=UTF-8", rss{Version: "2.0", Title: s.card.Title, Link: s.base, About: s.Sentences("feed", 1),
		Lang: s.card.Lang, Built: s.Now().Format(time.RFC1123Z), Items: items})
}

var calendarText = strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\n", `\n`)

// calendarPage is the iCalendar export of a site's events (RFC 5545).
func calendarPage(s scene) page {
	const utc = "20060102T150405Z"
	lines := []string{"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//" + s.card.Title + "//NONSGML v1.0//ES", "METHOD:PUBLISH"}
	for _, e := range of[event](s.things) {
		lines = append(lines, "BEGIN:VEVENT", "UID:"+e.Key+"@community", "DTSTAMP:"+s.modified(e.Key).Format(utc),
			"DTSTART:"+e.Starts.UTC().Format(utc), "DTEND:"+e.Ends.UTC().Format(utc),
			"SUMMARY:"+calendarText.Replace(e.Title), "DESCRIPTION:"+calendarText.Replace(e.Description),
			"LOCATION:"+calendarText.Replace(e.Venue.Name+", "+e.Venue.Address+", "+e.Venue.City),
			"URL:"+s.base+e.Path, "CATEGORIES:"+calendarText.Replace(e.Category), "END:VEVENT")
	}
	lines = append(lines, "END:VCALENDAR")
	for i, line := range lines {
		lines[i] = folded(line)
	}
	return page{kind: "text/calendar; charset=UTF-8", body: []byte(strings.Join(lines, "\r\n") + "\r\n"),
		header: map[string]string{"Content-Disposition": `attachment; filename="eventos.ics"`}}
}

// folded breaks a line after at most 75 octets, between characters.
func folded(line string) string {
	var out strings.Builder
	width := 0
	for _, r := range line {
		size := len(string(r))
		if width+size > 75 {
			out.WriteString("\r\n ")
			width = 1
		}
		out.WriteRune(r)
		width += size
	}
	return out.String()
}
