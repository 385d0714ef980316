package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/testkit/demo"
)

// summary is what came of a deployment, held against the truth and the sinks' ledgers.
type summary struct {
	told, deliveries int
	lost, doubled    int
	again            int // deliveries that came more than once, which is allowed
	violations       int
	died             []string       // at which points
	untold           map[string]int // changes that were never told
	broken           []string       // promises, in sentences; the first few
}

// about names a change as the truth and the engine both know it, on whatever port the
// site is.
func about(kind curlew.ChangeKind, address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return string(kind) + " " + address
	}
	return string(kind) + " " + u.Path
}

// passDay lets a day pass on every watched site and notes what must be told. A
// concert whose evening has come may also be told as gone: the processes live by the
// machine's clock, by which it is still to come.
func (v *deployment) passDay(day int) error {
	for _, p := range v.stage.watched {
		if err := v.stage.web.Advance(p.site.Name); err != nil {
			return err
		}
		changes, err := v.stage.web.Changes(p.site.Name, day)
		if err != nil {
			return err
		}
		for _, c := range changes {
			if c.Kind == demo.Finished {
				v.allowed[about(curlew.EntityDisappeared, c.URL)]++
			} else {
				v.expected[about(c.Kind, c.URL)]++
			}
		}
	}
	return nil
}

// summary holds the installation against the truth, once everything is quiet.
func (v *deployment) summary(ctx context.Context) (*summary, error) {
	r := &summary{died: v.died, untold: map[string]int{}}
	scope := v.store.Org(curlew.DefaultOrg)
	changes, err := scope.Changes().List(ctx, store.ChangeFilter{}, 0, 1_000_000)
	if err != nil {
		return nil, err
	}
	r.told = len(changes)
	if err := r.compare(changes, v.expected, v.allowed, v.stage.unread); err != nil {
		return nil, err
	}
	for i, k := range v.sinks {
		sub, err := scope.Subscriptions().Get(ctx, k.sub)
		if err != nil {
			return nil, err
		}
		deliveries, err := scope.Deliveries().List(ctx, store.DeliveryFilter{Subscription: k.sub}, store.Window{Limit: 1_000_000})
		if err != nil {
			return nil, err
		}
		r.audit(fmt.Sprintf("sink %d", i+1), k, sub, changes, deliveries)
	}
	return r, v.target.fsck(ctx, r)
}

// neverTold begins the sentences about changes that are missing.
const neverTold = "never told: "

func (r *summary) breach(format string, values ...any) {
	if len(r.broken) < 10 {
		r.broken = append(r.broken, fmt.Sprintf(format, values...))
	}
}

// compare says which changes were never told, or told without a cause or twice.
func (r *summary) compare(changes []curlew.Change, expected, allowed, unread map[string]int) error {
	missing, spare := maps.Clone(expected), maps.Clone(allowed)
	versions := map[string]bool{}
	for _, c := range changes {
		version := fmt.Sprintf("%s/%d", c.Entity, c.Version)
		if c.Entity != "" && versions[version] {
			r.doubled++
			r.breach("version %d of %s was told twice", c.Version, c.Entity)
		}
		versions[version] = true
		var payload curlew.ChangePayload
		if err := json.Unmarshal(c.Payload, &payload); err != nil {
			return fmt.Errorf("the payload of change %d: %w", c.Sequence, err)
		}
		key := string(c.Kind)
		if payload.Entity != nil {
			key = about(c.Kind, payload.Entity.URL)
		}
		switch {
		case missing[key] > 0:
			missing[key]--
		case spare[key] > 0:
			spare[key]--
		default:
			r.doubled++
			r.breach("told although it was not so, or twice: %s %v", key, payload.Changes)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(missing)) {
		if n := missing[key]; n > 0 {
			r.untold[key] = n
		}
		if n := missing[key] - unread[key]; n > 0 {
			r.lost += n
			r.breach(neverTold+"%s", key)
		}
	}
	return nil
}

// audit holds a sink's ledger against the outbox.
func (r *summary) audit(name string, k *sink, sub curlew.Subscription, changes []curlew.Change, deliveries []curlew.Delivery) {
	ledger := k.Ledger()
	wanted := 0
	for _, c := range changes {
		if len(sub.Kinds) == 0 || slices.Contains(sub.Kinds, c.Kind) {
			wanted++
		}
	}
	if wanted != len(deliveries) {
		r.lost += max(0, wanted-len(deliveries))
		r.doubled += max(0, len(deliveries)-wanted)
		r.breach("%s: %d deliveries for %d changes", name, len(deliveries), wanted)
	}
	r.deliveries += len(deliveries)
	for _, d := range deliveries {
		entry := ledger.IDs[string(d.ID)]
		if d.Status != curlew.DeliveryDelivered || entry.Accepted == 0 {
			r.lost++
			r.breach("%s: delivery %s is %s after %d attempts (%s), accepted %d times", name, d.ID, d.Status, d.Attempts, d.LastError,
				entry.Accepted)
		}
		r.again += max(0, entry.Accepted-1)
		delete(ledger.IDs, string(d.ID))
	}
	for _, id := range slices.Sorted(maps.Keys(ledger.IDs)) {
		r.doubled++
		r.breach("%s: received %s, which is no delivery", name, id)
	}
	if n := ledger.OutOfOrder; n > 0 {
		r.breach("%s: %d changes of an entity came after later ones", name, n)
	}
	if n := ledger.BadSignatures + ledger.Unreadable; n > 0 {
		r.breach("%s: %d messages with bad signatures, or that cannot be read", name, n)
	}
}

// fsck runs the checker as a user would, over the whole archive too.
func (t *target) fsck(ctx context.Context, r *summary) error {
	var report struct {
		Violations []curlew.Violation `json:"violations"`
	}
	if err := t.curlew(ctx, &report, "fsck", "--archive=-1"); err != nil {
		return err
	}
	r.violations = len(report.Violations)
	for _, v := range report.Violations {
		r.breach("%s: %s", v.Invariant, v.Sentence)
	}
	return nil
}
