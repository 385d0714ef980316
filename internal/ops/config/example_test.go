package config_test

import (
	"fmt"

	"github.com/curlew-data/curlew/internal/ops/config"
)

func ExampleLoad() {
	cfg, err := config.Load(config.Inputs{
		Environ: []string{"CURLEW_DATABASE_URL=postgres://curlew:secret@db/curlew", "HOME=/root"},
		Flags:   map[string]string{"workers-lease": "12s"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(cfg.Database.URL, cfg.Database.URL.Kind(), cfg.Workers.Lease, cfg.CheckRole(config.Worker))

	_, err = config.Load(config.Inputs{
		Environ: []string{"CURLEW_LISTN=:80"},
		Flags:   map[string]string{"egress-ports": "80,70000"},
	})
	fmt.Println(err)
	// Output:
	// postgres://curlew:…@db/curlew postgres 12s <nil>
	// CURLEW_LISTN is not a setting; did you mean CURLEW_LISTEN?
	// --egress-ports: egress.ports is "80,70000", where "70000" is not a port; it must be a list of ports from 1 to 65535, such as 80,443
}
