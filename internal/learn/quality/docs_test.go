package quality

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

var fence = regexp.MustCompile("(?s)```([a-z ]+)\n(.*?)```")

// What the documentation shows must work, and what exists must be documented.
func TestTheDocumentationIsTrue(t *testing.T) {
	quality, err := os.ReadFile("../../../docs/quality.md")
	if err != nil {
		t.Fatal(err)
	}
	audit, err := os.ReadFile("../../../docs/audit.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range measures() {
		if row := fmt.Sprintf("| %d |", m.weight); !strings.Contains(string(quality), strings.ReplaceAll(string(m.name), "_", " ")+" "+row) && !strings.Contains(string(quality), lowerFirst(m.title)+" "+row) {
			t.Errorf("the dimension %s with its weight %d is not documented", m.name, m.weight)
		}
	}
	source, err := os.ReadFile("systematic.go")
	if err != nil {
		t.Fatal(err)
	}
	codes := regexp.MustCompile(`ErrorCode = "([a-z_]+)"`).FindAllStringSubmatch(string(source), -1)
	for _, code := range codes {
		if !strings.Contains(string(quality), "`"+code[1]+"`") {
			t.Errorf("the error %s is not documented", code[1])
		}
	}
	for _, class := range MismatchClasses() {
		if !strings.Contains(string(audit), "`"+string(class)+"`") {
			t.Errorf("the class %s is not documented", class)
		}
	}
	examples := map[string]int{}
	for _, m := range fence.FindAllStringSubmatch(string(quality)+string(audit), -1) {
		examples[m[1]]++
		switch m[1] {
		case "json truth":
			if rows, err := ReadTruth(strings.NewReader(m[2]), curlew.Schemas()); err != nil || len(rows) != 2 {
				t.Errorf("%d rows of truth: %v", len(rows), err)
			}
		}
	}
	if len(codes) < 15 || examples["json truth"] != 1 {
		t.Errorf("%d codes, examples %v", len(codes), examples)
	}
}
