package feeds

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/growth"
)

func rss(items string) []byte {
	return []byte(`<?xml version="1.0"?><rss version="2.0" xmlns:ev="http://purl.org/rss/1.0/modules/event/" xmlns:g="http://base.google.com/ns/1.0"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:media="http://search.yahoo.com/mrss/"
 xmlns:job_listing="https://board.example"><channel><title>Hall</title><link>https://hall.example/</link><language>en-GB</language>` + items + `</channel></rss>`)
}

const story = `<item><title>Roof &amp; walls</title><link>/news/1</link><guid isPermaLink="false">n1</guid><pubDate>Mon, 02 Mar 2026 10:00:00 +0100</pubDate>
 <dc:creator>Ada Nowak</dc:creator><category>City</category><description>&lt;p&gt;Short.&lt;/p&gt;</description>
 <content:encoded><![CDATA[<p>Long text.</p><p>More <img src="/a.jpg"> of it.</p>]]></content:encoded></item>`

func TestEntriesBecomeDrafts(t *testing.T) {
	for _, c := range []struct {
		name   string
		body   []byte
		schema curlew.SchemaName
		want   map[string]any
	}{
		{"an article in RSS", rss(story), "", map[string]any{"title": "Roof & walls", "url": "https://hall.example/news/1", "author": "Ada Nowak",
			"published_at": "2026-03-02T10:00:00+01:00", "section": "City", "summary": "Short.", "text": "Long text.\nMore of it.",
			"image_url": "https://hall.example/a.jpg", "language": "en-GB"}},
		{"an article in Atom", []byte(`<feed xmlns="http://www.w3.org/2005/Atom"><title>Hall</title><entry><id>urn:1</id><title type="html">A &lt;b&gt;roof&lt;/b&gt;</title>
			<link href="https://hall.example/1"/><updated>2026-03-02T10:00:00Z</updated><author><name>Ada</name></author><summary>Short</summary></entry></feed>`), "",
			map[string]any{"title": "A roof", "url": "https://hall.example/1", "updated_at": "2026-03-02T10:00:00Z", "published_at": "2026-03-02T10:00:00Z", "summary": "Short"}},
		{"an article in JSON Feed", []byte(`{"version":"https://jsonfeed.org/version/1.1","title":"Hall","items":[{"id":"1","url":"https://hall.example/1","title":"Roof",
			"content_html":"<p>Text</p>","date_published":"2026-03-02T10:00:00Z"}]}`), "", map[string]any{"title": "Roof", "text": "Text", "published_at": "2026-03-02T10:00:00Z"}},
		{"an event of the event module", rss(`<item><title>Jazz</title><link>/e/1</link><ev:startdate>2026-04-18T20:00:00+02:00</ev:startdate>
			<ev:enddate>2026-04-18T22:00:00+02:00</ev:enddate><ev:location>Blue Hall</ev:location></item>`), "",
			map[string]any{"title": "Jazz", "starts_at": "2026-04-18T20:00:00+02:00", "ends_at": "2026-04-18T22:00:00+02:00", "venue_name": "Blue Hall"}},
		{"an event with its day in the title", rss(`<item><title>Jazz, 18.04.2026 20:00</title><link>/e/1</link></item>`), curlew.SchemaEvent,
			map[string]any{"starts_at": "18.04.2026 20:00"}},
		{"an event whose day is not written", rss(`<item><title>Jazz on Sunday</title><link>/e/1</link><pubDate>Mon, 02 Mar 2026 10:00:00 +0100</pubDate></item>`), curlew.SchemaEvent,
			map[string]any{"starts_at": nil}},
		{"a product of a shopping feed", rss(`<item><g:id>A-1</g:id><g:title>Lamp</g:title><link>/p/1</link><g:price>20.00 EUR</g:price><g:sale_price>15.00 EUR</g:sale_price>
			<g:availability>in_stock</g:availability><g:gtin>5901234123457</g:gtin><g:image_link>https://hall.example/l.jpg</g:image_link></item>`), "",
			map[string]any{"name": "Lamp", "price": "15.00 EUR", "price_was": "20.00 EUR", "currency": "EUR", "sku": "A-1", "gtin": "5901234123457",
				"availability": "in_stock", "image_url": "https://hall.example/l.jpg"}},
		{"a job", rss(`<item><title>Lighting technician</title><link>/j/1</link><job_listing:company>Hall</job_listing:company><job_listing:location>Kraków</job_listing:location></item>`), "",
			map[string]any{"title": "Lighting technician", "company": "Hall", "location": "Kraków"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			drafts, err := Read(c.body, "", "https://hall.example/feed", c.schema)
			if err != nil || len(drafts) != 1 {
				t.Fatalf("%d drafts, %v", len(drafts), err)
			}
			for field, want := range c.want {
				if drafts[0].Fields[field] != want {
					t.Errorf("%s is %#v, want %#v", field, drafts[0].Fields[field], want)
				}
				if want != nil && drafts[0].Provenance[field].Rule == "" {
					t.Errorf("%s does not say where it comes from", field)
				}
			}
		})
	}
}

func TestBrokenFeedsAreReadAsFarAsTheyGo(t *testing.T) {
	whole := string(rss(story + strings.ReplaceAll(story, "n1", "n2")))
	atom := `<feed xmlns="http://www.w3.org/2005/Atom"><title>Hall</title><entry><id>urn:1</id><title>Roof</title></entry><entry><id>urn:2</id><title>Wa`
	for name, c := range map[string]struct {
		body string
		want int
	}{
		"end tags are missing":            {strings.TrimSuffix(whole, "</channel></rss>"), 2},
		"cut in an entry":                 {whole[:strings.LastIndex(whole, "<category>")], 1},
		"Atom, cut in an entry":           {atom, 1},
		"an element in a text is open":    {strings.ReplaceAll(whole, "&lt;p&gt;Short", "Short <b>bold"), 2},
		"entities that nobody declared":   {strings.ReplaceAll(whole, "Roof &amp; walls", "Roof &amp; walls &nbsp;&copy; Q&A"), 2},
		"all of it, and no end":           {strings.NewReplacer("&lt;p&gt;Short", "Short <b>bold", "</channel></rss>", "", "/news/1", "/news/1?a=1&b=2").Replace(whole), 2},
		"cut before the end of the first": {whole[:strings.Index(whole, "<category>")], 0},
	} {
		t.Run(name, func(t *testing.T) {
			drafts, err := Read([]byte(c.body), "", "https://hall.example/feed", "")
			if len(drafts) != c.want || c.want > 0 && err != nil {
				t.Fatalf("%d drafts, %v; want %d", len(drafts), err, c.want)
			}
			for _, d := range drafts {
				if title, _ := d.Fields["title"].(string); !strings.HasPrefix(title, "Roof") {
					t.Errorf("called %q", title)
				}
			}
		})
	}
}

func TestABodyInUTF8IsNotDecodedTwice(t *testing.T) {
	body := strings.Replace(string(rss(strings.Replace(story, "Roof", "Żółw", 1))), `version="1.0"`, `version="1.0" encoding="iso-8859-2"`, 1)
	drafts, err := Read([]byte(body), "", "", "")
	if err != nil || drafts[0].Fields["title"] != "Żółw & walls" {
		t.Errorf("%v %v", drafts, err)
	}
}

func TestWhatIsNoFeedIsRefused(t *testing.T) {
	for name, body := range map[string]string{
		"a page": "<!doctype html><title>Hall</title><p>Hello", "nothing": "", "JSON": `{"events": []}`, "text": "hello",
		"deep": strings.Repeat("<a>", 3_000_000), "deep JSON": strings.Repeat("[", 3_000_000),
		"a billion laughs": `<!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><lolz>&b;</lolz>`,
	} {
		t.Run(name, func(t *testing.T) {
			if drafts, err := Read([]byte(body), "", "", ""); curlew.AsFault(err) == nil || drafts != nil {
				t.Errorf("%d drafts, %v", len(drafts), err)
			}
		})
	}
	if _, err := Read(rss(story), "", "", "recipe"); curlew.AsFault(err) == nil {
		t.Error("an unknown schema is accepted")
	}
	laughs := strings.Replace(string(rss(`<item><title>&b;</title></item>`)), "<rss", `<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><rss`, 1)
	if drafts, err := Read([]byte(laughs), "", "", ""); err == nil && len(drafts) == 1 && strings.Contains(drafts[0].Text, "aaaa") {
		t.Error("entities were expanded")
	}
}

func TestOtherThingsWithOneGuidAreReadByTheirAddresses(t *testing.T) {
	const entry = `<item><guid isPermaLink="false">n1</guid><title>%s</title><link>/%s</link></item>`
	drafts, err := Read(rss(fmt.Sprintf(entry+entry+entry, "Roof", "roof", "Walls", "walls", "Roof", "roof-again")), "", "", "")
	if err != nil || len(drafts) != 2 || drafts[0].Fields["title"] != "Roof" || drafts[1].Fields["title"] != "Walls" {
		t.Errorf("%v %v", drafts, err)
	}
}

func TestAGuidRepeatedWithoutEndCountsOnce(t *testing.T) {
	items := growth.Fill("", `<item><guid>same</guid><title>x</title></item>`, "")
	growth.Check(t, 4<<20, func(size int) func() {
		body := rss(items(size))
		return func() {
			if drafts, err := Read(body, "", "", ""); err != nil || len(drafts) != 1 {
				t.Errorf("%d drafts, %v", len(drafts), err)
			}
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add(rss(story), "")
	f.Add(calendar(event("DTSTART;TZID=Europe/Berlin:20260418T180000", "RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3", "EXDATE:20260425T180000")), "event")
	f.Add([]byte(`{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1","title":"a"}]}`), "item")
	f.Fuzz(func(t *testing.T, body []byte, schema string) {
		drafts, err := Read(body, "", "https://hall.example/", curlew.SchemaName(schema))
		if err != nil && curlew.AsFault(err) == nil {
			t.Errorf("an error that is no fault: %v", err)
		}
		for _, d := range drafts {
			for field := range d.Fields {
				if d.Provenance[field].Tier != curlew.TierAPI {
					t.Errorf("%s has no provenance", field)
				}
			}
		}
	})
}
