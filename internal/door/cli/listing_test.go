package cli

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/alecthomas/kong"
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

// A list whose limit nobody bounds answers wrongly, or not at all.
func TestEveryLimitIsBounded(t *testing.T) {
	var grammar commands
	parser, err := kong.New(&grammar, kong.Vars{"version": ""})
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	err = kong.Visit(parser.Model, func(node kong.Visitable, next kong.Next) error {
		if flag, ok := node.(*kong.Flag); ok && flag.Name == "limit" {
			seen++
			if _, bounded := flag.Target.Interface().(atMost); !bounded {
				t.Errorf("--limit of %s is %s", flag.Summary(), flag.Target.Type())
			}
		}
		return next(nil)
	})
	if err != nil || seen < 15 {
		t.Errorf("%d flags, %v", seen, err)
	}
}
