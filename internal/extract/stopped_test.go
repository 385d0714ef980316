package extract

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/testkit/growth"
)

func TestAReadingThatWasStoppedIsAFaultAndNotKept(t *testing.T) {
	m := Material{Body: []byte("<ul><li><a href=/1>Concert one</a><li><a href=/2>Concert two</a><li><a href=/3>Concert three</a></ul>"),
		URL: "https://hall.example/"}.Ready()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	o := ExtractOptions{Schema: curlew.SchemaItem, Asserted: true}
	if e := Extract(ended, m, o); !errors.Is(e.Fault, errStopped) || !errors.Is(e.Fault, context.Canceled) {
		t.Errorf("a reading that was stopped: %v, %d records", e.Fault, len(e.Readings))
	}
	if e := Extract(t.Context(), m, o); e.Fault != nil || len(e.Readings) != 3 {
		t.Errorf("the same page read after it: %v, %d records", e.Fault, len(e.Readings))
	}
}

func TestTheValuesOfEachRecordAreJudgedOnlyWhileSomebodyWaits(t *testing.T) {
	m := Material{Body: []byte("<ul>" + strings.Repeat("<li><a href=/1>Concert one</a> <b>12 €</b>", 60) + "</ul>"), URL: "https://hall.example/"}.Ready()
	rules, err := blueprint.Parse([]byte(`{"curlew": 1, "schema": "item", "page": "list", "tier": "html", "records": {"css": "li"}, "fields": {"title": {"css": "a"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := Compile(rules)
	if err != nil {
		t.Fatal(err)
	}
	waiting := growth.Endless(t)
	if a := compiled.Apply(waiting, m, ApplyOptions{}); a.Fault != nil || waiting.Asked < 60 {
		t.Errorf("%d records (%v) and asked %d times whether somebody waits", len(a.Readings), a.Fault, waiting.Asked)
	}
}

func TestAByteOfZeroMakesNoFileOfAPage(t *testing.T) {
	page := "<ul><li><a href=/1>Concert\x00 one</a><li><a href=/2>Concert two</a><li><a href=/3>Concert three</a></ul><!-- \x00 -->" + strings.Repeat("<p>Hall</p>", 90)
	m := Material{Body: []byte(page), ContentType: "text/html", URL: "https://hall.example/"}
	if fault := m.FileFault(); fault != nil {
		t.Error(fault)
	}
	m.Body = []byte(strings.Repeat("\x00\x01a", 400))
	if m.FileFault() == nil {
		t.Error("bytes that are no text were taken for a page")
	}
}
