package demo

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

func theatreReading() reading {
	return reading{site: "theatre", list: numbered("/whats-on", "/whats-on?page=%d"), pages: 6, designs: []appearance{
		{mark: `<article[^>]*perf-card`, date: "en:EEE d MMMM yyyy", money: "£1,234.56"},
		{mark: `<tr[^>]*Diary_row`, date: "en:dd/MM/yyyy", money: "£1,234.56"},
		{mark: `<dl[^>]*listing`, date: "en:h:mm aa 'on' EEEE, MMMM d", money: "GBP 1234.56"},
	}}
}

var (
	nextScript  = regexp.MustCompile(`(?s)<script[^>]*__NEXT_DATA__[^>]*>(.*?)</script>`)
	flightChunk = regexp.MustCompile(`(?s)self\.__next_f\.push\(\[1,(".*?")\]\)</script>`)
)

func TestNextDataHoldsTheTitlesInEveryDesign(t *testing.T) {
	w := New(Options{})
	first := nameOf(truthOf(t, w, "theatre")[0])
	for range 3 {
		found := nextScript.FindStringSubmatch(get(t, w, "theatre", "/whats-on").Body.String())
		if found == nil {
			t.Fatal("there is no __NEXT_DATA__")
		}
		var state map[string]any
		must(t, json.Unmarshal([]byte(found[1]), &state))
		whole, err := json.Marshal(state)
		must(t, err)
		if title, _ := json.Marshal(first); !strings.Contains(string(whole), string(title)) {
			t.Errorf("the state lacks %s", title)
		}
		if answer := get(t, w, "theatre", "/_next/data/"+state["buildId"].(string)+"/whats-on.json"); answer.Code != http.StatusOK {
			t.Errorf("the data route answers %d", answer.Code)
		}
		must(t, w.Redesign("theatre"))
	}
}

func TestFlightChunksJoinToOneTree(t *testing.T) {
	w := New(Options{})
	var rows strings.Builder
	for _, chunk := range flightChunk.FindAllStringSubmatch(get(t, w, "theatre", "/tickets").Body.String(), -1) {
		var text string
		must(t, json.Unmarshal([]byte(chunk[1]), &text))
		rows.WriteString(text)
	}
	_, row, _ := strings.Cut(rows.String(), "\n0:")
	if !json.Valid([]byte(row)) {
		t.Fatalf("the tree is no JSON: %.80s", row)
	}
	for _, r := range truthOf(t, w, "theatre") {
		if !strings.Contains(row, r.ExternalID) {
			t.Errorf("the tree lacks %s", r.ExternalID)
		}
	}
}
