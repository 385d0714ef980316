package filter

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

var fence = regexp.MustCompile("(?s)```([a-z ]+)\n(.*?)```")

// What docs/filters.md shows must work, and what it calls a mistake must be one.
func TestTheDocumentationIsTrue(t *testing.T) {
	text, err := os.ReadFile("../../../docs/filters.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]int{}
	for _, m := range fence.FindAllStringSubmatch(string(text), -1) {
		shown[m[1]]++
		switch m[1] {
		case "filter":
			for line := range strings.Lines(strings.TrimSpace(m[2])) {
				if _, err := Compile(line, curlew.Schemas()...); err != nil {
					t.Errorf("%s: %v", line, err)
				}
			}
		case "json filter":
			x, err := FromJSON([]byte(m[2]))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := CompileExpr(x, curlew.Schemas()...); err != nil {
				t.Error(err)
			}
		case "text":
			_, err := Compile(`city = "Łódź" and pirce < 3`, curlew.Schemas()...)
			if err == nil || err.Error() != strings.TrimRight(m[2], "\n") {
				t.Errorf("the mistake is told as\n%v", err)
			}
		}
	}
	if shown["filter"] != 2 || shown["json filter"] != 1 || shown["text"] != 1 {
		t.Errorf("blocks %v", shown)
	}
	for _, g := range tests {
		t.Run(string(g.test), func(t *testing.T) {
			if !strings.Contains(string(text), "`"+string(g.test)+"`") {
				t.Errorf("the test %s is not documented", g.test)
			}
		})
	}
	for _, m := range regexp.MustCompile("(?m)^\\|[^|]*\\| `([^`]+)`").FindAllStringSubmatch(string(text), -1) {
		if _, err := Compile(m[1], curlew.Schemas()...); err != nil {
			t.Errorf("%s: %v", m[1], err)
		}
	}
}
