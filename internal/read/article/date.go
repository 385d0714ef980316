package article

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// moment is a date that the page shows or says, and how much it speaks for the
// day of publication.
type moment struct {
	dates.Date
	weight   float64
	updated  bool // it is about a change
	utc      bool // written as a moment in UTC, so that its day may not be the local one
	evidence curlew.Evidence
}

func (m moment) day() string { return m.Start.Format(time.DateOnly) }

func (m moment) format() string { return dates.Format(m.Start, m.TimeKnown, m.ZoneKnown) }

// calendar collects the moments of a page.
type calendar struct {
	*page
	above   map[*html.Node]bool // what holds the text: parts around it are layout
	options dates.Options
	stamps  stamps // read when a date without a year is met
	all     []moment
}

// earliest is before the web: older dates are those of what an article is about.
var earliest = time.Date(1993, 1, 1, 0, 0, 0, 0, time.UTC)

// clockOff is how far the clock of whoever keeps pages may be behind what a page says of
// itself in its data: archives often know the month at best.
const clockOff = 62 * 24 * time.Hour

func (c *calendar) add(m moment) {
	now := c.options.Now
	if !now.IsZero() && m.evidence.Tier == curlew.TierStructured && m.Start.After(now) && m.Start.Before(now.Add(clockOff)) {
		c.options.Now = m.Start // the page is as young as that
	}
	if m.Start.Before(earliest) || !now.IsZero() && m.Start.After(c.options.Now.Add(48*time.Hour)) {
		return
	}
	c.all = append(c.all, m)
}

// written reads a date written for machines, or else as people do.
func (c *calendar) written(text string, weight float64, updated bool, e curlew.Evidence) {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > 100 {
		return
	}
	d, ok := dates.Parse(text, c.options)
	if !ok {
		return
	}
	e.Text = text
	c.add(moment{Date: d, weight: weight, updated: updated, utc: isUTC(text), evidence: e})
}

func isUTC(text string) bool {
	return len(text) > 11 && (strings.HasSuffix(text, "Z") || strings.HasSuffix(text, "+00:00") || strings.HasSuffix(text, "+0000") ||
		strings.HasSuffix(text, "GMT") || strings.HasSuffix(text, "UTC"))
}

// readDates finds the days of publication and of the last change.
func (p *page) readDates(c choice, title string, now time.Time) (published, updated value) {
	order, _ := p.doc.DateOrder(now)
	cal := &calendar{page: p, above: ancestors(c.top), options: dates.Options{Now: now, Lang: p.lang, Past: true, Order: order}}
	cal.fromData()
	cal.fromMetas()
	cal.fromAddress()
	cal.fromElements(c)
	cal.fromTitles()
	cal.fromLines(c, title)
	cal.fromCues()
	return cal.decide()
}

func (c *calendar) fromData() {
	for i, item := range c.about {
		weight := 3.0
		if !hasType(item, articleTypes) {
			weight = 2
		}
		if i > 0 {
			weight -= 0.5
		}
		for _, property := range []string{"datePublished", "published", "dateCreated", "dateModified", "updated"} {
			e := curlew.Evidence{Tier: curlew.TierStructured, Rule: string(item.Syntax) + " " + property, Node: item.Node}
			w := weight
			if property == "dateCreated" {
				w = 1
			}
			c.written(itemText(item, property), w, property == "dateModified" || property == "updated", e)
		}
	}
}

// publishedMetas and updatedMetas are the names under which systems write the two.
var (
	publishedMetas = text.Set(`article:published_time article:published og:published_time og:article:published_time datepublished
		date_published
		publication_date pubdate publishdate publish_date publish-date published-date published_date article_date_original
		citation_publication_date citation_date
		citation_online_date dc.date dc.date.issued dc.date.created dcterms.created dcterms.date dcterms.issued dcterms.available
		dc.terms.created sailthru.date
		parsely-pub-date rbpubdate originalpublicationdate article.published article.created cxenseparse:recs:publishtime cxenseparse:publishtime
		release_date release-date releasedate date dc:date dc:created displaydate ptime shareaholic:article_published_time video:release_date
		vr:published_time
		bt:pubdate gentime datecreated date_created analyticsattributes.articledate moddate_original pubdate_original fb:published live_date
		first_published cdate weibo:article:create_at
		date-publication last-publication-date article-publication-date dateofpublication publication-date published_at item-publish-date`)
	weakMetas    = text.Set("date dc.date.created dcterms.created dcterms.date datecreated date_created created gentime cdate")
	updatedMetas = text.Set(`article:modified_time og:updated_time datemodified dcterms.modified dc.date.modified last-modified lastmod
		revised moddate date_modified
		article:updated_time updated_time lastmodified article.updated dateupdated utime modificationdate`)
)

func (c *calendar) fromMetas() {
	for _, m := range c.metas {
		e := curlew.Evidence{Tier: curlew.TierStructured, Rule: "meta " + m.name, Node: dom.Path(m.node)}
		switch {
		case weakMetas[m.name] && c.isChange(m.content):
			c.written(m.content, 1, true, e)
		case weakMetas[m.name]:
			c.written(m.content, 0.9, false, e)
		case publishedMetas[m.name]:
			c.written(m.content, 2.5, false, e)
		case updatedMetas[m.name]:
			c.written(m.content, 2, true, e)
		}
	}
}

// isChange says whether the page's data give the very same moment for its last
// change: then "date" means that.
func (c *calendar) isChange(stamp string) bool {
	return slices.ContainsFunc(c.all, func(m moment) bool { return m.updated && m.TimeKnown && m.evidence.Text == stamp })
}

var addressDate = text.Pattern(`(?:^|[/_-])((?:19|20)\d\d)[/_-]?([01]\d)[/_-]?([0-3]\d)(?:[/_.-]|$)|/((?:19|20)\d\d)/(\d{1,2})/(\d{1,2})(?:/|$)`)

// fromAddress reads /2019/03/12/ in the address of the page, and in that of its
// picture, which is filed under the day on which it was put there.
func (c *calendar) fromAddress() {
	if u := c.doc.URL(); u != nil {
		c.filed(u.Path, 2, "address")
	}
	if m, ok := c.first("og:image", "twitter:image"); ok {
		c.filed(m.content, 0.7, "address of the picture")
	}
}

func (c *calendar) filed(address string, weight float64, rule string) {
	found := addressDate().FindStringSubmatch(address)
	if found == nil {
		return
	}
	parts := found[1:4]
	if parts[0] == "" {
		parts = found[4:7]
	}
	year, _ := strconv.Atoi(parts[0])
	month, _ := strconv.Atoi(parts[1])
	day, _ := strconv.Atoi(parts[2])
	at := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if at.Day() != day || int(at.Month()) != month {
		return
	}
	c.add(moment{Date: dates.Date{Start: at, Confidence: 0.9}, weight: weight,
		evidence: curlew.Evidence{Tier: curlew.TierHTML, Rule: rule, Text: found[0]}})
}

// aroundMarks name parts that show the dates of other things.
var aroundMarks = text.Set(`comment comments commentlist related relatedposts sidebar footer recommended popular trending widget mostread
	newsletter archive archives
	recent latest teaser teasers nav menu disqus respond ticker events calendar kalender feed`)

// elsewhere says whether a node stands in a part about other things.
func (c *calendar) elsewhere(n *html.Node) bool { return c.side(n) || c.named(n, aroundMarks) }

// side says whether a node stands in an element for side parts, or in a table.
func (c *calendar) side(n *html.Node) bool {
	for ; n != nil && n.Type == html.ElementNode && !c.above[n]; n = n.Parent {
		switch n.Data {
		case "aside", "nav", "footer", "table":
			return true
		case "body", "html", "main":
			return false
		}
	}
	return false
}

// named says whether a node stands in a part with one of the marks.
func (c *calendar) named(n *html.Node, marks map[string]bool) bool {
	for ; n != nil && n.Type == html.ElementNode && !c.above[n] && n.DataAtom != atom.Main && n.DataAtom != atom.Body; n = n.Parent {
		for _, w := range markWords(marksOf(n)) {
			if marks[w] {
				return true
			}
		}
	}
	return false
}

// ancestors are a node and all that holds it.
func ancestors(n *html.Node) map[*html.Node]bool {
	all := map[*html.Node]bool{}
	for ; n != nil; n = n.Parent {
		all[n] = true
	}
	return all
}
