package watch

import (
	"encoding/json"
	"testing"
)

// A run that an earlier version began goes on where it stood.
func TestProgressOfAFormerVersionIsRead(t *testing.T) {
	var p watchProgress
	if err := p.read([]byte(`{"phase": "looks", "todo": [{"url": "https://pier.example/2"}], "looks": [{"url": "https://pier.example/1", "status": 404}]}`)); err != nil {
		t.Fatal(err)
	}
	if p.Phase != phaseDetailChecks || len(p.Todo) != 1 || len(p.DetailChecks) != 1 || p.DetailChecks[0].Status != 404 {
		t.Errorf("read %+v", p)
	}
	kept, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var again watchProgress
	if err := again.read(kept); err != nil || again.Phase != p.Phase || len(again.DetailChecks) != 1 {
		t.Errorf("%s came back as %+v (%v)", kept, again, err)
	}
}
