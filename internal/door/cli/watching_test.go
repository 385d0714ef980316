package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/door/rest"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/curlew-data/curlew/internal/work/deliver"
	"github.com/curlew-data/curlew/internal/work/deliver/sinktest"
)

// must runs a command that should succeed, for programs, and reads what it says.
func (r *reader) must(into any, args ...string) string {
	r.Helper()
	if into != nil {
		args = append(args, "--json")
	}
	code, out, complaint := r.curlew(r.Context(), append(args, "--deliver-plain-http", "true")...)
	if code != 0 {
		r.Fatalf("curlew %s: exit %d: %s%s", strings.Join(args, " "), code, out, complaint)
	}
	if into != nil {
		if err := json.Unmarshal([]byte(out), into); err != nil {
			r.Fatalf("curlew %s: %v in %s", strings.Join(args, " "), err, out)
		}
	}
	return out
}

// refused runs a command that should fail so, with a sentence that holds the words.
func (r *reader) refused(want int, words string, args ...string) {
	r.Helper()
	code, out, complaint := r.curlew(r.Context(), args...)
	if code != want || !strings.Contains(complaint, words) {
		r.Errorf("curlew %s: exit %d, want %d and %q: %s%s", strings.Join(args, " "), code, want, words, out, complaint)
	}
}

// sink gives the reader a webhook receiver in reach.
func (r *reader) sink() (*sinktest.Sink, string) {
	r.Helper()
	sink := sinktest.New(1)
	server := httptest.NewServer(sink)
	r.Cleanup(server.Close)
	u, err := url.Parse(server.URL)
	if err != nil {
		r.Fatal(err)
	}
	r.ports += "," + u.Port()
	return sink, server.URL + "/hook"
}

// TestAStoryOfWatching is docs/watching.md as a program: add a site, subscribe, let a
// day pass, be told, send it again, look back, export, read the feed, read again by
// other rules, go back, and end.
func TestAStoryOfWatching(t *testing.T) {
	r := newReader(t)
	sink, hook := r.sink()
	var added struct {
		Source    curlew.Source
		Blueprint curlew.Blueprint
		Watch     curlew.Watch
		Run       *curlew.Run
	}
	r.must(&added, "watches", "add", r.site("council"), "--delay", "0s", "--name", "council", "--schema", "event", "--every", "hourly")
	watch := string(added.Watch.ID)
	if added.Run == nil || added.Run.State != curlew.RunSucceeded || added.Run.Counters["appeared"] == 0 || added.Blueprint.Status != curlew.BlueprintActive {
		t.Fatalf("added %+v", added)
	}
	var sub app.Subscribed
	r.must(&sub, "subscriptions", "add", "--channel", "webhook", "--to", hook, "--watch", watch, "--name", "meetings")
	sink.Secrets = []deliver.Secret{{Key: sub.Secret}}
	r.must(nil, "subscriptions", "test", string(sub.ID))
	var told visitReport
	for day := 0; day < 20 && len(told.Changes) == 0; day++ {
		r.web.AdvanceAll()
		r.must(&told, "watches", "trigger", watch, "--wait")
	}
	if len(told.Changes) == 0 {
		t.Fatal("nothing changed in twenty days")
	}
	r.delivered(sink, string(sub.ID), len(told.Changes))
	r.lookBack(watch, told.Changes[0])
	r.takeOut(added.Source, watch, string(sub.ID))
	r.readAgain(added.Source, added.Blueprint, watch)
	r.refused(exitFailed, "has a subscription", "watches", "remove", watch)
	r.must(nil, "subscriptions", "remove", string(sub.ID))
	r.must(nil, "watches", "remove", watch)
	r.refused(exitFailed, "not found", "watches", "show", watch)
	if out := r.must(nil, "fsck"); !strings.Contains(out, "All invariants hold") {
		t.Error(out)
	}
}

// delivered waits until all was told, and sends it again.
func (r *reader) delivered(sink *sinktest.Sink, sub string, n int) {
	r.Helper()
	var rest visitReport
	var watches []curlew.Watch
	r.must(&watches, "watches", "list")
	if l := sink.Ledger(); l.Accepted < n+1 || l.BadSignatures != 0 || l.OutOfOrder != 0 {
		r.Fatalf("of %d changes and a test the sink has %+v", n, l)
	}
	var all []curlew.Delivery
	r.must(&all, "deliveries", "list", "--subscription", sub, "--status", "delivered")
	if len(all) < n {
		r.Fatalf("%d deliveries are done, want %d", len(all), n)
	}
	r.must(nil, "deliveries", "replay", string(all[0].ID))
	r.must(&rest, "watches", "trigger", string(watches[0].ID), "--wait")
	var one deliveryReport
	r.must(&one, "deliveries", "show", string(all[0].ID))
	if len(one.Tries) == 0 || one.Sent.ID == "" {
		r.Errorf("the delivery is %+v", one)
	}
	r.refused(exitUsage, "say what to send again", "deliveries", "replay")
}

// lookBack asks what is known of the entity of a change.
func (r *reader) lookBack(watch string, change curlew.Change) {
	r.Helper()
	entity := string(change.Entity)
	var report app.EntityReport
	r.must(&report, "entities", "show", entity, "--history")
	if len(report.History) == 0 || len(report.Provenance) == 0 || report.Page == nil {
		r.Errorf("the entity is %+v", report)
	}
	var found []curlew.Entity
	r.must(&found, "entities", "list", "--search", strings.ToUpper(fmt.Sprint(report.Fields["title"])))
	if !slices.ContainsFunc(found, func(e curlew.Entity) bool { return e.ID == change.Entity }) {
		r.Errorf("%q is not found by its title", report.Fields["title"])
	}
	if out := r.must(nil, "changes", "list", "--search", fmt.Sprint(report.Fields["title"])); !strings.Contains(out, fmt.Sprint(report.Fields["title"])) {
		r.Errorf("its changes: %s", out)
	}
	if out := r.must(nil, "entities", "list", "--search", "qqqq"); !strings.Contains(out, "No entities found") {
		r.Errorf("nothing is called qqqq, but: %s", out)
	}
	r.refused(exitFailed, "search for fewer words", "entities", "list", "--search", strings.Repeat("x", 300))
	r.refused(exitFailed, "was not known", "entities", "show", entity, "--at", "2001-01-01")
	if out := r.must(nil, "entities", "show", entity); !strings.Contains(out, "from the page's HTML") {
		r.Errorf("no evidence in %s", out)
	}
	if out := r.must(nil, "changes", "list", "--watch", watch, "--since", "24h"); strings.Count(out, "\n") < 2 {
		r.Errorf("changes: %s", out)
	}
	for _, args := range [][]string{{"watches", "show", watch}, {"watches", "health"}, {"sources", "list"}, {"publications", "latest", "--watch", watch},
		{"publications", "list"}, {"subscriptions", "list"}, {"subscriptions", "preview", "--kinds", "entity_appeared"}, {"blueprints", "list"}} {
		r.must(nil, args...)
		var any json.RawMessage
		r.must(&any, args...)
	}
}

// takeOut exports what there is, and reads it as a feed.
func (r *reader) takeOut(source curlew.Source, watch, sub string) {
	r.Helper()
	file := filepath.Join(r.TempDir(), "out")
	for format, sign := range map[string]string{"csv": "title,", "jsonl": "{", "ics": "BEGIN:VCALENDAR", "atom": "<?xml", "json-feed": "{", "rss": "<?xml", "xlsx": "PK", "json": "[\n{\"title\""} {
		r.must(nil, "export", "--source", string(source.ID), "--format", format, "-o", file)
		text, err := os.ReadFile(file)
		if err != nil || !strings.HasPrefix(string(text), sign) {
			r.Errorf("%s begins with %.40q (%v)", format, text, err)
		}
	}
	cfg, err := config.Load(config.Inputs{Flags: map[string]string{"data": r.data}})
	if err != nil {
		r.Fatal(err)
	}
	i, err := setup.Open(r.Context(), cfg, setup.Options{})
	if err != nil {
		r.Fatal(err)
	}
	defer i.Close()
	server := httptest.NewServer(rest.Handler(i, http.NotFoundHandler(), rest.ServeFeeds(useCases(i).ServedFeed, nil)))
	defer server.Close()
	for _, of := range []struct{ id, format, more string }{{string(source.ID), "atom", ""}, {watch, "ics", ""}, {watch, "json", "&changes=1"}, {sub, "rss", ""}} {
		path := r.feed(of.id, of.format) + of.more
		answer, err := http.Get(server.URL + path)
		if err != nil {
			r.Fatal(err)
		}
		body, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusOK || len(body) < 300 {
			r.Errorf("%s: %s, %d bytes", path, answer.Status, len(body))
		}
	}
}

// feed is the path of a feed with its key.
func (r *reader) feed(id, format string) string {
	r.Helper()
	var address app.FeedAddress
	r.must(&address, "feeds", "show", id)
	for _, f := range address.URLs {
		if _, path, ok := strings.Cut(f.URL, "/feeds/"); ok && f.Format == format {
			return "/feeds/" + path
		}
	}
	r.Fatalf("%s has no feed as %s", id, format)
	return ""
}

// readAgain reads by a changed blueprint what is archived, and goes back.
func (r *reader) readAgain(source curlew.Source, first curlew.Blueprint, watch string) {
	r.Helper()
	file := filepath.Join(r.TempDir(), "blueprint.json")
	r.must(nil, "blueprints", "export", string(first.ID), "-o", file)
	var second struct{ Blueprint curlew.Blueprint }
	r.must(&second, "blueprints", "import", "--source", string(source.ID), "--activate", file)
	if second.Blueprint.Version != first.Version+1 {
		r.Errorf("the import is version %d", second.Blueprint.Version)
	}
	var again visitReport
	r.must(&again, "replay", "--watch", watch, "--wait")
	if len(again.Changes) != 0 || again.Run.Counters[curlew.CountScraped] != 0 {
		r.Errorf("reading again told %d changes: %v", len(again.Changes), again.Run.Counters)
	}
	if out := r.must(nil, "blueprints", "diff", string(first.ID), string(second.Blueprint.ID)); !strings.Contains(out, "read the same") {
		r.Error(out)
	}
	if out := r.must(nil, "blueprints", "activate", string(first.ID)); !strings.Contains(out, "1 watch follows") {
		r.Error(out)
	}
}

func TestAPageThatIsNotWorthWatchingIsTurnedDown(t *testing.T) {
	r := newReader(t)
	r.refused(exitUnfit, "could not be read", "watches", "add", r.site("trap")+"/nowhere", "--delay", "0s")
	r.refused(exitUsage, "shortest interval", "watches", "add", r.site("shop"), "--every", "every 10s")
	r.refused(exitUsage, "is not an address", "watches", "add", "shop")
	code, _, complaint := r.curlewWith(t.Context(), nil, "watches", "add", r.site("shop"))
	if code != exitRefused {
		t.Errorf("loopback without an allowance: exit %d %s", code, complaint)
	}
	if out := r.must(nil, "watches", "list"); !strings.Contains(out, "No watches found") {
		t.Error(out)
	}
}
