package door_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/curlew-data/curlew/internal/door/grpc/blueprintv1"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/testkit/world"
	"github.com/curlew-data/curlew/internal/web/llm/llmtest"
)

// rpcPath is where the remote calls live.
const rpcPath = "/" + blueprintv1.BlueprintServiceName + "/"

// rpcWorld is a server with the sample web in reach.
type rpcWorld struct {
	*apiWorld
	sites *sites
}

func newRPCWorld(t *testing.T, ports ...string) *rpcWorld {
	return newSites(t).serving(config.Default(), ports...)
}

// serving opens a server that reads; the ports are reached besides those of the sample
// web.
func (s *sites) serving(cfg config.Config, ports ...string) *rpcWorld {
	s.Helper()
	s.configure(&cfg, ports...)
	cfg.Contact = "ada@example.org"
	return &rpcWorld{apiWorldOf(s.T, world.Options{Config: &cfg, Reads: true}), s}
}

// bearer shows a badge with every call.
func bearer(badge string) connect.Option {
	return connect.WithInterceptors(connect.UnaryInterceptorFunc(func(next connect.UnaryFunc) connect.UnaryFunc {
		return func(ctx context.Context, r connect.AnyRequest) (connect.AnyResponse, error) {
			r.Header().Set("Authorization", "Bearer "+badge)
			return next(ctx, r)
		}
	}))
}

// unencrypted is a client that speaks HTTP/2 as gRPC does inside a network.
func unencrypted() *http.Client {
	protocols := &http.Protocols{}
	protocols.SetUnencryptedHTTP2(true)
	return &http.Client{Transport: &http.Transport{Protocols: protocols}}
}

// speakers are clients of every protocol.
func (w *rpcWorld) speakers(badge string) map[string]blueprintv1.BlueprintServiceClient {
	make := func(client *http.Client, options ...connect.ClientOption) blueprintv1.BlueprintServiceClient {
		return blueprintv1.NewBlueprintServiceClient(client, w.server.URL, append(options, bearer(badge))...)
	}
	return map[string]blueprintv1.BlueprintServiceClient{
		"connect": make(w.server.Client()), "connect with JSON": make(w.server.Client(), connect.WithProtoJSON()), "connect over HTTP/2": make(unencrypted()),
		"grpc": make(unencrypted(), connect.WithGRPC()), "grpc with gzip": make(unencrypted(), connect.WithGRPC(), connect.WithSendGzip()),
		"grpc-web": make(w.server.Client(), connect.WithGRPCWeb()),
	}
}

func (w *rpcWorld) client(badge string) blueprintv1.BlueprintServiceClient {
	return w.speakers(badge)["grpc"]
}

// posts sends a call as a program without any library does.
func (w *apiWorld) posts(method, badge, body string, headers ...string) (int, string) {
	w.Helper()
	if strings.HasSuffix(method, "Candidate") || method == "ChooseReading" {
		method = "CandidateService/" + method
	} else if strings.Contains(method, "Kind") {
		method = "KindService/" + method
	}
	answer, text := w.ask("POST", callPath(method), badge, body, headers...)
	return answer.StatusCode, text
}

func TestEveryProtocolIsSpoken(t *testing.T) {
	w := newRPCWorld(t)
	for name, client := range w.speakers("acme.editor") {
		answer, err := client.FetchHTML(t.Context(), connect.NewRequest(&blueprintv1.FetchHTMLRequest{Url: w.sites.site("shop")}))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		m := answer.Msg
		if m.StatusCode != 200 || m.Outcome != "fetched" || m.WhyNot != "" || m.Title == "" || m.Language != "nl" || !strings.Contains(m.CleanedHtml, "<") || strings.Contains(m.CleanedHtml, "<script") ||
			!strings.Contains(m.Html, "<html") || m.FinalUrl != w.sites.site("shop") {
			t.Errorf("%s: %.600v", name, m)
		}
	}
}

// A page is learned, tested, redesigned, found not to fit, and repaired.
func TestABlueprintIsLearnedTestedAndRepaired(t *testing.T) {
	w := newRPCWorld(t)
	client, page := w.client("acme.editor"), &blueprintv1.Page{Url: w.sites.site("shop")}
	learned, err := client.GenerateBlueprint(t.Context(), connect.NewRequest(&blueprintv1.GenerateBlueprintRequest{Page: page, Schema: "product", PageType: blueprintv1.PageType_PAGE_TYPE_LIST}))
	if err != nil {
		t.Fatal(err)
	}
	m := learned.Msg
	if m.RecordCount == 0 || len(m.Records) == 0 || m.Test.Score < 60 || !m.Test.Passed || len(m.Test.Fields) == 0 || len(m.Attempts) == 0 || m.Schema != "product" || m.PageType != blueprintv1.PageType_PAGE_TYPE_LIST {
		t.Fatalf("learned: %v", m)
	}
	if e := m.Records[0].Evidence["name"]; e == nil || e.Text == "" || e.Seen != "visible" {
		t.Errorf("the evidence of a name is %v", e)
	}
	for _, g := range m.Test.Fields {
		if g.Present == 0 || g.Nowhere > 0 {
			t.Errorf("grounding: %v", g)
		}
	}
	test := func() *blueprintv1.TestBlueprintResponse {
		t.Helper()
		answer, err := client.TestBlueprint(t.Context(), connect.NewRequest(&blueprintv1.TestBlueprintRequest{Page: &blueprintv1.Page{Url: m.Url}, Blueprint: m.Blueprint, Schema: "product", Follow: 2}))
		if err != nil {
			t.Fatal(err)
		}
		return answer.Msg
	}
	if got := test(); got.Fit != blueprintv1.TestBlueprintResponse_FIT_FITS || got.EntityCount == 0 || len(got.Errors) != 0 {
		t.Fatalf("the test of what was just learned: %v %v %v", got.Fit, got.Reasons, got.Errors)
	}
	var known []*blueprintv1.Known
	for _, r := range m.Records {
		known = append(known, &blueprintv1.Known{Fields: map[string]*blueprintv1.Texts{"name": {Values: []string{r.Evidence["name"].Text}}, "price": {Values: []string{r.Evidence["price"].Text}}}})
	}
	repair := func() *blueprintv1.RepairBlueprintResponse {
		t.Helper()
		answer, err := client.RepairBlueprint(t.Context(), connect.NewRequest(&blueprintv1.RepairBlueprintRequest{Page: &blueprintv1.Page{Url: m.Url}, Blueprint: m.Blueprint, Known: known}))
		if err != nil {
			t.Fatal(err)
		}
		return answer.Msg
	}
	if got := repair(); got.Outcome != blueprintv1.RepairBlueprintResponse_OUTCOME_KEPT {
		t.Errorf("what fits is repaired: %v", got)
	}
	broken := false
	for n := 0; n < 5 && !broken; n++ {
		if err := w.sites.web.Redesign("shop"); err != nil {
			t.Fatal(err)
		}
		got := test()
		broken = got.Fit != blueprintv1.TestBlueprintResponse_FIT_FITS
		if broken && len(got.Reasons) == 0 {
			t.Errorf("nobody says why it does not fit: %v", got)
		}
	}
	if !broken {
		t.Fatal("no redesign broke the blueprint")
	}
	got := repair()
	if got.Outcome != blueprintv1.RepairBlueprintResponse_OUTCOME_REPAIRED || got.Blueprint == nil || len(got.Diff) == 0 || got.How == "" || got.Proof.FoundValues*10 < got.Proof.KnownValues*8 {
		t.Fatalf("the repair: %v", got)
	}
	m.Blueprint = got.Blueprint
	if got := test(); got.Fit != blueprintv1.TestBlueprintResponse_FIT_FITS || got.EntityCount == 0 {
		t.Errorf("the repaired blueprint: %v %v", got.Fit, got.Reasons)
	}
}

// plays is a page of somebody's own, which nobody can ask for.
func plays(rows string) string {
	return `<!doctype html><html lang="en"><head><title>What's on</title></head><body><h1>What's on</h1><div class="list">` + rows + `</div><footer>Open all year</footer></body></html>`
}

func somePlays(mark string) string {
	rows := ""
	for n, title := range []string{"Hedda Gabler", "A Night of Fado", "Ghosts", "Open Rehearsal", "Peer Gynt", "Little Eyolf"} {
		rows += fmt.Sprintf(`<%s class="show"><a href="/p/%d"><b class="t">%s</b></a><p class="when">%d April 2031, 19:30</p><p class="place">Room %d</p></%s>`, mark, n, title, 2*n+3, n+1, mark)
	}
	return plays(rows)
}

func knownPlay(title, when string) *blueprintv1.Known {
	return &blueprintv1.Known{Fields: map[string]*blueprintv1.Texts{"title": {Values: []string{title}}, "starts_at": {Values: []string{when}}}}
}

func TestAPageThatWasSentIsLearnedWithoutAskingAnybody(t *testing.T) {
	w := newRPCWorld(t)
	client := w.client("acme.editor")
	page := &blueprintv1.Page{Html: somePlays("section"), Url: "https://stage.example.org/on"}
	known := []*blueprintv1.Known{knownPlay("Hedda Gabler", "3 April 2031, 19:30"), knownPlay("Peer Gynt", "11 April 2031, 19:30")}
	learned, err := client.GenerateBlueprint(t.Context(), connect.NewRequest(&blueprintv1.GenerateBlueprintRequest{Page: page, Schema: "event", Known: known, Timezone: "Europe/Oslo"}))
	if err != nil {
		t.Fatal(err)
	}
	m := learned.Msg
	if m.RecordCount != 6 || m.Proof == nil || m.Proof.FoundValues != 4 || m.Proof.KnownValues != 4 || !strings.HasPrefix(m.Records[0].Url, "https://stage.example.org/p/") {
		t.Fatalf("learned: %v", m)
	}
	if at := m.Records[0].Fields.AsMap()["starts_at"]; at != "2031-04-03T19:30:00+02:00" {
		t.Errorf("the first play begins at %v", at)
	}
	test := func(html string) *blueprintv1.TestBlueprintResponse {
		answer, err := client.TestBlueprint(t.Context(), connect.NewRequest(&blueprintv1.TestBlueprintRequest{Page: &blueprintv1.Page{Html: html}, Blueprint: m.Blueprint}))
		if err != nil {
			t.Fatal(err)
		}
		return answer.Msg
	}
	if got := test(page.Html); got.Fit != blueprintv1.TestBlueprintResponse_FIT_FITS || got.EntityCount != 6 || got.Test.Score == 0 {
		t.Errorf("its detail page: %v", got)
	}
	if got := test(plays("<p>Closed</p>")); got.Fit != blueprintv1.TestBlueprintResponse_FIT_DOES_NOT_FIT || len(got.Reasons) == 0 || got.EntityCount != 0 {
		t.Errorf("a page without what held them: %v", got)
	}
	rules := strings.Replace(noRules, `"li"`, `"ul.events > li"`, 1)
	if code, text := w.posts("TestBlueprint", "acme.editor", `{"blueprint":`+rules+`,"page":{"html":"<html><body><ul class=\"events\"></ul></body></html>"}}`); code != 200 || !strings.Contains(text, "FIT_EMPTY") || !strings.Contains(text, "nothing today") {
		t.Errorf("a list that is there and empty: %d %s", code, text)
	}
	other := strings.NewReplacer(`class="show"`, `class="x9"`, `class="t"`, `class="y2"`, `class="when"`, `class="z3"`).Replace(somePlays("li"))
	answer, err := client.RepairBlueprint(t.Context(), connect.NewRequest(&blueprintv1.RepairBlueprintRequest{Page: &blueprintv1.Page{Html: other}, Blueprint: m.Blueprint, Known: known}))
	if err != nil || answer.Msg.Outcome != blueprintv1.RepairBlueprintResponse_OUTCOME_REPAIRED || answer.Msg.RecordCount != 6 {
		t.Errorf("the repair: %v %v", answer, err)
	}
	answer, err = client.RepairBlueprint(t.Context(), connect.NewRequest(&blueprintv1.RepairBlueprintRequest{Page: &blueprintv1.Page{Html: plays("<p>We moved to another house.</p>")}, Blueprint: m.Blueprint, Known: known}))
	if err != nil || answer.Msg.Outcome != blueprintv1.RepairBlueprintResponse_OUTCOME_NOT_REPAIRED || answer.Msg.Blueprint != nil || len(answer.Msg.Reasons) == 0 {
		t.Errorf("a repair that nothing proves: %v %v", answer, err)
	}
}

// A schema of one's own takes its fields from the known values.
func TestAFieldOfOnesOwnIsLearnedFromExamples(t *testing.T) {
	w := newRPCWorld(t)
	known := func(title, place string) *blueprintv1.Known {
		return &blueprintv1.Known{Fields: map[string]*blueprintv1.Texts{"play": {Values: []string{title}}, "hall": {Values: []string{place}}}}
	}
	answer, err := w.client("acme.editor").GenerateBlueprint(t.Context(), connect.NewRequest(&blueprintv1.GenerateBlueprintRequest{Page: &blueprintv1.Page{Html: somePlays("section")},
		Schema: "custom", Known: []*blueprintv1.Known{known("Ghosts", "Room 3"), known("Peer Gynt", "Room 5"), known("Hedda Gabler", "Room 1")}}))
	if err != nil {
		t.Fatal(err)
	}
	if m := answer.Msg; m.RecordCount != 6 || m.Records[5].Fields.AsMap()["hall"] != "Room 6" || m.Proof.FoundValues != 6 {
		t.Errorf("learned: %v", m)
	}
}

// Where nothing else passes, the model of the installation is asked, and what it wrote is
// an attempt like any other.
func TestAModelIsAskedWhereNothingElseDoes(t *testing.T) {
	model := llmtest.Serve(t, llmtest.Fenced(llmtest.SparseRules), llmtest.Fenced(llmtest.SparseRules), llmtest.Fenced(llmtest.SparseRules))
	cfg := config.Default()
	cfg.LLM.Provider, cfg.LLM.Model, cfg.LLM.URL, cfg.LLM.InputPrice, cfg.LLM.OutputPrice = "openai", "stub", model.URL, 2_500_000, 10_000_000
	w := newSites(t).serving(cfg, portOf(model.URL))
	page := httptest.NewRecorder()
	llmtest.Sparse(page, httptest.NewRequest(http.MethodGet, "/", nil))
	answer, err := w.client("acme.editor").GenerateBlueprint(t.Context(), connect.NewRequest(&blueprintv1.GenerateBlueprintRequest{Page: &blueprintv1.Page{Html: page.Body.String()}, Schema: "event"}))
	if err != nil {
		t.Fatal(err)
	}
	m := answer.Msg
	if last := m.Attempts[len(m.Attempts)-1]; last.What != "written by a model" || !last.Chosen || m.How != last.What || m.RecordCount != 8 {
		t.Errorf("learned: %v", m)
	}
	if spent, err := w.i.Store.Org("acme").ModelCalls().Costs(t.Context(), time.Now().Add(-time.Hour), time.Now().Add(time.Hour)); err != nil || len(spent) == 0 {
		t.Errorf("nobody paid: %v %v", spent, err)
	}
}
