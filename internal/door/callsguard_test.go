package door_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"connectrpc.com/connect"
	"github.com/curlew-data/curlew/internal/door/grpc/blueprintv1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// problemIn is the detail of an error as JSON tells it.
func problemIn(t *testing.T, answer string) *blueprintv1.Problem {
	t.Helper()
	var told struct {
		Details []struct{ Type, Value string }
	}
	if err := json.Unmarshal([]byte(answer), &told); err != nil || len(told.Details) != 1 || told.Details[0].Type != "curlew.blueprint.v1.Problem" {
		t.Fatalf("%v: %s", err, answer)
	}
	raw, err := base64.RawStdEncoding.DecodeString(told.Details[0].Value)
	if err != nil {
		t.Fatal(err)
	}
	p := &blueprintv1.Problem{}
	if err := proto.Unmarshal(raw, p); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestCallsArePlainJSONForWhoeverWantsThat(t *testing.T) {
	w := newRPCWorld(t)
	code, text := w.posts("FetchHTML", "acme.editor", `{"url":"`+w.sites.site("blog")+`"}`)
	var page struct {
		StatusCode                  int
		Outcome, CleanedHtml, Title string
	}
	if err := json.Unmarshal([]byte(text), &page); err != nil || code != 200 || page.StatusCode != 200 || page.Outcome != "fetched" || page.Title == "" {
		t.Errorf("%d %v %.300s", code, err, text)
	}
	code, text = w.posts("FetchHTML", "acme.editor", `{"url":"`+w.sites.site("blog")+`no/such/page"}`)
	if code != 200 || !strings.Contains(text, `"statusCode":404`) || !strings.Contains(text, `"whyNot"`) {
		t.Errorf("a page that is not there: %d %.300s", code, text)
	}
}

func TestMistakesAreToldInTheirPlace(t *testing.T) {
	w := newRPCWorld(t)
	rules := `{"curlew":1,"schema":"event","page":"list","tier":"html","records":{"css":"li"},"fields":{"title":{"css":"h3"}}}`
	for _, x := range []struct {
		method, body string
		status       int
		code, place  string
	}{
		{"GenerateBlueprint", `{"page":{"html":"<p>x</p>"},"schema":"cat"}`, 400, "bad_request", "/schema"},
		{"GenerateBlueprint", `{"schema":"event"}`, 400, "bad_request", "/page"},
		{"GenerateBlueprint", `{"page":{"url":"file:///etc/passwd"}}`, 400, "bad_request", "/page/url"},
		{"GenerateBlueprint", `{"page":{"url":"http://` + strings.Repeat("a", 3000) + `/"}}`, 400, "bad_request", "/page/url"},
		{"GenerateBlueprint", `{"page":{"html":"<p>x</p>"},"schema":"custom"}`, 400, "bad_request", "/known"},
		{"GenerateBlueprint", `{"page":{"html":"<p>x</p>"},"known":[{"fields":{"title":{"values":["x"]}}}]}`, 400, "bad_request", "/schema"},
		{"GenerateBlueprint", `{"page":{"html":"<p>x</p>"},"schema":"event","known":[{"fields":{"colour":{"values":["x"]}}}]}`, 400, "bad_request", "/known/0/fields/colour"},
		{"GenerateBlueprint", `{"page":{"html":"<p>x</p>"},"schema":"event","timezone":"Mars/Base"}`, 400, "bad_request", "/timezone"},
		{"GenerateBlueprint", `{"page":{"html":"<p>x</p>"},"schema":"event","instructions":"` + strings.Repeat("x", 2001) + `"}`, 400, "bad_request", "/instructions"},
		{"GenerateBlueprint", `{"page":{"html":"<p>nothing here</p>"},"schema":"event"}`, 400, "not_feasible", ""},
		{"TestBlueprint", `{"page":{"html":"<p>x</p>"}}`, 400, "bad_request", "/blueprint"},
		{"TestBlueprint", `{"page":{"html":"<p>x</p>"},"blueprint":{"curlew":1,"schema":"event"}}`, 400, "bad_request", "/blueprint/page"},
		{"TestBlueprint", `{"page":{"html":"<p>x</p>"},"schema":"job","blueprint":` + rules + `}`, 400, "bad_request", "/schema"},
		{"TestBlueprint", `{"page":{"html":"<p>x</p>"},"follow":11,"blueprint":` + rules + `}`, 400, "bad_request", "/follow"},
		{"RepairBlueprint", `{"page":{"html":"<p>x</p>"},"blueprint":` + rules + `}`, 400, "bad_request", "/known"},
		{"RepairBlueprint", `{"page":{"html":"<p>x</p>"},"blueprintId":"bp_1","blueprint":` + rules + `}`, 400, "bad_request", "/blueprint_id"},
		{"FetchHTML", `{"url":"http://10.0.0.1/"}`, 403, "address_forbidden", ""},
		{"FetchHTML", `{"url":"http://169.254.169.254/latest"}`, 403, "address_forbidden", ""},
		{"FetchHTML", `{"url":"` + w.sites.site("shop") + `","render":true}`, 400, "no_browser", ""},
	} {
		t.Run(x.method, func(t *testing.T) {
			code, text := w.posts(x.method, "acme.editor", x.body)
			p := problemIn(t, text)
			place := ""
			if len(p.Mistakes) > 0 {
				place = p.Mistakes[0].Place
			}
			if code != x.status || p.Code != x.code || place != x.place || p.Sentence == "" || p.RequestId == "" {
				t.Errorf("%s %.120s: %d %v, want %d %s at %q", x.method, x.body, code, p, x.status, x.code, x.place)
			}
		})
	}
}

func TestWhoMayNotCallIsTurnedAwayInEveryProtocol(t *testing.T) {
	w := newRPCWorld(t)
	for badge, want := range map[string]connect.Code{"": connect.CodeUnauthenticated, "acme.viewer": connect.CodePermissionDenied, "acme.nobody": connect.CodePermissionDenied} {
		t.Run(badge, func(t *testing.T) {
			for name, client := range w.speakers(badge) {
				_, err := client.FetchHTML(t.Context(), connect.NewRequest(&blueprintv1.FetchHTMLRequest{Url: w.sites.site("shop")}))
				var told *connect.Error
				if connect.CodeOf(err) != want || !asConnect(err, &told) || len(told.Details()) != 1 {
					t.Errorf("%s as %q: %v", name, badge, err)
				}
			}
		})
	}
	answer, text := w.ask("POST", rpcPath+"FetchHTML", "acme.editor", `{"url":"`+w.sites.site("shop")+`"}`, "Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example")
	if answer.StatusCode != http.StatusForbidden || problemIn(t, text).Code != "cross_origin" {
		t.Errorf("from a page of another site: %s %s", answer.Status, text)
	}
	if answer, text = w.ask("POST", rpcPath+"NoSuchCall", "acme.editor", `{}`); answer.StatusCode != http.StatusNotFound {
		t.Errorf("a call that is not there: %s %s", answer.Status, text)
	}
}

func asConnect(err error, into **connect.Error) bool {
	told, ok := err.(*connect.Error)
	*into = told
	return ok
}

// The reference implementation of gRPC is a client like any other.
func TestTheClientOfGRPCItselfIsUnderstood(t *testing.T) {
	w := newRPCWorld(t)
	conn, err := grpc.NewClient(w.server.Listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	ctx := metadata.AppendToOutgoingContext(t.Context(), "authorization", "Bearer acme.editor")
	page := &blueprintv1.FetchHTMLResponse{}
	if err := conn.Invoke(ctx, blueprintv1.BlueprintServiceFetchHTMLProcedure, &blueprintv1.FetchHTMLRequest{Url: w.sites.site("shop")}, page); err != nil || page.StatusCode != 200 {
		t.Fatalf("%v %v", err, page)
	}
	err = conn.Invoke(t.Context(), blueprintv1.BlueprintServiceFetchHTMLProcedure, &blueprintv1.FetchHTMLRequest{Url: w.sites.site("shop")}, page)
	if status.Code(err) != codes.Unauthenticated {
		t.Errorf("without a key: %v", err)
	}
	err = conn.Invoke(ctx, blueprintv1.BlueprintServiceTestBlueprintProcedure, &blueprintv1.TestBlueprintRequest{BlueprintId: w.birch["bp"]}, &blueprintv1.TestBlueprintResponse{})
	details := status.Convert(err).Details()
	if status.Code(err) != codes.NotFound || len(details) != 1 || details[0].(*blueprintv1.Problem).Code != "not_found" {
		t.Errorf("another org's blueprint: %v %v", err, details)
	}
	err = conn.Invoke(ctx, blueprintv1.BlueprintServiceGenerateBlueprintProcedure, &blueprintv1.GenerateBlueprintRequest{Page: &blueprintv1.Page{Html: strings.Repeat("x", 5<<20)}}, &blueprintv1.GenerateBlueprintResponse{})
	if status.Code(err) != codes.ResourceExhausted {
		t.Errorf("5 MiB: %v", err)
	}
}

func TestWhatIsTooLargeIsNotRead(t *testing.T) {
	w := newRPCWorld(t)
	code, text := w.posts("GenerateBlueprint", "acme.editor", `{"page":{"html":"`+strings.Repeat("x", 5<<20)+`"}}`)
	if code != http.StatusTooManyRequests || !strings.Contains(text, "resource_exhausted") {
		t.Errorf("a large message: %d %s", code, text)
	}
	code, text = w.posts("GenerateBlueprint", "acme.editor", `{"page":{"html":"`+strings.Repeat("x", 3<<20+1)+`"}}`)
	if code != http.StatusBadRequest || problemIn(t, text).Mistakes[0].Place != "/page/html" {
		t.Errorf("a large page: %d %s", code, text)
	}
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	for range 64 {
		if _, err := z.Write(make([]byte, 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	_ = z.Close() // into memory
	code, text = w.posts("GenerateBlueprint", "acme.editor", bomb.String(), "Content-Encoding", "gzip")
	if code != http.StatusTooManyRequests {
		t.Errorf("a bomb: %d %s", code, text)
	}
}

// A server that never answers costs the caller no more than the time that it gave.
func TestACallEndsWithItsTime(t *testing.T) {
	asked := make(chan struct{}, 10)
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	defer slow.Close()
	w := newRPCWorld(t, portOf(slow.URL))
	code, text := w.posts("FetchHTML", "acme.editor", `{"url":"`+slow.URL+`/"}`, "Connect-Timeout-Ms", "400")
	if p := problemIn(t, text); code != http.StatusGatewayTimeout || p.Code != "deadline" {
		t.Errorf("%d %v", code, p)
	}
	<-asked
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := w.client("acme.editor").GenerateBlueprint(ctx, connect.NewRequest(&blueprintv1.GenerateBlueprintRequest{Page: &blueprintv1.Page{Url: slow.URL + "/2"}}))
		ended <- err
	}()
	<-asked
	cancel()
	if err := <-ended; connect.CodeOf(err) != connect.CodeCanceled {
		t.Errorf("a caller who left: %v", err)
	}
}

// hostilePages are what a stranger may send.
func hostilePages() map[string]string {
	attributes := strings.Builder{}
	for n := range 50_000 {
		fmt.Fprintf(&attributes, " a%d=1", n)
	}
	return map[string]string{
		"nested": strings.Repeat("<div>", 50_000) + "x", "attributes": "<p" + attributes.String() + ">x</p>", "open": strings.Repeat("<b><i><table>", 5_000),
		"nul": "<title>a\x00b</title><li>\x00</li>", "state": `<script type="application/ld+json">` + strings.Repeat(`{"a":`, 20_000) + `</script>`, "base": `<base href="javascript:alert(1)"><a href="x">y</a>`,
		"rows": "<ul>" + strings.Repeat("<li><h3>One</h3><p>1 May 2031</p></li>", 3_000) + "</ul>", "empty": " ", "json": strings.Repeat("[", 100_000),
	}
}

func TestHostilePagesHarmNobody(t *testing.T) {
	w := newRPCWorld(t)
	client := w.client("acme.editor")
	fine := []connect.Code{connect.CodeFailedPrecondition, connect.CodeInvalidArgument}
	for name, html := range hostilePages() {
		_, err := client.GenerateBlueprint(t.Context(), connect.NewRequest(&blueprintv1.GenerateBlueprintRequest{Page: &blueprintv1.Page{Html: html}, Schema: "event"}))
		if err != nil && !slices.Contains(fine, connect.CodeOf(err)) {
			t.Errorf("%s: learning: %v", name, err)
		}
		code, text := w.posts("TestBlueprint", "acme.editor", `{"blueprint":`+noRules+`,"page":{"html":`+quoted(t, html)+`}}`)
		if code != 200 {
			t.Errorf("%s: testing: %d %.300s", name, code, text)
		}
		code, text = w.posts("RepairBlueprint", "acme.editor", `{"blueprint":`+noRules+`,"page":{"html":`+quoted(t, html)+`},"known":[{"fields":{"title":{"values":["One"]}}},{"fields":{"title":{"values":["Two"]}}}]}`)
		if code != 200 && code != 400 {
			t.Errorf("%s: repairing: %d %.300s", name, code, text)
		}
	}
}

func quoted(t *testing.T, s string) string {
	t.Helper()
	raw, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
