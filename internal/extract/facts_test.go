package extract

import (
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// The page of one thing of an org's own kind has its facts behind their names.
func TestTheFactsOfOneThingAreReadByTheirNames(t *testing.T) {
	recipe := curlew.Schema{Name: "recipe", Title: "name", Fields: []curlew.Field{{Name: "name", Type: curlew.TypeText, Required: true},
		{Name: "zubereitungszeit", Type: curlew.TypeDuration}, {Name: "schwierigkeit", Type: curlew.TypeText}, {Name: "portionen", Type: curlew.TypeInteger},
		{Name: "vegetarisch", Type: curlew.TypeBool}, {Name: "zutaten", Type: curlew.TypeList, Of: curlew.TypeText}}}
	const rest = `<nav><a href="/">Rezepte</a></nav><h2>Zutaten</h2><ul><li>1 Kürbis</li><li>2 cm Ingwer</li></ul>` +
		`<div class="cookies"><p>We use cookies.</p><a href="/p">Read more</a></div>`
	for form, page := range map[string]string{
		"in spans":                  `<p><span>Zubereitungszeit: 45 Min.</span> <span>Schwierigkeit: leicht</span> <span>Portionen: 4</span> <span>Vegetarisch: ja</span></p>`,
		"in a list of definitions":  `<dl><dt>Zubereitungszeit</dt><dd>45 Min.</dd><dt>Schwierigkeit</dt><dd>leicht</dd><dt>Portionen</dt><dd>4</dd><dt>Vegetarisch</dt><dd>ja</dd></dl>`,
		"in a table of two columns": `<table><tr><td>Zubereitungszeit</td><td>45 Min.</td></tr><tr><td>Schwierigkeit</td><td>leicht</td></tr><tr><td>Portionen</td><td>4</td></tr><tr><td>Vegetarisch</td><td>ja</td></tr><tr><td>Zutaten</td><td>Kürbis</td></tr></table>`,
		"in a table":                `<table><tr><th>Zubereitungszeit</th><td>45 Min.</td></tr><tr><th>Schwierigkeit</th><td>leicht</td></tr><tr><th>Portionen</th><td>4</td></tr><tr><th>Vegetarisch</th><td>ja</td></tr></table>`,
		"in a list before a heading of the same name, steps and comments": `<ul><li><strong>Zubereitungszeit:</strong> 45 Min.</li><li><strong>Schwierigkéit:</strong> leicht</li>
			<li><strong>Portionen:</strong> 4</li><li><strong>Vegetarisch:</strong> ja</li></ul><h2>Zubereitungszeit</h2><ol><li>Den Kürbis in Stücke schneiden.</li>
			<li>Mit dem Ingwer in Butter andünsten.</li><li>Mit Brühe aufgießen und weich kochen.</li><li>Mit einem Stab fein pürieren.</li></ol>
			<h2>Kommentare</h2><div class="comment"><b>Lucia</b> Sehr gut!</div><div class="comment"><b>Paul</b> Gestern gekocht.</div><div class="comment"><b>Anna</b> Mit Chili noch besser.</div>`,
		"beside data": `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Recipe","name":"Kürbissuppe"}</script>
			<ul><li><b>Zubereitungszeit:</b> 45 Min.</li><li><b>Schwierigkeit:</b> leicht</li><li><b>Portionen:</b> 4</li><li><b>Vegetarisch:</b> ja</li></ul>`,
	} {
		t.Run(form, func(t *testing.T) {
			m := Material{Body: []byte(`<html lang="de"><body><main><h1>Kürbissuppe</h1>` + page + rest + `</main></body></html>`), URL: "https://k.example/suppe",
				ContentType: "text/html", Now: time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)}
			all := Readings(t.Context(), m, ExtractOptions{Schema: "recipe", Own: &recipe})
			if len(all) != 1 || !all[0].Single {
				t.Fatalf("read as %+v", all)
			}
			f := all[0].Records[0].Record.Fields
			if f["name"] != "Kürbissuppe" || f["schwierigkeit"] != "leicht" || f["portionen"] != int64(4) || f["vegetarisch"] != true || f["zubereitungszeit"] == nil {
				t.Errorf("read as %v", f)
			}
		})
	}
}

// Facts that stand in a list are those of one thing, and a title that is a fact is read by its name.
func TestFactsInAListAreNoThings(t *testing.T) {
	page := `<html lang="en"><body><main><h1>Sandvik Guest Harbour</h1><dl><dt>Depth</dt><dd>4.20 m</dd><dt>Berths</dt><dd>40</dd><dt>Water</dt><dd>yes</dd>` +
		`<dt>Power</dt><dd>16 A</dd><dt>Fuel</dt><dd>no</dd><dt>Sauna</dt><dd>yes</dd></dl></main></body></html>`
	m := Material{Body: []byte(page), URL: "https://quay.example/sandvik", ContentType: "text/html", Now: time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)}
	depth, berths := curlew.Field{Name: "depth", Type: curlew.TypeText}, curlew.Field{Name: "berths", Type: curlew.TypeInteger}
	more := []curlew.Field{{Name: "water", Type: curlew.TypeBool}, {Name: "power", Type: curlew.TypeText}, {Name: "fuel", Type: curlew.TypeBool}}
	for title, kind := range map[string]curlew.Schema{
		"name":  {Name: "harbour", Title: "name", Fields: append([]curlew.Field{{Name: "name", Type: curlew.TypeText, Required: true}, depth, berths}, more...)},
		"depth": {Name: "marina", Title: "depth", Fields: []curlew.Field{depth, berths}},
	} {
		t.Run(title, func(t *testing.T) {
			all := Readings(t.Context(), m, ExtractOptions{Schema: kind.Name, Own: &kind})
			if len(all) != 1 || !all[0].Single {
				t.Fatalf("read as %+v", all)
			}
			f := all[0].Records[0].Record.Fields
			if f["depth"] != "4.20 m" || f["berths"] != int64(40) || title == "name" && f["name"] != "Sandvik Guest Harbour" {
				t.Errorf("read as %v", f)
			}
		})
	}
}

// The heads of a table that stand in a row of cells are no facts of one thing.
func TestHeadsInARowAreNoFacts(t *testing.T) {
	rate := curlew.Schema{Name: "rate", Title: "kod", Fields: []curlew.Field{{Name: "kod", Type: curlew.TypeText, Required: true},
		{Name: "waluta", Type: curlew.TypeText}, {Name: "kupno", Type: curlew.TypeNumber}, {Name: "sprzedaz", Type: curlew.TypeNumber}}}
	page := `<html lang="pl"><body><main><h1>Kursy</h1><table><tr><td>Kod</td><td>Waluta</td><td>Kupno</td><td>Sprzedaż</td></tr>`
	for _, row := range []string{"EUR Euro 4,2510 4,3390", "USD Dolar 3,6120 3,7040", "GBP Funt 4,8210 4,9350", "CHF Frank 4,5100 4,6230", "CZK Korona 0,1712 0,1789"} {
		page += "<tr><td>" + strings.ReplaceAll(row, " ", "</td><td>") + "</td></tr>"
	}
	m := Material{Body: []byte(page + `</table></main></body></html>`), URL: "https://quay.example/rates", ContentType: "text/html",
		Now: time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)}
	for _, r := range Readings(t.Context(), m, ExtractOptions{Schema: "rate", Own: &rate}) {
		if r.Single {
			t.Errorf("read as one: %v", r.Records[0].Record.Fields)
		}
	}
}
