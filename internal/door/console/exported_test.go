package console_test

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

func TestListingsAreSavedAsTheyAreFiltered(t *testing.T) {
	b := open(t, lantern)
	b.repriced()
	for _, at := range []string{"/entities", "/changes"} {
		t.Run(at, func(t *testing.T) {
			mustSay(t, at, b.page(at), `formaction="`+at+`/export" name="format" value="xlsx"`)
			for format, kind := range map[string]string{"csv": "text/csv", "xlsx": "spreadsheetml", "json": "application/json", "ics": "text/calendar"} {
				t.Run(format, func(t *testing.T) {
					answer := b.ask(curlew.RoleViewer, http.MethodGet, at+"/export?q=lantern&format="+format, "")
					h := answer.Header()
					if answer.Code != http.StatusOK || !strings.Contains(h.Get("Content-Type"), kind) || !strings.HasPrefix(h.Get("Content-Disposition"), `attachment; filename="curlew-`+at[1:]) ||
						!strings.HasSuffix(h.Get("Content-Disposition"), "."+format+`"`) {
						t.Errorf("%s as %s: %d %v", at, format, answer.Code, h)
					}
				})
			}
			rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(b.page(at+"/export?format=csv&q=nothing+of+the+kind"), "\uFEFF"))).ReadAll()
			if err != nil || len(rows) != 1 {
				t.Errorf("%s that the filter leaves out: %v %v", at, rows, err)
			}
		})
	}
	var changes []map[string]any
	if err := json.Unmarshal([]byte(b.page("/changes/export?format=json&source={src}&q=lantern")), &changes); err != nil || len(changes) == 0 {
		t.Fatalf("%v %v", changes, err)
	}
	found := false
	for _, c := range changes {
		found = found || c["field"] == "price" && c["old"] == 14.99 && c["new"] == 12.99 && c["currency"] == "EUR"
	}
	if !found {
		t.Errorf("the price is not as people write it: %v", changes)
	}
	if answer := b.ask(curlew.RoleViewer, http.MethodGet, "/entities/export?format=pdf", ""); answer.Code != http.StatusBadRequest ||
		!strings.Contains(answer.Body.String(), "unknown export format &#34;pdf&#34;: use atom, csv, ics") {
		t.Errorf("as pdf: %d", answer.Code)
	}
	other := b.in("birch", "Birch")
	if text := other.page(b.fill("/entities/export?format=json&q=lantern")); strings.Contains(text, lantern) {
		t.Errorf("another org reads %s", text)
	}
}
