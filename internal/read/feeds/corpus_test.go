package feeds

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/corpus"
)

// each visits the files of a folder that end in a suffix, in order.
func each(t *testing.T, folder, suffix string, visit func(path string, body []byte)) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, suffix) {
			return err
		}
		body, err := os.ReadFile(path)
		visit(path, body)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestConformanceFeedEntries(t *testing.T) {
	passed, total := 0, 0
	each(t, corpus.Path(t, "feeds", "gofeed"), ".json", func(path string, expected []byte) {
		var want struct {
			Items   []json.RawMessage `json:"items"`
			Entries []json.RawMessage `json:"entries"`
		}
		body, err := os.ReadFile(strings.TrimSuffix(path, ".json") + ".xml")
		if err != nil || json.Unmarshal(expected, &want) != nil {
			return
		}
		total++
		drafts, err := Read(body, "", "https://feed.example/", curlew.SchemaItem)
		if n := len(want.Items) + len(want.Entries); len(drafts) == n || n > 0 && len(drafts) == 0 && err == nil && bare(want.Items, want.Entries) {
			passed++
		}
	})
	report(t, "feeds, number of entries", passed, total, 90)
}

// bare says whether no entry has anything that a draft could hold.
func bare(lists ...[]json.RawMessage) bool {
	for _, list := range lists {
		for _, entry := range list {
			if s := string(entry); strings.Contains(s, `"title"`) || strings.Contains(s, `"link"`) || strings.Contains(s, `"description"`) {
				return false
			}
		}
	}
	return true
}

var expectation = regexp.MustCompile(`(?m)^Expect:\s+(?:not bozo and )?entries\[0\]\['(title|link|id|author)'\] == u?'([^'\\]*)'\s*$`)

func TestConformanceFeedValues(t *testing.T) {
	fields := map[string]string{"title": "title", "link": "url", "author": "author"}
	passed, total := 0, 0
	each(t, corpus.Path(t, "feeds", "feedparser", "wellformed"), ".xml", func(path string, body []byte) {
		m := expectation.FindStringSubmatch(string(body))
		if m == nil || strings.ContainsAny(m[2], "<>&") {
			return
		}
		total++
		drafts, _ := Read(body, "", "http://127.0.0.1:8097/", curlew.SchemaArticle)
		got := ""
		if len(drafts) > 0 {
			got, _ = drafts[0].Fields[fields[m[1]]].(string)
			if m[1] == "id" {
				got = drafts[0].ExternalID
			}
		}
		if strings.TrimSuffix(got, "/") == strings.TrimSuffix(strings.TrimSpace(m[2]), "/") {
			passed++
		} else if total-passed < 15 {
			t.Logf("%s: %s is %q, want %q", filepath.Base(path), m[1], got, m[2])
		}
	})
	report(t, "feeds, values", passed, total, 75)
}

func TestConformanceCalendars(t *testing.T) {
	passed, total := 0, 0
	each(t, corpus.Path(t, "ical"), ".ics", func(path string, body []byte) {
		events := 0
		for _, part := range strings.Split(string(body), "BEGIN:VEVENT")[1:] {
			if strings.Contains(part, "DTSTART") {
				events++
			}
		}
		total++
		drafts, err := Read(body, "text/calendar", "https://feed.example/", curlew.SchemaEvent)
		if err == nil && len(drafts) == events {
			passed++
		} else {
			t.Logf("%s: %d drafts of %d events, %v", filepath.Base(path), len(drafts), events, err)
		}
	})
	report(t, "calendars, number of events", passed, total, 95)
}

func report(t *testing.T, suite string, passed, total int, floor float64) {
	t.Helper()
	t.Logf("%s: %d/%d files", suite, passed, total)
	if total == 0 || float64(passed)*100 < floor*float64(total) {
		t.Errorf("%s: %d of %d is under %.0f %%", suite, passed, total, floor)
	}
}
