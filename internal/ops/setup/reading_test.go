package setup

import (
	"net/netip"
	"testing"

	"github.com/curlew-data/curlew/internal/ops/config"
)

func TestAllowedHost(t *testing.T) {
	allow := []config.Reach{{Prefix: netip.MustParsePrefix("127.0.0.0/8")}}
	for host, want := range map[string]bool{"127.0.0.1": true, "localhost": true, "127.9.9.9": true, "10.0.0.1": false, "example.org": false, "::ffff:127.0.0.1": true} {
		t.Run(host, func(t *testing.T) {
			if got := allowedHost(allow, host); got != want {
				t.Errorf("%v", got)
			}
		})
	}
}
