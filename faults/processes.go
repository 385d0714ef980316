package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"syscall"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// shortLease is the shortest that may be configured.
const shortLease = 3 * time.Second

// killAtRandom: 2,000 jobs, three processes, one of them killed every second or
// so. A killed worker's jobs run again; each step counts exactly once.
func killAtRandom(ctx context.Context, t *target) (*outcome, error) {
	w := work{runs: 200, steps: 10, pause: 15 * time.Millisecond}
	if err := t.insert(ctx, w); err != nil {
		return nil, err
	}
	for range 3 {
		if _, err := t.spawn(shortLease); err != nil {
			return nil, err
		}
	}
	kills := 0
	err := t.untilEnded(ctx, 4*time.Minute, func() error {
		wait(ctx, t.moment(200*time.Millisecond, 800*time.Millisecond))
		if kills >= 40 {
			return nil
		}
		kills++
		t.kill(t.processes[t.chance.IntN(len(t.processes))])
		_, err := t.spawn(shortLease)
		return err
	})
	if err != nil {
		return nil, err
	}
	if kills < 5 {
		return nil, errTooLate
	}
	o, err := t.judge(ctx, w, "")
	if o != nil {
		o.kills = kills
	}
	return o, err
}

// timeToRerun: with the default lease, how long until the job of a killed worker
// runs again.
func timeToRerun(ctx context.Context, t *target) (*outcome, error) {
	const lease, promised = 8 * time.Second, 10 * time.Second
	var worst time.Duration
	const rounds = 3
	for round := range rounds {
		run, err := t.startLong(ctx, fmt.Sprintf("rerun-%d", round))
		if err != nil {
			return nil, err
		}
		victim, err := t.spawn(lease)
		if err != nil {
			return nil, err
		}
		if err := t.untilAttempt(ctx, run, 1); err != nil {
			return nil, err
		}
		if _, err := t.spawn(lease); err != nil {
			return nil, err
		}
		wait(ctx, time.Second)
		began := time.Now()
		t.kill(victim)
		if err := t.untilAttempt(ctx, run, 2); err != nil {
			return nil, err
		}
		worst = max(worst, time.Since(began))
		if err := t.curlew(ctx, nil, "runs", "stop", string(run)); err != nil {
			return nil, err
		}
		t.kill(t.processes[0])
	}
	o := &outcome{kills: 2 * rounds, jobs: rounds, note: fmt.Sprintf("slowest rerun after %.1f s", worst.Seconds())}
	if worst > promised {
		o.broken = append(o.broken, fmt.Sprintf("%s are promised", promised))
	}
	return o, nil
}

// startLong starts a drill of one step that takes half a minute.
func (t *target) startLong(ctx context.Context, scope string) (curlew.RunID, error) {
	var runs []curlew.Run
	err := t.curlew(ctx, &runs, "runs", "drill", "--steps", "2", "--pause", "30s", "--scope", scope)
	if err != nil {
		return "", err
	}
	return runs[0].ID, nil
}

// untilAttempt waits until a run's slice is running in at least that attempt.
func (t *target) untilAttempt(ctx context.Context, run curlew.RunID, attempt int) error {
	for late := time.Now().Add(40 * time.Second); time.Now().Before(late); wait(ctx, 20*time.Millisecond) {
		slices, err := t.queue.BySubject(ctx, curlew.DefaultOrg, string(run), 1)
		if err != nil {
			return err
		}
		if len(slices) > 0 && slices[0].State == "running" && slices[0].Attempt >= attempt {
			return nil
		}
	}
	return errors.New("the job was not claimed in time")
}

// freezePastLease: a process is stopped for longer than its lease, so that
// others take its jobs, and then goes on as if nothing had happened.
func freezePastLease(ctx context.Context, t *target) (*outcome, error) {
	w := work{runs: 80, steps: 20, pause: 200 * time.Millisecond}
	if err := t.insert(ctx, w); err != nil {
		return nil, err
	}
	for range 2 {
		if _, err := t.spawn(shortLease); err != nil {
			return nil, err
		}
	}
	freezes := 0
	err := t.untilEnded(ctx, 3*time.Minute, func() error {
		wait(ctx, time.Second)
		if freezes >= 3 || t.ended(ctx) {
			return nil
		}
		freezes++
		victim := t.processes[freezes%2]
		if err := victim.Process.Signal(syscall.SIGSTOP); err != nil {
			return err
		}
		wait(ctx, shortLease+2*time.Second)
		return victim.Process.Signal(syscall.SIGCONT)
	})
	if err != nil {
		return nil, err
	}
	return t.judge(ctx, w, fmt.Sprintf("%d freezes of %s", freezes, shortLease+2*time.Second))
}

// terminate: SIGTERM in the middle of work, again and again. It ends within 25
// seconds and costs no attempt.
func terminate(ctx context.Context, t *target) (*outcome, error) {
	w := work{runs: 100, steps: 20, pause: 80 * time.Millisecond}
	if err := t.insert(ctx, w); err != nil {
		return nil, err
	}
	stops, slowest := 0, time.Duration(0)
	err := t.untilEnded(ctx, 4*time.Minute, func() error {
		p, err := t.spawn(shortLease)
		if err != nil {
			return err
		}
		wait(ctx, time.Duration(100+t.chance.IntN(600))*time.Millisecond)
		if stops >= 40 {
			return t.untilEnded(ctx, 3*time.Minute, idle(ctx))
		}
		took, err := t.terminateOne(p)
		stops++
		slowest = max(slowest, took)
		return err
	})
	if err != nil {
		return nil, err
	}
	o, err := t.judge(ctx, w, fmt.Sprintf("%d stops", stops))
	if err != nil {
		return nil, err
	}
	o.note = fmt.Sprintf("slowest end %.1f s", slowest.Seconds())
	if slowest > 25*time.Second {
		o.broken = append(o.broken, "25 s are promised")
	}
	return o, t.noAttemptCost(ctx, o)
}

func (t *target) terminateOne(p *exec.Cmd) (time.Duration, error) {
	began := time.Now()
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		return 0, err
	}
	_ = p.Wait()
	took := time.Since(began)
	t.kill(p)
	return took, nil
}

// noAttemptCost: every job needed one attempt and crashed never.
func (t *target) noAttemptCost(ctx context.Context, o *outcome) error {
	runs, err := t.allRuns(ctx)
	if err != nil {
		return err
	}
	for _, run := range runs {
		slices, err := t.queue.BySubject(ctx, curlew.DefaultOrg, string(run.ID), 1000)
		if err != nil {
			return err
		}
		for _, job := range slices {
			if job.Attempt > 1 || job.Crashes > 0 {
				o.broken = append(o.broken, fmt.Sprintf("job %d took %d attempts and %d crashes", job.ID, job.Attempt, job.Crashes))
			}
		}
	}
	return nil
}
