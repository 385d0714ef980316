package setup

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/config"
)

const (
	// knockTime bounds one try of an endpoint, and mostKnocks how many are tried.
	knockTime  = 5 * time.Second
	mostKnocks = 50
)

// endpoint is where webhooks and chat messages of subscriptions go. The rest of their addresses is a secret.
type endpoint struct {
	host, port string
	encrypted  bool
}

// tryEndpoints connects to the endpoints of active subscriptions as deliveries would, and sends nothing.
func tryEndpoints(ctx context.Context, cfg config.Config, s *store.Store) []Diagnosis {
	used, err := endpoints(ctx, s)
	if err != nil {
		return []Diagnosis{{"webhooks", VerdictWrong, curlew.AsFault(err).Sentence}}
	}
	all := slices.SortedFunc(maps.Keys(used), func(a, b endpoint) int {
		return cmp.Or(cmp.Compare(a.host, b.host), cmp.Compare(a.port, b.port))
	})
	found := make([]Diagnosis, min(len(all), mostKnocks))
	var group sync.WaitGroup
	for i, e := range all[:len(found)] {
		group.Go(func() {
			who := fmt.Sprintf("%s (%s)", net.JoinHostPort(e.host, e.port), used[e])
			if err := e.knock(ctx, cfg); err != nil {
				found[i] = Diagnosis{"webhooks", VerdictNotice, who + ": " + curlew.AsFault(err).Sentence + "; deliveries to it wait" + causeOf(err)}
				return
			}
			found[i] = Diagnosis{"webhooks", VerdictOK, who + " accepts connections"}
		})
	}
	group.Wait()
	if more := len(all) - len(found); more > 0 {
		found = append(found, Diagnosis{"webhooks", VerdictNotice, fmt.Sprintf("%d more endpoints were not tried", more)})
	}
	return found
}

// endpoints are those of active subscriptions, each with the first subscription that has it.
func endpoints(ctx context.Context, s *store.Store) (map[endpoint]curlew.SubscriptionID, error) {
	orgs, err := s.Orgs(ctx)
	if err != nil {
		return nil, err
	}
	used := map[endpoint]curlew.SubscriptionID{}
	for _, org := range orgs {
		subs, err := s.Org(org.ID).Subscriptions().List(ctx, store.Window{Limit: 10_000})
		if err != nil {
			return nil, err
		}
		for _, sub := range subs {
			var target struct {
				URL string `json:"url"`
			}
			if sub.Status != curlew.SubscriptionActive || json.Unmarshal(sub.Target, &target) != nil {
				continue
			}
			u, err := url.Parse(target.URL)
			if err != nil || u.Hostname() == "" { // e-mail has none
				continue
			}
			e := endpoint{u.Hostname(), cmp.Or(u.Port(), map[string]string{"http": "80"}[u.Scheme], "443"), u.Scheme == "https"}
			if _, known := used[e]; !known {
				used[e] = sub.ID
			}
		}
	}
	return used, nil
}

// knock opens a connection and closes it.
func (e endpoint) knock(ctx context.Context, cfg config.Config) error {
	ctx, cancel := context.WithTimeout(ctx, knockTime)
	defer cancel()
	way := Way(cfg)
	defer way.Close()
	conn, err := way.DialContext(ctx, "tcp", net.JoinHostPort(e.host, e.port))
	if err != nil {
		return err
	}
	defer conn.Close()
	if !e.encrypted {
		return nil
	}
	if err := tls.Client(conn, &tls.Config{ServerName: e.host, MinVersion: tls.VersionTLS12}).HandshakeContext(ctx); err != nil {
		return curlew.Temporary(curlew.ErrTLSFailed, "no encrypted connection can be opened").Because(err)
	}
	return nil
}
