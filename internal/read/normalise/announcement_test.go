package normalise

import (
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

func TestAStatusIsNoPartOfTheName(t *testing.T) {
	for _, c := range []struct{ title, status, want string }{
		{"CANCELLED Board of Adjustment", "cancelled", "Board of Adjustment"},
		{"Cancelled: Board of Adjustment", "cancelled", "Board of Adjustment"},
		{"Board of Adjustment *** CANCELED ***", "cancelled", "Board of Adjustment"},
		{"Modèles de submersion (annulé)", "cancelled", "Modèles de submersion"},
		{"SOLD OUT – Kwartet Leśny", "sold_out", "Kwartet Leśny"},
		{"[Abgesagt] Sommerfest", "cancelled", "Sommerfest"},
		{"Cancelled Dreams", "cancelled", "Cancelled Dreams"},
		{"CANCELLED Board of Adjustment", "scheduled", "CANCELLED Board of Adjustment"},
		{"CANCELLED", "cancelled", "CANCELLED"},
		{"CITY COUNCIL", "cancelled", "CITY COUNCIL"},
	} {
		t.Run(c.title, func(t *testing.T) {
			r, _ := Record(curlew.Draft{Schema: curlew.SchemaEvent, Fields: curlew.Values{"title": c.title, "status": c.status}}, Context{})
			if got := r.Fields["title"]; got != c.want {
				t.Errorf("%s, %s: %q, want %q", c.title, c.status, got, c.want)
			}
		})
	}
}

func TestAStampInANameTellsTheStatus(t *testing.T) {
	for _, c := range []struct{ title, name, status string }{
		{"Licensing Sub-Committee - CANCELLED", "Licensing Sub-Committee", "cancelled"},
		{"POSTPONED: Full Council", "Full Council", "postponed"},
		{"Jazz Night (sold out)", "Jazz Night", "sold_out"},
		{"Cancelled Dreams", "Cancelled Dreams", ""},
		{"CITY COUNCIL", "CITY COUNCIL", ""},
		{"NEW: Pottery", "NEW: Pottery", ""},
		{"ANNULÉ Conférence : l’eau", "Conférence : l’eau", "cancelled"},
		{"abgesagt! Vortrag: Wald", "Vortrag: Wald", "cancelled"},
		{"Lesung „Wald im Wandel“ entfällt!", "Lesung „Wald im Wandel“", "cancelled"},
		{"Lesung im Park fällt aus!", "Lesung im Park", "cancelled"},
	} {
		t.Run(c.title, func(t *testing.T) {
			r, _ := Record(curlew.Draft{Schema: curlew.SchemaEvent, Fields: curlew.Values{"title": c.title}}, Context{})
			if status, _ := r.Fields["status"].(string); r.Fields["title"] != c.name || status != c.status {
				t.Errorf("%q is %q with the status %q", c.title, r.Fields["title"], status)
			}
		})
	}
}
