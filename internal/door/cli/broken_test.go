package cli

import (
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/ops/setup"
)

// What the database says of a failure names tables and statements: people are told what to do, and find it in the log.
func TestAFailureOfTheDatabaseIsToldWithoutItsWords(t *testing.T) {
	cfg := config.Default()
	cfg.Data = t.TempDir()
	r := &reader{T: t, data: cfg.Data, ports: "80"}
	i, err := setup.Open(t.Context(), cfg, setup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = i.DB.Write(t.Context(), func(tx *database.Tx) error {
		_, err := tx.Exec(t.Context(), "DROP TABLE watches")
		return err
	})
	if i.Close(); err != nil {
		t.Fatal(err)
	}
	for _, command := range [][]string{{"watches", "list"}, {"fsck"}, {"watches", "list", "--json"}} {
		t.Run(strings.Join(command, " "), func(t *testing.T) {
			code, _, complaint := r.curlew(t.Context(), command...)
			if code != exitFailed || strings.Contains(complaint, "SQL") || strings.Contains(complaint, "table") ||
				!strings.Contains(complaint, "curlew doctor") || !strings.Contains(complaint, "--log-level debug") {
				t.Errorf("exit %d: %s", code, complaint)
			}
			code, _, complaint = r.curlew(t.Context(), append(command, "--log-level", "debug")...)
			if code != exitFailed || !strings.Contains(complaint, "no such table: watches") {
				t.Errorf("in detail: exit %d: %s", code, complaint)
			}
		})
	}
}
