package extract

import (
	"context"
	"errors"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

func TestAReadingThatWasStoppedIsAFaultAndNotKept(t *testing.T) {
	m := Material{Body: []byte("<ul><li><a href=/1>Concert one</a><li><a href=/2>Concert two</a><li><a href=/3>Concert three</a></ul>"),
		URL: "https://hall.example/"}.Ready()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	o := ExtractOptions{Schema: curlew.SchemaItem, Asserted: true}
	if e := Extract(ended, m, o); !errors.Is(e.Fault, errStopped) || !errors.Is(e.Fault, context.Canceled) {
		t.Errorf("a reading that was stopped: %v, %d records", e.Fault, len(e.Readings))
	}
	if e := Extract(t.Context(), m, o); e.Fault != nil || len(e.Readings) != 3 {
		t.Errorf("the same page read after it: %v, %d records", e.Fault, len(e.Readings))
	}
}
