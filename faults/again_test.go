package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What was over before it was hurt is done again, sooner each time, and is broken only when it is never hurt.
func TestWhatComesTooLateIsTriedAgain(t *testing.T) {
	y := &workspace{folder: t.TempDir()}
	for _, c := range []struct {
		late, runs int
		broken     string
	}{{0, 1, ""}, {2, 3, ""}, {tries, tries, errTooLate.Error()}} {
		t.Run(fmt.Sprint(c.late, " times late"), func(t *testing.T) {
			var waits []time.Duration
			s := scenario{name: "a fault", run: func(_ context.Context, target *target) (*outcome, error) {
				waits = append(waits, target.moment(time.Second, time.Second+time.Millisecond))
				if len(waits) <= c.late {
					return nil, errTooLate
				}
				return &outcome{kills: 2}, nil
			}}
			o, err := plan{rounds: 1}.again(t.Context(), y, s, "sqlite")
			if err != nil || len(waits) != c.runs || strings.Join(o.broken, "") != "" != (c.broken != "") {
				t.Errorf("late %d times: ran %d times, %+v, %v", c.late, len(waits), o, err)
			}
			for i := 1; i < len(waits); i++ {
				if waits[i] > waits[i-1] {
					t.Errorf("it waited %v", waits)
				}
			}
		})
	}
}

func TestALongCampaignSumsItsRoundsUp(t *testing.T) {
	rounds := 0
	s := scenario{name: "a fault", kills: true, run: func(context.Context, *target) (*outcome, error) {
		rounds++
		return &outcome{kills: 2, jobs: 10, lost: rounds - 1}, nil
	}}
	o, err := plan{rounds: 3}.again(t.Context(), &workspace{folder: t.TempDir()}, s, "sqlite")
	if err != nil || o.kills != 6 || o.jobs != 30 || o.lost != 3 || o.did != "6 kills" {
		t.Errorf("%+v, %v", o, err)
	}
}

// The harm of one that hangs is judged by the median of the turns: one in which the machine did something else says nothing, nor
// does a machine that gets slower.
func TestHarmIsJudgedTurnByTurn(t *testing.T) {
	of := func(all ...int) (turns []turn) {
		for i := 0; i < len(all); i += 2 {
			turns = append(turns, turn{[]time.Duration{time.Duration(all[i]) * time.Millisecond}, []time.Duration{time.Duration(all[i+1]) * time.Millisecond}})
		}
		return turns
	}
	for name, c := range map[string]struct {
		turns  []turn
		broken bool
	}{
		"as before":        {of(100, 100, 101, 101, 99, 108), false},
		"one moment":       {of(100, 100, 101, 900, 99, 99), false},
		"busier by turns":  {of(100, 105, 200, 210, 400, 420), false},
		"slower":           {of(100, 120, 101, 118, 99, 119), true},
		"a busy machine":   {of(100, 150, 100, 140, 100, 120, 100, 80, 100, 70, 100, 130), false},
		"slower by little": {of(10, 15, 11, 14, 9, 15), false},
	} {
		t.Run(name, func(t *testing.T) {
			if o := harm(c.turns); len(o.broken) > 0 != c.broken {
				t.Errorf("%s: %+v", name, o)
			}
		})
	}
}

func TestTheDocumentKeepsWhatWasBroken(t *testing.T) {
	path := filepath.Join(t.TempDir(), "faults.md")
	if err := os.WriteFile(path, []byte("# Before\n"+tablesBegin+"old\n"+tablesEnd+"\nafter\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := newReport("make faults-long", "abc", 7)
	r.kills.Store(1234)
	r.text.WriteString("a row\n")
	if err := r.keep(path, errors.New("a promise")); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	for i, want := range []string{"# Before\n", "commit abc", "seed 7", "1234 kill -9 in all", "a row\n", "BROKEN:\na promise", "\nafter\n"} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if err != nil || !strings.Contains(string(text), want) || strings.Contains(string(text), "old") {
				t.Errorf("without %q: %s %v", want, text, err)
			}
		})
	}
}
