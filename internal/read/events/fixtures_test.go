package events

import "testing"

// A fixture is called after both sides, whatever tells them.
func TestAFixtureIsCalledAfterBothSides(t *testing.T) {
	const want = `2026-11-21T15:00:00 Ashford United – Cray Valley
2026-11-24T19:45:00 Sittingbourne – Ashford United
2026-11-28T15:00:00 Ashford United – Three Bridges
2026-12-05T15:00:00 Merstham – Ashford United`
	fixtures := [][4]string{{"Sat 21 Nov 2026", "15:00", "Ashford United", "Cray Valley"}, {"Tue 24 Nov 2026", "19:45", "Sittingbourne", "Ashford United"},
		{"Sat 28 Nov 2026", "15:00", "Ashford United", "Three Bridges"}, {"Sat 5 Dec 2026", "15:00", "Merstham", "Ashford United"}}
	list := func(row func(f [4]string) string) (all string) {
		for _, f := range fixtures {
			all += row(f)
		}
		return all
	}
	for name, body := range map[string]string{
		"columns": "<table><tr><th>Date</th><th>KO</th><th>Home</th><th></th><th>Away</th><th>Venue</th></tr>" + list(func(f [4]string) string {
			return "<tr><td>" + f[0] + "</td><td>" + f[1] + "</td><td>" + f[2] + "</td><td>3 - 1</td><td>" + f[3] + "</td><td>Homelands</td></tr>"
		}) + "</table>",
		"columns whose home side is called as a place is": "<table><tr><th>Fecha</th><th>Hora</th><th>Local</th><th>Resultado</th><th>Visitante</th><th>Competición</th></tr>" + list(func(f [4]string) string {
			return "<tr><td>" + f[0] + "</td><td>" + f[1] + "</td><td>" + f[2] + "</td><td>-</td><td>" + f[3] + "</td><td>Liga – J9</td></tr>"
		}) + "</table>",
		"columns in Hungarian": "<table><tr><th>Dátum</th><th>Idő</th><th>Hazai</th><th>Eredmény</th><th>Vendég</th></tr>" + list(func(f [4]string) string {
			return "<tr><td>" + f[0] + "</td><td>" + f[1] + "</td><td>" + f[2] + "</td><td>-</td><td>" + f[3] + "</td></tr>"
		}) + "</table>",
		"classes": "<ul>" + list(func(f [4]string) string {
			return `<li class="match"><span class="team local">` + f[2] + `</span><span class="time">` + f[0] + " " + f[1] + `</span><span class="team visitante">` + f[3] + `</span></li>`
		}) + "</ul>",
		"the word between them": "<table>" + list(func(f [4]string) string {
			return "<tr><td>" + f[0] + "</td><td>" + f[1] + "</td><td>" + f[2] + "</td><td>v</td><td>" + f[3] + "</td></tr>"
		}) + "</table>",
	} {
		t.Run(name, func(t *testing.T) {
			if got := shown("en", "<h1>Fixtures</h1>"+body); got != want {
				t.Error(got)
			}
		})
	}
}
