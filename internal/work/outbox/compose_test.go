package outbox

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// waits is a change that waits: "bell price 20→19", after "new " an entity that appeared.
func waits(n int, text string, at time.Time) store.PendingDelivery {
	kind := curlew.EntityChanged
	text, appeared := strings.CutPrefix(text, "new ")
	if appeared {
		kind = curlew.EntityAppeared
	}
	words := strings.Fields(text)
	p := curlew.ChangePayload{Entity: &curlew.EntityPicture{Fields: curlew.Values{}}}
	for i := 1; i+1 < len(words); i += 2 {
		before, after, _ := strings.Cut(words[i+1], "→")
		p.Entity.Fields[words[i]] = after
		p.Changes = append(p.Changes, curlew.FieldChange{Field: words[i], Old: before, New: after})
	}
	payload, err := json.Marshal(p)
	if err != nil {
		panic(err)
	}
	id := curlew.DeliveryID(fmt.Sprint("del_", n))
	return store.PendingDelivery{Delivery: curlew.Delivery{ID: id, CreatedAt: at, Sequence: int64(n)},
		Change: curlew.Change{Kind: kind, Entity: curlew.EntityID(words[0]), Sequence: int64(n), Payload: payload}}
}

func (u update) String() string {
	text := string(u.Change.Entity)
	p, _ := payloadOf(u.Change)
	for _, c := range p.Changes {
		text += fmt.Sprintf(" %s %v→%v", c.Field, c.Old, c.New)
	}
	if u.Change.Kind == curlew.EntityAppeared {
		text = "new " + string(u.Change.Entity) + fmt.Sprint(" ", p.Entity.Fields["price"])
	}
	if u.undone {
		text = string(u.Change.Entity) + " undone"
	}
	return fmt.Sprintf("%s (%d)", text, len(u.covers))
}

func TestUpdatesOfOneEntityAreJoinedFromTheFirstValueToTheLast(t *testing.T) {
	at := time.Date(2026, 4, 10, 12, 0, 0, 0, time.UTC)
	for _, row := range []struct{ name, changes, want string }{
		{"three prices", "bell price 20→19; bell price 19→18; bell price 18→21", "[bell price 20→21 (3)]"},
		{"what went back", "bell price 20→19; bell price 19→20", "[bell undone (2)]"},
		{"one of two fields went back", "bell price 20→19 stock no→yes; bell price 19→20", "[bell stock no→yes (2)]"},
		{"fields one after the other", "bell price 20→19; bell stock no→yes", "[bell price 20→19 stock no→yes (2)]"},
		{"others stay apart", "bell price 20→19; drum price 4→5; bell price 19→18", "[bell price 20→18 (2) drum price 4→5 (1)]"},
		{"what is new is shown as it is now", "new bell price →20; bell price 20→19", "[new bell 19 (2)]"},
		{"there and back and on", "bell price 20→19; bell price 19→20; bell price 20→7", "[bell price 20→7 (3)]"},
	} {
		t.Run(row.name, func(t *testing.T) {
			var pending []store.PendingDelivery
			for i, text := range strings.Split(row.changes, "; ") {
				pending = append(pending, waits(i, text, at))
			}
			if got := fmt.Sprint(updates(pending, true)); got != row.want {
				t.Errorf("told %s, want %s", got, row.want)
			}
			if got := len(updates(pending, false)); got != len(pending) {
				t.Errorf("without a settle time %d are told, want %d", got, len(pending))
			}
		})
	}
}

// A message that may have arrived is sent again as it was: what came since is told by itself.
func TestWhatWasTriedIsJoinedWithNothingNew(t *testing.T) {
	at := time.Date(2026, 4, 10, 12, 0, 0, 0, time.UTC)
	first, second := waits(1, "bell price 20→19", at), waits(2, "bell price 19→18", at)
	first.Delivery.Attempts = 1
	if got, want := fmt.Sprint(updates([]store.PendingDelivery{first, second}, true)), "[bell price 20→19 (1) bell price 19→18 (1)]"; got != want {
		t.Errorf("told %s, want %s", got, want)
	}
}

func TestMessagesRespectPeople(t *testing.T) {
	noon := time.Date(2026, 4, 10, 12, 0, 0, 0, time.UTC)
	night, since := noon.Add(-9*time.Hour), noon.Add(-time.Minute)
	hour := func(sent int) curlew.EndpointHealth {
		return curlew.EndpointHealth{Hours: map[string]curlew.SentHour{"": {Since: since, Sent: sent}}}
	}
	for _, row := range []struct {
		name string
		sub  curlew.Subscription
		want string
	}{
		{"each by itself, the first of each entity", curlew.Subscription{}, "a b c"},
		{"a digest has them all", curlew.Subscription{Digest: "hourly"}, "a+b+a+c"},
		{"what came in quiet hours goes together, and later news of it waits", curlew.Subscription{Pacing: curlew.Pacing{Quiet: "22:00-07:00"}}, "a+b c"},
		{"more than the hour has left goes together", curlew.Subscription{Pacing: curlew.Pacing{AtMost: 5}, Health: hour(2)}, "a+b+a+c"},
		{"as many as the hour has left go each by itself", curlew.Subscription{Pacing: curlew.Pacing{AtMost: 6}, Health: hour(2)}, "a b c"},
	} {
		t.Run(row.name, func(t *testing.T) {
			all := updates([]store.PendingDelivery{waits(1, "a price 1→2", night), waits(2, "b price 1→2", night), waits(3, "a price 2→3", noon),
				waits(4, "c price 1→2", noon)}, false)
			var got []string
			for _, m := range compose(row.sub, all, noon) {
				var names []string
				for _, u := range m.updates {
					names = append(names, string(u.Change.Entity))
				}
				if m.digest != (len(names) > 1) {
					t.Errorf("%v is a digest: %v", names, m.digest)
				}
				got = append(got, strings.Join(names, "+"))
			}
			if strings.Join(got, " ") != row.want {
				t.Errorf("sent %q, want %q", strings.Join(got, " "), row.want)
			}
		})
	}
}

func TestNothingIsSentInQuietHoursAndWhenTheHourIsFull(t *testing.T) {
	now := time.Date(2026, 4, 10, 23, 0, 0, 0, time.UTC)
	since, earlier := now.Add(-20*time.Minute), now.Add(-time.Hour)
	full := func(since time.Time) curlew.EndpointHealth {
		return curlew.EndpointHealth{Hours: map[string]curlew.SentHour{"": {Since: since, Sent: 3}}}
	}
	for _, row := range []struct {
		name  string
		sub   curlew.Subscription
		until time.Time
	}{
		{"no pacing", curlew.Subscription{}, time.Time{}},
		{"quiet hours", curlew.Subscription{Pacing: curlew.Pacing{Quiet: "22:00-07:00"}}, now.Add(8 * time.Hour)},
		{"a full hour", curlew.Subscription{Pacing: curlew.Pacing{AtMost: 3}, Health: full(since)},
			now.Add(40 * time.Minute)},
		{"the hour before was full", curlew.Subscription{Pacing: curlew.Pacing{AtMost: 3},
			Health: full(earlier)}, time.Time{}},
		{"the hour of another receiver is full", curlew.Subscription{Pacing: curlew.Pacing{AtMost: 3},
			Health: curlew.EndpointHealth{Hours: map[string]curlew.SentHour{"ana@example.org": {Since: since, Sent: 3}}}}, time.Time{}},
	} {
		t.Run(row.name, func(t *testing.T) {
			if until, held := heldUntil(row.sub, "", now); held != !row.until.IsZero() || !until.Equal(row.until) {
				t.Errorf("held until %s (%v), want %s", until, held, row.until)
			}
		})
	}
}
