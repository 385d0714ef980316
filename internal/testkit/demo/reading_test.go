package demo

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// reading is how a careful person reads one site: where its list goes on, and
// how each design marks a record and writes dates and prices.
type reading struct {
	site string
	// list gives the path of the nth list page, counted from 1.
	list func(n int) string
	// pages is how many list pages there may be at most.
	pages   int
	designs []appearance
}

type appearance struct {
	mark  string // a regular expression that matches where a record begins
	date  string // as formatDate has it; empty: not checked
	money string // as formatMoney has it; empty: not checked
	apart bool   // the date stands in a heading above the records
}

// readings has every site that shows its records in HTML.
func readings() []reading {
	return []reading{
		concertsReading(),
		shopReading(),
		councilReading(),
		communityReading(),
		theatreReading(),
		festivalReading(),
		jobsReading(),
		newsReading(),
		ngoReading(),
		conferenceReading(),
		trapReading(),
	}
}

func onePage(path string) func(int) string { return func(int) string { return path } }

func numbered(first, rest string) func(int) string {
	return func(n int) string {
		if n == 1 {
			return first
		}
		return fmt.Sprintf(rest, n)
	}
}

// ask sends one request to a site without a network.
func ask(t *testing.T, w *Web, site, method, target, body string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	handler, err := w.Handler(site)
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(method, "http://"+site+".test"+target, strings.NewReader(body))
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, r)
	return answer
}

func get(t *testing.T, w *Web, site, target string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	return ask(t, w, site, http.MethodGet, target, "", header...)
}

func markupOf(answer *httptest.ResponseRecorder) string {
	body := answer.Body.Bytes()
	if !strings.Contains(answer.Header().Get("Content-Type"), "windows-1252") {
		return string(body)
	}
	high := map[byte]rune{}
	for r, b := range windows1252High {
		high[b] = r
	}
	var out strings.Builder
	for _, b := range body {
		if r, known := high[b]; known {
			out.WriteRune(r)
			continue
		}
		out.WriteRune(rune(b))
	}
	return out.String()
}

// inline are the elements that do not part words.
var inline = map[string]bool{"b": true, "i": true, "em": true, "strong": true, "font": true, "s": true, "small": true}

// textOf is what a person sees, with single spaces.
func textOf(markup string) string {
	var out strings.Builder
	for markup != "" {
		before, rest, found := strings.Cut(markup, "<")
		out.WriteString(before)
		if !found {
			break
		}
		switch {
		case strings.HasPrefix(rest, "!--"):
			_, markup, _ = strings.Cut(rest, "-->")
		case rest == "" || !isLetter(rest[0]) && rest[0] != '/' && rest[0] != '!':
			out.WriteByte('<')
			markup = rest
		default:
			markup = skipTag("<"+rest, &out)
		}
	}
	return squash(html.UnescapeString(out.String()))
}

// skipTag passes over a tag and over an element that nobody sees.
func skipTag(markup string, out *strings.Builder) string {
	name := tagName([]byte(strings.Replace(markup[:min(len(markup), 12)], "</", "<", 1)))
	closing := strings.HasPrefix(markup, "</")
	if !inline[name] {
		out.WriteByte(' ')
	}
	rest := markup[tagEnd(markup):]
	if closing || name != "script" && name != "style" && name != "title" {
		return rest
	}
	for _, end := range []string{"</" + name, "</" + strings.ToUpper(name)} {
		if _, after, found := strings.Cut(rest, end); found {
			return after
		}
	}
	return ""
}

func squash(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "\u00a0", " ")), " ")
}

// readList fetches all list pages of a site.
func readList(t *testing.T, w *Web, how reading) (markup, text string) {
	t.Helper()
	for n := 1; n <= how.pages; n++ {
		answer := get(t, w, how.site, how.list(n))
		if answer.Code == http.StatusNotFound && n > 1 {
			break
		}
		if answer.Code != http.StatusOK {
			t.Fatalf("%s%s answers %d", how.site, how.list(n), answer.Code)
		}
		page := markupOf(answer)
		markup += page
		text += " " + textOf(page)
	}
	return markup, text
}

func truthOf(t *testing.T, w *Web, site string) []TrueRecord {
	t.Helper()
	records, err := w.Truth(site)
	if err != nil {
		t.Fatal(err)
	}
	return records
}

func nameOf(r TrueRecord) string {
	for _, field := range []string{"title", "name"} {
		if text, ok := r.Fields[field].(string); ok {
			return text
		}
	}
	return ""
}

func dayOf(t *testing.T, r TrueRecord, field string) (time.Time, bool) {
	t.Helper()
	text, ok := r.Fields[field].(string)
	if !ok {
		return time.Time{}, false
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if moment, err := time.Parse(layout, text); err == nil {
			return moment, true
		}
	}
	t.Fatalf("%s has a %s that is no time: %q", r.ExternalID, field, text)
	return time.Time{}, false
}
