// Scale measures one day of many watches on Postgres: the real schedule, queue, pace, store, reading
// and outbox, with hosts that answer from memory. The day passes by a simulated clock, which the
// database shares: it runs at the speed of this machine while there is work, and jumps to the next
// thing that is due while there is none. So lateness is as it would be on this machine, and a day
// takes as long as its work.
//
// What it leaves out: the network, the time that sites take to answer, pages that are long, and
// the archive's disk.
//
//	go run ./scale [--quick] [--json FILE] [--sizes 1000,10000,100000] [--workers 1,2,4] [--hours 24]
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/bench/measure"
)

func main() {
	measure.Program("scale", func(ctx context.Context) error {
		if len(os.Args) > 1 && os.Args[1] == dayCommand {
			return dayHere(ctx, os.Args[2:], os.Stdout)
		}
		return run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	})
}

// dayCommand is the program's own command by which each day has a process, and its memory, of its own.
const dayCommand = "day"

// run is the whole benchmark.
func run(ctx context.Context, args []string, out, progress io.Writer) error {
	var o measure.Options
	flags := o.Flags("scale")
	sizes := flags.String("sizes", "1000,10000,100000", "how many watches there are, one day for each")
	workers := flags.String("workers", "1,2,4", "how many workers there are, one day of the largest size for each")
	hours := flags.Int("hours", 24, "how long the simulated day is")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if o.Quick {
		*sizes, *workers, *hours = "100", "1,2", 1
	}
	plans, err := planDays(*sizes, *workers, *hours)
	if err != nil {
		return err
	}
	server, err := startServer(ctx)
	if err != nil {
		return err
	}
	defer server.stop()
	t := &table{}
	for _, p := range plans {
		measure.Progress{Writer: progress}.Say("%s watches on %s hosts, %d workers, %d hours",
			measure.Thousands(p.Watches), measure.Thousands(p.hosts()), p.Workers, p.Hours)
		figures, err := server.day(ctx, p, progress)
		if err != nil {
			return fmt.Errorf("%d watches, %d workers: %w", p.Watches, p.Workers, err)
		}
		t.Days = append(t.Days, figures)
	}
	return o.Tell(t, out)
}

// plan is one day to be measured.
type plan struct {
	Watches int `json:"watches"`
	Workers int `json:"workers"`
	Hours   int `json:"hours"`
}

// hosts: ten watches share one, as in the requirement of 100,000 on 10,000.
func (p plan) hosts() int { return max(p.Watches/watchesPerHost, 1) }

const watchesPerHost = 10

// planDays: each size with the first number of workers, the largest with the others.
func planDays(sizes, workers string, hours int) (all []plan, err error) {
	bySize, err := numbers(sizes)
	if err != nil {
		return nil, err
	}
	byWorker, err := numbers(workers)
	if err != nil {
		return nil, err
	}
	for _, n := range bySize {
		all = append(all, plan{n, byWorker[0], hours})
	}
	for _, w := range byWorker[1:] {
		all = append(all, plan{bySize[len(bySize)-1], w, hours})
	}
	return all, nil
}

func numbers(list string) (all []int, err error) {
	for part := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q is no list of whole numbers", list)
		}
		all = append(all, n)
	}
	return all, nil
}

// day measures one day in a process of its own.
func (s *server) day(ctx context.Context, p plan, progress io.Writer) (f figures, err error) {
	self, err := os.Executable()
	if err != nil {
		return f, err
	}
	command := exec.CommandContext(ctx, self, dayCommand, "--postgres", s.address, "--watches", strconv.Itoa(p.Watches),
		"--workers", strconv.Itoa(p.Workers), "--hours", strconv.Itoa(p.Hours))
	command.Stderr = progress
	said, err := command.Output()
	if err != nil {
		return f, err
	}
	return f, json.Unmarshal(said, &f)
}

// dayHere is what that process does.
func dayHere(ctx context.Context, args []string, out io.Writer) error {
	var p plan
	flags := flag.NewFlagSet(dayCommand, flag.ContinueOnError)
	address := flags.String("postgres", "", "a Postgres on which databases may be created")
	flags.IntVar(&p.Watches, "watches", 1000, "how many watches there are")
	flags.IntVar(&p.Workers, "workers", 1, "how many workers there are")
	flags.IntVar(&p.Hours, "hours", 24, "how long the day is")
	if err := flags.Parse(args); err != nil {
		return err
	}
	figures, err := measureDay(ctx, *address, p, measure.Progress{Writer: os.Stderr})
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(figures)
}
