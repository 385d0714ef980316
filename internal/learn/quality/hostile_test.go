package quality

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/growth"
)

// Pages of strangers may be anything; none may hold up a run.
func TestHostilePagesEndSoon(t *testing.T) {
	fill := growth.Fill
	growth.Inputs{
		"one long text":      fill("", "€12 on 4 May 2026, ", ""),
		"many blocks":        fill("", "<p>4 May 2026 €12", ""),
		"deep nesting":       fill("", "<div>", "4 May"),
		"escapes":            fill(`<script>"`, `\ud83c\u00e9\n`, `"</script>`),
		"digits":             fill("", "1234567890", ""),
		"markup in titles":   fill("", "<a href=x><img src=y>&amp;", ""),
		"a wall of brackets": fill("", "<", ""),
		"not text":           fill("", "\x00\xff\xfe", ""),
	}.Check(t, 1<<20, func(body string) func() {
		page := dom.New([]byte(body), "https://hostile.example/")
		_ = page.Blocks() // what the page itself costs is for dom to bound
		sample := hostileSample(page, len(body))
		return func() {
			if text := Judge(t.Context(), sample, march()).Text(80); strings.ContainsRune(text, 0) {
				t.Error("NUL in the report")
			}
		}
	})
}

// hostileSample are eight records with values about as long, together, as their page.
func hostileSample(page *dom.Document, size int) []SampleRecord {
	var sample []SampleRecord
	for i := range 8 {
		sample = append(sample, SampleRecord{Pages: []*dom.Document{page}, Node: "/html[1]/body[1]", Record: curlew.Record{
			Schema: curlew.SchemaEvent, ExternalID: fmt.Sprint(i), Fields: curlew.Values{
				"title": strings.Repeat("<b>x ", size/100), "description": strings.Repeat("long words here ", size/200),
				"starts_at": "2026-05-04T19:30:00Z", "price_min": int64(1234), "performers": []string{"a", "\xff"}, "venue_name": fmt.Sprint("Mill ", i),
				"url": "https://hostile.example/\x00", "image_url": "://", "latitude": 1.5, "ends_at": "x",
			}}})
	}
	return sample
}

// Values of any kind in any field are measured, not trusted.
func TestOddValuesDoNotPanic(t *testing.T) {
	odd := []any{nil, "", 7, int64(-1), 1e300, true, []string{}, []any{nil, 3}, map[string]any{"a": 1}, map[string]string{}, struct{}{}, "2026-13-45", "\xff\xfe"}
	for _, schema := range curlew.Schemas() {
		for i, value := range odd {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				fields := curlew.Values{"unheard_of": value}
				for _, f := range schema.Fields {
					fields[f.Name] = value
				}
				r := curlew.Record{Schema: schema.Name, Fields: fields}
				page := dom.New([]byte(auditPage), "https://quay.example/gigs")
				records := []curlew.Record{r, r, r, r}
				sample := []SampleRecord{{Record: r, Pages: []*dom.Document{page}}, {Record: r, Pages: []*dom.Document{nil, page}, Node: "/nonsense"}, {Record: r}, {Record: r, Pages: []*dom.Document{page}, Node: "/html[1]/body[1]/ul[1]"}}
				card := Quality(Sample{Schema: schema.Name, Records: records}).With(Judge(t.Context(), sample, march()))
				_ = card.Text(0)
				report := Audit(t.Context(), []TruthRow{{Schema: schema.Name, Fields: fields, Document: page}, {Schema: schema.Name, Document: page, Absent: []string{"title", "url"}}}, records)
				if card.Score < 0 || card.Score > 100 || report.Right > report.Checked || report.Text(500) == "" {
					t.Errorf("%s with %v: score %d", schema.Name, value, card.Score)
				}
			})
		}
	}
}

func FuzzJudge(f *testing.F) {
	f.Add(auditPage, "Spring Overture", "2026-05-04T19:30:00", "/html[1]/body[1]/ul[1]/li[1]", int64(1250))
	f.Add(`<script>{"a":"\ud83c\u12"}</script>`, "a", "20260504", "", int64(0))
	f.Add("BEGIN:VEVENT\r\nSUMMARY:Fair\\, big\r\n one", "Fair, big one", "", "/", int64(-5))
	f.Fuzz(func(t *testing.T, body, title, start, node string, price int64) {
		page := dom.New([]byte(body), "https://fuzz.example/")
		r := curlew.Record{Schema: curlew.SchemaEvent, Fields: curlew.Values{"title": title, "venue_name": title, "starts_at": start, "price_min": price, "url": start},
			Provenance: map[string]curlew.Evidence{"starts_at": {Text: title}}}
		j := Judge(t.Context(), []SampleRecord{{Record: r, Pages: []*dom.Document{page}, Node: node}, {Record: r, Pages: []*dom.Document{page}}, {Record: r}}, march())
		if j.Accuracy < 0 || j.Accuracy > 100 {
			t.Errorf("accuracy %d", j.Accuracy)
		}
		_ = j.Text(80)
		row := TruthRow{Schema: curlew.SchemaEvent, Fields: curlew.Values{"title": body, "starts_at": start}, Document: page}
		if report := Audit(t.Context(), []TruthRow{row}, []curlew.Record{r}); report.Right > report.Checked {
			t.Errorf("right %d of %d", report.Right, report.Checked)
		}
	})
}

func FuzzReadTruth(f *testing.F) {
	f.Add(`{"schema":"event","external_id":"1","fields":{"title":"A","starts_at":"2026-05-04","performers":["x"]}}`)
	f.Add("# note\n{\"schema\":\"custom\",\"url\":\"u\",\"fields\":{\"a\":{}}}\n")
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := ReadTruth(strings.NewReader(text), curlew.Schemas())
		if err != nil {
			return
		}
		_ = Audit(t.Context(), rows, nil).Text(80)
	})
}
