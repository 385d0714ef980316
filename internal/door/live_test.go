package door_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/door/rest"
)

// told is one event as it arrives.
type told struct {
	ID    string          `json:"id"`
	Event string          `json:"event"`
	Data  json.RawMessage `json:"data"`
}

// listen opens the stream and hands on its events, until the test leaves.
func (w *apiWorld) listen(query, last string) (events <-chan told, leave func()) {
	w.Helper()
	ctx, cancel := context.WithCancel(w.Context())
	request, err := http.NewRequestWithContext(ctx, "GET", w.server.URL+rest.Prefix+"/stream?"+query, nil)
	if err != nil {
		w.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer acme.viewer")
	if last != "" {
		request.Header.Set("Last-Event-ID", last)
	}
	answer, err := w.server.Client().Do(request)
	if err != nil {
		w.Fatal(err)
	}
	if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "text/event-stream" {
		w.Fatalf("%s %s", answer.Status, answer.Header.Get("Content-Type"))
	}
	out := make(chan told, 10_000)
	go func() {
		defer close(out)
		defer answer.Body.Close()
		lines := bufio.NewScanner(answer.Body)
		lines.Buffer(nil, 1<<20)
		var e told
		for lines.Scan() {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch name {
			case "id":
				e.ID = value
			case "event":
				e.Event = value
			case "data":
				e.Data = json.RawMessage(value)
			case "":
				if e.ID != "" {
					out <- e
				}
				e = told{}
			}
		}
	}()
	w.Cleanup(cancel)
	return out, cancel
}

// await waits for an event that fits.
func (w *apiWorld) await(events <-chan told, fits func(told) bool) told {
	w.Helper()
	for patience := time.After(2 * time.Minute); ; {
		select {
		case e, open := <-events:
			if !open {
				w.Fatal("the stream ended")
			}
			if fits(e) {
				return e
			}
		case <-patience:
			w.Fatal("the event never came")
		}
	}
}

func called(name string) func(told) bool { return func(e told) bool { return e.Event == name } }

func (w *apiWorld) change(org curlew.OrgID, kind curlew.ChangeKind) {
	w.Helper()
	err := w.i.Store.Write(w.Context(), org, func(s store.WriteScope) error {
		_, err := s.Changes().Add(w.Context(), curlew.Change{Kind: kind, Payload: json.RawMessage(`{}`)})
		return err
	})
	if err != nil {
		w.Fatal(err)
	}
}

func TestWhoLooksOnSeesRunsPagesAndChanges(t *testing.T) {
	w := newAPIWorld(t)
	events, leave := w.listen("", "")
	w.await(events, called("")) // the place to begin with
	w.change("birch", curlew.QualityDropped)
	w.change("acme", curlew.SourceHealed)
	if e := w.await(events, called("change")); !strings.Contains(string(e.Data), "source_healed") {
		t.Errorf("told of %s", e.Data)
	}
	err := w.i.Store.Write(t.Context(), "acme", func(s store.WriteScope) error {
		if _, err := s.Pages().Add(t.Context(), curlew.Page{Run: curlew.RunID(w.acme["run"]), URL: "https://news.example.org/1", Outcome: curlew.OutcomeFetched, Bytes: 7, Adapter: curlew.AdapterDirect}); err != nil {
			return err
		}
		run, err := s.Runs().Lock(t.Context(), curlew.RunID(w.acme["run"]))
		if err != nil {
			return err
		}
		run.State, run.Counters = curlew.RunRunning, curlew.Counters{curlew.CountSteps: 3}
		return s.Runs().Save(t.Context(), run)
	})
	if err != nil {
		t.Fatal(err)
	}
	missing := map[string]string{"article.processed": `"inserted":true`, "domain.metrics": `"domain":"news.example.org"`, "job.progress": `"steps":3`}
	var last told
	for len(missing) > 0 { // in whatever order the looks at the database find them
		last = w.await(events, func(e told) bool { return missing[e.Event] != "" && strings.Contains(string(e.Data), missing[e.Event]) })
		delete(missing, last.Event)
	}
	leave()
	w.change("acme", curlew.WatchFailed)
	w.ask("POST", rest.Prefix+"/runs/"+w.acme["run"]+"/stop", "acme.editor", "")
	again, _ := w.listen("", last.ID)
	w.await(again, func(e told) bool { return strings.Contains(string(e.Data), "watch_error") })
	if e := w.await(again, called("job.complete")); !strings.Contains(string(e.Data), `"state":"cancelled"`) {
		t.Errorf("the end of a run: %s", e.Data)
	}
}

// A page that came without encryption may be anybody's: it gets no socket of an installation that is reached by https.
func TestAWebSocketAsksForTheSchemeOfTheConsole(t *testing.T) {
	w := newAPIWorld(t)
	server := httptest.NewServer(rest.Handler(w.i, http.NotFoundHandler(),
		rest.ServeAPI(rest.Options{App: w.App, Base: "https://curlew.example/below", Authenticate: badge})))
	defer server.Close()
	for origin, welcome := range map[string]bool{"https://curlew.example": true, "http://curlew.example": false, "HTTP://Curlew.Example:80": false,
		"https://other.example": false, "": true} {
		t.Run(origin, func(t *testing.T) {
			header := http.Header{"Authorization": {"Bearer acme.viewer"}}
			if origin != "" {
				header.Set("Origin", origin)
			}
			conn, _, err := websocket.Dial(t.Context(), server.URL+rest.Prefix+"/ws", &websocket.DialOptions{HTTPHeader: header, Host: "curlew.example"})
			if (err == nil) != welcome {
				t.Errorf("from %q: %v", origin, err)
			}
			if err == nil {
				_ = conn.CloseNow()
			}
		})
	}
}

// Behind a proxy that hands on the name of the host alone, the page of another port is one of another site.
func TestAWebSocketAsksForThePortOfTheConsole(t *testing.T) {
	w := newAPIWorld(t)
	server := httptest.NewServer(rest.Handler(w.i, http.NotFoundHandler(),
		rest.ServeAPI(rest.Options{App: w.App, Base: "https://curlew.example:8845/below", Authenticate: badge})))
	defer server.Close()
	for origin, welcome := range map[string]bool{"https://curlew.example:8845": true, "https://curlew.example": false} {
		t.Run(origin, func(t *testing.T) {
			header := http.Header{"Authorization": {"Bearer acme.viewer"}, "Origin": {origin}}
			conn, _, err := websocket.Dial(t.Context(), server.URL+rest.Prefix+"/ws", &websocket.DialOptions{HTTPHeader: header, Host: "curlew.example"})
			if (err == nil) != welcome {
				t.Errorf("from %q: %v", origin, err)
			}
			if err == nil {
				_ = conn.CloseNow()
			}
		})
	}
}

func TestAWebSocketTellsTheSame(t *testing.T) {
	w := newAPIWorld(t)
	open := func(query, origin string) (*websocket.Conn, error) {
		header := http.Header{"Authorization": {"Bearer acme.viewer"}, "Origin": {origin}}
		conn, answer, err := websocket.Dial(t.Context(), w.server.URL+rest.Prefix+"/ws?"+query, &websocket.DialOptions{HTTPHeader: header})
		if err == nil {
			t.Cleanup(func() { _ = conn.CloseNow() })
		} else if answer != nil && answer.Header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("refused without a problem: %s", answer.Status)
		}
		return conn, err
	}
	socket, err := open("events=change", w.server.URL)
	if err != nil {
		t.Fatal(err)
	}
	if err := socket.Write(t.Context(), websocket.MessageText, []byte("a viewer may talk")); err != nil {
		t.Fatal(err)
	}
	w.change("acme", curlew.SourceHealed)
	var e told
	if err := wsjson.Read(t.Context(), socket, &e); err != nil || e.Event != "change" || e.ID == "" || !strings.Contains(string(e.Data), "source_healed") {
		t.Fatalf("told %+v: %v", e, err)
	}
	w.change("acme", curlew.SourceBroken)
	later, err := open("events=change&cursor="+e.ID, w.server.URL)
	if err != nil {
		t.Fatal(err)
	}
	if err := wsjson.Read(t.Context(), later, &e); err != nil || !strings.Contains(string(e.Data), "source_broken") {
		t.Errorf("after the cursor: %+v: %v", e, err)
	}
	if _, err := open("", "http://evil.example"); err == nil {
		t.Error("a page of another site looks on")
	}
	if err := later.Write(t.Context(), websocket.MessageText, make([]byte, 5<<10)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := later.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusMessageTooBig {
		t.Errorf("who talks at length hears %v", err)
	}
}

func TestManyLookOnAndASlowOneHarmsNobody(t *testing.T) {
	w := newAPIWorld(t)
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	slow, err := http.NewRequestWithContext(ctx, "GET", w.server.URL+rest.Prefix+"/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	slow.Header.Set("Authorization", "Bearer acme.viewer")
	stuck, err := w.server.Client().Do(slow) // and nobody reads
	if err != nil {
		t.Fatal(err)
	}
	defer stuck.Body.Close()
	var quick []<-chan told
	for range 10 {
		events, _ := w.listen("events=change", "")
		quick = append(quick, events)
	}
	filler := json.RawMessage(`{"reason":"` + strings.Repeat("x", 2_000) + `"}`)
	const many = 300
	for part := range many / 100 {
		changes := make([]curlew.Change, 100)
		for n := range changes {
			changes[n] = curlew.Change{Kind: curlew.WatchFailed, Payload: filler, OccurredAt: time.Now()}
		}
		if err := w.i.Store.Write(t.Context(), "acme", func(s store.WriteScope) error { _, err := s.Changes().AddAll(t.Context(), changes); return err }); err != nil {
			t.Fatalf("part %d: %v", part, err)
		}
	}
	for n, events := range quick {
		var sequences []int64
		for len(sequences) < many {
			var c curlew.Change
			e := w.await(events, func(e told) bool { return e.Event == "change" || e.Event == "dropped" })
			if e.Event == "dropped" {
				t.Fatalf("viewer %d was sent away after %d: %s", n, len(sequences), e.Data)
			}
			if err := json.Unmarshal(e.Data, &c); err != nil {
				t.Fatal(err)
			}
			sequences = append(sequences, c.Sequence)
		}
		if !slices.IsSorted(sequences) || sequences[0] != 2 || sequences[many-1] != many+1 {
			t.Errorf("viewer %d saw %d to %d", n, sequences[0], sequences[many-1])
		}
	}
}

func TestAKeyOpensTheAPIOfItsOrgAndWhatItDoesIsWrittenDown(t *testing.T) {
	w := newAPIWorld(t)
	options := rest.Options{App: w.App}
	w.server = httptest.NewServer(rest.Handler(w.i, http.NotFoundHandler(), rest.ServeAPI(options)))
	t.Cleanup(w.server.Close)
	key, text, err := w.Accounts.AddKey(t.Context(), auth.Operator("acme"), "ci", []curlew.KeyScope{curlew.ScopeRead, curlew.ScopeWrite}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{"/watches/" + w.acme["wat"] + "/pause": 200, "/watches/" + w.birch["wat"] + "/pause": 404, "/subscriptions/" + w.acme["sub"] + "/pause": 403} {
		t.Run(path, func(t *testing.T) {
			if answer, said := w.ask("POST", rest.Prefix+path, text, ""); answer.StatusCode != want {
				t.Errorf("%s: %s %s", path, answer.Status, said)
			}
		})
	}
	for _, wrong := range []string{"", text + "x", "cur_x_y"} {
		t.Run(wrong, func(t *testing.T) {
			if answer, said := w.ask("GET", rest.Prefix+"/watches", wrong, ""); answer.StatusCode != http.StatusUnauthorized {
				t.Errorf("%q: %s %s", wrong, answer.Status, said)
			}
		})
	}
	entries, err := w.i.Store.Org("acme").Audit().List(t.Context(), store.AuditFilter{Action: "pauseWatch", Limit: 10})
	if err != nil || len(entries) != 1 || entries[0].Thing != w.acme["wat"] || entries[0].Actor != string(key.ID) {
		t.Errorf("the audit log says %+v: %v", entries, err)
	}
	request, err := http.NewRequestWithContext(t.Context(), "GET", w.server.URL+rest.Prefix+"/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+text)
	stream, err := w.server.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	if err := w.App.RevokeKey(t.Context(), auth.Operator("acme"), key.ID); err != nil {
		t.Fatal(err)
	}
	if answer, _ := w.ask("GET", rest.Prefix+"/watches", text, ""); answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("with a revoked key: %s", answer.Status)
	}
	if told, err := io.ReadAll(stream.Body); err != nil || !strings.Contains(string(told), "no longer allowed") {
		t.Errorf("a stream of a revoked key ends with %q: %v", told, err)
	}
}
