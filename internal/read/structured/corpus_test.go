package structured

import (
	"os"
	"strings"
	"testing"
)

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
