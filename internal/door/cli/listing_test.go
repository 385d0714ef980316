package cli

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/ops/setup"
)

// Scripts look for what they made in the whole list: one that ends at a hundred loses things.
func TestListsOfSourcesAreWhole(t *testing.T) {
	cfg := config.Default()
	cfg.Data = t.TempDir()
	r := &reader{T: t, data: cfg.Data, ports: "80"}
	i, err := setup.Open(t.Context(), cfg, setup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = i.Store.Write(t.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
		for i := range 130 {
			if _, err := w.Sources().Add(t.Context(), curlew.Source{Name: "Town", BaseURL: fmt.Sprintf("https://town%d.example", i), Trust: curlew.TrustProbation}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	i.Close()
	for limit, want := range map[string]int{"": 130, "7": 7} {
		t.Run("limit "+limit, func(t *testing.T) {
			args := []string{"sources", "list", "--json"}
			if limit != "" {
				args = append(args, "--limit", limit)
			}
			code, out, complaint := r.curlew(t.Context(), args...)
			var all []curlew.Source
			if err := json.Unmarshal([]byte(out), &all); code != 0 || err != nil || len(all) != want {
				t.Errorf("limit %q: %d sources (%d, %v, %s)", limit, len(all), code, err, complaint)
			}
		})
	}
}
