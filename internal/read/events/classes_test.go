package events

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/read/dom"
)

// Ways of writing that pages share and that were misread.
func TestWaysOfWritingDatesAndTimes(t *testing.T) {
	row := func(when string) string {
		return `<h1>Upcoming meetings</h1><ul><li><h3><a href="/a">Planning board</a></h3><p>May 14</p><p>` + when + `</p></li>` +
			`<li><h3><a href="/b">Finance board</a></h3><p>June 2</p><p>` + when + `</p></li></ul>`
	}
	cases := map[string]struct{ page, want string }{
		"a range whose first hour has no half of the day": {row("6–9pm"), "Planning board 05-14 18:00, Finance board 06-02 18:00"},
		"a range in words":                    {row("from 6 to 8 p.m."), "Planning board 05-14 18:00, Finance board 06-02 18:00"},
		"a range over noon":                   {row("11 - 1 pm"), "Planning board 05-14 11:00, Finance board 06-02 11:00"},
		"minutes after a dot, in Swedish":     {row("kl. 18.00 <b>Högtid</b>"), "Planning board 05-14 18:00, Finance board 06-02 18:00"},
		"how long it takes":                   {row("1h47"), "Planning board 05-14, Finance board 06-02"},
		"an hour with a colon and no minutes": {row("6:pm"), "Planning board 05-14 18:00, Finance board 06-02 18:00"},
		"a day before a dash and a time": {`<h1>Meetings</h1><ul><li>Council: May 5 - 7pm</li><li>Council: June 2 - 7pm</li></ul>`,
			"Council 05-05 19:00, Council 06-02 19:00"},
		"hours of meetings without a half of the day": {`<h1>School board meetings</h1><table><tr><th>Date</th><th>Time</th></tr>` +
			`<tr><td>May 12, 2026</td><td>6:30</td></tr><tr><td>June 9, 2026</td><td>10:00</td></tr></table>`, "School board meeting 05-12 18:30, School board meeting 06-09 10:00"},
		"hours of a page that counts to 24": {`<h1>School board meetings</h1><table><tr><th>Date</th><th>Time</th></tr>` +
			`<tr><td>May 12, 2026</td><td>6:30</td></tr><tr><td>June 9, 2026</td><td>18:00</td></tr></table>`, "School board meeting 05-12 06:30, School board meeting 06-09 18:00"},
		"a sentence for some weekdays": {`<h1>Meetings</h1><p>All meetings begin at 7:00 pm. Saturday meetings begin at 10 am.</p><ul>` +
			`<li>Saturday, May 9, 2026 Budget workshop</li><li>Tuesday, May 12, 2026 Budget hearing</li></ul>`, "Budget workshop 05-09 10:00, Budget hearing 05-12 19:00"},
		"several days in the row of a month": {`<h1>2026 Board meeting dates</h1><table><tr><th>Month</th><th colspan=2>Days</th></tr>` +
			`<tr><td>May</td><td>12</td><td>26</td></tr><tr><td>June</td><td>9</td><td>23</td></tr></table>`,
			"Board meeting 05-12, Board meeting 05-26, Board meeting 06-09, Board meeting 06-23"},
		"days in one cell beside their month": {`<h1>Board meetings</h1><table><tr><th>Month</th><th>Days</th></tr>` +
			`<tr><td>May 2026</td><td>12, 26</td></tr><tr><td>June 2026</td><td>9 and 23</td></tr></table>`,
			"Board meeting 05-12, Board meeting 05-26, Board meeting 06-09, Board meeting 06-23"},
		"days in cells beside a month and its year": {`<h1>Board meetings</h1><table>` +
			`<tr><td>May 2026</td><td>12</td><td>26</td></tr><tr><td>June 2026</td><td>9</td><td>23</td></tr><tr><td>July 2026</td><td>7</td></tr></table>`,
			"Board meeting 05-12, Board meeting 05-26, Board meeting 06-09, Board meeting 06-23, Board meeting 07-07"},
		"two days beside each month": {`<h1>Board meetings</h1><table>` +
			`<tr><td>May 2026</td><td>12</td><td>26</td></tr><tr><td>June 2026</td><td>9</td><td>23</td></tr><tr><td>July 2026</td><td>7</td><td>21</td></tr></table>`,
			"Board meeting 05-12, Board meeting 05-26, Board meeting 06-09, Board meeting 06-23, Board meeting 07-07, Board meeting 07-21"},
		"days in one cell beside a month of the year above": {`<h1>2026 Board meetings</h1><table>` +
			`<tr><td>May</td><td>12, 26</td></tr><tr><td>June</td><td>9, 23</td></tr></table>`,
			"Board meeting 05-12, Board meeting 05-26, Board meeting 06-09, Board meeting 06-23"},
		"figures by month": {`<h1>Board meetings held</h1><table><tr><th>Month</th><th>Held</th><th>Visitors</th></tr>` +
			`<tr><td>May 2026</td><td>2</td><td>31</td></tr><tr><td>June 2026</td><td>3</td><td>3</td></tr></table>`, ""},
		"equal moments under two headings": {`<h1>Meetings</h1><h2>City Council</h2><ul><li>May 5, 2026 7:00 pm</li><li>May 19, 2026 7:00 pm</li></ul>` +
			`<h2>Planning Commission</h2><ul><li>May 5, 2026 7:00 pm</li><li>May 19, 2026 7:00 pm</li></ul>`,
			"City Council 05-05 19:00, City Council 05-19 19:00, Planning Commission 05-05 19:00, Planning Commission 05-19 19:00"},
		"equal moments of a schedule and its documents": {`<h1>City Council</h1><h2>Meeting schedule</h2><ul><li>May 5, 2026 7:00 pm</li><li>May 19, 2026 7:00 pm</li></ul>` +
			`<h2>Meeting agendas</h2><ul><li><a href="/a.pdf">May 5, 2026</a></li><li><a href="/b.pdf">May 19, 2026</a></li></ul>`,
			"City Council 05-05 19:00, City Council 05-19 19:00"},
		"the options of a list under a label of meetings": {`<h1>Planning Commission</h1><form><label for="m">Meetings in 2026</label>` +
			`<select id="m"><option>Choose a meeting</option><option>May 13, 2026 6:00 PM</option><option>June 10, 2026 6:00 PM</option>` +
			`<option>July 8, 2026 6:00 PM</option><option>August 12, 2026 6:00 PM</option></select></form>`,
			"Planning Commission 05-13 18:00, Planning Commission 06-10 18:00, Planning Commission 07-08 18:00, Planning Commission 08-12 18:00"},
		"options without such a label": {`<h1>Order</h1><label for="m">Day of delivery</label><select id="m"><option>May 13, 2026</option>` +
			`<option>May 14, 2026</option><option>May 15, 2026</option></select>`, ""},
		"a note below a table": {`<h1>Board of Health meetings</h1><table><tr><th>Date</th><th>Time</th></tr><tr><td>May 13, 2026</td><td>6:00 PM</td></tr>` +
			`<tr><td>June 10, 2026</td><td>6:00 PM</td></tr><tr><td>July 8, 2026</td><td>6:00 PM</td></tr></table>` +
			`<p>Note: the meeting of May 20, 2026 was cancelled because of repairs.</p>`,
			"Board of Health meeting 05-13 18:00, Board of Health meeting 06-10 18:00, Board of Health meeting 07-08 18:00"},
		"a table of what is on the agendas of the meetings before": {`<h1>Meeting search</h1><table><tr><th>Meeting date</th><th>Meeting type</th></tr>` +
			`<tr><td>05/13/26</td><td>Council Meeting</td></tr><tr><td>06/10/26</td><td>Council Meeting</td></tr></table>` +
			`<table><tr><th>Meeting date</th><th>Item</th></tr><tr><td>05/13/26</td><td>Warrant Register May 1, 2026</td></tr>` +
			`<tr><td>05/13/26</td><td>Liability Claim</td></tr><tr><td>06/10/26</td><td>Budget Amendment</td></tr></table>`,
			"Council Meeting 05-13, Council Meeting 06-10"},
		"cards and reviews beside the one thing that a page is about": {`<main><h1>Jazz Night</h1><p>Friday, May 15, 2026, 8:00 PM</p><p>Blue Hall</p></main>` +
			`<section><h2>More events</h2><ul><li><a href="/1">Rock Night</a> May 22, 2026</li><li><a href="/2">Soul Night</a> May 29, 2026</li></ul></section>` +
			`<section><h2>Reviews</h2><div><b>Ann</b> April 2, 2026 <p>Great!</p></div><div><b>Bob</b> April 5, 2026 <p>Nice.</p></div></section>`,
			"Jazz Night 05-15 20:00"},
		"a heading that ends like one cut off": {`<h1>What is on</h1><div class="row"><div>22 May 2026</div><h3><a href="/1">Guided walk</a></h3></div>` +
			`<div class="row"><div>27 May 2026</div><h3><a href="/2">Village lights switch-on</a></h3></div>` +
			`<div class="row"><div>28 May 2026</div><h3><a href="/3">Craft fair</a></h3></div>`,
			"Guided walk 05-22, Village lights switch-on 05-27, Craft fair 05-28"},
		"a time, a link and a place in one line": {`<h1>Programme</h1><h2>Wednesday, 20 May 2026</h2><ul><li><span>20:45</span> <a href="/1">The innkeeper</a>` +
			` <span>Great Theatre</span> <span>€ 18</span></li><li><span>21:00</span> <a href="/2">Jazz downstairs</a> <span>Cellar</span> <span>€ 12</span></li></ul>` +
			`<h2>Thursday, 21 May 2026</h2><ul><li><span>16:00</span> <a href="/3">Puppet play</a> <span>Small Theatre</span> <span>€ 8</span></li></ul>`,
			"The innkeeper 05-20 20:45, Jazz downstairs 05-20 21:00, Puppet play 05-21 16:00"},
		"an entry of today among cards": {`<div class="head"><span>April 20, 2026</span></div><h1>Library events</h1>` +
			`<div class="card"><h2>Story time</h2><div class="when"><span>April 20, 2026</span></div><div>10:30 AM</div></div>` +
			`<div class="card"><h2>Chess club</h2><div class="when"><span>April 22, 2026</span></div><div>4:00 PM</div></div>` +
			`<div class="card"><h2>Book sale</h2><div class="when"><span>April 25, 2026</span></div><div>9:00 AM</div></div>`,
			"Story time 04-20 10:30, Chess club 04-22 16:00, Book sale 04-25 09:00"},
		"a main heading in what a class calls a margin": {`<div class="header"><p>Town of Ulm</p></div><div class="widget news related"><h1>Council meetings</h1>` +
			`<ul><li><a href="/1">Budget hearing</a> May 13, 2026 6:00 PM</li><li><a href="/2">Zoning hearing</a> June 10, 2026 6:00 PM</li></ul></div>` +
			`<aside><p>Renovation of the office: May 4, 2026</p><p>Opening of the library: May 6, 2026</p></aside>`,
			"Budget hearing 05-13 18:00, Zoning hearing 06-10 18:00"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			found := Read(dom.New([]byte(`<html lang="en"><body>`+c.page+`</body></html>`), "https://town.example/"),
				Options{Now: time.Date(2026, 4, 20, 0, 0, 0, 0, time.UTC), Lang: "en"})
			var got []string
			for _, d := range found {
				when := strings.Replace(fmt.Sprint(d.Fields["starts_at"]), "T", " ", 1)
				got = append(got, fmt.Sprint(d.Fields["title"], " ", strings.TrimSuffix(strings.TrimPrefix(when, "2026-"), ":00")))
			}
			if all := strings.Join(got, ", "); all != c.want {
				t.Errorf("read as %s, want %s", all, c.want)
			}
		})
	}
}
