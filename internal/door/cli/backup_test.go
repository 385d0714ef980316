package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/database/databasetest"
)

// What was backed up is there again on either database, and can be backed up from there.
func TestABackupIsRestoredOnEitherDatabase(t *testing.T) {
	r := newReader(t)
	site := r.pages(map[string]string{"/": concertList()})
	r.says([]string{"deployed"}, "add", site, "--wait", "--delay", "0s")
	r.says([]string{"sub_"}, "subscriptions", "add", "--channel", "slack", "--to", "https://hooks.example.org/very-secret")
	if db, err := os.ReadFile(filepath.Join(r.data, "curlew.db-wal")); err == nil && strings.Contains(string(db), "very-secret") {
		t.Error("the secret address of the chat is in the database")
	}
	_, want, _ := r.curlew(t.Context(), "entities", "list", "--json")
	r.must(nil, "runs", "drill")
	r.lapse() // a job is under way, whose worker is gone when the backup is restored
	file := filepath.Join(t.TempDir(), "curlew.zip")
	r.says([]string{"keep it private"}, "backup", file)
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others can read the backup: %v, %v", info.Mode(), err)
	}
	r.refused(exitFailed, "exists already: name another file", "backup", file)
	r.refused(exitFailed, "holds data already: restore into a new data folder", "restore", file)
	for _, engine := range []database.Engine{database.SQLite, database.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			at := func(command ...string) []string { return command }
			again := &reader{T: t, web: r.web, ports: r.ports, data: filepath.Join(t.TempDir(), "data")}
			if engine == database.Postgres {
				address := databasetest.URL(t, engine)
				at = func(command ...string) []string { return append(command, "--database", address) }
			}
			again.says([]string{"Restored", "All invariants hold"}, at("restore", file)...)
			if _, got, complaint := again.curlew(t.Context(), at("entities", "list", "--json")...); got != want || want == "" {
				t.Errorf("there is other data now (%s):\n%s\n%s", complaint, got, want)
			}
			again.says([]string{"slack"}, at("subscriptions", "list")...)
			if err := os.Rename(filepath.Join(again.data, "archive"), filepath.Join(again.data, "away")); err != nil {
				t.Fatal(err)
			}
			if code, out, _ := again.curlew(t.Context(), at("fsck")...); code != exitFailed || !strings.Contains(out, "unpack archive/ of a backup") {
				t.Errorf("fsck without the archive: exit %d: %s", code, out)
			}
			if err := os.Rename(filepath.Join(again.data, "away"), filepath.Join(again.data, "archive")); err != nil {
				t.Fatal(err)
			}
			second := filepath.Join(t.TempDir(), "again.zip")
			again.says([]string{"archive files"}, at("backup", second)...)
		})
	}
}

// Pages whose copies nobody took along are counted when a backup is restored, with what can be done.
func TestARestoreTellsOfAnArchiveThatIsNotThere(t *testing.T) {
	r := newReader(t)
	site := r.pages(map[string]string{"/": concertList()})
	r.says([]string{"deployed"}, "add", site, "--wait", "--delay", "0s")
	file := filepath.Join(t.TempDir(), "curlew.zip")
	r.says([]string{"0 archive files"}, "backup", file, "--no-archive")
	again := &reader{T: t, web: r.web, ports: r.ports, data: filepath.Join(t.TempDir(), "data")}
	code, out, _ := again.curlew(t.Context(), "restore", file)
	if code != exitDone || !strings.Contains(out, "The backup holds no archived pages: the archive should hold copies of ") ||
		!strings.Contains(out, "unpack archive/ of a backup") || !strings.Contains(out, "All invariants hold") {
		t.Errorf("exit %d: %s", code, out)
	}
	again.refused(exitFailed, "1 invariants are broken", "fsck") // who looks later hears of it
}

// lapse makes the jobs of an installation look as if workers had them long ago.
func (r *reader) lapse() {
	r.Helper()
	db, err := database.Open(r.Context(), database.Options{URL: "sqlite:" + filepath.Join(r.data, "curlew.db")})
	if err != nil {
		r.Fatal(err)
	}
	defer db.Close()
	err = db.Write(r.Context(), func(tx *database.Tx) error {
		if _, err := tx.Exec(r.Context(), `INSERT INTO job_transitions (org_id, job_id, fence, at, from_state, to_state, who, why)
			SELECT org_id, id, fence + 1, created_at, 'pending', 'running', 'w', 'claimed' FROM jobs WHERE state = 'pending'`); err != nil {
			return err
		}
		_, err := tx.Exec(r.Context(), `UPDATE jobs SET state = 'running', attempt = 1, fence = fence + 1, worker = 'w', claimed_at = created_at,
			lease_until = created_at - 600000000 WHERE state = 'pending'`)
		return err
	})
	if err != nil {
		r.Fatal(err)
	}
}

// Secrets that were encrypted with a key that is not at hand are never given up: nothing is restored, no new key is made.
func TestSecretsWaitForTheirKey(t *testing.T) {
	r := &reader{T: t, ports: "80", data: filepath.Join(t.TempDir(), "data")}
	key := []string{"CURLEW_SECRETS_KEY=" + strings.Repeat("k", 40)}
	with := func(r *reader, sentence string, wants int, args ...string) {
		t.Helper()
		code, out, complaint := r.curlewWith(t.Context(), key, args...)
		if code != wants || !strings.Contains(out+complaint, sentence) {
			t.Errorf("%v: exit %d, want %d and %q: %s%s", args, code, wants, sentence, out, complaint)
		}
	}
	r.says(nil, "migrate")
	with(r, "sub_", exitDone, "subscriptions", "add", "--channel", "slack", "--to", "https://hooks.example.org/very-secret")
	file := filepath.Join(t.TempDir(), "curlew.zip")
	with(r, "rows", exitDone, "backup", file)
	r.refused(exitFailed, "encrypted with another key", "subscriptions", "list")
	if _, err := os.Stat(filepath.Join(r.data, "secret.key")); err == nil {
		t.Error("a new key was made although the old one is missing")
	}
	r.refused(exitFailed, "something is wrong", "doctor")
	again := &reader{T: t, ports: "80", data: filepath.Join(t.TempDir(), "data")}
	again.refused(exitFailed, "encrypted with another key", "restore", file)
	with(again, "All invariants hold", exitDone, "restore", file)
	with(again, "slack", exitDone, "subscriptions", "list")
}

// The key of a service is that of its installation from the first start: a command that lacks it is refused before there is any
// secret, and so is a restore.
func TestACommandWithoutTheKeyOfTheServiceIsRefused(t *testing.T) {
	for _, engine := range []database.Engine{database.SQLite, database.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			r := &reader{T: t, ports: "80", data: filepath.Join(t.TempDir(), "data")}
			at := func(command ...string) []string { return command }
			if engine == database.Postgres {
				address := databasetest.URL(t, engine)
				at = func(command ...string) []string { return append(command, "--database", address) }
			}
			key := []string{"CURLEW_SECRETS_KEY=" + strings.Repeat("k", 40)}
			file := filepath.Join(t.TempDir(), "curlew.zip")
			for _, command := range [][]string{{"migrate"}, {"watches", "list"}, {"backup", file}, {"doctor"}} {
				code, out, complaint := r.curlewWith(t.Context(), key, at(command...)...)
				if code != exitDone || command[0] == "backup" && !strings.Contains(out, "Its secrets are restored with secrets.key alone") {
					t.Fatalf("%v: exit %d: %s%s", command, code, out, complaint)
				}
			}
			r.refused(exitFailed, "encrypted with another key", at("subscriptions", "add", "--channel", "slack",
				"--to", "https://hooks.example.org/very-secret")...)
			if _, err := os.Stat(filepath.Join(r.data, "secret.key")); err == nil {
				t.Error("a key was made beside that of the service")
			}
			code, out, _ := r.curlew(t.Context(), at("doctor")...)
			if code != exitFailed || strings.Count(out, "secrets ") != 1 || !strings.Contains(out, "encrypted with another key") {
				t.Errorf("doctor without the key: exit %d: %s", code, out)
			}
			again := &reader{T: t, ports: "80", data: filepath.Join(t.TempDir(), "data")}
			again.refused(exitFailed, "encrypted with another key", "restore", file)
		})
	}
}

// Each file was backed up by an earlier version: it is restored, brought up to date, and whole.
func TestBackupsOfEarlierVersionsAreRestored(t *testing.T) {
	files, err := filepath.Glob("testdata/backups/*.zip")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no backups of earlier versions", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			r := &reader{T: t, ports: "80", data: filepath.Join(t.TempDir(), "data")}
			r.says([]string{"Restored", "All invariants hold"}, "restore", file, "--no-archive")
			r.says([]string{"by the river"}, "entities", "list")
		})
	}
}

func TestWhatIsNoBackupIsNotRestored(t *testing.T) {
	r := newReader(t)
	r.curlew(t.Context(), "migrate")
	whole := filepath.Join(t.TempDir(), "whole.zip")
	r.says([]string{"rows"}, "backup", whole)
	content, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ content, sentence string }{
		"text":    {"hello", "is not a whole backup"},
		"cut off": {string(content[:len(content)/2]), "is not a whole backup"},
		"changed": {strings.Replace(string(content), string(content[60:70]), "xxxxxxxxxx", 1), "damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "backup.zip")
			if err := os.WriteFile(file, []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			empty := &reader{T: t, web: r.web, ports: r.ports, data: filepath.Join(t.TempDir(), "data")}
			empty.refused(exitFailed, c.sentence, "restore", file)
		})
	}
	r.refused(exitFailed, "no such file", "restore", "nowhere.zip")
}
