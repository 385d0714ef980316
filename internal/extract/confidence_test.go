package extract

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// hearings is a list of dated entries.
func hearings(days ...string) string {
	var b strings.Builder
	b.WriteString(`<html lang="en"><body><h1>Hearings</h1><table><tr><th>Case</th><th>Filed</th></tr>`)
	for i, day := range days {
		fmt.Fprintf(&b, `<tr><td><a href="/case/%d">Orchard %d against the Harbour Board</a></td><td>%s</td></tr>`, i, i, day)
	}
	return b.String() + `</table></body></html>`
}

func confidences(t *testing.T, page string, now time.Time, schema curlew.SchemaName, field string) []float64 {
	t.Helper()
	e := Extract(t.Context(), Material{Body: []byte(page), Charset: "utf-8", URL: "https://court.example/", Now: now}, ExtractOptions{Schema: schema, Asserted: true})
	if len(e.Readings) < 4 {
		t.Fatalf("%d records; notes %q", len(e.Readings), e.Notes)
	}
	var all []float64
	for _, r := range e.Readings {
		all = append(all, r.Record.Provenance[field].Confidence)
	}
	return all
}

func TestEveryValueAndRecordHasAConfidence(t *testing.T) {
	pages := map[curlew.SchemaName]string{curlew.SchemaItem: hearings("14 May 2026", "15 May 2026", "18 May 2026", "20 May 2026"),
		curlew.SchemaProduct: replace(lamp, "49.00")}
	for schema, page := range pages {
		t.Run(string(schema), func(t *testing.T) {
			e := Extract(t.Context(), Material{Body: []byte(page), Charset: "utf-8", URL: "https://court.example/", Now: learningDay}, ExtractOptions{Schema: schema, Asserted: true})
			if len(e.Readings) == 0 {
				t.Fatalf("no %s", schema)
			}
			for _, r := range e.Readings {
				if r.Confidence <= 0 || r.Confidence > 1 {
					t.Errorf("a record of %s has confidence %v", schema, r.Confidence)
				}
				for name, evidence := range r.Record.Provenance {
					if evidence.Confidence <= 0 || evidence.Confidence > 1 {
						t.Errorf("%s of %s has confidence %v", name, schema, evidence.Confidence)
					}
				}
			}
		})
	}
}

func TestAValueThatHoldsAnotherFieldIsDoubtful(t *testing.T) {
	kind := curlew.Schema{Name: "ruling", Title: "case", Fields: []curlew.Field{{Name: "case", Type: curlew.TypeText}, {Name: "filed", Type: curlew.TypeText}}}
	filed := func(written string) curlew.Evidence {
		var readings []ReadRecord
		for _, name := range []string{"Orchard against Harbour", "Lantern against Quarry", "Meadow against Mill"} {
			r := ReadRecord{Text: name + " " + written, Record: curlew.Record{Schema: kind.Name, Own: &kind, Fields: curlew.Values{"case": name, "filed": strings.ReplaceAll(written, "CASE", name)}}}
			r.Record.Provenance = map[string]curlew.Evidence{}
			for field, value := range r.Record.Fields {
				r.Record.Provenance[field] = curlew.Evidence{Tier: curlew.TierHTML, Text: value.(string), Seen: curlew.SeenVisible}
			}
			readings = append(readings, r)
		}
		(&estimating{doc: page(""), now: learningDay}).estimate(readings)
		return readings[0].Record.Provenance["filed"]
	}
	whole, wide := filed("May 14, 2026"), filed("CASE, filed May 14, 2026")
	if whole.Confidence <= wide.Confidence || wide.Sure() {
		t.Errorf("a day alone has %v, a line with the case %v", whole.Confidence, wide.Confidence)
	}
}

func TestConfidenceIsTheSameBeforeAndAfterTheDaysOfAList(t *testing.T) {
	page := meetingsPages()["cards"]
	read := func(now time.Time) []float64 {
		return confidences(t, string(page.Body()), now, curlew.SchemaEvent, "starts_at")
	}
	before, after := read(learningDay), read(learningDay.AddDate(0, 3, 0))
	if fmt.Sprint(before) != fmt.Sprint(after) {
		t.Errorf("before %v, after %v", before, after)
	}
}

func TestEveryFamilyHasWeights(t *testing.T) {
	for _, name := range []curlew.SchemaName{curlew.SchemaEvent, curlew.SchemaProduct, curlew.SchemaJob, curlew.SchemaArticle, curlew.SchemaOrganization, curlew.SchemaItem} {
		t.Run(string(name), func(t *testing.T) {
			for _, field := range name.Kind().Fields {
				if family := familyOf(name.Kind(), field.Name); len(valueWeights[family]) == 0 {
					t.Errorf("%s of %s is of family %q, which has no weights", field.Name, name, family)
				}
			}
		})
	}
}
