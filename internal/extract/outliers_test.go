package extract

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Rows of a list that are no entries of it, by the reader and by a blueprint whose rule takes every row.
func TestRowsThatAreNoEntriesAreLeftOut(t *testing.T) {
	var rows strings.Builder
	for n := range 12 {
		fmt.Fprintf(&rows, `<tr><td><a href="/d/%d.pdf">Miller v. County %d</a></td><td>2026-%02d</td><td>1%d November 2026</td></tr>`, n, n, 40+n, n%9)
	}
	for name, page := range map[string]string{
		"heads in plain cells": "<table><tr><td>Case</td><td>Number</td><td>Decided</td></tr>" + rows.String() + "</table>",
		"a count and a pager": `<table><tr><td colspan=3>Search results</td></tr><tr><td>Documents 1 to 12 of 90</td><td>Next 12 documents</td><td>Back</td></tr>` +
			rows.String() + "</table>",
		"a row that holds the list": "<table><tr><td colspan=3>Decisions<table>" + rows.String() + "</table></td></tr></table>",
	} {
		m := Material{Body: []byte("<html><body><h1>Decisions</h1>" + page + "</body></html>"), URL: "https://example.org/list",
			ContentType: "text/html", Now: time.Date(2026, 11, 19, 9, 0, 0, 0, time.UTC)}
		blueprint, err := CompileRules([]byte(`{"curlew": 1, "schema": "item", "page": "list", "tier": "html", "records": {"css": "tr"},
			"fields": {"title": {"css": "td:nth-child(1)"}, "url": {"css": "td:nth-child(1) a", "attr": "href"}, "date": {"css": "td:nth-child(3)"},
			"slots.number": {"css": "td:nth-child(2)"}}}`))
		if err != nil {
			t.Fatal(err)
		}
		for by, readings := range map[string][]ReadRecord{
			"reader":    Extract(t.Context(), m, ExtractOptions{Schema: curlew.SchemaItem, Asserted: true}).Readings,
			"blueprint": blueprint.Apply(t.Context(), m, ApplyOptions{}).Readings,
		} {
			t.Run(name+" by the "+by, func(t *testing.T) {
				if len(readings) != 12 {
					t.Errorf("%d records, want 12", len(readings))
				}
				for _, r := range readings {
					if title, _ := r.Record.Fields["title"].(string); !strings.HasPrefix(title, "Miller v. County") {
						t.Errorf("a record is called %q", title)
					}
				}
			})
		}
	}
}

// What is called by marks alone is a link to further pages, in a short list, too.
func TestMarksAreNoNames(t *testing.T) {
	m := Material{Body: []byte(`<html><body><h1>Decisions</h1><table><tr><td>Miller v. County</td><td>17</td></tr><tr><td>Byrd v. State</td><td>18</td></tr>
		<tr><td>&gt;&gt; &gt;&gt;|</td><td>1, 2, 3, 4, ...</td></tr></table></body></html>`), URL: "https://example.org/list", ContentType: "text/html"}
	blueprint, err := CompileRules([]byte(`{"curlew": 1, "schema": "item", "page": "list", "tier": "html", "records": {"css": "tr"},
		"fields": {"title": {"css": "td:nth-child(1)"}, "slots.number": {"css": "td:nth-child(2)"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(blueprint.Apply(t.Context(), m, ApplyOptions{}).Readings); n != 2 {
		t.Errorf("%d records, want 2", n)
	}
}

// A list may have entries with less than the others: the first has no link yet, another no day.
func TestSparseEntriesAreKept(t *testing.T) {
	var rows strings.Builder
	for n := range 12 {
		link, day := fmt.Sprintf(`<a href="/d/%d.pdf">Minutes</a>`, n), fmt.Sprintf("1%d November 2026", n%9)
		if n == 0 {
			link = "to follow"
		}
		if n == 11 {
			day = "to be announced"
		}
		fmt.Fprintf(&rows, `<tr><td>Committee of parks %d</td><td>%s</td><td>%s</td></tr>`, n, day, link)
	}
	m := Material{Body: []byte("<html><body><h1>Meetings</h1><table>" + rows.String() + "</table></body></html>"), URL: "https://example.org/list",
		ContentType: "text/html", Now: time.Date(2026, 11, 19, 9, 0, 0, 0, time.UTC)}
	if got := Extract(t.Context(), m, ExtractOptions{Schema: curlew.SchemaItem, Asserted: true}).Readings; len(got) != 12 {
		t.Errorf("%d records, want 12", len(got))
	}
}

// What a rule finds twice, in a row and in a part of the row, is one entry.
func TestPartsOfEntriesAreNoEntries(t *testing.T) {
	var rows strings.Builder
	for n := range 6 {
		fmt.Fprintf(&rows, `<div class="row"><div class="row head">Miller v. County %d</div><div>1%[1]d November 2026</div><div>2026-4%[1]d</div></div>`, n)
	}
	blueprint, err := CompileRules([]byte(`{"curlew": 1, "schema": "item", "page": "list", "tier": "html", "records": {"css": "div.row"},
		"fields": {"title": {"xpath": "descendant-or-self::div[contains(@class,'head')]"}, "date": {"css": "div:nth-child(2)"}, "slots.number": {"css": "div:nth-child(3)"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	m := Material{Body: []byte("<html><body><h1>Decisions</h1>" + rows.String() + "</body></html>"), URL: "https://example.org/list",
		ContentType: "text/html", Now: time.Date(2026, 11, 19, 9, 0, 0, 0, time.UTC)}
	got := blueprint.Apply(t.Context(), m, ApplyOptions{}).Readings
	for _, r := range got {
		if r.Record.Fields["date"] == nil {
			t.Errorf("%v is a part of another", r.Record.Fields)
		}
	}
	if len(got) != 6 {
		t.Errorf("%d records, want 6", len(got))
	}
}

// An entry that says less than another one of its name is one all the same.
func TestAnEntryThatSaysLessThanItsNamesakeIsKept(t *testing.T) {
	var rows strings.Builder
	for n := range 8 {
		fmt.Fprintf(&rows, `<div class="row"><h3>Oak table %d</h3><p class="by">Taylor</p><p class="is">Drawer of brass %d</p></div>`, n, n)
	}
	rows.WriteString(`<div class="row"><h3>Oak table 3</h3><p class="by">Taylor</p></div>`)
	blueprint, err := CompileRules([]byte(`{"curlew": 1, "schema": "item", "page": "list", "tier": "html", "records": {"css": "div.row"},
		"fields": {"title": {"css": "h3"}, "slots.by": {"css": ".by"}, "slots.is": {"css": ".is"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	m := Material{Body: []byte("<html><body><h1>Tables</h1>" + rows.String() + "</body></html>"), URL: "https://example.org/list",
		ContentType: "text/html", Now: time.Date(2026, 11, 19, 9, 0, 0, 0, time.UTC)}
	if got := blueprint.Apply(t.Context(), m, ApplyOptions{}).Readings; len(got) != 9 {
		t.Errorf("%d records, want 9", len(got))
	}
}
