package blueprint

import "testing"

func TestLooks(t *testing.T) {
	for value, want := range map[string]string{
		"T-2026-101": "text", "2026/27-A": "text", "AZ 2026-4711": "text",
		"Summer 2026": "date", "2026-12": "date", "3 December 2026": "date", "18:30 Uhr": "date", "€ 10,500.00": "price",
		"30 min": "duration", "Ready in 45 min": "duration", "1 h 20 min": "duration", "3 hours ago": "text",
		"4.1": "number", "4.1 stars": "number", "4.6 (212)": "number", "2.5 rooms": "number", "3.12. Tram": "date", "3.12.2026": "date", "12/3": "date",
	} {
		t.Run(value, func(t *testing.T) {
			if got := look(value, false); got != want {
				t.Errorf("looks like a %s, want %s", got, want)
			}
		})
	}
}
