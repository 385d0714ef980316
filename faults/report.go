package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// report is what a campaign found, as it is printed and kept.
type report struct {
	form   string // what was called
	commit string
	seed   uint64
	began  time.Time
	load   string // of the machine, when it began
	kills  atomic.Int64
	text   bytes.Buffer
	out    io.Writer // to people, and to the text
}

func newReport(form, commit string, seed uint64) *report {
	r := &report{form: form, commit: commit, seed: seed, began: time.Now(), load: load()}
	r.out = io.MultiWriter(os.Stdout, &r.text)
	return r
}

// load is how many processes wanted a processor, over the last minute.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}

// The marks between which a document has the tables.
const (
	tablesBegin = "<!-- tables: written by make faults-long -->\n"
	tablesEnd   = "<!-- end of the tables -->"
)

// keep puts the tables into a document, with when and of what they are, how long it took, and whether promises were broken.
func (r *report) keep(path string, broken error) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	head, rest, begins := bytes.Cut(text, []byte(tablesBegin))
	_, tail, ends := bytes.Cut(rest, []byte(tablesEnd))
	if !begins || !ends {
		return fmt.Errorf("the document does not say where the tables go: %q", tablesBegin)
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "```\n$ %s        # %s, commit %s, in %s\n", r.form, r.began.UTC().Format("2 January 2006 15:04 UTC"), r.commit,
		time.Since(r.began).Round(time.Minute))
	fmt.Fprintf(&out, "seed %d, %d processors, load %s at the beginning and %s at the end\n", r.seed, runtime.NumCPU(), r.load, load())
	fmt.Fprintf(&out, "%d kill -9 in all\n\n%s", r.kills.Load(), r.text.String())
	if broken != nil {
		fmt.Fprintf(&out, "\nBROKEN:\n%v\n", broken)
	}
	fmt.Fprintln(&out, "```")
	return os.WriteFile(path, slices.Concat(head, []byte(tablesBegin), out.Bytes(), []byte(tablesEnd), tail), 0o644)
}

// seasons lets the sample web drift, and days go by on it, without any fault: the tests that compare what is told with the truth.
func seasons(ctx context.Context, drifts, days int, out io.Writer) error {
	test := exec.CommandContext(ctx, "go", "test", "-count=1", "-timeout", "6h", "-v", "-run", "TestDriftOf|TestTenDaysOf",
		"./internal/work/watch")
	test.Env = append(os.Environ(), fmt.Sprintf("CURLEW_TEST_DRIFTS=%d", drifts), fmt.Sprintf("CURLEW_TEST_DAYS=%d", days), "CORPUS=none")
	said, err := test.Output()
	fmt.Fprintf(out, "\n%d drifts and %d days of each site, without a fault:\n", drifts, days)
	var wrong []string
	for lines := bufio.NewScanner(bytes.NewReader(said)); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		_, told, found := strings.Cut(line, ".go:")
		_, told, _ = strings.Cut(told, ": ")
		switch {
		case found && (strings.HasPrefix(told, "drift of ") || strings.HasPrefix(told, "changes of ")):
			fmt.Fprintln(out, told)
		case found || strings.HasPrefix(line, "--- FAIL"):
			wrong = append(wrong, line)
		}
	}
	if err != nil {
		return errors.Join(fmt.Errorf("drifts and days: %w", err), errors.New(strings.Join(wrong, "\n")))
	}
	return nil
}
