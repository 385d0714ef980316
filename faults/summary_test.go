package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

func told(kind curlew.ChangeKind, entity curlew.EntityID, version int, path string) curlew.Change {
	payload, _ := json.Marshal(curlew.ChangePayload{Entity: &curlew.EntityPicture{URL: "http://127.0.0.1:9" + path}})
	return curlew.Change{Kind: kind, Entity: entity, Version: version, Payload: payload}
}

// TestTheReckoningSeesWhatIsLostAndDoubled: a judge that finds nothing is no judge.
func TestTheReckoningSeesWhatIsLostAndDoubled(t *testing.T) {
	truth := map[string]int{"entity_appeared /a": 1, "entity_changed /a": 1, "entity_appeared /b": 1}
	for _, c := range []struct {
		name          string
		changes       []curlew.Change
		lost, doubled int
	}{
		{"as it was", []curlew.Change{told(curlew.EntityAppeared, "a", 1, "/a"), told(curlew.EntityChanged, "a", 2, "/a"), told(curlew.EntityAppeared, "b", 1, "/b")}, 0, 0},
		{"allowed", []curlew.Change{told(curlew.EntityAppeared, "a", 1, "/a"), told(curlew.EntityChanged, "a", 2, "/a"), told(curlew.EntityAppeared, "b", 1, "/b"), told(curlew.EntityDisappeared, "b", 2, "/b")}, 0, 0},
		{"lost", []curlew.Change{told(curlew.EntityAppeared, "a", 1, "/a"), told(curlew.EntityAppeared, "b", 1, "/b")}, 1, 0},
		{"twice", []curlew.Change{told(curlew.EntityAppeared, "a", 1, "/a"), told(curlew.EntityChanged, "a", 2, "/a"), told(curlew.EntityChanged, "a", 3, "/a"), told(curlew.EntityAppeared, "b", 1, "/b")}, 0, 1},
		{"one version twice", []curlew.Change{told(curlew.EntityAppeared, "a", 1, "/a"), told(curlew.EntityChanged, "a", 1, "/a"), told(curlew.EntityAppeared, "b", 1, "/b")}, 0, 1},
		{"invented", []curlew.Change{told(curlew.EntityAppeared, "a", 1, "/a"), told(curlew.EntityChanged, "a", 2, "/a"), told(curlew.EntityAppeared, "b", 1, "/b"), told(curlew.EntityAppeared, "c", 1, "/c")}, 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &summary{untold: map[string]int{}}
			if err := r.compare(c.changes, truth, map[string]int{"entity_disappeared /b": 1}, nil); err != nil {
				t.Fatal(err)
			}
			if r.lost != c.lost || r.doubled != c.doubled || (len(r.broken) > 0) != (c.lost+c.doubled > 0) {
				t.Errorf("%s: %d lost, %d doubled, %q", c.name, r.lost, r.doubled, r.broken)
			}
		})
	}
}

func TestTheAuditHoldsTheLedgerAgainstTheOutbox(t *testing.T) {
	k, err := newSink(1, moods{})
	if err != nil {
		t.Fatal(err)
	}
	defer k.close()
	k.Secrets = nil // signatures are not what this is about
	for _, id := range []string{"del_1", "del_1", "del_strange"} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, k.server.URL, strings.NewReader(`{"type":"entity_changed","data":{}}`))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Webhook-Id", id)
		response, err := k.server.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
	}
	r := &summary{}
	changes := []curlew.Change{{ID: "1"}, {ID: "2"}, {ID: "3"}}
	r.audit("sink", k, curlew.Subscription{}, changes, []curlew.Delivery{
		{ID: "del_1", Change: "1", Status: curlew.DeliveryDelivered}, {ID: "del_2", Change: "2", Status: curlew.DeliveryDelivered}})
	if r.lost != 2 || r.doubled != 1 || r.again != 1 {
		t.Errorf("%d lost, want one without a delivery and one that never came; %d doubled, want the strange one; %d again, want 1: %q", r.lost, r.doubled, r.again, r.broken)
	}
}

func TestOnlyAFewChangesMayBeAMatterOfReading(t *testing.T) {
	r := &summary{told: 100, lost: 1, untold: map[string]int{"entity_changed /a": 1}, broken: []string{neverTold + "entity_changed /a", "sink 1: 2 changes of an entity came after later ones"}}
	if o := r.outcome("x"); o.lost != 0 || len(o.broken) != 1 || strings.HasPrefix(o.broken[0], neverTold) {
		t.Errorf("one of 100 is unread: %+v", o)
	}
	r = &summary{told: 100, lost: 3, untold: map[string]int{"entity_changed /a": 3}, broken: []string{neverTold + "entity_changed /a"}}
	if o := r.outcome("x"); o.lost != 3 || len(o.broken) != 1 {
		t.Errorf("three of 100 are lost: %+v", o)
	}
}
