package curlew_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A claim of the README is worth what the command beside it shows. A test that was
// renamed or moved would let its command pass without showing anything.
func TestEveryCommandOfTheDocsNamesTestsThatExist(t *testing.T) {
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	decisions, err := filepath.Glob("docs/decisions/*.md")
	if err != nil {
		t.Fatal(err)
	}
	pages = append(append(pages, "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"), decisions...)
	command := regexp.MustCompile("(?:go test|scripts/test)((?: (?:-[a-z]+=\\S+|\\./[\\w./]+|\\.))*) -run '?([^'`\\s]+)'?")
	found := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range command.FindAllStringSubmatch(string(text), -1) {
			found++
			var names []string
			for _, place := range strings.Fields(match[1]) {
				if strings.HasPrefix(place, ".") {
					names = append(names, testsIn(t, place)...)
				}
			}
			for _, part := range strings.Split(match[2], "|") {
				if !anyMatches(t, part, names) {
					t.Errorf("%s: %q shows nothing: no test in%s matches %q", page, match[0], match[1], part)
				}
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d commands were found: the docs are written differently now", found)
	}
}

// testsIn lists the tests of a folder.
func testsIn(t *testing.T, folder string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range declared.FindAllStringSubmatch(string(source), -1) {
			names = append(names, match[1])
		}
	}
	return names
}

func anyMatches(t *testing.T, expression string, names []string) bool {
	t.Helper()
	matching, err := regexp.Compile(expression)
	if err != nil {
		t.Fatalf("%q: %v", expression, err)
	}
	for _, name := range names {
		if matching.MatchString(name) {
			return true
		}
	}
	return false
}

// Whoever is sent to a place must find it.
func TestEveryPlaceThatTheDocsNameExists(t *testing.T) {
	place := regexp.MustCompile("`((?:[a-z]+/)+[a-zA-Z_*]+\\.(?:go|json|sh|sql))`")
	found := 0
	for _, page := range []string{"ARCHITECTURE.md", "README.md"} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range place.FindAllStringSubmatch(string(text), -1) {
			found++
			here, _ := filepath.Glob(match[1])
			inside, _ := filepath.Glob(filepath.Join("internal", match[1]))
			if len(here)+len(inside) == 0 && !strings.Contains(match[1], "SCHEMA") {
				t.Errorf("%s sends people to %s, which does not exist", page, match[1])
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d places were found: the docs are written differently now", found)
	}
}
