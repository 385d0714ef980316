package demo

import (
	"bytes"
	"net/http"
	"testing"
	"unicode/utf8"
)

func councilReading() reading {
	return reading{site: "council", list: onePage("/clerk/meetings.htm"), pages: 1, designs: []appearance{
		{mark: `<TD NOWRAP>[A-Z][a-z]+\. `, date: "en:EEE. d h:mm a"},
		{mark: `<b>[A-Z][a-z]+day, `, date: "en:EEEE, MMMM d 'at' h:mm aa"},
		{mark: `<dt`, date: "en:MM/dd/yyyy | HH:mm"},
	}}
}

func TestCouncilSpeaksWindows1252(t *testing.T) {
	answer := get(t, New(Options{}), "council", "/clerk/meetings.htm")
	if kind := answer.Header().Get("Content-Type"); kind != "text/html; charset=windows-1252" {
		t.Errorf("it says that it is %s", kind)
	}
	if utf8.Valid(answer.Body.Bytes()) {
		t.Error("the page is valid UTF-8: nothing in it needs the old charset")
	}
}

func TestCouncilAgendasAreDocuments(t *testing.T) {
	w := New(Options{})
	answer := get(t, w, "council", "/clerk/agendas/"+truthOf(t, w, "council")[0].ExternalID+"_agenda.pdf")
	if answer.Code != http.StatusOK || !bytes.HasPrefix(answer.Body.Bytes(), []byte("%PDF-")) {
		t.Errorf("got %d, %.20q", answer.Code, answer.Body)
	}
}
