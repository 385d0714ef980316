package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/database"
	"github.com/curlew-data/curlew/internal/data/database/databasetest"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/failpoint"
	"github.com/curlew-data/curlew/internal/testkit/eventually"
	"github.com/curlew-data/curlew/internal/work/deliver/sinktest"
)

// twoServers is one API, with workers, before two Postgres servers, and the command line beside it.
type twoServers struct {
	*testing.T
	*testServer
	settings map[string]string
	site     string       // that both orgs watch
	more     atomic.Int64 // concerts that were added to its list
	keys     map[curlew.OrgID]string
}

func openTwoServers(t *testing.T) *twoServers {
	t.Helper()
	return openTwoServersWith(t, databasetest.OtherURL(t))
}

func openTwoServersWith(t *testing.T, east string) *twoServers {
	t.Helper()
	s := &twoServers{T: t, keys: map[curlew.OrgID]string{}}
	s.site = serveFor(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		var more strings.Builder
		for n := range s.more.Load() {
			fmt.Fprintf(&more, `<li><h3><a href="/c/%d">Bartok by the river</a></h3><time datetime="%sT19:30">%[2]s 19:30</time> <span class=place>Hall %[1]d</span></li>`,
				100+n, dayOf(int(n)+9))
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, strings.Replace(concertList(), "</ul>", more.String()+"</ul>", 1))
	})) + "/"
	s.settings = map[string]string{"database": databasetest.URL(t, database.Postgres), "database-shards": "east=" + east,
		"deliver-retries": "1s,2s,2s,2s,2s,2s,2s,2s,2s,2s,2s,2s"}
	s.testServer = openServerWith(t, s.settings, s.site)
	for _, org := range []curlew.OrgID{"acme", "birch"} {
		s.must("orgs", "add", string(org), "--owner", string(org)+"@example.org")
	}
	return s
}

// command is a process of its own that runs a command line.
func (s *twoServers) command(args ...string) *exec.Cmd {
	c := exec.CommandContext(s.Context(), "curlew", args...)
	for name, value := range s.settings {
		if name == "database" {
			name = "database-url"
		}
		c.Env = append(c.Env, "CURLEW_"+strings.ToUpper(strings.ReplaceAll(name, "-", "_"))+"="+value)
	}
	c.Env = append(c.Env, "CURLEW_DATA="+s.Config.Data, "HOME="+s.Config.Data)
	return c
}

// must runs a command and gives what it says.
func (s *twoServers) must(args ...string) string {
	s.Helper()
	var complaint bytes.Buffer
	c := s.command(args...)
	c.Stderr = &complaint
	out, err := c.Output()
	if err != nil {
		s.Fatalf("curlew %v: %v\n%s%s", args, err, out, &complaint)
	}
	return string(out)
}

// refused runs a command that must fail with a sentence.
func (s *twoServers) refused(want string, args ...string) {
	s.Helper()
	out, err := s.command(args...).CombinedOutput()
	if err == nil || !strings.Contains(string(out), want) {
		s.Errorf("curlew %v: %v\n%s\nwant %q", args, err, out, want)
	}
}

// killed runs a command that dies at a failpoint.
func (s *twoServers) killed(at string, args ...string) {
	s.Helper()
	c := s.command(args...)
	c.Env = append(c.Env, failpoint.Variable+"="+at)
	out, err := c.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		s.Fatalf("at %s: %v\n%s", at, err, out)
	}
}

// call asks the API with the key of an org.
func (s *twoServers) call(org curlew.OrgID, method, path, body string, into any) (int, string) {
	s.Helper()
	if s.keys[org] == "" {
		s.keys[org] = strings.TrimSpace(s.must("--org", string(org), "keys", "add", "test", "--scope", "read", "--scope", "write", "--scope", "deliver",
			"--scope", "admin"))
	}
	request, err := http.NewRequestWithContext(s.Context(), method, s.base+"/api/v1"+path, strings.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+s.keys[org])
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		s.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && into != nil && answer.StatusCode < 300 {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		s.Fatal(method, path, err, string(text))
	}
	return answer.StatusCode, string(text)
}

func (s *twoServers) mustCall(org curlew.OrgID, method, path, body string, into any) {
	s.Helper()
	if code, text := s.call(org, method, path, body, into); code >= 300 {
		s.Fatal(org, method, path, code, text)
	}
}

type listed[T any] struct {
	Data []T `json:"data"`
}

// watches adds the site to an org, and gives its watch once its entities are known.
func (s *twoServers) watches(org curlew.OrgID) curlew.Watch {
	s.Helper()
	s.mustCall(org, http.MethodPost, "/candidates", `{"url":"`+s.site+`"}`, nil)
	eventually.True(s, string(org)+" watches eight concerts", func() bool { return s.known(org) == 8 })
	var watches listed[curlew.Watch]
	if s.mustCall(org, http.MethodGet, "/watches", "", &watches); len(watches.Data) != 1 || s.entities(org) != 8 {
		s.Fatalf("%s has %d entities and the watches %v", org, s.entities(org), watches)
	}
	return watches.Data[0]
}

// scope is where an org lives: to look there again and again takes none of the requests that a key may make.
func (s *twoServers) scope(org curlew.OrgID) store.Scope {
	s.Helper()
	i, err := s.Of(s.Context(), org)
	if err != nil {
		s.Fatal(err)
	}
	return i.Store.Org(org)
}

func (s *twoServers) known(org curlew.OrgID) int {
	s.Helper()
	all, err := s.scope(org).Entities().List(s.Context(), store.EntityFilter{}, store.Window{})
	if err != nil {
		s.Fatal(err)
	}
	return len(all)
}

func (s *twoServers) entities(org curlew.OrgID) int {
	s.Helper()
	var all listed[curlew.Entity]
	s.mustCall(org, http.MethodGet, "/entities", "", &all)
	return len(all.Data)
}

// rows says on which databases an org has rows of its own.
func (s *twoServers) rows(org curlew.OrgID) (on []string) {
	s.Helper()
	all, err := s.Every(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	for _, i := range all {
		there, err := i.Store.OrgsWithRows(s.Context())
		if err != nil {
			s.Fatal(err)
		}
		if there[org] {
			on = append(on, i.Shard)
		}
	}
	return on
}

// Two orgs live on two servers behind one API: each sees its own, watches run on both, and one is moved while a delivery waits,
// by commands that are killed at every step.
func TestOrgsLiveOnTwoServers(t *testing.T) {
	s := openTwoServers(t)
	s.must("orgs", "move", "birch", "--to", "east", "--grace", "1ms")
	ours, theirs := s.watches("acme"), s.watches("birch")
	for org, want := range map[curlew.OrgID]string{"acme": "main", "birch": "east"} {
		if on := s.rows(org); !slices.Equal(on, []string{want}) {
			t.Errorf("%s has rows on %v", org, on)
		}
	}
	for org, foreign := range map[curlew.OrgID]curlew.Watch{"acme": theirs, "birch": ours} {
		if code, text := s.call(org, http.MethodGet, "/watches/"+string(foreign.ID), "", nil); code != http.StatusNotFound {
			t.Errorf("%s sees what is not its own: %d %s", org, code, text)
		}
	}
	s.directory(t)
	s.feeds(t, theirs)

	s.deliveryWaits(t, theirs)
	moved := s.stream(t, "birch")
	s.moveKilled(t, "birch", "main")
	if last := <-moved; !strings.Contains(last, "moved to another database") {
		t.Errorf("the stream ended with %q", last)
	}
	if on := s.rows("birch"); !slices.Equal(on, []string{"main"}) || s.entities("birch") != 9 {
		t.Errorf("birch has rows on %v, %d entities", on, s.entities("birch"))
	}
	s.deliveredOnce(t, 1)
	s.comesAgain(t, theirs)
	s.mistakes(t)
	if out := s.must("fsck"); !strings.Contains(out, "All invariants hold") {
		t.Error(out)
	}
}

// directory: what is done about people, keys and the name of an org is done in the first database, and stands in the log of the org.
func (s *twoServers) directory(t *testing.T) {
	t.Helper()
	var org curlew.Org
	s.mustCall("birch", http.MethodPatch, "/org", `{"name":"Birch & Sons"}`, &org)
	s.mustCall("birch", http.MethodGet, "/org", "", &org)
	s.mustCall("birch", http.MethodPost, "/people", `{"email":"new@example.org","role":"viewer"}`, nil)
	var people listed[struct{ Email string }]
	s.mustCall("birch", http.MethodGet, "/people", "", &people)
	var log listed[curlew.AuditEntry]
	s.mustCall("birch", http.MethodGet, "/audit", "", &log)
	actions := map[string]int{}
	for n, e := range log.Data {
		actions[e.Action]++
		if e.Sequence != int64(len(log.Data)-n) {
			t.Errorf("the lines are numbered %d after %d others", e.Sequence, n)
		}
	}
	want := map[string]int{"org.add": 1, "org.move": 1, "key.add": 1, "proposeCandidate": 1, "editOrg": 1, "user.add": 1}
	if org.Name != "Birch & Sons" || len(people.Data) != 2 || !maps.Equal(actions, want) {
		t.Errorf("the org %+v, people %+v, log %v", org, people, actions)
	}
}

// feeds are found by their addresses, which name no org.
func (s *twoServers) feeds(t *testing.T, w curlew.Watch) {
	t.Helper()
	out := s.must("--org", "birch", "--json", "feeds", "show", string(w.ID))
	at := strings.Index(out, "/feeds/watch/")
	if at < 0 {
		t.Fatal(out)
	}
	path := strings.ReplaceAll(out[at:at+strings.IndexByte(out[at:], '"')], `\u0026`, "&")
	answer, err := http.Get(s.base + path)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("%s answered %d", path, answer.StatusCode)
	}
}

// deliveryWaits lets something change while the subscriber refuses it.
func (s *twoServers) deliveryWaits(t *testing.T, w curlew.Watch) {
	t.Helper()
	s.mustCall("birch", http.MethodPost, "/subscriptions", `{"name":"concerts","channel":"webhook","to":["`+s.hook+`"],"watch_id":"`+string(w.ID)+`"}`, nil)
	s.sink.Behave(sinktest.Behaviour{Mode: sinktest.Accept, FailRate: 1})
	s.comesAgain(t, w)
	eventually.True(t, "the delivery was tried and waits", func() bool {
		waiting, err := s.scope("birch").Deliveries().List(t.Context(), store.DeliveryFilter{Status: curlew.DeliveryPending}, store.Window{})
		return err == nil && len(waiting) == 1 && waiting[0].Attempts > 0
	})
}

// comesAgain adds a concert, and checks the watch until it is known.
func (s *twoServers) comesAgain(t *testing.T, w curlew.Watch) {
	t.Helper()
	want := int(8 + s.more.Add(1))
	s.mustCall("birch", http.MethodPost, "/watches/"+string(w.ID)+"/trigger", `{}`, nil)
	eventually.True(t, "the new concert is known", func() bool { return s.known("birch") == want })
}

// stream looks on at an org, and tells the reason for which it was ended.
func (s *twoServers) stream(t *testing.T, org curlew.OrgID) <-chan string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.base+"/api/v1/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+s.keys[org])
	answer, err := http.DefaultClient.Do(request)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatal(answer, err)
	}
	ended := make(chan string, 1)
	go func() {
		defer answer.Body.Close()
		last, lines := "", bufio.NewScanner(answer.Body)
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				last = data
			}
		}
		ended <- last
	}()
	return ended
}

// moveKilled moves an org by commands of which each is killed one step further on.
func (s *twoServers) moveKilled(t *testing.T, org curlew.OrgID, to string) {
	t.Helper()
	move := []string{"orgs", "move", string(org), "--to", to, "--grace", "1ms"}
	points := failpoint.MovePoints()
	for _, at := range points {
		s.killed(at, move...)
		if at == failpoint.MoveCopied { // on neither side anything of it happens, and nothing of it can be changed
			code, text := s.call(org, http.MethodPost, "/candidates", `{"url":"https://example.org/"}`, nil)
			if code != http.StatusServiceUnavailable || !strings.Contains(text, "is being moved to another database") {
				t.Errorf("a change is answered with %d %s", code, text)
			}
			if n := s.entities(org); n != 9 {
				t.Errorf("it has %d entities meanwhile", n)
			}
			s.sink.Behave(sinktest.Behaviour{Mode: sinktest.Accept})
			if out := s.must("doctor"); !strings.Contains(out, "goes on, --to east takes it back") || !strings.Contains(out, "shard east: ") {
				t.Error(out)
			}
		}
	}
	if out := s.must(move...); !strings.Contains(out, "lives on "+to+" now") {
		t.Error(out)
	}
}

// deliveredOnce: each message was accepted, and once.
func (s *twoServers) deliveredOnce(t *testing.T, want int) {
	t.Helper()
	eventually.True(t, "the delivery arrives", func() bool { return s.sink.Ledger().Accepted >= want })
	eventually.True(t, "and is noted", func() bool {
		done, err := s.scope("birch").Deliveries().List(t.Context(), store.DeliveryFilter{Status: curlew.DeliveryDelivered}, store.Window{})
		return err == nil && len(done) == want
	})
	if l := s.sink.Ledger(); l.Accepted != want || len(l.IDs) != want {
		t.Errorf("the subscriber has %+v", l)
	}
}

func (s *twoServers) mistakes(t *testing.T) {
	t.Helper()
	s.refused(`the org "acme" is on the shard main already`, "orgs", "move", "acme", "--to", "main")
	s.refused(`unknown shard "west"`, "orgs", "move", "acme", "--to", "west")
	s.refused(`org "cedar" not found`, "orgs", "move", "cedar", "--to", "east")
	s.refused(`upkeep of each database`, "orgs", "move", "system", "--to", "east")
	s.killed(failpoint.MoveCopied, "orgs", "move", "acme", "--to", "east")
	if out := s.must("orgs", "move", "acme", "--to", "main", "--grace", "1ms"); !strings.Contains(out, "stays on main") {
		t.Error(out)
	}
	place, err := s.Store.Place(t.Context(), "acme")
	if on := s.rows("acme"); err != nil || place != (store.Place{Org: "acme", Shard: "main"}) || !slices.Equal(on, []string{"main"}) {
		t.Errorf("acme is %+v with rows on %v, %v", place, on, err)
	}
	s.mustCall("acme", http.MethodPost, "/candidates", `{"url":"https://example.org/"}`, nil)
	if out := s.must("backup", s.Config.Data+"/b.zip"); !strings.Contains(out, "of the databases main, east") {
		t.Error(out)
	}
}
