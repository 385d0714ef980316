package setup

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/config"
)

// Receivers hear nothing of it: a connection is opened and closed.
func TestDoctorConnectsToWebhooks(t *testing.T) {
	var asked atomic.Int32
	takes := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) })
	open, closed, unknown := httptest.NewServer(takes), httptest.NewServer(takes), httptest.NewTLSServer(takes)
	defer open.Close()
	defer unknown.Close()
	closed.Close()
	port := func(s *httptest.Server) string { return s.URL[strings.LastIndexByte(s.URL, ':')+1:] }
	cfg, err := config.Load(config.Inputs{Environ: []string{"CURLEW_DATA=" + t.TempDir(), "CURLEW_FETCH_BROWSER=off", "CURLEW_EGRESS_ALLOW=127.0.0.1/32",
		"CURLEW_EGRESS_PORTS=" + strings.Join([]string{port(open), port(closed), port(unknown)}, ",")}})
	if err != nil {
		t.Fatal(err)
	}
	i, err := Open(t.Context(), cfg, Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = i.Store.Write(t.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
		for _, address := range []string{open.URL, open.URL, closed.URL, unknown.URL, "http://10.1.2.3"} {
			target := fmt.Sprintf(`{"url":%q,"secrets":[]}`, address+"/hush")
			sub := curlew.Subscription{Channel: curlew.ChannelWebhook, Status: curlew.SubscriptionActive, Target: []byte(target)}
			if _, err := w.Subscriptions().Add(t.Context(), sub); err != nil {
				return err
			}
		}
		return nil
	})
	i.Close()
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]string{}
	for _, d := range Examine(t.Context(), cfg) {
		if address, rest, _ := strings.Cut(d.Sentence, " ("); d.Check == "webhooks" {
			said[address] = d.Verdict + " " + rest
		}
	}
	for address, want := range map[string]string{"127.0.0.1:" + port(open): "ok sub_", "127.0.0.1:" + port(closed): "notice sub_",
		"127.0.0.1:" + port(unknown): "notice sub_", "10.1.2.3:80": "notice sub_"} {
		t.Run(want, func(t *testing.T) {
			if got := said[address]; !strings.HasPrefix(got, want) || strings.Contains(got, "hush") {
				t.Errorf("%s: %q", address, got)
			}
		})
	}
	if !strings.Contains(said["127.0.0.1:"+port(unknown)], "no encrypted connection") || len(said) != 4 || asked.Load() != 0 {
		t.Errorf("%d requests: %v", asked.Load(), said)
	}
}
