package heal

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// What makes a reader fail while a page is learned anew fails the healing and not the worker, and the log names the copy.
func TestWhatMakesHealingFailIsLoggedWithTheArchivedCopy(t *testing.T) {
	var log bytes.Buffer
	was := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(was)
	m := Repair{Address: "https://example.org/", Page: extract.Material{Archived: "copy-9"},
		Proposing: onboard.Proposing{Now: func() time.Time { panic("of a reader") }}}
	_, err := m.Learn(t.Context(), curlew.HealPlan{Cause: "a redesign"})
	if !errors.Is(err, guard.ErrReaderFailed) || !strings.Contains(log.String(), "page=copy-9") || !strings.Contains(log.String(), "stage=heal") {
		t.Errorf("%v, the log says %.300s", err, log.String())
	}
}
