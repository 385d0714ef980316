package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/failpoint"
	"github.com/curlew-data/curlew/internal/work/queue"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// deployment is one installation that watches a stage and tells its sinks, with a process
// that is started again whenever it dies.
type deployment struct {
	*target
	stage    *stage
	watches  []curlew.WatchID
	sinks    []*sink
	expected map[string]int // what must be told, by kind and address
	allowed  map[string]int // what may be told as well
	process  *living
	blows    []string // the points at which this process and the next ones are to die, as "name:passes"
	died     []string // the points at which they did, and "" for other deaths by SIGKILL
	calm     bool     // the database is expected to answer
	hazard   func()   // what may happen at any time; nil for nothing
	nudged   time.Time
}

// living is a process and the news of its death.
type living struct {
	command *exec.Cmd
	died    chan struct{}
}

// wants are the kinds of changes that each sink's subscription asks for.
type wants [][]curlew.ChangeKind

// newDeployment makes the watches and one subscription for each sink.
func newDeployment(ctx context.Context, t *target, s *stage, sinks []*sink, kinds wants) (*deployment, error) {
	v := &deployment{target: t, stage: s, sinks: sinks, expected: map[string]int{}, allowed: map[string]int{}, calm: true}
	s.web.Reset()
	var err error
	if v.watches, err = s.watch(ctx, t); err != nil {
		return nil, err
	}
	for i, k := range sinks {
		var asked []curlew.ChangeKind
		if i < len(kinds) {
			asked = kinds[i]
		}
		if k.sub, err = t.subscribe(ctx, k, fmt.Sprintf("sink %d", i+1), asked); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// subscribe lets a sink receive changes.
func (t *target) subscribe(ctx context.Context, k *sink, name string, kinds []curlew.ChangeKind) (id curlew.SubscriptionID, err error) {
	target, err := k.target()
	if err != nil {
		return "", err
	}
	err = t.store.Write(ctx, curlew.DefaultOrg, func(w store.WriteScope) error {
		sub, err := w.Subscriptions().Add(ctx, curlew.Subscription{Name: name, Kinds: kinds, Channel: curlew.ChannelWebhook, Target: target,
			Status: curlew.SubscriptionActive})
		id = sub.ID
		return err
	})
	return id, err
}

// retries are so many that no delivery dies.
var retries = strings.TrimSuffix(strings.Repeat("1s,", 50), ",")

// start starts the process, which is to die at the first of the points.
func (v *deployment) start() error {
	command := exec.Command(v.binary, append([]string{v.role()}, v.flags(shortLease)...)...)
	log, err := os.OpenFile(filepath.Join(v.data, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	command.Stdout, command.Stderr = log, log
	command.Env = append(os.Environ(), "CURLEW_EGRESS_ALLOW=127.0.0.0/8", "CURLEW_EGRESS_PORTS="+v.stage.ports(v.sinks),
		"CURLEW_FETCH_BROWSER=off",
		"CURLEW_DELIVER_RETRIES="+retries, "CURLEW_WATCH_CONFIRM_AFTER=0s")
	if len(v.blows) > 0 {
		command.Env = append(command.Env, failpoint.Variable+"="+v.blows[0])
	}
	if err := command.Start(); err != nil {
		return err
	}
	p := &living{command, make(chan struct{})}
	go func() { _ = command.Wait(); close(p.died) }()
	v.process = p
	return nil
}

// stop ends the process as an operator would.
func (v *deployment) stop() {
	if v.process == nil {
		return
	}
	_ = v.process.command.Process.Signal(syscall.SIGTERM)
	select {
	case <-v.process.died:
	case <-time.After(30 * time.Second):
		_ = v.process.command.Process.Kill()
		<-v.process.died
	}
}

// kill ends the process as a power cut would.
func (v *deployment) kill() {
	_ = v.process.command.Process.Kill()
	<-v.process.died
}

// revive starts the process again if it died, and counts that.
func (v *deployment) revive() error {
	select {
	case <-v.process.died:
	default:
		return nil
	}
	status, _ := v.process.command.ProcessState.Sys().(syscall.WaitStatus)
	if !status.Signaled() || status.Signal() != syscall.SIGKILL {
		return fmt.Errorf("the process ended by itself (%s): %s", v.process.command.ProcessState, v.lastWords())
	}
	point := ""
	if len(v.blows) > 0 {
		point, _, _ = strings.Cut(v.blows[0], ":")
		v.blows = v.blows[1:]
	}
	v.died = append(v.died, point)
	return v.start()
}

func (v *deployment) lastWords() string {
	text, _ := os.ReadFile(filepath.Join(v.data, "log"))
	return string(text[max(0, len(text)-2000):])
}

// until waits for something to hold. Meanwhile it tends the process, and lets what
// comes every few seconds come at once, and what rests for minutes for none.
func (v *deployment) until(ctx context.Context, what string, most time.Duration, holds func() (bool, error)) error {
	for late := time.Now().Add(most); ; wait(ctx, 100*time.Millisecond) {
		if v.hazard != nil {
			v.hazard()
		}
		if err := v.revive(); err != nil {
			return err
		}
		ok, err := holds()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && v.calm:
			return err
		case err == nil && ok:
			return nil
		case time.Now().After(late):
			return fmt.Errorf("not within %s: %s: %s", most, what, v.lastWords())
		}
		if time.Since(v.nudged) > 500*time.Millisecond {
			v.nudged = time.Now()
			if err := v.nudge(ctx); err != nil && v.calm {
				return err
			}
		}
	}
}

func (v *deployment) nudge(ctx context.Context) error {
	for _, kind := range []string{runs.KindTick, runs.KindOutbox} {
		job := queue.NewJob{Org: curlew.SystemOrg, Kind: kind, UniqueKey: kind, Priority: curlew.PriorityHigh}
		if _, err := v.queue.InsertNow(ctx, job); err != nil {
			return err
		}
	}
	return v.hurryRests(ctx)
}

// hurryRests ends the rests of endpoints, which take minutes.
func (t *target) hurryRests(ctx context.Context) error {
	subs, err := t.store.Org(curlew.DefaultOrg).Subscriptions().List(ctx, store.Window{Limit: 1000})
	if err != nil {
		return err
	}
	for _, sub := range subs {
		if sub.Health.RestUntil == nil {
			continue
		}
		err := t.store.Write(ctx, curlew.DefaultOrg, func(w store.WriteScope) error {
			sub, err := w.Subscriptions().Lock(ctx, sub.ID)
			if err != nil {
				return err
			}
			sub.Health.RestUntil = nil
			return w.Subscriptions().Save(ctx, sub)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// visit lets every watch look, until none wants to look again.
func (v *deployment) visit(ctx context.Context) error {
	mark := time.Now()
	for _, id := range v.watches {
		err := v.store.Write(ctx, curlew.DefaultOrg, func(w store.WriteScope) error {
			watch, err := w.Watches().Lock(ctx, id)
			if err != nil {
				return err
			}
			watch.NextRunAt = &mark
			return w.Watches().Save(ctx, watch)
		})
		if err != nil {
			return err
		}
	}
	return v.until(ctx, "all watches were checked", 3*time.Minute, func() (bool, error) { return v.checked(ctx, mark) })
}

func (v *deployment) checked(ctx context.Context, mark time.Time) (bool, error) {
	scope := v.store.Org(curlew.DefaultOrg)
	for _, id := range v.watches {
		watch, err := scope.Watches().Get(ctx, id)
		if err != nil {
			return false, err
		}
		if watch.ConsecutiveFailures > 0 {
			return false, fmt.Errorf("a run of %s failed: %s", watch.Name, watch.LastError)
		}
		if watch.LastRunAt == nil || watch.LastRunAt.Before(mark) || watch.NextRunAt == nil || watch.NextRunAt.Before(time.Now()) {
			return false, nil
		}
	}
	for _, state := range []curlew.RunState{curlew.RunPending, curlew.RunRunning} {
		runs, err := scope.Runs().List(ctx, store.RunFilter{State: state}, store.Window{Limit: 1})
		if err != nil || len(runs) > 0 {
			return false, err
		}
	}
	return true, nil
}

// days lets the first check and so many days pass, and notes what must be told.
func (v *deployment) days(ctx context.Context, days int) error {
	for _, p := range v.stage.watched {
		truth, err := v.stage.web.Truth(p.site.Name)
		if err != nil {
			return err
		}
		for _, thing := range truth {
			v.expected[about(curlew.EntityAppeared, thing.URL)]++
		}
	}
	for day := 0; ; day++ {
		if err := v.visit(ctx); err != nil {
			return fmt.Errorf("day %d: %w", day, err)
		}
		if day == days {
			return nil
		}
		if err := v.passDay(day); err != nil {
			return err
		}
	}
}

// delivered waits until nothing waits to be delivered.
func (v *deployment) delivered(ctx context.Context, most time.Duration) error {
	scope := v.store.Org(curlew.DefaultOrg)
	return v.until(ctx, "everything is delivered", most, func() (bool, error) {
		for _, k := range v.sinks {
			backlog, err := scope.Deliveries().Backlog(ctx, k.sub)
			if err != nil || backlog[curlew.DeliveryPending] > 0 {
				return false, err
			}
		}
		return true, nil
	})
}
