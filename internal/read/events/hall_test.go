package events

import "testing"

func TestHallsAndRoomsAreFound(t *testing.T) {
	for text, want := range map[string]string{
		"Meets in the Council Chambers on Mondays":    "the Council Chambers",
		"at City Hall, Room 201-A and begin at 12:45": "City Hall, Room 201-A",
		"James R. Thompson Center":                    "James R. Thompson Center",
		"held in Room 16-503 today":                   "Room 16-503",
		"the 5th Floor Board Room, 301 E. Cermak":     "the 5th Floor Board Room",
		"Conference Room C upstairs":                  "Conference Room C",
		"a room with a view":                          "",
		"we hall sing; the Park":                      "the Park",
		"Saal 3":                                      "Saal 3",
		"Veterans Day - No School":                    "",
		"Office":                                      "",
		"The Museum of Art, then a Library":           "The Museum",
		"":                                            "",
	} {
		t.Run(text, func(t *testing.T) {
			if got := findHall(text); got != want {
				t.Errorf("%q holds %q, not %q", text, got, want)
			}
		})
	}
	if got := lastHall("the City Hall building, then the Fire House Hall"); got != "Fire House Hall" && got != "the Fire House Hall" {
		t.Errorf("the last is %q", got)
	}
}
