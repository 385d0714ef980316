package demo

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

func festivalReading() reading {
	return reading{site: "festival", list: onePage("/programm"), pages: 1, designs: []appearance{
		{mark: `<div[^>]*"akt"`, date: "de:EEEE, d. MMMM yyyy", money: "1.234,56 €", apart: true},
		{mark: `<tr[^>]*spielplan__zeile`, date: "de:dd.MM.yyyy", money: "EUR 1.234,56"},
		{mark: `<li[^>]*zeitleiste-eintrag`, date: "de:EEE, d. MMM, H.mm 'bis'", money: "1234,56 Euro"},
	}}
}

var nuxtScript = regexp.MustCompile(`(?s)<script[^>]*__NUXT_DATA__[^>]*>(.*?)</script>`)

// The payload is resolved as Nuxt 3 resolves it, and holds the truth.
func TestNuxtPayloadHoldsTheTruth(t *testing.T) {
	w := New(Options{})
	var flat []any
	must(t, json.Unmarshal([]byte(nuxtScript.FindStringSubmatch(get(t, w, "festival", "/spielplan").Body.String())[1]), &flat))
	field := func(at any, name string) any { return flat[int(at.(float64))].(map[string]any)[name] }
	acts := flat[int(field(field(1.0, "data"), "programm").(float64))].([]any)
	truth := byID(truthOf(t, w, "festival"))
	for _, act := range acts {
		id := flat[int(field(act, "id").(float64))].(string)
		if title := flat[int(field(act, "titel").(float64))]; title != truth[id].Fields["title"] {
			t.Errorf("act %s is called %q", id, title)
		}
	}
	if len(acts) != len(truth) {
		t.Errorf("the payload has %d acts, the truth %d", len(acts), len(truth))
	}
}

func TestNuxtCallNamesRepeatedValues(t *testing.T) {
	body := get(t, New(Options{}), "festival", "/programm").Body.String()
	_, call, found := strings.Cut(body, "window.__NUXT__=(function(a,b,")
	call, _, _ = strings.Cut(call, "</script>")
	if !found || strings.Count(call, "Seebühne") != 1 || !strings.Contains(call, `\u003cb\u003e`) {
		t.Errorf("the state is not a call with hoisted values: %.200s", call)
	}
}
