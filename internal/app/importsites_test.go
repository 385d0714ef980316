package app_test

import (
	"context"
	"reflect"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/world"
)

func TestAnImportWhoseTimeIsOverSaysWhatIsLeft(t *testing.T) {
	w := world.Open(t, world.Options{})
	who, list := auth.Operator(curlew.DefaultOrg), app.ImportCandidates{List: "https://example.org/a\nhttps://example.org/b\nexample.org"}
	over, end := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer end()
	left, err := w.App.ImportCandidates(over, who, list)
	if err == nil && (left.Added != 0 || left.Skipped+left.Wrong != 3) {
		t.Errorf("%+v", left)
	}
	again, err := w.App.ImportCandidates(t.Context(), who, list)
	if err != nil || again.Added != 2 || again.Wrong != 1 || again.Lines[1].Candidate == "" || again.Lines[2].Line != 3 {
		t.Errorf("%+v %v", again, err)
	}
	once, err := w.App.ImportCandidates(t.Context(), who, list)
	if err != nil || once.There != 2 || once.Added != 0 {
		t.Errorf("%+v %v", once, err)
	}
}

func TestADryRunOfAnImportSaysWhatTheImportDoes(t *testing.T) {
	w := world.Open(t, world.Options{})
	who := auth.Operator(curlew.DefaultOrg)
	if _, err := w.App.ImportCandidates(t.Context(), who, app.ImportCandidates{List: "https://example.org/there"}); err != nil {
		t.Fatal(err)
	}
	list := app.ImportCandidates{List: "url,kind\nhttps://example.org/there,\nhttps://example.org/new,\nhttps://example.org/new#top,\n" +
		"https://example.org/x,spaceship\nexample.org,\nhttps://example.org:99999/,\nftp://example.org/,"}
	list.DryRun = true
	dry, err := w.App.ImportCandidates(t.Context(), who, list)
	if err != nil {
		t.Fatal(err)
	}
	list.DryRun = false
	done, err := w.App.ImportCandidates(t.Context(), who, list)
	if err != nil {
		t.Fatal(err)
	}
	if done.Added != 1 || done.There != 1 || done.Skipped != 1 || done.Wrong != 4 {
		t.Errorf("%+v", done)
	}
	for i := range done.Lines {
		done.Lines[i].Candidate = ""
	}
	if !reflect.DeepEqual(dry, done) {
		t.Errorf("dry  %+v\ndone %+v", dry, done)
	}
}
