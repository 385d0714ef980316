package setup

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/curlew-data/curlew/internal/ops/config"
)

// Who runs doctor as somebody else than the service hears that, and not that files are broken.
func TestDoctorSaysAsWhomToRunIt(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can be somebody else")
	}
	cfg := config.Default()
	cfg.Data, cfg.Fetch.Browser = filepath.Join(t.TempDir(), "data"), "off"
	if err := MakeDataFolder(cfg); err != nil {
		t.Fatal(err)
	}
	i, err := Open(t.Context(), cfg, Options{})
	if err != nil {
		t.Fatal(err)
	}
	i.Close()
	runtime.LockOSThread() // of which alone the user changes
	defer runtime.UnlockOSThread()
	for folder := cfg.Data; folder != os.TempDir() && folder != "/"; folder = filepath.Dir(folder) {
		if folder != cfg.Data {
			_ = os.Chmod(folder, 0o755)
		}
	}
	if err := os.Chmod(cfg.Data, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setfsuid(65534); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Setfsuid(0) }()
	found := Examine(t.Context(), cfg)
	for _, check := range []string{"data folder", "secrets"} {
		t.Run(check, func(t *testing.T) {
			at := slices.IndexFunc(found, func(d Diagnosis) bool { return d.Check == check })
			if at < 0 || found[at].Verdict != VerdictWrong || !strings.Contains(found[at].Sentence, "it belongs to root; run the command as that user") {
				t.Errorf("%s: %+v", check, found)
			}
		})
	}
}
