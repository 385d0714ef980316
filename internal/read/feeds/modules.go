package feeds

import (
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/mmcdole/gofeed"
)

// starts are the elements of feed modules that say when an event begins, each
// with the one for its end: the RSS event module, xCal, and what large publishers
// of calendars write.
var starts = [][3]string{
	{"ev", "startdate", "enddate"}, {"event", "startdate", "enddate"}, {"xcal", "dtstart", "dtend"}, {"ical", "dtstart", "dtend"},
	{"cal", "dtstart", "dtend"}, {"s", "dtstart", "dtend"}, {"mec", "startdate", "enddate"}, {"livewhale", "startdate", "enddate"},
	{"gd", "when", ""}, {"calendarevent", "eventdates", ""},
}

// schemaOf tells what the entries of a feed are by the modules that they use.
func schemaOf(feed *gofeed.Feed) curlew.SchemaName {
	count := map[curlew.SchemaName]int{}
	sample := feed.Items[:min(len(feed.Items), 20)]
	for _, item := range sample {
		if item == nil {
			continue
		}
		if start, _, _ := startOf(item); start != "" {
			count[curlew.SchemaEvent]++
		}
		if extension(item, "g", "price") != "" {
			count[curlew.SchemaProduct]++
		}
		if len(item.Extensions["job_listing"]) > 0 {
			count[curlew.SchemaJob]++
		}
	}
	for _, schema := range []curlew.SchemaName{curlew.SchemaEvent, curlew.SchemaProduct, curlew.SchemaJob} {
		if count[schema]*2 > len(sample) {
			return schema
		}
	}
	return curlew.SchemaArticle
}

func startOf(item *gofeed.Item) (start, end, rule string) {
	for _, names := range starts {
		rule = names[0] + ":" + names[1]
		if names[0] == "gd" {
			for _, when := range item.Extensions["gd"]["when"] {
				return when.Attrs["startTime"], when.Attrs["endTime"], rule
			}
			continue
		}
		if start = extension(item, names[0], names[1]); start != "" {
			return start, extension(item, names[0], names[2]), rule
		}
	}
	for _, name := range []string{"startDate", "start_date", "startdate", "eventDate", "event_date", "dtstart"} {
		if start = item.Custom[name]; start != "" {
			return start, item.Custom[strings.NewReplacer("start", "end", "Start", "End").Replace(name)], name
		}
	}
	return "", "", ""
}

// writtenDate is a date that can be read only one way.
var writtenDate = text.Pattern(`(?i)\b(\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?|\d{1,2}\.\d{1,2}\.\d{4}(?:[ ,]+\d{1,2}[:.]\d{2}\b)?|` +
	`\d{1,2} (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{4}|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2},? \d{4})`)

func (s syndicated) event(d *drafting, item *gofeed.Item) {
	if start, end, rule := startOf(item); start != "" {
		d.set("starts_at", rule, start)
		d.set("ends_at", rule, end)
	}
	if _, known := d.draft.Fields["starts_at"]; !known {
		d.draft.Confidence = 0.6 // an announcement may name other days as well
		d.set("starts_at", s.rule("title"), writtenDate().FindString(item.Title))
		d.set("starts_at", s.rule("description"), writtenDate().FindString(text.CutBytes(plain(longer(item.Description, item.Content), true),
			2000)))
	}
	for _, prefix := range []string{"ev", "event", "xcal", "ical", "cal", "s", "mec"} {
		d.set("venue_name", prefix+":location", extension(item, prefix, "location"))
		d.set("organizer", prefix+":organizer", extension(item, prefix, "organizer"))
		d.set("category", prefix+":type", extension(item, prefix, "type"))
	}
	for _, where := range item.Extensions["gd"]["where"] {
		d.set("venue_name", "gd:where", where.Attrs["valueString"])
	}
	s.place(d, item)
	if len(item.Categories) > 0 {
		d.set("category", s.rule("category"), item.Categories[0])
	}
	d.set("description", s.rule("description"), longer(item.Description, item.Content))
}

func (s syndicated) place(d *drafting, item *gofeed.Item) {
	d.set("latitude", "geo:lat", extension(item, "geo", "lat"))
	d.set("longitude", "geo:long", extension(item, "geo", "long"))
	if point := strings.Fields(strings.ReplaceAll(extension(item, "georss", "point"), ",", " ")); len(point) == 2 {
		d.set("latitude", "georss:point", point[0])
		d.set("longitude", "georss:point", point[1])
	}
}

// merchant maps the elements of shopping feeds.
var merchant = [][2]string{
	{"name", "title"}, {"sku", "id"}, {"brand", "brand"}, {"gtin", "gtin"}, {"mpn", "mpn"}, {"condition", "condition"},
	{"availability", "availability"}, {"description", "description"}, {"url", "link"},
}

func (s syndicated) product(d *drafting, item *gofeed.Item) {
	for _, m := range merchant {
		d.set(m[0], "g:"+m[1], extension(item, "g", m[1]))
	}
	price, reduced := extension(item, "g", "price"), extension(item, "g", "sale_price")
	d.set("price", "g:sale_price", reduced)
	if reduced != "" {
		d.set("price_was", "g:price", price)
	}
	d.set("price", "g:price", price)
	if fields := strings.Fields(price); len(fields) == 2 && len(fields[1]) == 3 {
		d.set("currency", "g:price", fields[1])
	}
	d.set("description", s.rule("description"), longer(item.Description, item.Content))
}

// listings are the names that job boards give their elements, by our field.
var listings = [][2]string{
	{"company", "company"}, {"location", "location"}, {"employment_type", "job_type"}, {"valid_through", "expires"},
}

func (s syndicated) job(d *drafting, item *gofeed.Item) {
	for _, l := range listings {
		d.set(l[0], "job_listing:"+l[1], extension(item, "job_listing", l[1]))
		d.set(l[0], l[1], item.Custom[l[1]])
	}
	d.set("location", "region", item.Custom["region"])
	d.set("company", s.rule("author"), people(item))
	s.date(d, "posted_date", "pubDate", item.PublishedParsed, item.Published)
	d.set("description_snippet", s.rule("description"), text.CutBytes(plain(longer(item.Description, item.Content), false), 500))
}
