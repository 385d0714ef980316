package demo

import (
	"strings"
	"testing"
)

func conferenceReading() reading {
	return reading{site: "conference", list: onePage("/programme"), pages: 1, designs: []appearance{
		{mark: `<dt[^>]*id="s-`, date: "fr:EEEE d MMMM yyyy", apart: true},
		{mark: `<tr[^>]*Grille_session`, date: "fr:HH:mm 'à'"},
		{mark: `<li[^>]*seance`, date: "fr:HH'h'mm-"},
	}}
}

func TestConferenceDatesStandInHeadingsOnly(t *testing.T) {
	w := New(Options{})
	body := get(t, w, "conference", "/programme").Body.String()
	if strings.Contains(body, "<time") || strings.Count(textOf(body), "mars 2026") > 5 {
		t.Error("dates stand beside the times")
	}
}

func TestFrenchHours(t *testing.T) {
	day := conferenceDay(New(Options{}).today)
	for want, minute := range map[string]int{"9 h": 0, "9 h 30": 30, "9 h 05": 5} {
		t.Run(want, func(t *testing.T) {
			if got := (event{}).Hour(at(day, 0, 9, minute, "Europe/Paris")); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
