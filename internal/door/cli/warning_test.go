package cli

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/ops/config"
)

func TestTheStartMissesTheNameOfAProxy(t *testing.T) {
	cfg := config.Default()
	cfg.Console.URL = "https://curlew.example.org"
	for role, missed := range map[config.Role]bool{config.Serve: true, config.API: true, config.Worker: false} {
		t.Run(string(role), func(t *testing.T) {
			var log strings.Builder
			a := &program{log: slog.New(slog.NewTextHandler(&log, nil))}
			a.warnOf(cfg, role)
			if strings.Contains(log.String(), "accounts.proxies (CURLEW_ACCOUNTS_PROXIES) does not list") != missed {
				t.Errorf("%s: %q", role, log.String())
			}
		})
	}
}
