package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A service has a user of its own; who runs a command as root leaves nothing that it cannot read.
func TestWhatRootMakesBelongsToTheOwnerOfTheDataFolder(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	const service = 54321
	given := func(path string) {
		t.Helper()
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(path, service, service); err != nil {
			t.Fatal(err)
		}
	}
	check := func(folder string, least int) {
		t.Helper()
		n := 0
		err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			info, failed := os.Lstat(path)
			if failed != nil {
				return failed
			}
			if kept, ok := info.Sys().(*syscall.Stat_t); ok && (kept.Uid != service || kept.Gid != service) {
				t.Errorf("%s belongs to %d:%d", path, kept.Uid, kept.Gid)
			}
			n++
			return err
		})
		if err != nil || n < least {
			t.Errorf("%d files in %s: %v", n, folder, err)
		}
	}
	r := newReader(t)
	given(r.data)
	server := r.serve(nil)
	r.says([]string{"deployed"}, "add", r.pages(map[string]string{"/": concertList()}), "--wait", "--delay", "0s")
	check(r.data, 7) // also what SQLite keeps beside the database while it is open
	server.end()
	check(r.data, 5)

	file := filepath.Join(t.TempDir(), "curlew.zip")
	r.says([]string{"rows"}, "backup", file)
	again := &reader{T: t, web: r.web, ports: r.ports, data: filepath.Join(t.TempDir(), "data")}
	given(again.data)
	again.says([]string{"All invariants hold"}, "restore", file)
	check(again.data, 5)
}
