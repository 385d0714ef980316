package measure

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{{nil, 0}, {[]float64{7}, 7}, {[]float64{9, 1, 5}, 5}, {[]float64{4, 1, 3, 2}, 2.5}} {
		if got := Median(c.values); got != c.want {
			t.Errorf("Median(%v) = %v, want %v", c.values, got, c.want)
		}
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := Thousands(n); got != want {
			t.Errorf("Thousands(%d) = %s, want %s", n, got, want)
		}
	}
}

func TestAMissedRequirementIsAnErrorOfAWholeRunOnly(t *testing.T) {
	held := &Table{Rows: []Row{{Measure: "speed", Ratio: 2, Verdict: Verdict(true)}}}
	missed := &Table{Rows: []Row{{Measure: "speed", Ratio: 1, Verdict: Verdict(true)}, {Measure: "memory", Curlew: 300, Verdict: Verdict(false)}}}
	for _, c := range []struct {
		name   string
		result Result
		quick  bool
		want   error
	}{{"held", held, false, nil}, {"missed", missed, false, ErrMissed}, {"missed in a quick run", missed, true, nil}} {
		t.Run(c.name, func(t *testing.T) {
			o := Options{Quick: c.quick, File: filepath.Join(t.TempDir(), "result.json")}
			var out bytes.Buffer
			if err := o.Tell(c.result, &out); err != c.want {
				t.Errorf("got %v, want %v", err, c.want)
			}
			saved, err := os.ReadFile(o.File)
			if err != nil || !strings.Contains(out.String(), "speed") || !bytes.Contains(saved, []byte(`"measure": "speed"`)) {
				t.Errorf("printed %q, saved %q, %v", out.String(), saved, err)
			}
		})
	}
}

func TestAProcessIsMeasured(t *testing.T) {
	t.Setenv("CURLEW_DATABASE", "elsewhere")
	var out bytes.Buffer
	cost, err := Run(t.Context(), Process{Name: "shell", Program: "/bin/sh", Args: []string{"-c", `echo "$WORD$CURLEW_DATABASE"`}, Env: []string{"WORD=hello"}, Out: &out})
	if err != nil || out.String() != "hello\n" {
		t.Fatalf("printed %q, %v", out.String(), err)
	}
	if cost.Time <= 0 || cost.Time > time.Minute || cost.Memory < 0 {
		t.Errorf("it cost %+v", cost)
	}
	_, err = Run(t.Context(), Process{Name: "shell", Program: "/bin/sh", Args: []string{"-c", "echo why >&2; exit 3"}})
	if err == nil || !strings.Contains(err.Error(), "why") {
		t.Errorf("a process that fails gives %v, without what it said", err)
	}
}

func TestPagesAreChosenByWhatTheirJSONLDDescribes(t *testing.T) {
	for script, want := range map[string]bool{
		`{"@type":"Event","name":"Fair"}`:                                      true,
		`{"@graph":[{"@type":"WebSite"},{"@type":["Thing","NewsArticle"]}]}`:   true,
		`[{"@type":"BreadcrumbList"},{"@type":"https://schema.org/Recipe"}]`:   true,
		`{"@type":"BreadcrumbList","itemListElement":[{"@type":"ListItem"}]}`:  false,
		`{"@type":"WebPage","publisher":{"@type":"Organization","name":"we"}}`: false, // it is about another
		`{"@type":"Event",`: false,
	} {
		page := `<html><script type="application/ld+json">` + script + `</script>`
		if got := Describes([]byte(page)); got != want {
			t.Errorf("%s: got %t", script, got)
		}
	}
}
