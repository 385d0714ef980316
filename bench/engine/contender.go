package main

import (
	"context"
	"fmt"
)

// contender is a job queue on a database, with one kind of job that does nothing.
type contender interface {
	// Insert adds no-op jobs, so many per transaction.
	Insert(ctx context.Context, jobs, batch int) error
	// Tidy freshens the planner's statistics and the disk before a measurement;
	// with empty set it removes all jobs first.
	Tidy(ctx context.Context, empty bool) error
	// Finished counts jobs that ended well.
	Finished(ctx context.Context) (int, error)
	// Work runs jobs until ctx ends.
	Work(ctx context.Context, o workOptions) error
	Close()
}

// workOptions say how a process works.
type workOptions struct {
	name   string
	atOnce int
	do     func()         // what a job does
	ended  func(jobs int) // called when the end of jobs is durable
	rescue bool           // set up for the quickest rerun after a crash
}

// The systems under test.
const (
	curlewSystem = "curlew"
	riverSystem  = "river"
)

// connections of each process to Postgres, on either system.
const connections = 10

func openContender(ctx context.Context, system, address string) (contender, error) {
	switch system {
	case curlewSystem:
		return openCurlew(ctx, address)
	case riverSystem:
		return openRiver(ctx, address)
	}
	return nil, fmt.Errorf("no system is named %q", system)
}

// noop is the arguments of a job that does nothing.
type noop struct {
	Number int `json:"number"`
}

// Kind is what River asks for; Curlew's jobs have the same.
func (noop) Kind() string { return "noop" }
