package blueprint

import (
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/read/dom"
)

const boardMeetings = `<html lang="en"><body><h1>Board meetings</h1><main><ul>
<li>5 May 2025 – Budget Hearing</li><li>4 May 2026 – Harbour Plan</li><li>18 May 2026 – Quay Repairs</li><li>7 June 2027 – Next Budget</li>
</ul></main></body></html>`

func TestDaysKeepDatedEntriesNearTheDayOfReading(t *testing.T) {
	c := compileText(t, []byte(`{"curlew": 1, "schema": "event", "page": "list", "tier": "html",
		"records": {"shape": "dated", "days": {"min": -30, "max": 90}}, "fields": {}}`))
	for _, one := range []struct {
		now  time.Time
		want string
	}{
		{time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC), "Harbour Plan, Quay Repairs"},
		{time.Date(2027, 5, 1, 0, 0, 0, 0, time.UTC), "Next Budget"},
		{time.Time{}, "Budget Hearing, Harbour Plan, Quay Repairs, Next Budget"},
	} {
		t.Run(one.want, func(t *testing.T) {
			var titles []string
			for _, d := range c.Apply(PageInput{Document: dom.New([]byte(boardMeetings), ""), Now: one.now}).Drafts {
				titles = append(titles, plain(d, "title"))
			}
			if got := strings.Join(titles, ", "); got != one.want {
				t.Errorf("on %s: %s, not %s", one.now.Format(time.DateOnly), got, one.want)
			}
		})
	}
}

func TestRulesReplaceAndRequireFieldsOfDatedEntries(t *testing.T) {
	c := compileText(t, []byte(`{"curlew": 1, "schema": "event", "page": "list", "tier": "html", "records": {"xpath": "//main", "shape": "dated"},
		"fields": {"title": {"do": [{"op": "match", "text": "– (H.*)$"}]}, "category": {"do": [{"op": "match", "text": "Plan|Repairs"}], "required": true}}}`))
	result := c.Apply(PageInput{Document: dom.New([]byte(boardMeetings), "")})
	if len(result.Drafts) != 2 || len(result.Dropped) != 2 || result.Dropped[0].Why != "it has no category" {
		t.Fatalf("%d drafts, dropped %+v", len(result.Drafts), result.Dropped)
	}
	first, second := result.Drafts[0], result.Drafts[1]
	if plain(first, "title") != "Harbour Plan" || !strings.HasPrefix(first.Provenance["title"].Rule, "record | match") {
		t.Errorf("the rule gave %q by %s", plain(first, "title"), first.Provenance["title"].Rule)
	}
	if plain(second, "title") != "Quay Repairs" || plain(second, "starts_at") != "2026-05-18" {
		t.Errorf("where the rule finds nothing, the reader's values are gone: %v", second.Fields)
	}
}

func TestAContainerThatIsGoneLeavesNoEntries(t *testing.T) {
	c := compileText(t, []byte(`{"curlew": 1, "schema": "event", "page": "list", "tier": "html", "records": {"css": "#gone", "shape": "dated"}, "fields": {}}`))
	if n := len(c.Apply(PageInput{Document: dom.New([]byte(boardMeetings), "")}).Drafts); n != 0 {
		t.Errorf("%d entries outside of the container", n)
	}
}
