package events

import "testing"

func TestStatesAreToldInManyLanguages(t *testing.T) {
	for title, want := range map[string]struct{ name, status string }{
		"Parks Board - CANCELLED":           {"Parks Board", "cancelled"},
		"Chorkonzert – abgesagt":            {"Chorkonzert", "cancelled"},
		"Koncert komorní hudby (zrušen)":    {"Koncert komorní hudby", "cancelled"},
		"Джазовый вечер — отменён":          {"Джазовый вечер", "cancelled"},
		"Concert de Noël - reporté":         {"Concert de Noël", "postponed"},
		"Noche de jazz | agotado":           {"Noche de jazz", "sold_out"},
		"Kesäkonsertti, loppuunmyyty!":      {"Kesäkonsertti", "sold_out"},
		"UITVERKOCHT: Winteravond":          {"Winteravond", "sold_out"},
		"Lesung „Wald im Wandel“ entfällt!": {"Lesung „Wald im Wandel“", "cancelled"},
		"Lesung im Park fällt aus":          {"Lesung im Park", "cancelled"},
		"Library Board":                     {"Library Board", ""},
		"The Completionists":                {"The Completionists", ""},
	} {
		t.Run(title, func(t *testing.T) {
			status, _ := statusOf(title)
			if name := withoutStatus(title); name != want.name || status != want.status {
				t.Errorf("%q: got %q, %q", title, name, status)
			}
		})
	}
}
