package extract

import (
	"slices"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/quality"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text/dates"
)

// Whatever has words has a text; what has none is refused.
func TestAnyFileWithWordsIsAText(t *testing.T) {
	for name, c := range map[string]struct{ body, kind, want string }{
		"page":    {"<!doctype html><main><p>No fishing.</p><p>Dogs on a leash.</p></main>", "text/html", "No fishing.\nDogs on a leash."},
		"text":    {"Rules\n\nNo fishing.\nDogs on a leash.\n", "text/plain", "Rules\nNo fishing.\nDogs on a leash."},
		"JSON":    {`{"status": "open", "berths": {"free": 12, "all": 40}, "note": null}`, "application/json", "berths.all: 40\nberths.free: 12\nstatus: open"},
		"CSV":     {"berth,length\nA1,12\n", "text/csv", "berth\nlength\nA1\n12"},
		"PDF":     {string(pdfFile(written("12 Tf 72 720 Td (No fishing.) Tj 0 -40 Td (Dogs on a leash.) Tj")...)), "application/pdf", "No fishing.\nDogs on a leash."},
		"picture": {"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR words words", "image/png", ""},
		"nothing": {"<!doctype html><script>x()</script>", "text/html", ""},
	} {
		t.Run(name, func(t *testing.T) {
			m := Material{Body: []byte(c.body), ContentType: c.kind, Charset: "utf-8", URL: "https://pier.example/rules", Now: time.Now()}
			readings := Readings(t.Context(), m, ExtractOptions{})
			got := ""
			if i := slices.IndexFunc(readings, func(r Reading) bool { return r.Schema == curlew.SchemaPage }); i >= 0 {
				r := readings[i].Records[0]
				got, _ = r.Record.Fields["text"].(string)
				judged := quality.Judge(t.Context(), []quality.SampleRecord{{Record: r.Record, Node: r.Node, Pages: []*dom.Document{m.Document()}}}, dates.Options{})
				if len(judged.Records) != 1 || len(judged.Records[0].Issues) > 0 {
					t.Errorf("a title that was made up is held against it: %+v", judged.Records)
				}
			}
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
