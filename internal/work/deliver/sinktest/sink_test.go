package sinktest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func post(t *testing.T, server *httptest.Server, path, id, body string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Webhook-Id", id)
	answer, err := server.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode
}

func ledger(t *testing.T, server *httptest.Server) Ledger {
	t.Helper()
	answer, err := server.Client().Get(server.URL + "/ledger")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var l Ledger
	if err := json.NewDecoder(answer.Body).Decode(&l); err != nil {
		t.Fatal(err)
	}
	return l
}

func event(entity string, sequence int) string {
	return fmt.Sprintf(`{"type":"entity_changed","data":{"entity_id":%q,"sequence":%d}}`, entity, sequence)
}

func TestTheLedgerCountsEveryIDAndKeepsTheOrderOfEntities(t *testing.T) {
	server := httptest.NewServer(New(1))
	defer server.Close()
	for _, m := range []struct {
		id       string
		entity   string
		sequence int
	}{{"a", "e1", 1}, {"b", "e2", 2}, {"a", "e1", 1}, {"d", "e1", 4}, {"c", "e1", 3}} {
		t.Run(m.id, func(t *testing.T) {
			if status := post(t, server, "/hook", m.id, event(m.entity, m.sequence)); status != http.StatusNoContent {
				t.Errorf("%s: %d", m.id, status)
			}
		})
	}
	l := ledger(t, server)
	if l.Received != 5 || len(l.IDs) != 4 || l.IDs["a"] != (Entry{2, 2}) || fmt.Sprint(l.Entities["e1"]) != "[1 4 3]" || l.OutOfOrder != 1 {
		t.Errorf("%+v", l)
	}
	post(t, server, "/hook", "dig", `{"type":"digest","data":{"changes":[{"delivery_id":"x","entity_id":"e2","sequence":5},{"delivery_id":"y","entity_id":"e2","sequence":6}]}}`)
	if l = ledger(t, server); l.IDs["x"].Accepted != 1 || l.IDs["y"].Accepted != 1 || fmt.Sprint(l.Entities["e2"]) != "[2 5 6]" {
		t.Errorf("after a digest: %+v", l)
	}
	post(t, server, "/reset", "", "")
	if l = ledger(t, server); l.Received != 0 || len(l.IDs) != 0 {
		t.Errorf("after a reset: %+v", l)
	}
}

func TestASinkMisbehavesTheSameWayForTheSameSeed(t *testing.T) {
	run := func(seed uint64) string {
		server := httptest.NewServer(New(seed))
		defer server.Close()
		if status := post(t, server, "/behaviour", "", `{"mode":"accept","fail_rate":0.5,"fail_status":503}`); status != http.StatusNoContent {
			t.Fatal(status)
		}
		var all []string
		for i := range 40 {
			all = append(all, fmt.Sprint(post(t, server, "/hook", fmt.Sprint(i), event("e", i))))
		}
		return strings.Join(all, " ")
	}
	first := run(1)
	if first != run(1) || first == run(2) || !strings.Contains(first, "503") || !strings.Contains(first, "204") {
		t.Errorf("%s", first)
	}
}

func TestWhatIsRefusedIsSeenButNotAccepted(t *testing.T) {
	sink := New(1)
	server := httptest.NewServer(sink)
	defer server.Close()
	sink.Behave(Behaviour{Mode: Vanish})
	if status := post(t, server, "/hook", "a", event("e", 1)); status != http.StatusGone {
		t.Errorf("status %d", status)
	}
	if post(t, server, "/hook", "b", "not json"); sink.Ledger().Unreadable != 1 {
		t.Error("nonsense was taken for a message")
	}
	if l := sink.Ledger(); l.Received != 2 || l.Accepted != 0 || l.IDs["a"] != (Entry{1, 0}) || len(l.Entities) != 0 {
		t.Errorf("%+v", l)
	}
}
