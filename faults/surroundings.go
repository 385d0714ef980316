package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/work/queue"
)

// twoSchedulers: two processes turn 1,000 ticks of one schedule into jobs.
func twoSchedulers(ctx context.Context, t *target) (*outcome, error) {
	const ticks = 1000
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	var children []*exec.Cmd
	for range 2 {
		command := exec.CommandContext(ctx, self, "child:tick", t.address, fmt.Sprint(ticks))
		command.Stderr = os.Stderr
		if err := command.Start(); err != nil {
			return nil, err
		}
		children = append(children, command)
	}
	for _, c := range children {
		if err := c.Wait(); err != nil {
			return nil, err
		}
	}
	schedules, err := t.queue.Schedules(ctx, curlew.SystemOrg)
	if err != nil || len(schedules) != 1 {
		return nil, fmt.Errorf("%d schedules: %w", len(schedules), err)
	}
	jobs, distinct, err := t.countTicks(ctx)
	if err != nil {
		return nil, err
	}
	o := &outcome{did: fmt.Sprintf("%d ticks", schedules[0].Ticks), jobs: jobs,
		lost: max(0, int(schedules[0].Ticks)-distinct), doubled: jobs - distinct}
	if o.lost+o.doubled > 0 {
		o.broken = append(o.broken, "a tick must be one job")
	}
	return o, nil
}

// countTicks counts the jobs of the schedule, and the different ticks they name.
func (t *target) countTicks(ctx context.Context) (jobs, distinct int, err error) {
	err = t.db.QueryRow(ctx, `SELECT count(*), count(DISTINCT subject) FROM jobs WHERE kind = ?`, "tick").Scan(&jobs, &distinct)
	return jobs, distinct, err
}

// restartDatabase: Postgres goes away twice in the middle of the work, for three
// seconds and for longer than the lease.
func restartDatabase(ctx context.Context, t *target) (*outcome, error) {
	if t.engine == "sqlite" {
		return nil, nil // there is no server that could go away
	}
	w := work{runs: 40, steps: 20, pause: 100 * time.Millisecond}
	if err := t.insert(ctx, w); err != nil {
		return nil, err
	}
	for range 2 {
		if _, err := t.spawn(shortLease); err != nil {
			return nil, err
		}
	}
	outages := []string{"3", "10"}
	restarts := 0
	err := t.untilEnded(ctx, 3*time.Minute, func() error {
		wait(ctx, 1500*time.Millisecond)
		if restarts == len(outages) {
			return nil
		}
		_, err := t.postgresScript("restart", outages[restarts])
		restarts++
		return err
	})
	if err != nil {
		return nil, err
	}
	return t.judge(ctx, w, fmt.Sprintf("%d restarts, down 3 s and 10 s", restarts))
}

// lockDatabase: another process holds SQLite's write lock for ten seconds, longer
// than the lease and as long as the program is willing to wait.
func lockDatabase(ctx context.Context, t *target) (*outcome, error) {
	if t.engine == "postgres" {
		return nil, nil // no lock there stops all writers
	}
	w := work{runs: 20, steps: 20, pause: 50 * time.Millisecond}
	if err := t.insert(ctx, w); err != nil {
		return nil, err
	}
	if _, err := t.spawn(shortLease); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	locks := 0
	err = t.untilEnded(ctx, 3*time.Minute, func() error {
		wait(ctx, 500*time.Millisecond)
		if locks == 2 {
			return nil
		}
		locks++
		return exec.CommandContext(ctx, self, "child:lock", t.address, "10s").Run()
	})
	if err != nil {
		return nil, err
	}
	return t.judge(ctx, w, fmt.Sprintf("%d locks of 10 s", locks))
}

// fillDisk: the data folder is a small disk of its own that fills up and is
// emptied again. Needs root.
func fillDisk(ctx context.Context, t *target) (*outcome, error) {
	if t.engine == "postgres" || os.Getuid() != 0 {
		return nil, nil
	}
	_ = t.db.Close()
	if err := syscall.Mount("tmpfs", t.data, "tmpfs", 0, "size=24m"); err != nil {
		return nil, nil // not allowed to mount here
	}
	defer syscall.Unmount(t.data, syscall.MNT_DETACH) //nolint:errcheck // the folder goes with the campaign
	if err := t.open(ctx); err != nil {
		return nil, err
	}
	w := work{runs: 20, steps: 20, pause: 20 * time.Millisecond}
	if err := t.insert(ctx, w); err != nil {
		return nil, err
	}
	if err := t.fill(); err != nil {
		return nil, err
	}
	if _, err := t.spawn(shortLease); err != nil {
		return nil, err
	}
	wait(ctx, 5*time.Second)
	stuck := !t.ended(ctx)
	if err := os.Remove(t.data + "/ballast"); err != nil {
		return nil, err
	}
	if err := t.untilEnded(ctx, time.Minute, idle(ctx)); err != nil {
		return nil, err
	}
	if !stuck {
		return nil, errTooLate
	}
	return t.judge(ctx, w, "full for 5 s")
}

// fill leaves no byte free.
func (t *target) fill() error {
	ballast, err := os.Create(t.data + "/ballast")
	if err != nil {
		return err
	}
	defer ballast.Close()
	for _, size := range []int{1 << 20, 4096, 1} {
		chunk := make([]byte, size)
		for err = nil; err == nil; {
			_, err = ballast.Write(chunk)
		}
	}
	return nil
}

// child is what the program does when it is called as one of its own processes.
func child(args []string) int {
	ctx := context.Background()
	db, err := database.Open(ctx, database.Options{URL: args[1]})
	if err == nil {
		defer db.Close()
		switch args[0] {
		case "child:tick":
			err = tick(ctx, db, args[2])
		case "child:lock":
			err = hold(ctx, db, args[2])
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		return 1
	}
	return 0
}

func tick(ctx context.Context, db *database.DB, text string) error {
	var most int64
	if _, err := fmt.Sscan(text, &most); err != nil {
		return err
	}
	q := queue.New(db, queue.Limits{})
	periodic := []queue.Periodic{{Name: "tick", Next: queue.Every(8 * time.Millisecond),
		Job: queue.NewJob{Org: curlew.SystemOrg, Kind: "tick"}}}
	for {
		if _, err := q.Tick(ctx, periodic); err != nil {
			return err
		}
		schedules, err := q.Schedules(ctx, curlew.SystemOrg)
		if err != nil || len(schedules) == 1 && schedules[0].Ticks >= most {
			return err
		}
	}
}

func hold(ctx context.Context, db *database.DB, text string) error {
	d, err := time.ParseDuration(text)
	if err != nil {
		return err
	}
	return db.Write(ctx, func(*database.Tx) error { wait(ctx, d); return nil })
}
