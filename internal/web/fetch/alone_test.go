package fetch

import (
	"context"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

func TestAloneKeepsThePaceOfAHost(t *testing.T) {
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	a := &Alone{Now: func() time.Time { return now }}
	ctx := context.Background()
	reserve := func(host string, wantWait time.Duration, wantTaken bool) {
		t.Helper()
		wait, taken, err := a.ReserveHost(ctx, host, time.Second, 3*time.Second)
		if err != nil || wait != wantWait || taken != wantTaken {
			t.Fatalf("%s: wait %s, taken %v, %v; want %s, %v", host, wait, taken, err, wantWait, wantTaken)
		}
	}
	reserve("a", 0, true)
	reserve("a", time.Second, true)
	reserve("b", 0, true)
	reserve("a", 2*time.Second, true)
	if err := a.RestHost(ctx, "a", time.Minute, "busy"); err != nil {
		t.Fatal(err)
	}
	reserve("a", time.Minute, false)
	now = now.Add(time.Minute)
	reserve("a", 0, true)
}

func TestAloneForgetsOldRobots(t *testing.T) {
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	a := &Alone{Now: func() time.Time { return now }}
	ctx := context.Background()
	if err := a.KeepRobots(ctx, curlew.RobotsFile{Origin: "http://a", Status: 200}, time.Hour); err != nil {
		t.Fatal(err)
	}
	if _, found, _ := a.Robots(ctx, "http://a"); !found {
		t.Fatal("a fresh robots.txt is not found")
	}
	now = now.Add(2 * time.Hour)
	if _, found, _ := a.Robots(ctx, "http://a"); found {
		t.Fatal("an old robots.txt is still used")
	}
}

func TestAloneSpendsNoMoreThanTheBudget(t *testing.T) {
	a := &Alone{}
	budget := curlew.DayBudget{Subject: "x", Most: 2}
	for i := range 3 {
		err := a.Spend(context.Background(), "default", "2026-03-02", 1, budget)
		if (err != nil) != (i == 2) {
			t.Fatalf("request %d: %v", i+1, err)
		}
	}
}
