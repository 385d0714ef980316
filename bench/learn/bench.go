package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"curlew/bench/measure"
)

// figure is what one page brought.
type figure struct {
	Kind    string  `json:"kind"`
	KB      int     `json:"kb"`
	Records int     `json:"records"`
	Parse   float64 `json:"parse_ms"`
	Learn   float64 `json:"learn_ms"`
	Apply   float64 `json:"apply_ms"`
	Real    bool    `json:"real,omitempty"` // a page that others wrote
}

// collect runs the benchmarks and reads what they say, line by line.
func collect(ctx context.Context, s sizes, p measure.Progress) (*table, error) {
	root, err := measure.Root()
	if err != nil {
		return nil, err
	}
	command := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench", s.bench, "-benchtime", s.tries, "-timeout", "30m", "./internal/template")
	command.Dir, command.Stderr = root, os.Stderr
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	t, said := read(out, p)
	if err := command.Wait(); err != nil {
		return nil, fmt.Errorf("the benchmarks of internal/template failed: %w\n%s", err, said)
	}
	if len(t.Figures) == 0 {
		return nil, fmt.Errorf("the benchmarks of internal/template gave no figures:\n%s", said)
	}
	return t, nil
}

// read makes figures of the lines of Go's benchmarks; what is none is given back.
func read(out io.Reader, p measure.Progress) (*table, string) {
	t := &table{}
	var rest strings.Builder
	for lines := bufio.NewScanner(out); lines.Scan(); {
		f, ok := figureOf(lines.Text())
		if !ok {
			fmt.Fprintln(&rest, lines.Text())
			continue
		}
		p.Say("%s, %d KB: %d records, learn %.0f ms", f.Kind, f.KB, f.Records, f.Learn)
		t.Figures = append(t.Figures, f)
	}
	return t, rest.String()
}

var benchLine = regexp.MustCompile(`^Benchmark(Made|Real)Lists/([^/\s]+)/(\d+)(?:-\d+)?\s`)

// figureOf reads "BenchmarkMadeLists/events/62-2  3  1234 ns/op  2.4 apply-ms  …".
func figureOf(line string) (figure, bool) {
	m := benchLine.FindStringSubmatch(line)
	if m == nil {
		return figure{}, false
	}
	f := figure{Kind: m[2], Real: m[1] == "Real"}
	f.KB, _ = strconv.Atoi(m[3]) // the pattern lets only digits pass
	words := strings.Fields(line)
	for i := 1; i < len(words); i++ {
		value, err := strconv.ParseFloat(words[i-1], 64)
		if err != nil {
			continue
		}
		switch words[i] {
		case "parse-ms":
			f.Parse = value
		case "learn-ms":
			f.Learn = value
		case "apply-ms":
			f.Apply = value
		case "records":
			f.Records = int(value)
		}
	}
	return f, f.Parse > 0 && f.Learn > 0 && f.Apply > 0
}
