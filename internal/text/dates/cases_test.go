package dates

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestCases reads testdata/*.txt. A line is
//
//	text | options → expected
//
// In a file find_*.txt the text is searched and every date found is expected in
// order; elsewhere it is parsed as a whole. "-" expects nothing. Options are
// now=, lang=, zone=, year=, order=dmy|mdy, past. In texts \n and \t are breaks.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		t.Run(name, func(t *testing.T) {
			body, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for n, line := range strings.Split(string(body), "\n") {
				if line == "" || strings.HasPrefix(line, "# ") {
					continue
				}
				left, want, ok := strings.Cut(line, " → ")
				if !ok {
					t.Fatalf("line %d: no arrow", n+1)
				}
				text, options := left, ""
				if at := strings.LastIndex(left, " | "); at >= 0 {
					text, options = left[:at], left[at+3:]
				}
				text = strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(text)
				got := caseResult(name, text, caseOptions(t, options))
				if got != want {
					t.Errorf("line %d: %q (%s)\n got %s\nwant %s", n+1, text, options, got, want)
				}
			}
		})
	}
}

func caseResult(file, text string, o Options) string {
	if !strings.HasPrefix(file, "find") {
		if d, ok := Parse(text, o); ok {
			return show(d)
		}
		return "-"
	}
	var list []string
	for _, f := range Find(text, o) {
		list = append(list, show(f.Date)+" “"+text[f.Begin:f.End]+"”")
	}
	if list == nil {
		return "-"
	}
	return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(strings.Join(list, "; "))
}

func show(d Date) string {
	s := Format(d.Start, d.TimeKnown, d.ZoneKnown)
	if !d.End.IsZero() {
		s += " to " + Format(d.End, d.EndTime, d.ZoneKnown)
	}
	if d.Recurrence != "" {
		s += " " + d.Recurrence
	}
	return s
}

// caseOptions has Saturday 14 March 2026, 10:00 as its clock.
func caseOptions(t *testing.T, text string) Options {
	t.Helper()
	o := Options{Now: time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC)}
	for _, field := range strings.Fields(text) {
		key, value, _ := strings.Cut(field, "=")
		var err error
		switch key {
		case "now":
			o.Now = time.Time{}
			if value != "none" {
				o.Now, err = time.Parse("2006-01-02T15:04", value)
			}
		case "lang":
			o.Lang = value
		case "zone":
			o.Zone, err = time.LoadLocation(value)
		case "year":
			o.Year, err = strconv.Atoi(value)
		case "order":
			o.Order = map[string]Order{"dmy": DayFirst, "mdy": MonthFirst}[value]
		case "past":
			o.Past = true
		default:
			t.Fatalf("unknown option %q", field)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return o
}
