package events

import "testing"

// Of a range of hours the first may be any of the day, and what makes it a time stands behind
// the second; no part of it stays in the title.
func TestARangeOfHoursBeginsAtItsFirst(t *testing.T) {
	const want = `2026-11-28T11:00:00 2026-11-28T17:00:00 Adventsbasar, Gemeindehaus
2026-12-05T14:00:00 2026-12-05T20:00:00 Nikolausmarkt, Rathausplatz
2026-12-06T19:30:00 2026-12-06T21:00:00 Seniorenadvent, Festhalle
2027-01-09T09:00:00 Christbaumsammlung`
	for name, body := range map[string]string{
		"lines": `<h1>Termine</h1><p>28.11. – Adventsbasar, Gemeindehaus, 11–17 Uhr<br>05.12. – Nikolausmarkt, Rathausplatz, 14–20 Uhr<br>
			06.12. – Seniorenadvent, Festhalle, 19.30 bis 21 Uhr<br>09.01. – Christbaumsammlung, ab 9.00 Uhr</p>`,
		"table": `<h1>Termine</h1><table><tr><th>Datum</th><th>Uhrzeit</th><th>Veranstaltung</th></tr>
			<tr><td>28.11.2026</td><td>11–17 Uhr</td><td>Adventsbasar, Gemeindehaus</td></tr>
			<tr><td>05.12.2026</td><td>14 – 20 Uhr</td><td>Nikolausmarkt, Rathausplatz</td></tr>
			<tr><td>06.12.2026</td><td>von 19.30 bis 21 Uhr</td><td>Seniorenadvent, Festhalle</td></tr>
			<tr><td>09.01.2027</td><td>9 Uhr</td><td>Christbaumsammlung</td></tr></table>`,
		"weekdays": `<h1>Termine</h1><p><b>Sa. 28.11.</b> 11–17 Uhr: Adventsbasar, Gemeindehaus</p><p><b>Sa. 5.12.</b> 14–20 Uhr: Nikolausmarkt, Rathausplatz</p>
			<p><b>So. 6.12.</b> 19.30–21 Uhr: Seniorenadvent, Festhalle</p><p><b>Sa. 9.1.</b> ab 9 Uhr: Christbaumsammlung</p>`,
	} {
		t.Run(name, func(t *testing.T) {
			if got := shown("de", body); got != want {
				t.Error(got)
			}
		})
	}
}
