package feasibility

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/growth"
)

func TestAReportStopsSoonAfterItsContextEnds(t *testing.T) {
	var page strings.Builder
	page.WriteString("<html><body>")
	for i := range 200 {
		fmt.Fprintf(&page, "<p>Concert %d<script>fetch('/api/events?of=%d')</script>", i, i)
	}
	page.WriteString("<div class=pagination><b>1</b>")
	for i := range 8 {
		fmt.Fprintf(&page, " <a href=/list?page=%d>%d</a>", i+2, i+2)
	}
	script := strings.Repeat("fetch('/api/v2/'+n); ", 500)
	input := func() Input {
		return Input{URL: "https://hall.example/list", Page: Snapshot{Document: dom.New([]byte(page.String()), "https://hall.example/list")},
			Scripts: []string{script}, Robots: Robots{Allowed: true}, Now: march}
	}
	for name, read := range map[string]func(context.Context, Input) bool{
		"report": func(ctx context.Context, in Input) bool { return Assess(ctx, in).Pagination.Kind != PagesNone },
		"pagination": func(ctx context.Context, in Input) bool {
			return ReadPagination(ctx, in.Page.Document).Kind != PagesNone
		},
		"endpoints": func(ctx context.Context, in Input) bool {
			return len(Endpoints(ctx, in.Page, in.Scripts...)) == maxEndpoints
		},
	} {
		t.Run(name, func(t *testing.T) {
			whole := growth.Endless(t)
			if done := read(whole, input()); !done || whole.Asked < 100 {
				t.Fatalf("done is %t in %d steps", done, whole.Asked)
			}
			short, in := growth.Ending(t, 5), input()
			if done := read(short, in); done || short.Late() > whole.Asked/5 {
				t.Errorf("it went on for %d of %d steps, done is %t", short.Late(), whole.Asked, done)
			}
			if !read(t.Context(), in) {
				t.Error("the page keeps what was not read to its end")
			}
		})
	}
	if r := Assess(growth.Ending(t, 0), input()); r.Verdict != Reject || !strings.Contains(r.Reason, "stopped") {
		t.Errorf("a report that was stopped says %q: %s", r.Verdict, r.Reason)
	}
}
