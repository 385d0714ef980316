package quality

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text/dates"
)

// gig is one entry of a small list of our own.
type gig struct{ title, day, clock, venue, price, host, act string }

var season = []gig{
	{"Spring Overture", "2026-05-04", "19:30", "Harbour Hall", "12.00", "Quay Arts", "Elm Trio"},
	{"Night of Two Cellos", "2026-05-06", "20:00", "Mill Club", "15.50", "Quay Arts", "Ana Ruiz"},
	{"The Paper Boats", "2026-05-09", "18:15", "Harbour Hall", "9.00", "Old Town Music", "The Paper Boats"},
	{"Songs from the Weir", "2026-06-02", "20:30", "St Anne's Church", "18.00", "Quay Arts", "Low Tide Choir"},
	{"Brass at Dusk", "2026-06-08", "21:00", "Mill Club", "11.00", "Old Town Music", "Foundry Brass"},
	{"A Winter's Echo", "2026-07-10", "19:00", "Harbour Hall", "14.00", "Quay Arts", "Ida Voss"},
}

const listAddress = "https://quay.example/programme"

// programme is a list page of gigs.
func programme(gigs []gig) *dom.Document {
	var b strings.Builder
	b.WriteString(`<!doctype html><html lang="en"><head><title>Quay programme</title></head><body><header><img src="/logo.png" alt=""></header><h1>What's on this season</h1><p>All tickets from €8.00 at the door. Printed on 1 March 2026.</p><ul>`)
	for i, g := range gigs {
		at := stamp(g)
		fmt.Fprintf(&b, `<li><h3><a href="/gig/%d">%s</a></h3><p>%s</p><p class="venue">%s</p><p>€%s</p><p>Organizer: %s</p><p>Artist: %s</p><img src="/img/%d.jpg"></li>`,
			i+1, g.title, at.Format("Monday 2 January 2006, 15:04"), g.venue, g.price, g.host, g.act, i+1)
	}
	b.WriteString(`</ul></body></html>`)
	return dom.New([]byte(b.String()), listAddress)
}

func stamp(g gig) time.Time {
	at, err := time.Parse("2006-01-02 15:04", g.day+" "+g.clock)
	if err != nil {
		panic(err)
	}
	return at
}

// readRight are the records of a programme as they should be.
func readRight(gigs []gig) []SampleRecord {
	page := programme(gigs)
	var all []SampleRecord
	for i, g := range gigs {
		var whole, part int
		fmt.Sscanf(g.price, "%d.%d", &whole, &part)
		r := curlew.Record{Schema: curlew.SchemaEvent, ExternalID: fmt.Sprint(i + 1), URL: fmt.Sprintf("https://quay.example/gig/%d", i+1), Provenance: map[string]curlew.Evidence{}}
		r.Fields = curlew.Values{
			"title": g.title, "starts_at": g.day + "T" + g.clock + ":00", "venue_name": g.venue, "price_min": int64(100*whole + part), "currency": "EUR",
			"organizer": g.host, "performers": []string{g.act}, "url": r.URL, "image_url": fmt.Sprintf("https://quay.example/img/%d.jpg", i+1),
		}
		all = append(all, SampleRecord{Record: r, Pages: []*dom.Document{page}, Node: fmt.Sprintf("/html[1]/body[1]/ul[1]/li[%d]", i+1)})
	}
	return all
}

// each changes every record.
func each(all []SampleRecord, change func(i int, f curlew.Values)) []SampleRecord {
	for i := range all {
		change(i, all[i].Record.Fields)
	}
	return all
}

// unseen takes the pages away.
func unseen(all []SampleRecord) []SampleRecord {
	for i := range all {
		all[i].Pages, all[i].Node = nil, ""
	}
	return all
}

func march() dates.Options {
	return dates.Options{Now: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), Lang: "en"}
}

// planted is a list that was read wrongly in one way.
type planted struct {
	code     ErrorCode
	severity Severity
	spoil    func(i int, f curlew.Values)
}

func TestEveryPlantedErrorIsNamed(t *testing.T) {
	for _, p := range []planted{
		{TitleVenueSwapped, SeverityError, func(_ int, f curlew.Values) { f["title"], f["venue_name"] = f["venue_name"], f["title"] }},
		{DayMonthSwapped, SeverityError, func(_ int, f curlew.Values) {
			s := f["starts_at"].(string)
			f["starts_at"] = s[:5] + s[8:10] + "-" + s[5:7] + s[10:]
		}},
		{DatesAllEqual, SeverityError, func(_ int, f curlew.Values) { f["starts_at"] = "2026-03-01" }},
		{DatesAllPast, SeverityWarning, func(_ int, f curlew.Values) {
			f["starts_at"] = strings.Replace(f["starts_at"].(string), "2026", "2025", 1)
		}},
		{TimesMidnight, SeverityError, func(_ int, f curlew.Values) { f["starts_at"] = f["starts_at"].(string)[:10] + "T00:00:00+02:00" }},
		{TimesNoon, SeverityError, func(_ int, f curlew.Values) { f["starts_at"] = f["starts_at"].(string)[:10] + "T12:00:00Z" }},
		{EndsBeforeStart, SeverityError, func(_ int, f curlew.Values) { f["ends_at"] = f["starts_at"].(string)[:10] + "T09:00:00" }},
		{OnePriceForAll, SeverityError, func(_ int, f curlew.Values) { f["price_min"] = int64(800) }},
		{CurrencyMissing, SeverityError, func(_ int, f curlew.Values) { delete(f, "currency") }},
		{PricesReversed, SeverityError, func(_ int, f curlew.Values) { f["price_max"] = int64(500) }},
		{HeadlineAsTitle, SeverityError, func(_ int, f curlew.Values) { f["title"] = "What's on this season" }},
		{NavigationAsTitle, SeverityError, func(i int, f curlew.Values) { f["title"] = []string{"Read more", "Tickets", "Details"}[i%3] }},
		{DateAsTitle, SeverityError, func(i int, f curlew.Values) { f["title"] = stamp(season[i]).Format("Monday 2 January 2006, 15:04") }},
		{TitlesTruncated, SeverityWarning, func(_ int, f curlew.Values) { f["title"] = f["title"].(string)[:9] + "…" }},
		{MarkupInText, SeverityError, func(_ int, f curlew.Values) { f["title"] = "<b>" + f["title"].(string) + "</b> &amp; more" }},
		{DescriptionIsTitle, SeverityWarning, func(_ int, f curlew.Values) { f["description"] = strings.ToUpper(f["title"].(string)) + "!" }},
		{URLsAreListPage, SeverityError, func(_ int, f curlew.Values) { f["url"] = listAddress + "#top" }},
		{PictureIsDecoration, SeverityError, func(_ int, f curlew.Values) { f["image_url"] = "https://quay.example/logo.png" }},
		{OrganizerPerforms, SeverityWarning, func(_ int, f curlew.Values) { f["performers"] = []string{f["organizer"].(string)} }},
	} {
		t.Run(string(p.code), func(t *testing.T) {
			j := Judge(t.Context(), each(readRight(season), p.spoil), march())
			if len(j.Systematic) == 0 || j.Systematic[0].Code != p.code {
				t.Fatalf("found %+v", j.Systematic)
			}
			for _, also := range j.Systematic[1:] { // how the page contradicts it too
				if also.Code != Contradicted && also.Code != OwnNameUnread {
					t.Errorf("found %+v beside it", also)
				}
			}
			e := j.Systematic[0]
			if e.Severity != p.severity || e.Share < 0.5 || e.Count < 2 || e.Of != len(season) || len(e.Examples) == 0 || e.Sentence == "" || e.Suggestion == "" {
				t.Errorf("told as %+v", e)
			}
			if p.severity == SeverityError && j.Passed {
				t.Error("it passed all the same")
			}
			if !strings.Contains(strings.Join(j.Feedback(), "\n"), e.Suggestion) {
				t.Error("the feedback does not say what to change")
			}
		})
	}
}

// Without pages a pattern is still a pattern, but less sure.
func TestPatternsAreSeenWithoutPages(t *testing.T) {
	for _, p := range []planted{
		{DatesAllEqual, SeverityWarning, func(_ int, f curlew.Values) { f["starts_at"] = "2026-05-04" }},
		{OnePriceForAll, SeverityWarning, func(_ int, f curlew.Values) { f["price_min"] = int64(800) }},
		{HeadlineAsTitle, SeverityWarning, func(_ int, f curlew.Values) { f["title"] = "What's on" }},
		{URLsAreListPage, SeverityWarning, func(_ int, f curlew.Values) { f["url"] = listAddress }},
		{CurrencyMissing, SeverityWarning, func(_ int, f curlew.Values) { delete(f, "currency") }},
		{TimesNoon, SeverityWarning, func(_ int, f curlew.Values) { f["starts_at"] = f["starts_at"].(string)[:10] + "T12:00:00+02:00" }},
	} {
		t.Run(string(p.code), func(t *testing.T) {
			j := Judge(t.Context(), unseen(each(readRight(season), p.spoil)), march())
			if len(j.Systematic) != 1 || j.Systematic[0].Code != p.code || j.Systematic[0].Severity != p.severity {
				t.Errorf("%s: found %+v", p.code, j.Systematic)
			}
		})
	}
}

// A swap of day and month shows by the order of the list where no weekday tells.
func TestTheOrderOfAListTellsDayFromMonth(t *testing.T) {
	written := []string{"04/05/2026", "09/05/2026", "02/06/2026", "08/06/2026", "03/07/2026"}
	sample := unseen(readRight(season[:5]))
	for i, text := range written {
		sample[i].Record.Fields["starts_at"] = "2026-" + text[:2] + "-" + text[3:5]
		sample[i].Record.Provenance["starts_at"] = curlew.Evidence{Text: text}
	}
	if j := Judge(t.Context(), sample, march()); len(j.Systematic) != 1 || j.Systematic[0].Code != DayMonthSwapped {
		t.Errorf("found %+v", j.Systematic)
	}
	for i, text := range written {
		sample[i].Record.Fields["starts_at"] = "2026-" + text[3:5] + "-" + text[:2]
	}
	if j := Judge(t.Context(), sample, march()); len(j.Systematic) != 0 {
		t.Errorf("the right order is accused: %+v", j.Systematic)
	}
}
