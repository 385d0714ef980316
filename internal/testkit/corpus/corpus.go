// Package corpus helps tests to compare Curlew with what others wrote: suites
// and real pages with foreign truth, which lie beside the checkout and never in it.
package corpus

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Path finds a file or folder of the corpus: below $CORPUS, or below what the
// unpacker beside the checkout prints. Without it, or with CORPUS=none, there is
// nothing to compare with, and the test is skipped.
func Path(t testing.TB, parts ...string) string {
	t.Helper()
	folder := os.Getenv("CORPUS")
	if folder == "none" {
		t.Skip("without the corpus, as asked")
	}
	if folder == "" {
		out, err := exec.Command(filepath.Join(moduleRoot(), "../shared/corpus/unpack")).Output()
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

// moduleRoot is the nearest folder upwards that holds a go.mod.
func moduleRoot() string {
	folder, err := os.Getwd()
	for err == nil && folder != filepath.Dir(folder) {
		if _, missing := os.Stat(filepath.Join(folder, "go.mod")); missing == nil {
			return folder
		}
		folder = filepath.Dir(folder)
	}
	return "."
}

// Read reads a file of the corpus.
func Read(t testing.TB, path string) []byte {
	t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// Rows reads a file of JSON lines.
func Rows[T any](t testing.TB, path string) []T {
	t.Helper()
	var all []T
	EachRow(t, path, func(row T) { all = append(all, row) })
	return all
}

// EachRow decodes a file of JSON lines, one after the other: some are large.
func EachRow[T any](t testing.TB, path string, do func(T)) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var row T
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		do(row)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// Passed is how many cases of a suite pass.
type Passed struct{ N, Of int }

// Report prints a pass rate in the form that "make eval" collects, and fails the
// test when it has fallen under the floor, in per cent.
func Report(t testing.TB, suite string, passed Passed, what string, floor float64) {
	t.Helper()
	t.Logf("%s: %d/%d %s", suite, passed.N, passed.Of, what)
	if passed.Of == 0 || float64(passed.N)*100 < floor*float64(passed.Of) {
		t.Errorf("%s: %d of %d is under %.1f %%", suite, passed.N, passed.Of, floor)
	}
}
