package door_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/door/grpc/blueprintv1"
	"github.com/curlew-data/curlew/internal/door/grpc/candidatev1"
	"github.com/curlew-data/curlew/internal/door/grpc/kindv1"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/testkit/eventually"
	"github.com/curlew-data/curlew/internal/testkit/world"
	"github.com/curlew-data/curlew/internal/work/watch"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// rpcCases has one case for each remote call: what is sent about the things of an
// org, and whether that names something of it. A call without one fails the test.
var rpcCases = map[string]struct {
	body  func(b world.IDs) string
	names bool
}{
	"FetchHTML":         {body: just(`{"url":"http://192.0.2.1/"}`)},
	"GenerateBlueprint": {body: just(`{"page":{"html":"<ul><li>x</li></ul>"},"schema":"event"}`)},
	"TestBlueprint":     {body: func(b world.IDs) string { return `{"page":{"html":"<li>x</li>"},"blueprintId":"` + b["bp"] + `"}` }, names: true},
	"ProposeCandidate":  {body: just(`{"url":"https://example.org/new"}`)},
	"GetCandidate":      {body: candidateBody(``), names: true},
	"ChooseReading":     {body: candidateBody(`,"reading":1`), names: true},
	"ApproveCandidate":  {body: candidateBody(``), names: true},
	"RejectCandidate":   {body: candidateBody(`,"why":"taken over"`), names: true},
	"RetryCandidate":    {body: candidateBody(``), names: true},
	"EditCandidate":     {body: candidateBody(`,"name":"taken over"`), names: true},
	"DeleteCandidate":   {body: candidateBody(``), names: true},
	"ListKinds":         {body: just(`{}`)},
	"GetKind":           {body: kindBody(``), names: true},
	"ProposeKind":       {body: func(b world.IDs) string { return `{"watchId":"` + b["wat"] + `"}` }, names: true},
	"AddKind":           {body: just(`{"name":"home","fields":[{"name":"street","type":"text"}]}`)},
	"EditKind":          {body: kindBody(`,"rename":{"subject":"taken_over"}`), names: true},
	"DeleteKind":        {body: kindBody(``), names: true},
	"RepairBlueprint":   {body: func(b world.IDs) string { return `{"page":{"html":"<li>x</li>"},"blueprintId":"` + b["bp"] + `"}` }, names: true},
}

func candidateBody(more string) func(world.IDs) string {
	return func(b world.IDs) string { return `{"id":"` + b["can"] + `"` + more + `}` }
}

func kindBody(more string) func(world.IDs) string {
	return func(b world.IDs) string { return `{"name":"` + b[""] + `"` + more + `}` }
}

// callMethods are the paths of all remote calls, by their names; what deletes comes last.
func callMethods() (names []string) {
	for _, service := range []protoreflect.ServiceDescriptor{
		blueprintv1.File_curlew_blueprint_v1_blueprint_proto.Services().ByName("BlueprintService"),
		candidatev1.File_curlew_candidate_v1_candidate_proto.Services().ByName("CandidateService"),
		kindv1.File_curlew_kind_v1_kind_proto.Services().ByName("KindService"),
	} {
		for n := range service.Methods().Len() {
			names = append(names, string(service.Methods().Get(n).Name()))
		}
	}
	return names
}

// TestOrgsAreIsolatedInRemoteCalls tries every call with what another org has, in every
// role.
func TestOrgsAreIsolatedInRemoteCalls(t *testing.T) { onEachEngine(t, areIsolatedInCalls) }

func areIsolatedInCalls(t *testing.T, w *apiWorld) {
	t.Helper()
	nobodys := world.IDs{}
	for prefix, id := range w.birch {
		nobodys[prefix] = id[:len(id)-6] + "zzzzzz"
	}
	before := w.everything("birch")
	for _, name := range callMethods() {
		c, ok := rpcCases[name]
		if !ok {
			t.Errorf("%s has no case: say how to try whether orgs are isolated", name)
			continue
		}
		if code, text := w.posts(name, "", c.body(w.acme)); code != http.StatusUnauthorized {
			t.Errorf("%s without a key: %d %s", name, code, text)
		}
		for _, role := range []string{"viewer", "nobody", "editor"} {
			t.Run(role, func(t *testing.T) {
				code, text := w.posts(name, "acme."+role, c.body(w.birch))
				switch {
				case role != "editor" && code != http.StatusForbidden:
					t.Errorf("%s as %s: %d %s", name, role, code, text)
				case role == "editor" && c.names && code != http.StatusNotFound:
					t.Errorf("%s with something of another org: %d %s", name, code, text)
				case code >= 500:
					t.Errorf("%s: %d %s", name, code, text)
				}
				if strings.Contains(text, "secret of birch") {
					t.Errorf("%s tells of birch: %s", name, text)
				}
			})
		}
		if c.names {
			another, absent := w.sentence(name, c.body(w.birch)), w.sentence(name, c.body(nobodys))
			if volatile.ReplaceAllString(another, "") != volatile.ReplaceAllString(absent, "") {
				t.Errorf("%s tells what is another's from what is not there:\n%s\n%s", name, another, absent)
			}
			if code, text := w.posts(name, "acme.editor", c.body(w.acme)); code == http.StatusNotFound {
				t.Errorf("%s does not find its own: %s", name, text)
			}
		}
	}
	if n := len(callMethods()); n != len(rpcCases) {
		t.Errorf("%d calls are tried, there are %d", len(rpcCases), n)
	}
	if after := w.everything("birch"); after != before {
		t.Errorf("birch changed from\n%s\nto\n%s", before, after)
	}
}

func (w *apiWorld) sentence(method, body string) string {
	w.Helper()
	_, text := w.posts(method, "acme.editor", body)
	return problemIn(w.T, text).Sentence
}

// A blueprint that is watched is repaired by what its watch has seen; nothing else of the
// caller is needed, and nothing is changed.
func TestAWatchedBlueprintIsRepairedByWhatWasSeen(t *testing.T) {
	r := newSites(t)
	w := r.serving(config.Default())
	w.takeIn(r.site("shop"), "products")
	scope := w.i.Store.Org(curlew.DefaultOrg)
	watches, err := scope.Watches().List(t.Context(), store.WatchFilter{}, store.Window{Limit: 10})
	if err != nil || len(watches) == 0 {
		t.Fatalf("%v %v", watches, err)
	}
	client := w.client("default.editor")
	repair := func() *blueprintv1.RepairBlueprintResponse {
		t.Helper()
		answer, err := client.RepairBlueprint(t.Context(), connect.NewRequest(&blueprintv1.RepairBlueprintRequest{BlueprintId: string(watches[0].Blueprint)}))
		if err != nil {
			t.Fatal(err)
		}
		return answer.Msg
	}
	if got := repair(); got.Outcome != blueprintv1.RepairBlueprintResponse_OUTCOME_KEPT {
		t.Errorf("what fits: %v %v", got.Outcome, got.Reasons)
	}
	outcomes := []blueprintv1.RepairBlueprintResponse_Outcome{}
	for range 5 {
		if err := r.web.Redesign("shop"); err != nil {
			t.Fatal(err)
		}
		got := repair()
		if outcomes = append(outcomes, got.Outcome); got.Outcome != blueprintv1.RepairBlueprintResponse_OUTCOME_REPAIRED {
			continue
		}
		if got.Blueprint == nil || len(got.Diff) == 0 || got.Proof.FoundEntities == 0 || got.Proof.KnownEntities != 62 || len(got.Records) == 0 {
			t.Errorf("the repair: %v", got)
		}
		break
	}
	if !slices.Contains(outcomes, blueprintv1.RepairBlueprintResponse_OUTCOME_REPAIRED) {
		t.Errorf("no redesign had to be repaired: %v", outcomes)
	}
	if after, err := scope.Watches().List(t.Context(), store.WatchFilter{}, store.Window{Limit: 10}); err != nil || after[0].Blueprint != watches[0].Blueprint {
		t.Errorf("the watch reads by another blueprint now: %v %v", after, err)
	}
}

// takeIn makes a site a source of the default org, and lets its watch look once.
func (w *rpcWorld) takeIn(address, instructions string) {
	w.Helper()
	ctx, end := context.WithCancel(w.Context())
	var worker sync.WaitGroup
	defer worker.Wait()
	defer end()
	worker.Go(func() {
		o := w.i.WorkerOptions()
		o.Concurrency, o.Poll = 2, 100*time.Millisecond
		w.i.Queue.Work(ctx, o)
	})
	_, err := w.i.Onboard.Propose(ctx, curlew.DefaultOrg, curlew.Candidate{URL: address, Name: "shop", Instructions: instructions, Priority: curlew.PriorityNormal, AutoDeploy: true})
	if err != nil {
		w.Fatal(err)
	}
	w.rest()
	watches, err := w.i.Store.Org(curlew.DefaultOrg).Watches().List(ctx, store.WatchFilter{}, store.Window{Limit: 10})
	if err != nil || len(watches) == 0 {
		w.Fatalf("no watch: %v", err)
	}
	err = w.i.Store.Write(ctx, curlew.DefaultOrg, func(s store.WriteScope) error {
		_, err := watch.Start(ctx, w.i.Jobs, s, watches[0].ID, watch.Plan{Trigger: "manual"})
		return err
	})
	if err != nil {
		w.Fatal(err)
	}
	w.rest()
}

// rest waits until no run of the default org is under way.
func (w *rpcWorld) rest() {
	w.Helper()
	eventually.True(w.T, "the runs end", func() bool {
		runs, err := w.i.Store.Org(curlew.DefaultOrg).Runs().Unfinished(w.Context(), 1)
		if err != nil {
			w.Fatal(err)
		}
		return len(runs) == 0
	})
}
