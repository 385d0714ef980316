package onboard

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

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
