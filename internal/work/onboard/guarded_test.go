package onboard

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/feasibility"
	"github.com/curlew-data/curlew/internal/ops/guard"
)

// A page on which the judging of a site fails is still reported on, and the log names its archived copy.
func TestWhatMakesTheJudgingOfASiteFailEndsNothing(t *testing.T) {
	var log bytes.Buffer
	was := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(was)
	before := guard.Panics()[guard.Feasibility]
	home := extract.Material{Body: []byte("<title>Page</title>"), URL: "https://example.org/", Archived: "copy-7"}
	found := Inspection{}.Probe(context.Background(), Inspected{Home: home, input: feasibility.Input{URL: home.URL}}) // without a document
	if found.Home.URL != home.URL {
		t.Errorf("the report is %+v", found.Report)
	}
	if n := guard.Panics()[guard.Feasibility] - before; n == 0 || !strings.Contains(log.String(), "page=copy-7") || !strings.Contains(log.String(), "feasibility") {
		t.Errorf("%d panics, the log says %.300s", n, log.String())
	}
}

// What makes a reader fail while a site is analysed, or while ways to read it are tried, fails the candidate and not the
// worker, and the log names the copy that was read.
func TestWhatMakesOnboardingFailIsLoggedWithTheArchivedCopy(t *testing.T) {
	var log bytes.Buffer
	was := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(was)
	home := extract.Material{Body: []byte("<title>Page</title><p>Text of a page."), URL: "https://example.org/", Archived: "copy-8"}
	failing := Onboarding{Proposing: Proposing{Now: func() time.Time { panic("of a reader") }}}
	before := guard.Panics()[guard.Onboard]
	if _, err := failing.Analyse(t.Context(), home.URL, Instructions{}); !errors.Is(err, guard.ErrReaderFailed) || !strings.Contains(log.String(), "page="+home.URL) {
		t.Errorf("the analysis: %v, the log says %.300s", err, log.String())
	}
	a := Analysis{URL: home.URL, inspected: &Inspected{Home: home, Report: feasibility.Report{Robots: feasibility.Robots{Allowed: true}}}}
	failing.Options.Schema = curlew.SchemaEvent
	failing.Teacher = struct{ Teacher }{} // which fails at whatever it is asked
	if _, _, err := failing.Generate(t.Context(), a, Instructions{}); !errors.Is(err, guard.ErrReaderFailed) || !strings.Contains(log.String(), "page=copy-8") {
		t.Errorf("the trials: %v, the log says %.300s", err, log.String())
	}
	if n := guard.Panics()[guard.Onboard] - before; n != 2 {
		t.Errorf("%d panics were counted", n)
	}
}
