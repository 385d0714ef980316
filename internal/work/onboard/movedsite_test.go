package onboard_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/testkit/demo"
	"github.com/curlew-data/curlew/internal/testkit/workers"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// Where a watched page has moved to is watched too: who adds the new address is shown the watch there is.
func TestTheAddressThatAWatchedPageEndsAtIsWatchedAlready(t *testing.T) {
	observe(t, true, func(o *watching) {
		onboarding := o.Onboarding()
		propose := func(address string) error {
			_, err := onboarding.Propose(t.Context(), curlew.DefaultOrg, curlew.Candidate{URL: address, Priority: curlew.PriorityNormal})
			return err
		}
		b := &workers.Board{Items: []string{"anvil=10", "bell=20", "cart=30", "drum=40"}}
		moved := false
		site := o.Serve(b)
		old := o.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if moved && r.URL.Path == "/" {
				http.Redirect(w, r, site+"shop", http.StatusMovedPermanently)
				return
			}
			b.ServeHTTP(w, r)
		}))
		watch := o.Add(demo.Site{Name: "board", Title: "Board", Base: old},
			onboard.Proposal{URL: old, Schema: curlew.SchemaProduct, Tier: curlew.TierHTML, Blueprint: &workers.BoardRules})
		stop := o.Work()
		o.MustVisit(watch)
		moved = true
		o.MustVisit(watch)
		stop()
		for i, address := range []string{site + "shop", site + "shop/", old} {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				if err := propose(address); !errors.Is(err, curlew.ErrWatchedAlready) {
					t.Errorf("%s can be added beside %s: %v", address, watch.URL, err)
				}
			})
		}
		if err := propose(site); err != nil {
			t.Errorf("another page of the new site: %v", err)
		}
	})
}
