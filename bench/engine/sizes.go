package main

import (
	"fmt"
	"time"

	"github.com/curlew-data/curlew/bench/measure"
)

// sizes say how much is measured.
type sizes struct {
	jobs       int // inserted and worked in a round
	batch      int // inserted in one transaction
	single     int // inserted one by one
	rounds     int // of each contender; their median counts
	crews      []crew
	growth     int // finished jobs in the big table
	growthJobs int // worked on the empty and on the big table
	growthRun  int // rounds on each
	blocked    int // jobs that wait behind a limit
	probes     int // jobs that must be found behind them
	rerunLimit time.Duration
}

// crew is some worker processes that work together.
type crew struct {
	processes int
	atOnce    int // jobs in each process
}

func (c crew) String() string {
	processes := "process"
	if c.processes > 1 {
		processes = "processes"
	}
	return fmt.Sprintf("%d %s × %s at once", c.processes, processes, measure.Thousands(c.atOnce))
}

// The issue asks for 20,000 jobs, 1 and 4 processes, a million finished jobs.
// 1,000 jobs at once is where River's own benchmark found River to be fastest
// (cmd/river/riverbench).
var fullSizes = sizes{
	jobs: 20_000, batch: 1000, single: 2000, rounds: 3,
	crews:  []crew{{1, 50}, {1, 200}, {1, 1000}, {4, 50}, {4, 200}},
	growth: 1_000_000, growthJobs: 5000, growthRun: 5,
	blocked: 50_000, probes: 31, rerunLimit: 75 * time.Second,
}

var quickSizes = sizes{
	jobs: 300, batch: 100, single: 10, rounds: 1,
	crews:  []crew{{2, 20}},
	growth: 2000, growthJobs: 100, growthRun: 1,
	blocked: 200, probes: 3, rerunLimit: 0,
}
