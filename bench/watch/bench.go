package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/bench/measure"
)

// figure is one thing that was measured.
type figure struct {
	Name   string  `json:"name"`
	Engine string  `json:"engine"`
	Unit   string  `json:"unit"`
	Value  float64 `json:"value"`
}

// collect takes all figures, one after the other.
func collect(ctx context.Context, postgres string, quick bool, p measure.Progress) (*table, error) {
	root, err := measure.Root()
	if err != nil {
		return nil, err
	}
	if postgres == "" {
		address, stop, err := startPostgres(ctx, filepath.Join(root, "scripts", "postgres"))
		if err != nil {
			return nil, err
		}
		defer stop()
		postgres = address
	}
	command := exec.CommandContext(ctx, "go", "test", "-count=1", "-parallel", "1", "-timeout", "30m", "-v", "-run", "^TestFiguresOf",
		"./internal/work/runs")
	command.Dir, command.Stderr = root, os.Stderr
	command.Env = append(os.Environ(), "CURLEW_TEST_POSTGRES="+postgres)
	if !quick {
		command.Env = append(command.Env, "CURLEW_FIGURES=full")
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	t, said := read(out, p)
	if err := command.Wait(); err != nil {
		return nil, fmt.Errorf("the figures of internal/work/runs could not be taken: %w\n%s", err, said)
	}
	if len(t.Figures) == 0 {
		return nil, fmt.Errorf("internal/work/runs gave no figures:\n%s", said)
	}
	return t, nil
}

// startPostgres starts a server that is as durable as a real one: with fsync.
func startPostgres(ctx context.Context, script string) (address string, stop func(), err error) {
	folder, err := os.MkdirTemp("", "curlew-bench-")
	if err != nil {
		return "", nil, err
	}
	server := filepath.Join(folder, "postgres")
	stop = func() {
		_ = exec.Command(script, "stop", server).Run()
		_ = os.RemoveAll(folder)
	}
	// Postgres runs as another user than root, who must get through.
	if err := os.Chmod(folder, 0o755); err != nil {
		stop()
		return "", nil, err
	}
	start := exec.CommandContext(ctx, script, "start", server, "durable")
	start.Stderr = os.Stderr
	said, err := start.Output()
	if err != nil {
		stop()
		return "", nil, fmt.Errorf("start Postgres: %w", err)
	}
	return strings.TrimSpace(string(said)), stop, nil
}

// read makes figures of what the tests say; what is none is given back.
func read(out io.Reader, p measure.Progress) (*table, string) {
	t := &table{}
	var rest strings.Builder
	for lines := bufio.NewScanner(out); lines.Scan(); {
		f, ok := figureOf(lines.Text())
		if !ok {
			fmt.Fprintln(&rest, lines.Text())
			continue
		}
		p.Say("%s on %s: %s %s", f.Name, f.Engine, number(f.Value), f.Unit)
		t.Figures = append(t.Figures, f)
	}
	return t, rest.String()
}

// figureOf reads "… figure: NAME<tab>ENGINE<tab>UNIT<tab>VALUE".
func figureOf(line string) (figure, bool) {
	_, text, ok := strings.Cut(line, "figure: ")
	parts := strings.Split(text, "\t")
	if !ok || len(parts) != 4 {
		return figure{}, false
	}
	value, err := strconv.ParseFloat(parts[3], 64)
	return figure{Name: parts[0], Engine: parts[1], Unit: parts[2], Value: value}, err == nil
}
