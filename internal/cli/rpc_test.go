package cli

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"testing"

	"connectrpc.com/connect"

	"curlew/internal/config"
	"curlew/internal/curlew"
	"curlew/internal/rpc/blueprintv1"
)

// rpcPath is where the remote calls live.
const rpcPath = "/" + blueprintv1.BlueprintServiceName + "/"

// rpcWorld is a server with the sample web in reach.
type rpcWorld struct {
	*apiWorld
	sites *reader
}

func newRPCWorld(t *testing.T) *rpcWorld {
	t.Helper()
	r := newReader(t)
	cfg := config.Default()
	cfg.Data, cfg.Fetch.Browser = t.TempDir(), "off"
	cfg.Egress.Allow = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	for port := range strings.SplitSeq(r.ports, ",") {
		n, err := strconv.Atoi(port)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Egress.Ports = append(cfg.Egress.Ports, uint16(n))
	}
	hurry := curlew.Duration(0)
	return &rpcWorld{apiWorldOf(t, cfg, &app{log: slog.New(slog.DiscardHandler), delay: &hurry}), r}
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

func (w *rpcWorld) client(badge string) blueprintv1.BlueprintServiceClient { return w.speakers(badge)["grpc"] }

// posts sends a call as a program without any library does.
func (w *apiWorld) posts(method, badge, body string, headers ...string) (int, string) {
	w.Helper()
	answer, text := w.ask("POST", rpcPath+method, badge, body, headers...)
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
	raw, _ := json.MarshalIndent(m.Blueprint.AsMap(), "", " ")
	t.Logf("%s\n%v\n%v", raw, m.Attempts, m.Test)
}
