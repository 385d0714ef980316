package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/work/heal"
)

// A changed blueprint is tried beside the present one before anything follows it, and
// whoever insists gets their way.
func TestSwitchingVersionsInTheShadow(t *testing.T) {
	r := newReader(t)
	r.must(nil, "watches", "add", r.site("shop"), "--delay", "0s")
	var watches []curlew.Watch
	r.must(&watches, "watches", "list")
	r.must(nil, "watches", "trigger", string(watches[0].ID), "--wait")
	var all []curlew.Blueprint
	r.must(&all, "blueprints", "list")
	first := all[0]
	source, file := string(first.Source), filepath.Join(t.TempDir(), "blueprint.json")
	r.must(nil, "blueprints", "export", string(first.ID), "-o", file)
	if out := r.must(nil, "blueprints", "import", "--source", source, "--activate", "--shadow", file); !strings.Contains(out, "In the shadow: the new version agrees") || !strings.Contains(out, "Version 2 is active; 1 watch follows") {
		t.Error(out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	b, err := blueprint.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	b.Records.CSS, b.Expect = b.Records.CSS+":nth-child(-n+3)", nil
	if text, err = blueprint.Marshal(b); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	r.refused(exitUsage, "add --activate", "blueprints", "import", "--source", source, "--shadow", file)
	r.refused(exitUsage, "leave it out, or set shadow", "blueprints", "activate", string(first.ID), "--force")
	r.refused(exitUnfit, "version 3 would lose data of the watch", "blueprints", "import", "--source", source, "--activate", "--shadow", file)
	r.must(&all, "blueprints", "list", "--source", source)
	if all[1].Status != curlew.BlueprintActive || all[2].Status != curlew.BlueprintDraft {
		t.Fatalf("after the refusal: %+v", all)
	}
	var done struct {
		Blueprint curlew.Blueprint
		Shadows   heal.Shadows
	}
	r.must(&done, "blueprints", "activate", string(all[2].ID), "--shadow", "--force")
	if done.Blueprint.Version != 3 || len(done.Shadows) != 1 || done.Shadows[0].Shadow.Agrees {
		t.Errorf("whoever insists: %+v", done)
	}
	if out := r.must(nil, "sources", "rollback", source, "--shadow"); !strings.Contains(out, "the new version agrees") || !strings.Contains(out, "Back from version 3 to 2") {
		t.Error(out)
	}
}
