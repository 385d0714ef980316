package extract

import (
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

func TestATableIsNotTakenForWhatItsColumnsRuleOut(t *testing.T) {
	for name, c := range map[string]struct {
		page string
		not  curlew.SchemaName
	}{
		"tenders are no goods": {`<h1>Current tenders</h1><table><tr><th>Reference</th><th>Title</th><th>Published</th><th>Estimated value</th></tr>
			<tr><td>T-101</td><td><a href="/t/101">Resurfacing of Mill Lane</a></td><td>2 November 2026</td><td>£120,000</td></tr>
			<tr><td>T-102</td><td><a href="/t/102">School meals</a></td><td>5 November 2026</td><td>£890,000</td></tr>
			<tr><td>T-103</td><td><a href="/t/103">Street lighting maintenance</a></td><td>9 November 2026</td><td>£310,000</td></tr>
			<tr><td>T-104</td><td><a href="/t/104">Library roof</a></td><td>12 November 2026</td><td>£75,000</td></tr></table>`, curlew.SchemaProduct},
		"measurements are no events": {`<h1>River levels</h1><table><tr><th>Station</th><th>River</th><th>Level (cm)</th><th>Last measured</th></tr>
			<tr><td>Elmford</td><td>Tarn</td><td>212</td><td>17.11.2026 06:00</td></tr><tr><td>Brook</td><td>Tarn</td><td>180</td><td>17.11.2026 06:00</td></tr>
			<tr><td>Lower Mill</td><td>Ash</td><td>95</td><td>17.11.2026 06:15</td></tr><tr><td>Harbour</td><td>Ash</td><td>310</td><td>16.11.2026 23:45</td></tr></table>`, curlew.SchemaEvent},
	} {
		t.Run(name, func(t *testing.T) {
			m := Material{Body: []byte("<html><body>" + c.page + "</body></html>"), URL: "https://example.org/list", ContentType: "text/html",
				Now: time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)}
			all := Readings(t.Context(), m, ExtractOptions{})
			if len(all) == 0 || all[0].Schema == c.not {
				t.Errorf("taken for %s", c.not)
			}
		})
	}
}

// A table with named columns that is most of its page is what the page is there for, whatever it lists; one beside a text is not.
func TestATableThatIsMostOfItsPageIsSure(t *testing.T) {
	rates := `<table><tr><th>Country</th><th>Currency</th><th>Code</th><th>Rate</th></tr>
		<tr><td>Australia</td><td>dollar</td><td>AUD</td><td>14.862</td></tr><tr><td>Brazil</td><td>real</td><td>BRL</td><td>4.118</td></tr>
		<tr><td>Denmark</td><td>krone</td><td>DKK</td><td>3.291</td></tr><tr><td>India</td><td>rupee</td><td>INR</td><td>26.310</td></tr>
		<tr><td>Japan</td><td>yen</td><td>JPY</td><td>14.901</td></tr><tr><td>Norway</td><td>krone</td><td>NOK</td><td>2.077</td></tr></table>`
	about := `<p>The bank sets its rates at two in the afternoon on working days, after the other banks of the country have sent theirs, and it
		leaves out the highest and the lowest of what it was sent. Who changes money at the counter pays a fee that depends on the amount.</p>`
	for name, c := range map[string]struct {
		page, kind string
		sure       bool
	}{
		"a table": {"<h1>Exchange rates</h1>" + rates, "text/html", true},
		"facts under names": {`<h1>Courses</h1><dl><dt>Pottery</dt><dd>Starts: 12 January 2027</dd><dd>Tutor: Ann Mills</dd><dd>Length: 10 weeks</dd><dd>Fee: £140</dd>
			<dt>Italian</dt><dd>Starts: 14 January 2027</dd><dd>Tutor: Marco Bianchi</dd><dd>Length: 20 weeks</dd><dd>Fee: £180</dd>
			<dt>Photography</dt><dd>Starts: 18 January 2027</dd><dd>Tutor: Peter Kay</dd><dd>Length: 6 weeks</dd><dd>Fee: £115</dd>
			<dt>Yoga</dt><dd>Starts: 11 January 2027</dd><dd>Tutor: Rea Singh</dd><dd>Length: 12 weeks</dd><dd>Fee: £84</dd>
			<dt>Dressmaking</dt><dd>Starts: 2 February 2027</dd><dd>Tutor: Mary Todd</dd><dd>Length: 10 weeks</dd><dd>Fee: £160</dd></dl>`, "text/html", true},
		"a table beside a text": {"<h1>How rates are set</h1>" + about + about + rates, "text/html", false},
		"a file of rows":        {"name;town;depth;open\nNorth;Rennes;50;1\nWest;Vern;25;1\nEast;Bruz;25;0\nSouth;Cesson;33;1\nOld;Betton;20;1\n", "text/csv", true},
		"a text with tabs":      {"id\tcity\tpeople\n1\tBrno\t398510\n2\tOstrava\t283504\n3\tPlzeň\t181240\n4\tLiberec\t107982\n5\tOlomouc\t101825\n", "text/plain", true},
		"elements of a kind": {`<?xml version="1.0"?><Envelope><subject>Reference rates</subject><Sender><name>The Central Bank of the Northern Provinces</name></Sender><Cube time="2026-11-17"><Cube currency="USD" rate="1.0812"/><Cube currency="JPY" rate="162.35"/>
			<Cube currency="GBP" rate="0.8421"/><Cube currency="CHF" rate="0.9387"/><Cube currency="SEK" rate="11.412"/></Cube></Envelope>`, "text/xml", true},
		"an array of objects": {`[{"name":"Albion","city":"Leeds","connectors":4,"status":"free"},{"name":"Kirkgate","city":"Leeds","connectors":2,"status":"taken"},
			{"name":"Otley","city":"York","connectors":1,"status":"free"},{"name":"Ripon","city":"York","connectors":8,"status":"free"},
			{"name":"Selby","city":"Hull","connectors":3,"status":"free"}]`, "application/json", true},
	} {
		t.Run(name, func(t *testing.T) {
			m := Material{Body: []byte(c.page), URL: "https://example.org/list", ContentType: c.kind, Now: time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)}
			all := Readings(t.Context(), m, ExtractOptions{})
			if len(all) == 0 || all[0].Schema != curlew.SchemaItem || c.sure != (all[0].Score >= Sure) {
				t.Errorf("%.2f sure of %s, which is %.2f of the page", all[0].Score, all[0].Schema, all[0].Signs["explained"])
			}
		})
	}
}
