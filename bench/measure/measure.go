// Package measure is what the programs of the benchmark share: their options, how
// processes are built and run, and how figures become a table with verdicts. It
// knows nothing of what is measured.
package measure

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// ErrMissed means that everything was measured and a requirement does not hold.
var ErrMissed = errors.New("a requirement is missed")

// The verdicts on a requirement.
const (
	OK     = "ok"
	Missed = "MISSED"
)

// Verdict is the verdict on a requirement.
func Verdict(holds bool) string {
	if holds {
		return OK
	}
	return Missed
}

// Program runs the program of a benchmark until it ends or is interrupted, and
// exits.
func Program(name string, run func(ctx context.Context) error) {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// Options are what all programs can be told.
type Options struct {
	Quick bool
	File  string
}

// Flags are the flags of a program, to which it may add its own.
func (o *Options) Flags(name string) *flag.FlagSet {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.BoolVar(&o.Quick, "quick", false, "small sizes, to see that it works; the numbers mean nothing")
	flags.StringVar(&o.File, "json", "", "also write the results to this file")
	return flags
}

// Result is what a program found out. It is saved as JSON.
type Result interface {
	Write(out io.Writer)
	Missed() bool
}

// Tell prints and saves the result and says whether all requirements hold, which
// is not asked of a quick run.
func (o *Options) Tell(r Result, out io.Writer) error {
	r.Write(out)
	if o.File != "" {
		text, err := json.MarshalIndent(r, "", "  ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(o.File, append(text, '\n'), 0o644); err != nil {
			return err
		}
	}
	if r.Missed() && !o.Quick {
		return ErrMissed
	}
	return nil
}

// Progress is where a program says what it is doing.
type Progress struct{ io.Writer }

// Say says it on a line.
func (p Progress) Say(format string, values ...any) {
	fmt.Fprintf(p, "… "+format+"\n", values...)
}

// Median is the middle of the values, and 0 of none.
func Median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// MedianOf is the median of a figure over all rounds. A ratio is best taken within
// each round: what slows the machine down for a while slows both contenders.
func MedianOf[R any](rounds []R, figure func(R) float64) float64 {
	values := make([]float64, len(rounds))
	for i, r := range rounds {
		values[i] = figure(r)
	}
	return Median(values)
}

// Thousands writes 20000 as 20,000.
func Thousands(n int) string {
	text := strconv.Itoa(n)
	var parts []string
	for len(text) > 3 {
		parts = append([]string{text[len(text)-3:]}, parts...)
		text = text[:len(text)-3]
	}
	return strings.Join(append([]string{text}, parts...), ",")
}
