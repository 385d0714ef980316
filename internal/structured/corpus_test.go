package structured

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// corpus finds the folder of conformance suites: $CORPUS, or what the unpacker
// beside the checkout prints. Without it there is nothing to compare with.
func corpus(t *testing.T, parts ...string) string {
	t.Helper()
	folder := os.Getenv("CORPUS")
	if folder == "" {
		out, err := exec.Command("../../../shared/corpus/unpack").Output()
		if err != nil {
			t.Skip("no corpus here: set CORPUS to its folder to run the conformance suites")
		}
		folder = strings.TrimSpace(string(out))
	}
	path := filepath.Join(append([]string{folder}, parts...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the corpus has no %s", filepath.Join(parts...))
	}
	return path
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// tally counts what passes in a suite and fails below a floor.
type tally struct {
	passed, total int
	failed        []string
}

func (c *tally) add(name string, ok bool) {
	c.total++
	if ok {
		c.passed++
		return
	}
	c.failed = append(c.failed, name)
}

func (c *tally) report(t *testing.T, suite, what string, floor int) {
	t.Helper()
	t.Logf("%s: %d/%d %s", suite, c.passed, c.total, what)
	if len(c.failed) > 0 {
		t.Logf("failing: %s", strings.Join(c.failed, " "))
	}
	if c.passed < floor {
		t.Errorf("%s: %d passed, fewer than %d", suite, c.passed, floor)
	}
}
