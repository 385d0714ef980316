package extract

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/induce"
)

// A kind has no field for every column that a list may have. Those that the page names travel
// with the records all the same, in what the reader gives and in what a learned blueprint gives;
// so do the facts and badges of cards.
func TestWhatAKindHasNoFieldForTravelsWithItsRecords(t *testing.T) {
	const meetings = `<h1>Calendar of meetings</h1><table><tr><th>Date</th><th>Time</th><th>Committee</th><th>Minutes</th></tr>
		<tr><td>Thu 3 December 2026</td><td>19:00</td><td><a href="/1">Planning Committee</a></td><td>Draft</td></tr>
		<tr><td>Tue 8 December 2026</td><td>18:30</td><td><a href="/2">Finance Committee</a></td><td>Not yet</td></tr>
		<tr><td>Wed 16 December 2026</td><td>19:00</td><td><a href="/3">Full Council</a></td><td>Not yet</td></tr>
		<tr><td>Mon 11 January 2027</td><td>18:00</td><td><a href="/5">Licensing Panel</a></td><td>Not yet</td></tr></table>`
	const lamps = `<h1>Shop: lamps</h1><table><tr><th>Article</th><th>Price</th><th>Socket</th></tr>
		<tr><td><a href="/1">Desk lamp Nora</a></td><td>29.00 EUR</td><td>E14</td></tr>
		<tr><td><a href="/2">Floor lamp Till</a></td><td>119.00 EUR</td><td>E27</td></tr>
		<tr><td><a href="/3">Wall lamp Odo</a></td><td>49.50 EUR</td><td>G9</td></tr>
		<tr><td><a href="/4">Desk lamp Ida</a></td><td>35.00 EUR</td><td>E14</td></tr></table>`
	matches := `<h1>Fixtures &amp; results</h1><div class="list">`
	for i, score := range []string{"28:31", "25:25", "33:27", "-:-", "-:-", "-:-", "-:-"} {
		matches += fmt.Sprintf(`<div class="match"><div class="date"><span class="d">%d.11.2026</span> <span class="t">18:00</span></div>`+
			`<div class="teams"><span class="home">TSV %c</span><span class="vs">–</span><span class="away">SG %c</span></div><div class="res"><span class="score">%s</span></div></div>`,
			14+i, 'A'+i, 'K'+i, score)
	}
	rates := `<h1>Exchange</h1><table><tr class="head"><td></td><td>Currency</td><td>Unit</td><td>Buys</td></tr>`
	for _, one := range [][2]string{{"<b>EUR</b> Euro", "4,2510"}, {"<b>USD</b> Dollar", "3,6120"}, {"<b>GBP</b> Pound", "4,8210"},
		{"<b>CHF</b> Franc", "4,5100"}, {"<b>CZK</b> Crown", "0,1712"}, {"<b>DKK</b> Krone", "0,5210"}} {
		rates += `<tr><td><i class="flag"></i></td><td>` + one[0] + `</td><td>1</td><td class="k">` + one[1] + `</td></tr>`
	}
	rates += "</table>"
	var cars strings.Builder
	cars.WriteString(`<h1>Shop: used cars</h1><div class="list">`)
	for i, car := range [][]string{{"VW Golf", "13.450", "98.000 km", ""}, {"Opel Corsa", "17.900", "21.800 km", `<span class="badge">Verkauft</span>`},
		{"Fiat 500", "9.990", "45.100 km", ""}, {"Skoda Fabia", "8.750", "120.300 km", ""}, {"Volvo V60", "24.300", "60.000 km", ""}} {
		fmt.Fprintf(&cars, `<div class="car"><a href="/c/%d"><h3>%s</h3></a>%s<ul class="data"><li class="mileage">%s</li></ul><p class="price">%s,00 €</p></div>`,
			i, car[0], car[3], car[2], car[1])
	}
	for _, c := range []struct {
		kind             curlew.SchemaName
		page, slot, want string
	}{
		{curlew.SchemaProduct, cars.String() + "</div>", "mileage", "98.000 km, 21.800 km, 45.100 km, 120.300 km, 60.000 km"},
		{curlew.SchemaProduct, cars.String() + "</div>", "badge", "<nil>, Verkauft, <nil>, <nil>, <nil>"},
		{curlew.SchemaEvent, meetings, "minutes", "Draft, Not yet, Not yet, Not yet"},
		{curlew.SchemaProduct, lamps, "socket", "E14, E27, G9, E14"},
		{curlew.SchemaEvent, matches + "</div>", "score", "28:31, 25:25, 33:27, <nil>, <nil>, <nil>, <nil>"},
		{curlew.SchemaItem, rates, "buys", "4,2510, 3,6120, 4,8210, 4,5100, 0,1712, 0,5210"},
	} {
		t.Run(string(c.kind)+" "+c.slot, func(t *testing.T) {
			m := Material{Body: []byte(`<html lang="en"><body>` + c.page + `</body></html>`), URL: "https://example.org/list",
				ContentType: "text/html", Now: time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)}
			kind, err := curlew.SchemaByName(c.kind)
			if err != nil {
				t.Fatal(err)
			}
			b, _, err := Learn(t.Context(), kind, []induce.LabelledPage{{Document: m.Document(), Now: m.Now}})
			if err != nil {
				t.Fatal(err)
			}
			compiled, err := Compile(b)
			if err != nil {
				t.Fatal(err)
			}
			for by, records := range map[string][]ReadRecord{
				"the reader":    Extract(t.Context(), m, ExtractOptions{Schema: c.kind, Asserted: true}).Readings,
				"the blueprint": compiled.Apply(t.Context(), m, ApplyOptions{}).Readings,
			} {
				t.Run(by, func(t *testing.T) {
					var got []string
					for _, r := range records {
						got = append(got, fmt.Sprint(r.Record.Fields.At("slots."+c.slot)))
					}
					if strings.Join(got, ", ") != c.want {
						t.Errorf("%s gives %q", by, got)
					}
				})
			}
		})
	}
}

func TestAKindThatHasNoFieldsForColumnsIsNotSure(t *testing.T) {
	const results = `<table><tr><th>Date</th><th>Home</th><th>Score</th><th>Away</th><th>Attendance</th></tr>
		<tr><td>Sat 7 Feb 2026</td><td>Ashby Town</td><td>2–1</td><td>Brook United</td><td>1,204</td></tr>
		<tr><td>Sat 14 Feb 2026</td><td>Calder FC</td><td>0–0</td><td>Denby Vale</td><td>988</td></tr>
		<tr><td>Sat 21 Feb 2026</td><td>Eastleigh Vale</td><td>3–1</td><td>Farley Rovers</td><td>1,377</td></tr>
		<tr><td>Sat 28 Feb 2026</td><td>Grange Park</td><td>1–1</td><td>Ashby Town</td><td>1,040</td></tr></table>`
	for heading, sure := range map[string]bool{"Results": false, "Calendar of meetings": true} {
		t.Run(heading, func(t *testing.T) {
			m := Material{Body: []byte(`<html lang="en"><body><h1>` + heading + `</h1>` + results + `</body></html>`), URL: "https://example.org/list",
				ContentType: "text/html", Now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
			for _, r := range Readings(t.Context(), m, ExtractOptions{}) {
				if r.Schema == curlew.SchemaEvent && (r.Score >= Sure) != sure {
					t.Errorf("as events it is %.2f likely", r.Score)
				}
			}
		})
	}
}

func TestDaysOfPublicationMakeNoEvents(t *testing.T) {
	page := `<html lang="en"><body><h1>Tenders</h1><table><tr><th>S.No</th><th>e-Published Date</th><th>Closing Date</th><th>Title</th>` +
		`<th>Value</th></tr>`
	for i, what := range []string{"Repair of the drain in Ward 14", "Supply of pipes", "Annual upkeep of the scanner", "New street lights", "Trees"} {
		page += fmt.Sprintf(`<tr><td>%d.</td><td>%d-Nov-2026</td><td>%d-Nov-2026 03:00 PM</td><td><a href="/%d">%s</a></td>`+
			`<td>₹ %d,000</td></tr>`, i+1, 17-i, 25+i, i, what, 17*i+12)
	}
	received := `<html lang="en"><title>Planning – Weekly list | Tynevale Council</title><body><h1>Applications</h1><ul>`
	for i, one := range [][4]string{
		{"Erection of single storey rear extension", "14 Mill Lane, Hexham", "17/11/2026", "Pending consideration"},
		{"Replacement of timber sash windows", "The Old Vicarage, Corbridge", "30/10/2026", "Pending consideration"},
		{"Change of use from shop to dwelling", "3 Market Street, Hexham", "29/10/2026", "Pending consideration"},
		{"Crown reduction of 2 no. sycamore trees", "Beech House, Wylam", "26/10/2026", "Approved"},
		{"Loft conversion with dormer window", "27 Park Avenue, Prudhoe", "23/10/2026", "Pending consideration"},
		{"Illuminated fascia sign", "Unit 4, Tyne Retail Park, Hexham", "20/10/2026", "Refused"},
	} {
		received += fmt.Sprintf(`<li><a href="/a/%d"><span>%s</span></a><p class="address">%s</p><p class="meta">Ref. No: 26/0187%d/FUL `+
			`<span>|</span> Received: %s <span>|</span> Status: %s</p></li>`, i, one[0], one[1], i, one[2], one[3])
	}
	today := `<html lang="en"><title>Planning applications</title><h1>Applications received today</h1><table><tr><th>Application No.</th><th>Date received</th>` +
		`<th>Description</th><th>Applicant</th></tr>`
	for i, what := range []string{"Two storey dwelling with garage", "Change of use from shop to cafe", "New carport", "Swimming pool", "Farm dam and access track"} {
		today += fmt.Sprintf(`<tr><td>DA%04d/2026</td><td>17/11/2026</td><td>%s</td><td>Owner %c</td></tr>`, 31+i, what, 'A'+i)
	}
	levels := `<html lang="en"><h1>River levels</h1><table><tr><th>Gauge</th><th>Level</th><th>Time of reading</th></tr>`
	for i, name := range []string{"Angel", "Barton", "Crook", "Dale", "Elm", "Ford"} {
		levels += fmt.Sprintf(`<tr><td>%s</td><td>1.%d m</td><td>17 Nov 2026 08:54:0%d</td></tr>`, name, i, i+1)
	}
	for name, body := range map[string]string{
		"tenders": page + `</table></body></html>`, "applications": received + `</ul></body></html>`,
		"applications of a day": today + `</table></html>`, "measurements": levels + `</table></html>`,
	} {
		t.Run(name, func(t *testing.T) {
			m := Material{Body: []byte(body), URL: "https://tenders.example/x", ContentType: "text/html", Now: time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)}
			for _, r := range Readings(t.Context(), m, ExtractOptions{}) {
				if r.Schema == curlew.SchemaEvent && r.Score >= Sure {
					t.Errorf("as %d events it is %.2f likely", len(r.Records), r.Score)
				}
			}
		})
	}
}

// Events that leave out entries of their list, as those that only say when they end, are not
// sure: a person is asked rather than not told of them.
func TestAKindThatLeavesOutEntriesIsNotSure(t *testing.T) {
	list := func(whens ...string) (body string) {
		for i, when := range whens {
			body += fmt.Sprintf(`<div class="show"><h3><a href="/a/%d">Painters of the river, part %[1]d</a></h3><p class="when">%s</p></div>`, i, when)
		}
		return body
	}
	days := []string{"5. Dezember 2026 – 31. Januar 2027", "21. November 2026", "28. November 2026", "12. Dezember 2026", "16. Januar 2027"}
	for name, c := range map[string]struct {
		body string
		sure bool
	}{
		"all have a day":         {list(days...), true},
		"some have an end alone": {list(append(days, "bis 10. Januar 2027", "bis 14. Februar 2027", "bis 1. März 2027")...), false},
	} {
		t.Run(name, func(t *testing.T) {
			m := Material{Body: []byte(`<html lang="de"><body><h1>Ausstellungen</h1>` + c.body + `</body></html>`), URL: "https://museum.example/x",
				ContentType: "text/html", Now: time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)}
			for _, r := range Readings(t.Context(), m, ExtractOptions{}) {
				if r.Schema == curlew.SchemaEvent && (r.Score >= Sure) != c.sure {
					t.Errorf("as %d events it is %.2f likely", len(r.Records), r.Score)
				}
			}
		})
	}
}

// The dishes under each day of a menu are things with prices; as events, two of a day would be one, and as products they
// would lose their days: nobody is sure of these.
func TestDishesUnderADayAreNoEvents(t *testing.T) {
	page := `<html lang="en"><body><h1>Lunch from 16 to 20 November 2026</h1><p>Daily from 11:30 to 14:00.</p>`
	for i, day := range []string{"Monday, 16 November", "Tuesday, 17 November", "Wednesday, 18 November", "Thursday, 19 November", "Friday, 20 November"} {
		page += fmt.Sprintf(`<p><strong>%s</strong></p><ul class="dish"><li>Soup %c with bread <span>7.%d0 €</span></li><li>Pasta %c, green salad <span>9.%d0 €</span></li></ul>`,
			day, 'A'+i, i, 'P'+i, i)
	}
	m := Material{Body: []byte(page + `</body></html>`), URL: "https://inn.example/", ContentType: "text/html", Now: time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)}
	all := Readings(t.Context(), m, ExtractOptions{})
	for i, r := range all {
		if i == 0 && r.Schema == curlew.SchemaEvent || r.Schema != curlew.SchemaItem && r.Score >= Sure {
			t.Errorf("%d of the kind %s at %.2f", len(r.Records), r.Schema, r.Score)
		}
	}
	if !slices.ContainsFunc(all, func(r Reading) bool { return r.Schema == curlew.SchemaItem && len(r.Records) == 10 }) {
		t.Error("the ten dishes are not offered")
	}
}

// Numbers beside an eye or a heart are called what they count, and make no other kind of the list.
func TestNumbersBesideIconsAreNamed(t *testing.T) {
	page := `<html lang="en"><body><h1>Latest ads</h1><div class="cards">`
	for i, name := range strings.Fields("Sideboard Bike Guitar Lamp Tent Skates Desk Mirror") {
		page += fmt.Sprintf(`<div class="card"><h5><a href="/ads/%d">%s</a></h5><p class="price">£%d</p><p>York</p><div class="foot"><small><i class="bi bi-eye"></i> %d</small> `+
			`<button>♡ %d</button></div></div>`, i, name, 100+i, 37*i+12, 5*i+3)
	}
	m := Material{Body: []byte(page + `</div></body></html>`), URL: "https://ads.example/latest", ContentType: "text/html", Now: time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)}
	best := Readings(t.Context(), m, ExtractOptions{})[0]
	slots, _ := best.Records[1].Record.Fields["slots"].(map[string]any)
	if best.Schema != curlew.SchemaProduct || slots["views"] != "49" || slots["likes"] != "♡ 8" {
		t.Errorf("%s with %v", best.Schema, slots)
	}
}

// Rows of applications read as events all bear the name of the page: the list, which calls each by what it is
// for, says more.
func TestEventsOfOneNameAreNoEvents(t *testing.T) {
	var b strings.Builder
	for i, what := range []string{"Change of use - Medical Centre to Office Premises", "Change of use - Retail Premises", "Tree Removal", "Demolition",
		"Dual Occupancy", "Replacement Dwelling House (CONCEPT ONLY)", "Swimming pool", "Secondary dwelling and double garage"} {
		address := fmt.Sprintf("%d Church Street MUDGEE NSW 2850", 3+i)
		fmt.Fprintf(&b, `<tr><td><a>DA%04d/2020</a></td><td>%d/07/2019</td><td>%s @ %s</td><td>Development Applications from 1/7/2014</td>`+
			`<td>%s</td><td><a>%s</a></td><td>Owner %c</td></tr>`, 31*i+2, 3+i*7%8, what, address, what[:6], address, 'A'+i)
	}
	m := Material{Body: []byte(`<html lang="en"><title>Council eServices - Submitted Last 28 Days</title><body><table>` + b.String() + `</table></body></html>`),
		URL: "https://example.org/tracker", ContentType: "text/html", Now: time.Date(2019, 7, 18, 9, 0, 0, 0, time.UTC)}
	readings := Readings(t.Context(), m, ExtractOptions{})
	if readings[0].Schema != curlew.SchemaItem || len(readings[0].Records) != 8 {
		t.Errorf("read as %d of %s", len(readings[0].Records), readings[0].Schema)
	}
}

// The name of each thing stands above its row with a day: whoever begins a record at the day gives it the name of the next one.
func TestDaysThatBelongToOtherThingsOfTheListAreNoEvents(t *testing.T) {
	page := `<html lang="en"><head><title>Homes to let</title></head><body><h1>Homes to let</h1><table>`
	for i, name := range []string{"Mill Lane 4", "Old Quay 8", "Abbey Court 2", "Elm Road 77", "Station Road 19"} {
		page += fmt.Sprintf(`<tr><td colspan=2><b>%s</b></td></tr><tr><td>Type</td><td>%s</td></tr><tr><td>Rent</td><td>€ %d</td></tr>`+
			`<tr><td>Available</td><td>%d January 2027</td></tr>`, name, []string{"Flat", "House"}[i%2], 900+130*i, 3+5*i)
	}
	m := Material{Body: []byte(page + "</table></body></html>"), URL: "https://homes.example/let", ContentType: "text/html",
		Now: time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)}
	best := Readings(t.Context(), m, ExtractOptions{})[0]
	if best.Schema != curlew.SchemaItem || len(best.Records) != 5 || best.Records[0].Record.Fields["date"] != "2027-01-03" {
		t.Errorf("%d records of kind %s: %v", len(best.Records), best.Schema, best.Records[0].Record.Fields)
	}
}
