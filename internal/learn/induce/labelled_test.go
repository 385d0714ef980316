package induce

import (
	"maps"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
)

func TestALabelSaysWhichFieldOfAJobAValueIs(t *testing.T) {
	page := `<html><head><title>Vacancies</title></head><body><h1>Vacancies</h1><ul>`
	for _, job := range [][4]string{
		{"Staff nurse", "Elmford", "Full-time · Permanent", "30 November 2026"}, {"Radiographer", "Brook", "Part-time", "4 December 2026"},
		{"Porter", "Elmford", "Full-time", "12 December 2026"}, {"Ward clerk", "Lower Mill", "Part-time", "15 December 2026"},
	} {
		page += `<li><h3><a href="/jobs/` + job[0] + `">` + job[0] + `</a></h3><p>Location: ` + job[1] + `</p><p>` + job[2] +
			`</p><p>Closing date: ` + job[3] + `</p></li>`
	}
	doc := dom.New([]byte(page+`</ul></body></html>`), "https://example.org/jobs")
	jobs := ReadPage(t.Context(), doc, time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC), curlew.SchemaJob.Kind(), DayRange{})
	if len(jobs) != 4 {
		t.Fatalf("%d jobs, want 4", len(jobs))
	}
	want := curlew.Values{"title": "Staff nurse", "url": "https://example.org/jobs/Staff%20nurse", "location": "Elmford",
		"employment_type": "Full-time · Permanent", "valid_through": "30 November 2026"}
	if got := jobs[0].Fields; !maps.EqualFunc(got, want, func(a, b any) bool { return curlew.ValueText(a) == curlew.ValueText(b) }) {
		t.Errorf("got %v, want %v", got, want)
	}
}
