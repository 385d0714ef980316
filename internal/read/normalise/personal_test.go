package normalise

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

func TestContactsOfPeopleAreTakenOut(t *testing.T) {
	cases := []struct{ in, want string }{
		{"Ask kari.nordmann@example.org for more.", "Ask for more."},
		{"Please ask Kari Nordmann, kari.nordmann@example.org.", "Please ask."},
		{"Write to info@example.org.", "Write to info@example.org."},
		{"Write to turlag@turlag.example.", "Write to turlag@turlag.example."},
		{"kari (at) example.org", ""},
		{"Ring 22 00 12 34 today", "today"},
		{"Come along! +47 912 34 567", "Come along!"},
		{"Kontaktperson: Kari Nordmann. Welcome.", "Welcome."},
		{"Contact: Kari Nordmann, mobile 912 34 567", ""},
		{"Contact: Oslo Turlag for tickets", "Contact: Oslo Turlag for tickets"},
		{"Kari Nordmann sings Grieg on 18.04.2026 at 20:00", "Kari Nordmann sings Grieg on 18.04.2026 at 20:00"},
		{"Open 2024-2026, ISBN 978-3-16-148410-0, 1 234 567 visitors", "Open 2024-2026, ISBN 978-3-16-148410-0, 1 234 567 visitors"},
		{"(Free entry)\nAsk: kari@example.org", "(Free entry)\nAsk"},
		{"Kari (kari@example.org), Ola (ola@example.org) and Per", "Kari, Ola and Per"},
		{"Between 2026-04-18 and 2026-05-18", "Between 2026-04-18 and 2026-05-18"},
	}
	for _, c := range cases {
		t.Run(c.in, func(t *testing.T) {
			record, notes := Record(curlew.Draft{Schema: curlew.SchemaEvent, Fields: curlew.Values{"description": c.in}}, Context{Country: "NO"})
			got, _ := record.Fields["description"].(string)
			if got != c.want {
				t.Errorf("%q became %q, want %q", c.in, got, c.want)
			}
			counted := false
			for _, n := range notes {
				counted = counted || n.Code == "personal_data" && n.Count > 0
			}
			if counted != (c.in != c.want) {
				t.Errorf("%q: notes %v", c.in, notes)
			}
		})
	}
}

func TestNumbersToCallAreNoFigures(t *testing.T) {
	draft := curlew.Draft{Schema: curlew.SchemaPage, Fields: curlew.Values{"title": "Hours", "text": "Hours", "figures": map[string]any{
		"Ring": "22001234", "Tel": "+4791234567", "Members": "22001234", "Call us within days": "14"}}}
	record, _ := Record(draft, Context{Country: "NO"})
	figures, _ := record.Fields["figures"].(map[string]any)
	if len(figures) != 2 || figures["Members"] == nil || figures["Call us within days"] == nil {
		t.Errorf("%v", figures)
	}
}

func TestPeopleWhoAreNamedInPublicStay(t *testing.T) {
	record, _ := Record(curlew.Draft{Schema: curlew.SchemaEvent, Fields: curlew.Values{
		"performers": []string{"Kari Nordmann <kari@example.org>", "Ola Nordmann"}, "organizer": "Per Hansen", "title": "Bosch 0601 19 10 10"}}, Context{Country: "DE"})
	got, _ := json.Marshal(record.Fields)
	if want := `{"organizer":"Per Hansen","performers":["Kari Nordmann","Ola Nordmann"],"title":"Bosch 0601 19 10 10"}`; string(got) != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestNoPersonalValueIsLeftAnywhere(t *testing.T) {
	d := curlew.Draft{Schema: curlew.SchemaOrganization,
		Fields: curlew.Values{"name": "Kor", "contact_person": "Kari Nordmann", "email": "kari@example.org", "address": "Storgata 1, kari@example.org"},
		Provenance: map[string]curlew.Evidence{
			"contact_person": {Text: "Kari Nordmann"}, "email": {Text: "kari@example.org"},
			"address": {Text: "Storgata 1, kari@example.org", Rivals: []curlew.Rival{{Value: "Storgata 1, tlf 912 34 567"}}}}}
	record, notes := Record(d, Context{Country: "NO"})
	all, _ := json.Marshal([]any{record, notes})
	for _, secret := range []string{"Nordmann", "kari@", "912"} {
		t.Run(secret, func(t *testing.T) {
			if strings.Contains(string(all), secret) {
				t.Errorf("%q is still in %s", secret, all)
			}
		})
	}
	record, _ = Record(d, Context{Country: "NO", AllowPersonal: true})
	if record.Fields["address"] != "Storgata 1, kari@example.org" {
		t.Errorf("a source that may keep contacts has %v", record.Fields)
	}
}
