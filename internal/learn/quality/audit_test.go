package quality

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
)

const auditPage = `<!doctype html><html lang="en"><body><h1>Harbour dates</h1>
<ul><li><h3><a href="/gig/1">Spring Overture</a></h3><p>Monday 4 May 2026, 19:30</p><p>Harbour Hall</p><p>€12.50</p><p>With Elm Trio and Ana Ruiz</p></li>
<li><h3><a href="/gig/2">Brass at Dusk</a></h3><p>8 June 2026</p><p>Mill Club</p></li></ul></body></html>`

// truthOf is a row about the first entry of the page.
func truthOf(fields curlew.Values) TruthRow {
	row := TruthRow{Schema: curlew.SchemaEvent, ExternalID: "1", URL: "https://quay.example/gig/1", Page: "list.html", Fields: curlew.Values{"title": "Spring Overture", "starts_at": "2026-05-04T19:30:00"}, Line: 1}
	for name, value := range fields {
		row.Fields[name] = value
	}
	row.Document, row.Options = dom.New([]byte(auditPage), "https://quay.example/gigs"), march()
	return row
}

// readAs is the record of the first entry.
func readAs(fields curlew.Values, texts map[string]string) curlew.Record {
	r := curlew.Record{Schema: curlew.SchemaEvent, ExternalID: "1", URL: "https://quay.example/gig/1", Provenance: map[string]curlew.Evidence{},
		Fields: curlew.Values{"title": "Spring Overture", "starts_at": "2026-05-04T19:30:00"}}
	for name, value := range fields {
		r.Fields[name] = value
	}
	for name, text := range texts {
		r.Provenance[name] = curlew.Evidence{Text: text}
	}
	return r
}

func TestMismatchesAreClassedByEvidence(t *testing.T) {
	type values = curlew.Values
	for _, c := range []struct {
		name  string
		row   TruthRow
		got   curlew.Record
		field string
		class MismatchClass
	}{
		{"the page has it, nobody took it", truthOf(values{"venue_name": "Harbour Hall"}), readAs(nil, nil), "venue_name", ParserDrift},
		{"another value was taken", truthOf(values{"venue_name": "Harbour Hall"}), readAs(values{"venue_name": "Mill Club"}, nil), "venue_name", ParserDrift},
		{"it went into another field", truthOf(values{"venue_name": "Harbour Hall"}), readAs(values{"organizer": "Harbour Hall"}, nil), "venue_name", ParserDrift},
		{"the price lost its decimals", truthOf(values{"price_min": json.Number("1250")}), readAs(values{"price_min": int64(125000)}, nil), "price_min", NormalizationBug},
		{"the right text, the wrong value", truthOf(values{"price_min": json.Number("1250")}), readAs(values{"price_min": int64(1300)}, map[string]string{"price_min": "€12.50"}), "price_min", NormalizationBug},
		{"letter case", truthOf(values{"venue_name": "Harbour Hall"}), readAs(values{"venue_name": "HARBOUR HALL"}, nil), "venue_name", NormalizationBug},
		{"day and month", truthOf(nil), readAs(values{"starts_at": "2026-04-05T19:30:00"}, nil), "starts_at", NormalizationBug},
		{"the page does not have it", truthOf(values{"organizer": "Quay Arts"}), readAs(nil, nil), "organizer", SourceNotVisible},
		{"the page says what was read", truthOf(values{"venue_name": "Town Theatre"}), readAs(values{"venue_name": "Harbour Hall"}, nil), "venue_name", ExpectationWasWrong},
		{"the page gives the day alone", truthOf(values{"ends_at": "2026-06-08T21:00:00"}), readAs(values{"ends_at": "2026-06-08"}, nil), "ends_at", PartialSourceData},
		{"the page shortens it", truthOf(values{"venue_name": "Harbour Hall Main Stage"}), readAs(values{"venue_name": "Harbour Hall"}, nil), "venue_name", PartialSourceData},
		{"the page has two of three", truthOf(values{"performers": []any{"Elm Trio", "Ana Ruiz", "Ida Voss"}}), readAs(values{"performers": []string{"Elm Trio", "Ana Ruiz"}}, nil), "performers", PartialSourceData},
		{"another host", truthOf(values{"url": "https://www.quay.example/gig/1"}), readAs(values{"url": "https://m.quay.example/gig/1"}, nil), "url", SubdomainVariant},
	} {
		t.Run(c.name, func(t *testing.T) {
			report := Audit(t.Context(), []TruthRow{c.row}, []curlew.Record{c.got})
			if len(report.Mismatches) != 1 || report.Mismatches[0].Field != c.field || report.Mismatches[0].Class != c.class || report.Mismatches[0].Why == "" {
				t.Errorf("%+v, want %s", report.Mismatches, c.class)
			}
			if report.Matched != 1 || report.Whole != 0 || report.Classes[c.class] != 1 || report.Right != report.Checked-1 {
				t.Errorf("counted %+v", report)
			}
		})
	}
}

func TestIDsAndVariantsAreClassed(t *testing.T) {
	other := readAs(curlew.Values{"title": "Brass at Dusk", "starts_at": "2026-06-08"}, nil)
	other.ExternalID, other.URL = "2", "https://quay.example/gig/2"
	renamed := readAs(nil, nil)
	renamed.ExternalID = "77"
	mobile := readAs(nil, nil)
	mobile.URL = "https://m.quay.example/gig/1"
	elsewhere := other
	elsewhere.URL = "https://m.quay.example/gig/2"
	second := truthOf(curlew.Values{"title": "Brass at Dusk", "starts_at": "2026-06-08"})
	second.ExternalID, second.URL = "2", "https://quay.example/gig/2"
	hidden := truthOf(curlew.Values{"title": "Never Announced"})
	variant := truthOf(curlew.Values{"recurrence": "FREQ=WEEKLY"})
	variant.Unsupported = []string{"recurrence"}
	absent := truthOf(nil)
	absent.Absent = []string{"organizer"}
	for _, c := range []struct {
		name  string
		truth []TruthRow
		got   []curlew.Record
		want  string // field and class of each mismatch
	}{
		{"another id", []TruthRow{truthOf(nil)}, []curlew.Record{renamed}, "external_id ID_RESOLUTION_BUG"},
		{"a shared id", []TruthRow{truthOf(nil)}, []curlew.Record{readAs(nil, nil), readAs(curlew.Values{"title": "Echo"}, nil)}, "external_id ID_RESOLUTION_BUG"},
		{"another host", []TruthRow{truthOf(nil)}, []curlew.Record{mobile}, "url SUBDOMAIN_VARIANT"},
		{"one of the page is missing", []TruthRow{truthOf(nil), second}, []curlew.Record{other}, " PARSER_DRIFT"},
		{"only another host was read", []TruthRow{truthOf(nil)}, []curlew.Record{elsewhere}, " SUBDOMAIN_VARIANT"},
		{"nothing was read from the page", []TruthRow{truthOf(nil)}, nil, " UNSUPPORTED_VARIANT"},
		{"the page does not name it", []TruthRow{hidden}, nil, " SOURCE_NOT_VISIBLE"},
		{"a form that is not read yet", []TruthRow{variant}, []curlew.Record{readAs(nil, nil)}, "recurrence UNSUPPORTED_VARIANT"},
		{"a value that should not be", []TruthRow{absent}, []curlew.Record{readAs(curlew.Values{"organizer": "Nobody"}, nil)}, "organizer PARSER_DRIFT"},
		{"a value that the page shows after all", []TruthRow{absent}, []curlew.Record{readAs(curlew.Values{"organizer": "Elm Trio"}, nil)}, "organizer EXPECTATION_WAS_WRONG"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, m := range Audit(t.Context(), c.truth, c.got).Mismatches {
				got = append(got, m.Field+" "+string(m.Class))
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// Without the page there is only the text that the rule took.
func TestAuditsWithoutPagesSayThatTheyAreUnsure(t *testing.T) {
	row := truthOf(curlew.Values{"venue_name": "Harbour Hall"})
	row.Document = nil
	m := Audit(t.Context(), []TruthRow{row}, []curlew.Record{readAs(nil, nil)}).Mismatches[0]
	if m.Class != ParserDrift || m.Sure {
		t.Errorf("classed %+v", m)
	}
	m = Audit(t.Context(), []TruthRow{row}, []curlew.Record{readAs(curlew.Values{"venue_name": "Hall"}, map[string]string{"venue_name": "at Harbour Hall"})}).Mismatches[0]
	if m.Class != NormalizationBug || !m.Sure {
		t.Errorf("classed %+v", m)
	}
}

func TestEqualValuesAreEqualInAnySpelling(t *testing.T) {
	for i, c := range []struct {
		kind      curlew.FieldType
		want, got any
		same      bool
	}{
		{curlew.TypeTime, "2026-05-04T19:30:00+02:00", "2026-05-04T17:30:00Z", true},
		{curlew.TypeTime, "2026-05-04T19:30:00+02:00", "2026-05-04T19:30:00", true},
		{curlew.TypeTime, "2026-05-04", "2026-05-04T00:00:00Z", false},
		{curlew.TypeMoney, json.Number("1250"), int64(1250), true},
		{curlew.TypeNumber, json.Number("4.5"), 4.5, true},
		{curlew.TypeText, "Cafe\u0301  Noir", "Café Noir", true},
		{curlew.TypeText, "Café Noir", "café noir", false},
		{curlew.TypeList, []any{"A", "B"}, []string{"B", "A"}, true},
		{curlew.TypeList, []any{"A", "B"}, []string{"A"}, false},
		{curlew.TypeURL, "https://A.example/x/", "https://a.example/x#top", true},
		{curlew.TypeURL, "https://a.example/x", "https://a.example/y", false},
		{curlew.TypeBool, true, true, true},
		{curlew.TypeText, nil, "x", false},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := same(c.kind, c.want, c.got); got != c.same {
				t.Errorf("%v and %v: %v", c.want, c.got, got)
			}
		})
	}
}

func TestTruthFilesTellTheirMistakes(t *testing.T) {
	for line, want := range map[string]string{
		`{"schema":"event","fields":{"title":"A","starts_at":"2026-05-04"}}`:      "",
		"# a note\n\n\ufeff" + `{"schema":"custom","url":"u","fields":{"x":[1]}}`: "",
		`{"schema":"event","fields":{}}`:                                          "line 1 of the truth file names nothing",
		"\n" + `{"schema":"evnt","url":"u"}`:                                      `line 2 of the truth file: there is no schema "evnt"`,
		`{"schema":"event","url":"u","fields":{"venue":"x"}}`:                     `schema event has no field "venue"`,
		`{"schema":"event","url":"u","fields":{"price_min":12.5}}`:                "price_min must be a whole number; money is in minor units",
		`{"schema":"event","url":"u","fields":{"starts_at":"tomorrow"}}`:          "starts_at must be a time such as",
		`{"schema":"event","url":"u","fields":{"status":"gone"}}`:                 "status must be one of scheduled",
		`{"schema":"event","url":"u","fields":{"performers":"x"}}`:                "performers must be a list of texts",
		`{"schema":"event","url":"u","absent":["nothing"]}`:                       `has no field "nothing"`,
		`{"schema":"event","url":"u","now":"May"}`:                                "a day is written 2026-03-02",
		`{"schema":"event","url":"u","colour":"red"}`:                             "unknown field",
		`{"schema":"event","url":"u"} {"schema":"event","url":"u"}`:               "more than one object",
		`{"schema":"event",`: "line 1 of the truth file",
		`{"schema":"event","url":"` + strings.Repeat("x", longestTruth) + `"}`:  "longer than",
		`{"schema":"event","url":"u","fields":{"odd":1},"unsupported":["odd"]}`: "",
		"\x00\x01\x02": "line 1 of the truth file is not text: it has a JSON object on each line",
		"\xff\xfe{":    "line 1 of the truth file is not text",
		`{"schema":"product","url":"u","fields":{"rating":"4","name":"x"}}`: "rating must be a number",
		`{"schema":"job","url":"u","fields":{"remote":"yes","title":"x"}}`:  "remote must be true or false",
		`{"schema":"item","url":"u","fields":{"slots":"x","title":"x"}}`:    "slots must be texts by name",
		`{"schema":"event","url":"u","fields":{"title":7}}`:                 "title must be text",
	} {
		t.Run(line, func(t *testing.T) {
			_, err := ReadTruth(strings.NewReader(line), curlew.Schemas())
			if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("%.80s: %v, want %s", line, err, want)
			}
		})
	}
}

// One name, one time, two rooms: each row meets the record that is most like it.
func TestWhatHappensInTwoRoomsAtOnceIsToldApart(t *testing.T) {
	fields := func(venue, who string) curlew.Values {
		return curlew.Values{"title": "Opening", "starts_at": "2026-03-26T14:00:00", "venue_name": venue, "performers": []string{who}}
	}
	var got []curlew.Record
	for i, f := range []curlew.Values{fields("Hall B", "Ana Ruiz"), fields("Hall A", "Elm Trio")} {
		got = append(got, curlew.Record{Schema: curlew.SchemaEvent, ExternalID: string(rune('a' + i)), Fields: f})
	}
	truth := []TruthRow{{Schema: curlew.SchemaEvent, Fields: fields("Hall A", "Elm Trio")}, {Schema: curlew.SchemaEvent, Fields: fields("Hall B", "Ana Ruiz")}}
	report := Audit(t.Context(), truth, got)
	if len(report.Mismatches) != 0 {
		t.Errorf("%+v", report.Mismatches)
	}
}

// A time with an offset and one without are held together by the clock on the spot: 16:00
// in Paris is 15:00 in Greenwich, but not what begins at 15:00 in Paris.
func TestATimeWithoutAnOffsetIsNotTakenForOneInGreenwich(t *testing.T) {
	talk := func(start, who string) curlew.Values {
		return curlew.Values{"title": "Looking back", "starts_at": start, "performers": []string{who}}
	}
	var truth []TruthRow
	for _, f := range []curlew.Values{talk("2026-03-25T15:00:00+01:00", "Paul"), talk("2026-03-25T16:00:00+01:00", "Helen")} {
		truth = append(truth, TruthRow{Schema: curlew.SchemaEvent, Fields: f})
	}
	var got []curlew.Record
	for i, f := range []curlew.Values{talk("2026-03-25T15:00", "Paul"), talk("2026-03-25T16:00:00", "Helen")} {
		got = append(got, curlew.Record{Schema: curlew.SchemaEvent, ExternalID: string(rune('a' + i)), Fields: f})
	}
	if report := Audit(t.Context(), truth, got); report.Matched != 2 || len(report.Mismatches) != 0 {
		t.Errorf("%d rows have a record: %+v", report.Matched, report.Mismatches)
	}
	if at, written := identity("Looking back", "2026-03-25T15:00"), identity("Looking back", "2026-03-25T15:00:00"); at != written {
		t.Errorf("%q and %q are the same", at, written)
	}
}

// Where a page leaves open what a value is, a row may name others that are as right; what
// is none of them stays wrong.
func TestARowMayNameOtherValuesThatAreAsRight(t *testing.T) {
	const line = `{"schema": "event", "external_id": "1", "fields": {"title": "Spring Overture", "venue_name": "Harbour Hall"}, "also": {"venue_name": ["Harbour Hall, Quay 3"]}}`
	rows, err := ReadTruth(strings.NewReader(line), curlew.Schemas())
	if err != nil {
		t.Fatal(err)
	}
	for venue, wrong := range map[string]int{"Harbour Hall": 0, "Harbour  Hall, Quay 3": 0, "Harbour Hall, Quay": 1, "Quay 3": 1} {
		t.Run(venue, func(t *testing.T) {
			if report := Audit(t.Context(), rows, []curlew.Record{readAs(curlew.Values{"venue_name": venue}, nil)}); len(report.Mismatches) != wrong {
				t.Errorf("%q: %+v", venue, report.Mismatches)
			}
		})
	}
	for i, bad := range []string{strings.Replace(line, `"also": {"venue_name"`, `"also": {"city"`, 1), strings.Replace(line, `["Harbour Hall, Quay 3"]`, `[3]`, 1)} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if _, err := ReadTruth(strings.NewReader(bad), curlew.Schemas()); err == nil {
				t.Errorf("%s was taken", bad)
			}
		})
	}
}

// A truth file may be about a kind of an org's own, whose fields and types are known like those of any other.
func TestATruthFileIsAboutAnyKind(t *testing.T) {
	kind := curlew.Schema{Name: "course", Title: "course", Fields: []curlew.Field{{Name: "course", Type: curlew.TypeText}, {Name: "starts", Type: curlew.TypeDate},
		{Name: "takes", Type: curlew.TypeDuration}, {Name: "room", Type: curlew.TypePlace}, {Name: "fee", Type: curlew.TypeMoney}}}.Completed()
	kinds := append(slices.Clone(curlew.Schemas()), kind)
	line := `{"schema": "course", "fields": {"course": "Pottery", "starts": "2027-01-12", "takes": 3600, "room": "B 4", "fee": 18000}}`
	rows, err := ReadTruth(strings.NewReader(line), kinds)
	if err != nil {
		t.Fatal(err)
	}
	got := curlew.Record{Schema: "course", Own: &kind, ExternalID: "1", Fields: curlew.Values{"course": "Pottery", "starts": "2027-01-12T00:00:00Z",
		"takes": int64(3600), "room": "B 4", "fee": int64(12000)}}
	report := Audit(t.Context(), rows, []curlew.Record{got})
	if report.Matched != 1 || len(report.Mismatches) != 2 || report.Mismatches[0].Field != "fee" || report.Mismatches[1].Field != "starts" {
		t.Errorf("%d rows have a record: %+v", report.Matched, report.Mismatches)
	}
	for mistake, want := range map[string]string{`"fee": 18000`: `"price": 18000`, `"takes": 3600`: `"takes": "an hour"`, `"course": "Pottery"`: `"room": "B 4"`} {
		t.Run(mistake, func(t *testing.T) {
			if _, err := ReadTruth(strings.NewReader(strings.Replace(line, mistake, want, 1)), kinds); err == nil {
				t.Errorf("%s was taken", want)
			}
		})
	}
}
