package door_test

import (
	"context"
	"net/netip"
	"net/url"
	"strconv"
	"testing"

	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/testkit/demo"
)

// sites are the sample web.
type sites struct {
	*testing.T
	web *demo.Web
}

func newSites(t *testing.T) *sites {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	web := demo.New(demo.Options{})
	if err := web.Start(ctx, demo.Addresses{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cancel(); web.Wait() })
	return &sites{T: t, web: web}
}

func (s *sites) site(name string) string {
	s.Helper()
	site, err := s.web.Site(name)
	if err != nil {
		s.Fatal(err)
	}
	return site.URL()
}

// configure lets a new installation reach the sample web, and further ports of this
// machine.
func (s *sites) configure(cfg *config.Config, ports ...string) {
	s.Helper()
	cfg.Data, cfg.Fetch.Browser = s.TempDir(), "off"
	cfg.Egress.Allow = []config.Reach{{Prefix: netip.MustParsePrefix("127.0.0.0/8")}}
	for _, site := range s.web.Sites() {
		ports = append(ports, portOf(site.URL()))
	}
	for _, port := range ports {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil {
			s.Fatal(err)
		}
		cfg.Egress.Ports = append(cfg.Egress.Ports, uint16(n))
	}
}

func portOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		panic(err)
	}
	return u.Port()
}
