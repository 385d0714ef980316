package regions

import (
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
)

func TestTablesUnderOtherHeadsListOtherThings(t *testing.T) {
	table := func(heading, first string, rows ...string) string {
		page := `<div class="frame"><h2>` + heading + `</h2><table><thead><tr><th>` + strings.ReplaceAll(first, "|", "</th><th>") + `</th></tr></thead><tbody>`
		for _, row := range rows {
			page += "<tr><td>" + strings.ReplaceAll(row, "|", "</td><td>") + "</td></tr>"
		}
		return page + "</tbody></table></div>"
	}
	page := `<html lang="de"><body><main><h1>Öffnungszeiten</h1>` +
		table("Regulär", "Tag|Hauptstelle|Zweigstelle Süd", "Montag|geschlossen|geschlossen", "Dienstag|10–19 Uhr|14–18 Uhr", "Mittwoch|10–19 Uhr|geschlossen",
			"Donnerstag|10–19 Uhr|14–18 Uhr", "Freitag|10–19 Uhr|10–13 Uhr", "Samstag|10–15 Uhr|geschlossen", "Sonntag|geschlossen|geschlossen") +
		table("Feiertage", "Datum|Anlass|Hinweis", "So, 22. November 2026|Totensonntag|geschlossen", "Do, 26. November 2026|Personalversammlung|ab 14 Uhr geöffnet",
			"Do, 24. Dezember 2026|Heiligabend|geschlossen", "Fr, 25. Dezember 2026|1. Weihnachtstag|geschlossen", "Sa, 26. Dezember 2026|2. Weihnachtstag|geschlossen",
			"Do, 31. Dezember 2026|Silvester|10–13 Uhr") + `</main></body></html>`
	_, items := Items(t.Context(), dom.New([]byte(page), "https://lib.example/"), Options{})
	for _, item := range items {
		slots, _ := item.Fields["slots"].(map[string]any)
		if strings.Contains(item.Text, "Totensonntag") && slots["hinweis"] != "geschlossen" {
			t.Errorf("read as %v", slots)
		}
	}
	if len(items) < 6 {
		t.Errorf("%d items", len(items))
	}
}
