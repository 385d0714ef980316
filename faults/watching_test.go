package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNothingIsLostWhereverAProcessDies is the campaign on watching in small: every
// point is struck, two of them in each installation, on each engine that is there.
func TestNothingIsLostWhereverAProcessDies(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(root)
	plan := watchingPlan{seed: 1, seeds: 1, chain: 2, days: 1, lanes: 12, engines: []string{"sqlite"}, sites: []string{"concerts"}}
	postgres := os.Getenv("CURLEW_TEST_POSTGRES")
	if postgres != "" {
		plan.engines = append(plan.engines, "postgres")
	} else {
		postgres = "none"
	}
	y, err := newWorkspace(t.Context(), postgres)
	if err != nil {
		t.Fatal(err)
	}
	defer y.clean()
	var table strings.Builder
	_, err = watching(t.Context(), y, plan, &table)
	t.Logf("\n%s", table.String())
	if err != nil {
		t.Error(err)
	}
}
