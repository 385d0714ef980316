package syndicate_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/change/syndicate"
	"github.com/curlew-data/curlew/internal/curlew"
)

// xlsxCell is a cell as a spreadsheet reads it.
type xlsxCell struct {
	Style string `xml:"s,attr"`
	Type  string `xml:"t,attr"`
	At    string `xml:"r,attr"`
	Value string `xml:"v"`
	Text  string `xml:"is>t"`
}

// sheetOf reads the cells of a workbook by the names of their columns, a row each.
func sheetOf(t *testing.T, text string) (rows []map[string]xlsxCell) {
	t.Helper()
	file, err := zip.NewReader(strings.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range file.File {
		opened, err := part.Open()
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(opened)
		if err != nil || xml.Unmarshal(raw, new(any)) != nil {
			t.Fatalf("%s is no XML: %s", part.Name, raw)
		}
		if part.Name != "xl/worksheets/sheet1.xml" {
			continue
		}
		var sheet struct {
			Rows []struct {
				Cells []xlsxCell `xml:"c"`
			} `xml:"sheetData>row"`
		}
		if err := xml.Unmarshal(raw, &sheet); err != nil {
			t.Fatal(err)
		}
		names := map[string]string{}
		for _, c := range sheet.Rows[0].Cells {
			names[strings.TrimRight(c.At, "0123456789")] = c.Text
		}
		for _, r := range sheet.Rows[1:] {
			row := map[string]xlsxCell{}
			for _, c := range r.Cells {
				row[names[strings.TrimRight(c.At, "0123456789")]] = c
			}
			rows = append(rows, row)
		}
	}
	return rows
}

func TestASheetHasNumbersTimesAndAmounts(t *testing.T) {
	hall := concert(func(v curlew.Values) { v["title"], v["ends_at"] = "=1+1 <b>&\x00", "2026-04-19" })
	rows := sheetOf(t, written(t, syndicate.XLSX, feedOf(syndicate.FeedEntry{Entity: hall})))
	row := rows[0]
	for name, want := range map[string]xlsxCell{
		"title":          {Style: "0", Type: "inlineStr", Text: "=1+1 <b>&"}, // text of a cell is no formula
		"price_min":      {Style: "2", Value: "250.00"},
		"currency":       {Style: "0", Type: "inlineStr", Text: "NOK"},
		"starts_at":      {Style: "3", Value: "46130.8333333333"}, // 18 April 2026, 20:00 on the wall there
		"ends_at":        {Style: "4", Value: "46131.0000000000"},
		"latitude":       {Style: "0", Value: "59.9127"},
		"time_known":     {Type: "b", Value: "1"},
		"performers":     {Style: "0", Type: "inlineStr", Text: "Kåre, the Elder; Nidaros Brass"},
		"entity_version": {Style: "0", Value: "3"},
	} {
		t.Run(name, func(t *testing.T) {
			got := row[name]
			got.At = ""
			if got != want {
				t.Errorf("%s is %+v, want %+v", name, got, want)
			}
		})
	}
	changes := sheetOf(t, written(t, syndicate.XLSX, feedOf(syndicate.FeedEntry{Change: bicycle(curlew.FieldChange{Field: "price", Old: 2999, New: 2499})})))
	if c := changes[0]; c["old"].Value != "29.99" || c["new"].Value != "24.99" || c["currency"].Text != "EUR" || c["name"].Text != "Omafiets" {
		t.Errorf("a change is %+v", c)
	}
	if empty := sheetOf(t, written(t, syndicate.XLSX, feedOf())); len(empty) != 0 {
		t.Errorf("nothing is %v", empty)
	}
}

func TestRecordsAreOneArrayWithMoneyAsPeopleWriteIt(t *testing.T) {
	text := written(t, syndicate.Records, feedOf(syndicate.FeedEntry{Entity: concert(nil)}, syndicate.FeedEntry{Entity: concert(func(v curlew.Values) { v["currency"] = "JPY" })}))
	var all []map[string]any
	in := json.NewDecoder(bytes.NewReader([]byte(text)))
	in.UseNumber()
	if err := in.Decode(&all); err != nil || len(all) != 2 {
		t.Fatalf("%v: %s", err, text)
	}
	if a, b := all[0], all[1]; a["price_min"] != json.Number("250.00") || b["price_min"] != json.Number("25000") || a["starts_at"] != "2026-04-18T20:00:00+02:00" {
		t.Errorf("%v", all)
	}
	if performers, ok := all[0]["performers"].([]any); !ok || len(performers) != 2 {
		t.Errorf("the performers are %v", all[0]["performers"])
	}
	if _, there := all[0]["online"]; there {
		t.Error("what is empty is there")
	}
	if got := written(t, syndicate.Records, feedOf()); strings.TrimSpace(got) != "[\n]" {
		t.Errorf("nothing is %q", got)
	}
}
