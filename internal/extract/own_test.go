package extract

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/read/blueprint"
)

// tender is a kind of an org's own.
func tender() curlew.Schema {
	return curlew.Schema{Name: "tender", Title: "subject", Identity: [][]string{{"number"}}, Fields: []curlew.Field{
		{Name: "number", Type: curlew.TypeText, Required: true}, {Name: "subject", Type: curlew.TypeText, Required: true},
		{Name: "value", Type: curlew.TypeMoney}, {Name: "deadline", Type: curlew.TypeDate}, {Name: "takes", Type: curlew.TypeDuration},
		{Name: "state", Type: curlew.TypeChoice, Choices: []string{"open", "under review"}}, {Name: "documents", Type: curlew.TypeURL},
	}}.Completed()
}

func tenderPage(class, value string) Material {
	var b strings.Builder
	b.WriteString("<html lang=en><body><h1>Tenders</h1><main>")
	for i, subject := range []string{"Road salt for the winter", "Repair of the town hall roof", "School meals", "Street lamps", "Snow ploughs"} {
		amount := fmt.Sprintf("€ %d,500.00", 10+i)
		if i == 1 {
			amount = value
		}
		fmt.Fprintf(&b, `<div class=%s><h3 class=%[1]s-t><a href="/t/%[2]d.pdf">%[3]s</a></h3><p class=%[1]s-n>T-2026-%[2]d</p><b class=%[1]s-v>%[4]s</b>`+
			`<i class=%[1]s-d>%[5]d May 2026</i><u class=%[1]s-w>%[6]d days</u><s class=%[1]s-s>Under Review</s></div>`, class, 100+i, subject, amount, 3+i, 10*i+30)
	}
	b.WriteString("</main></body></html>")
	return Material{Body: []byte(b.String()), ContentType: "text/html", URL: "https://town.test/tenders", Now: time.Date(2026, 4, 1, 8, 0, 0, 0, time.UTC)}
}

func tenderRules(kind curlew.Schema) *blueprint.Blueprint {
	rule := func(css string) blueprint.FieldRules {
		return blueprint.FieldRules{Rules: []blueprint.Rule{{Selector: blueprint.Selector{CSS: css}}}}
	}
	link := rule("a")
	link.Rules[0].Attr = "href"
	return &blueprint.Blueprint{Language: 1, Schema: kind.Name, Own: kind.Own(), Page: curlew.PageList, Tier: curlew.TierHTML,
		Records: &blueprint.Selector{CSS: ".row"}, Fields: map[string]blueprint.FieldRules{"number": rule(".row-n"), "subject": rule(".row-t"),
			"value": rule(".row-v"), "deadline": rule(".row-d"), "takes": rule(".row-w"), "state": rule(".row-s"), "documents": link}}
}

func TestAnOwnKindIsReadByItsTypes(t *testing.T) {
	text, err := blueprint.Marshal(tenderRules(tender()))
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := CompileRules(text)
	if err != nil {
		t.Fatal(err)
	}
	before := compiled.Apply(t.Context(), tenderPage("row", "€ 99,000.00"), ApplyOptions{})
	after := compiled.Apply(t.Context(), tenderPage("row", "€ 89,000.50"), ApplyOptions{})
	if len(before.Readings) != 5 || before.Partial != 0 {
		t.Fatalf("%d records, %d partial, %v", len(before.Readings), before.Partial, before.Notes)
	}
	was, is := before.Readings[1].Record, after.Readings[1].Record
	want := map[string]any{"number": "T-2026-101", "subject": "Repair of the town hall roof", "value": int64(9900000), "currency": "EUR",
		"deadline": "2026-05-04", "takes": int64(40 * 86400), "state": "under review", "documents": "https://town.test/t/101.pdf"}
	for name, value := range want {
		t.Run(name, func(t *testing.T) {
			if was.Fields[name] != value {
				t.Errorf("%s is %v, want %v", name, was.Fields[name], value)
			}
		})
	}
	if was.ExternalID != is.ExternalID || was.Hash == is.Hash || is.Fields["value"] != int64(8900050) {
		t.Errorf("another value makes another thing: %s, %s", was.ExternalID, is.ExternalID)
	}
	if was.Provenance["value"].Seen != curlew.SeenVisible {
		t.Errorf("the page was not asked about the value: %+v", was.Provenance["value"])
	}
}

func TestAnOwnKindHeals(t *testing.T) {
	for i, kind := range []curlew.Schema{tender(), {Name: curlew.SchemaCustom}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			old, err := Compile(tenderRules(kind))
			if err != nil {
				t.Fatal(err)
			}
			page := tenderPage("entry", "€ 99,000.00")
			c := induce.Case{Old: old.Blueprint, Pages: []induce.DatedPage{{Document: page.Document(), Now: page.Now}}}
			known := old.Apply(t.Context(), tenderPage("row", "€ 99,000.00"), ApplyOptions{}).Readings
			for _, r := range known {
				fields := map[string][]string{}
				for name, e := range r.Record.Provenance {
					fields[name] = []string{e.Text}
				}
				c.Past = append(c.Past, induce.PastRecord{Now: page.Now, Fields: fields})
			}
			healed, err := c.Heal(t.Context())
			if err != nil {
				t.Fatalf("%s: %v", kind.Name, err)
			}
			fresh, err := Compile(healed.Blueprint)
			if err != nil {
				t.Fatal(err)
			}
			now := fresh.Apply(t.Context(), page, ApplyOptions{}).Readings
			if len(now) != 5 || now[2].Record.ExternalID != known[2].Record.ExternalID || now[2].Record.Hash != known[2].Record.Hash {
				t.Errorf("%s: healed to %+v", kind.Name, now)
			}
		})
	}
}

func TestAnOwnKindIsFoundInWhatAPageShows(t *testing.T) {
	kind := curlew.Schema{Name: "exchange_rate", Fields: []curlew.Field{{Name: "pair", Type: curlew.TypeText, Required: true},
		{Name: "rate", Type: curlew.TypeNumber, Required: true}, {Name: "change", Type: curlew.TypeNumber}}}.Completed()
	body := "<html lang=en><body><h1>Rates</h1><table><tr><th>Pair</th><th>Rate</th><th>Change</th></tr>"
	for i, pair := range []string{"EUR/USD", "EUR/PLN", "EUR/CHF", "EUR/GBP", "EUR/JPY", "EUR/CZK"} {
		body += fmt.Sprintf("<tr><td>%s</td><td>%d.08%d2</td><td>-0.%d</td></tr>", pair, i+1, i, i+1)
	}
	m := Material{Body: []byte(body + "</table></body></html>"), ContentType: "text/html", URL: "https://bank.test/rates"}
	e := Extract(t.Context(), m, ExtractOptions{Schema: kind.Name, Own: kind.Own(), Asserted: true})
	if len(e.Readings) != 6 {
		t.Fatalf("%d records: %+v", len(e.Readings), e)
	}
	if f := e.Readings[1].Record.Fields; f["pair"] != "EUR/PLN" || f["rate"] != 2.0812 || f["change"] != -0.2 {
		t.Errorf("%v", f)
	}
}

// A file of JSON is a table to the kinds of an org, as it is to a plain list.
func TestAKindOfOnesOwnIsReadFromJSON(t *testing.T) {
	kind := curlew.Schema{Name: "course", Title: "titel", Fields: []curlew.Field{{Name: "titel", Type: curlew.TypeText, Required: true},
		{Name: "nr", Type: curlew.TypeText}, {Name: "beginn", Type: curlew.TypeDate}}}
	m := Material{Body: []byte(`{"kurse": [{"nr": "262-101", "titel": "Yoga", "beginn": "2026-11-24"}, {"nr": "262-102", "titel": "Excel",
		"beginn": "2026-11-28"}, {"nr": "262-103", "titel": "Italienisch", "beginn": "2026-11-25"}]}`), URL: "https://vhs.example/kurse.json",
		ContentType: "application/json", Now: time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)}
	records := Extract(t.Context(), m, ExtractOptions{Schema: kind.Name, Own: &kind, Asserted: true}).Readings
	if len(records) != 3 || records[1].Record.Fields["nr"] != "262-102" || records[1].Record.Fields["beginn"] != "2026-11-28" {
		t.Errorf("%d records: %v", len(records), records)
	}
}

// Rows that share a day are not known by it: results that come later stand under the same heading.
func TestNoRuleLeansOnADayThatSomeRowsShare(t *testing.T) {
	body := `<html lang="de"><body><h1>Spielplan</h1><table><tr><th>Datum</th><th>Anstoß</th><th>Heim</th><th>Gast</th><th>Ergebnis</th></tr>`
	teams := strings.Fields("Eichede Altenholz Phönix Oldenburg Kropp Husum Dornbreite Reinfeld Todesfelde Bordesholm Rotenhof Heider")
	for i := range 18 {
		result := "-:-"
		if i < 12 {
			result = fmt.Sprintf("%d:%d", i%4, (i*3)%5)
		}
		body += fmt.Sprintf(`<tr><td>%s</td><td>%d:00</td><td><a href="/v/%[3]s">SV %[3]s</a></td><td>TSV %s</td><td><a href="/s/%d">%s</a></td></tr>`,
			[]string{"31.10.2026", "07.11.2026", "21.11.2026"}[i/6], 13+i%4, teams[i%12], teams[(i+5)%12], i, result)
	}
	m := Material{Body: []byte(body + `</table></body></html>`), URL: "https://liga.example/plan", ContentType: "text/html",
		Now: time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)}
	kind := curlew.Schema{Name: "match", Title: "heim", Fields: []curlew.Field{{Name: "heim", Type: curlew.TypeText, Required: true},
		{Name: "gast", Type: curlew.TypeText}, {Name: "datum", Type: curlew.TypeDate}, {Name: "ergebnis", Type: curlew.TypeText}}}
	b, _, err := Learn(t.Context(), kind, []induce.LabelledPage{{Document: m.Document(), Now: m.Now}})
	if err != nil {
		t.Fatal(err)
	}
	rules, _ := json.Marshal(b.Fields)
	if strings.Contains(string(rules), "2026") {
		t.Errorf("%s", rules)
	}
}

// Entries of a feed and of a calendar are a list like any other: their fields are named by what they mean and are.
func TestAKindOfOnesOwnIsReadFromFeeds(t *testing.T) {
	kind := curlew.Schema{Name: "course", Title: "name", Fields: []curlew.Field{{Name: "name", Type: curlew.TypeText, Required: true},
		{Name: "starts", Type: curlew.TypeDate}, {Name: "date", Type: curlew.TypeDate}, {Name: "location", Type: curlew.TypePlace}, {Name: "category", Type: curlew.TypeText},
		{Name: "about", Type: curlew.TypeLong}, {Name: "link", Type: curlew.TypeURL}}}.Completed()
	feeds := map[string]string{
		"calendar": "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:1@x\r\nSUMMARY:Yoga\r\nDTSTART;VALUE=DATE:20270111\r\nLOCATION:Room 4\r\n" +
			"CATEGORIES:Sports\r\nURL:https://vhs.example/1\r\nDESCRIPTION:With Ida Berg\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
		"RSS": `<?xml version="1.0"?><rss version="2.0"><channel><title>Courses</title><item><title>Yoga</title><link>https://vhs.example/1</link>` +
			`<pubDate>Mon, 16 Nov 2026 09:00:00 GMT</pubDate><category>Sports</category><description>With Ida Berg</description></item></channel></rss>`,
		"Atom": `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Courses</title><id>x</id><entry><title>Yoga</title><id>1</id>` +
			`<link href="https://vhs.example/1"/><published>2026-11-16T09:00:00Z</published><category term="Sports"/><summary>With Ida Berg</summary></entry></feed>`,
	}
	for form, body := range feeds {
		t.Run(form, func(t *testing.T) {
			m := Material{Body: []byte(body), URL: "https://vhs.example/feed", Now: time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)}
			readings := Extract(t.Context(), m, ExtractOptions{Schema: kind.Name, Own: &kind, Asserted: true}).Readings
			if len(readings) != 1 {
				t.Fatalf("%d records", len(readings))
			}
			want := curlew.Values{"name": "Yoga", "date": "2026-11-16", "category": "Sports", "about": "With Ida Berg", "link": "https://vhs.example/1"}
			if form == "calendar" {
				want["location"], want["starts"] = "Room 4", "2027-01-11"
				delete(want, "date")
			}
			if have := readings[0].Record.Fields; fmt.Sprint(have) != fmt.Sprint(want) {
				t.Errorf("read %v, want %v", have, want)
			}
		})
	}
}

// What is nested in a record of JSON is called by its name there, not by its id.
func TestANestedThingOfJSONIsCalledByItsName(t *testing.T) {
	kind := curlew.Schema{Name: "book", Title: "title", Fields: []curlew.Field{{Name: "title", Type: curlew.TypeText, Required: true},
		{Name: "author", Type: curlew.TypeText}}}.Completed()
	body := `{"items": [`
	for i, author := range []string{"Ada Byrne", "Tom Okafor", "Lia Moretti", "Zoe Adler"} {
		body += fmt.Sprintf(`%s{"isbn": "97800000000%d", "title": "Volume of %s", "author": {"name": "%[3]s", "id": %[2]d}, "shelf": "A%[2]d"}`, strings.Repeat(", ", min(i, 1)), i, author)
	}
	m := Material{Body: []byte(body + "]}"), ContentType: "application/json", URL: "https://books.test/api", Now: time.Date(2026, 4, 1, 8, 0, 0, 0, time.UTC)}
	readings := Extract(t.Context(), m, ExtractOptions{Schema: kind.Name, Own: &kind, Asserted: true}).Readings
	if len(readings) != 4 || readings[1].Record.Fields["author"] != "Tom Okafor" {
		t.Errorf("read %+v", readings)
	}
}
