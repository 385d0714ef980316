package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"golang.org/x/net/html"
)

// proxied is a server behind a reverse proxy with TLS, below a path of its host, and the browser of its owner.
type proxied struct {
	*testing.T
	*testServer
	base   string // https://host:port/curlew
	client *http.Client
}

func openProxied(t *testing.T, takesPathOff bool) *proxied {
	t.Helper()
	proxy := httptest.NewUnstartedServer(nil)
	p := &proxied{T: t, base: "https://" + proxy.Listener.Addr().String() + "/curlew"}
	p.testServer = openServerWith(t, map[string]string{"console-url": p.base + "/"})
	target, err := url.Parse(p.Address)
	if err != nil {
		t.Fatal(err)
	}
	var forward http.Handler = &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target); r.SetXForwarded() }}
	if takesPathOff {
		forward = http.StripPrefix("/curlew", forward)
	}
	host := http.NewServeMux()
	host.Handle("/curlew/", forward)
	host.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("%s was asked of the host, outside of the path", r.URL)
		http.NotFound(w, r)
	})
	proxy.Config.Handler = host
	proxy.StartTLS()
	t.Cleanup(proxy.Close)
	p.client = proxy.Client()
	p.client.Jar, _ = cookiejar.New(nil) // without options it cannot fail
	token := regexp.MustCompile(`token=(\S+)`).FindStringSubmatch(p.link)
	if !strings.HasPrefix(p.link, p.base+"/link?") || token == nil {
		t.Fatalf("the first link is %s", p.link)
	}
	answer, err := p.client.PostForm(p.base+"/link", url.Values{"token": token[1:], "email": {"ada@example.org"}, "password": {"correct horse battery"}})
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK || answer.Request.URL.Path != "/curlew/" {
		t.Fatalf("after the first link: %d at %s", answer.StatusCode, answer.Request.URL)
	}
	return p
}

func (p *proxied) addSource() (id curlew.SourceID) {
	p.Helper()
	err := p.Store.Write(p.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
		source, err := w.Sources().Add(p.Context(), curlew.Source{Name: "Fair", BaseURL: "https://fair.example", Trust: curlew.TrustProbation})
		id = source.ID
		return err
	})
	if err != nil {
		p.Fatal(err)
	}
	return id
}

func (p *proxied) get(at string) (*http.Response, string) {
	p.Helper()
	answer, err := p.client.Get(at)
	if err != nil {
		p.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		p.Fatal(err)
	}
	return answer, string(body)
}

// addresses are those that a page names for what a browser asks for by itself or when somebody clicks; forms that send are
// asked for nothing.
func addresses(page string) (all []string) {
	for tokens := html.NewTokenizer(strings.NewReader(page)); tokens.Next() != html.ErrorToken; {
		for _, a := range tokens.Token().Attr {
			if a.Key == "href" || a.Key == "src" {
				all = append(all, a.Val)
			}
		}
	}
	return all
}

func TestBelowAPathBehindAProxyEverythingIsFound(t *testing.T) {
	for name, takesPathOff := range map[string]bool{"the proxy takes the path off": true, "the proxy leaves the path": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := openProxied(t, takesPathOff)
			p.addSource()
			p.followEveryLink()
			p.signOut()
		})
	}
}

// followEveryLink opens each page that can be reached from the first one, and what they show.
func (p *proxied) followEveryLink() {
	p.Helper()
	seen, todo := map[string]bool{}, []string{p.base + "/"}
	for len(todo) > 0 {
		at := todo[0]
		todo = todo[1:]
		answer, body := p.get(at)
		if answer.StatusCode != http.StatusOK || !strings.HasPrefix(answer.Request.URL.String(), p.base+"/") {
			p.Errorf("%s: %d at %s", at, answer.StatusCode, answer.Request.URL)
		}
		if !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html") {
			continue
		}
		for _, to := range addresses(body) {
			next, err := answer.Request.URL.Parse(to)
			if err != nil {
				p.Errorf("%s names %q: %v", at, to, err)
				continue
			}
			next.Fragment = ""
			if kind := next.Path; next.Host == answer.Request.URL.Host && !seen[kind] {
				seen[kind] = true
				todo = append(todo, next.String())
			}
		}
	}
	if len(seen) < 25 {
		p.Errorf("only %d pages were found", len(seen))
	}
}

func (p *proxied) signOut() {
	p.Helper()
	_, page := p.get(p.base + "/sources?status=active")
	token := regexp.MustCompile(`name="csrf" value="([^"]+)"`).FindStringSubmatch(page)
	form := regexp.MustCompile(`action="([^"]*/sign-out)"`).FindStringSubmatch(page)
	if token == nil || form == nil {
		p.Fatalf("no way out: %s", page)
	}
	here, _ := url.Parse(p.base)
	there, err := here.Parse(form[1])
	if err != nil {
		p.Fatal(err)
	}
	answer, err := p.client.PostForm(there.String(), url.Values{"csrf": token[1:]})
	if err != nil {
		p.Fatal(err)
	}
	_ = answer.Body.Close()
	if at := answer.Request.URL.Path; at != "/curlew/sign-in" {
		p.Errorf("after signing out: %s", at)
	}
	answer, _ = p.get(p.base + "/sources?status=active")
	if at := answer.Request.URL; at.Path != "/curlew/sign-in" || at.Query().Get("next") != "/sources?status=active" {
		p.Errorf("a stranger is sent to %s", at)
	}
}

func TestStreamsFeedsAndTheDescriptionWorkBelowAPath(t *testing.T) {
	t.Parallel()
	p := openProxied(t, true)
	source := p.addSource()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	request, _ := http.NewRequestWithContext(ctx, http.MethodGet, p.base+"/api/v1/stream", nil)
	stream, err := p.client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	if first, err := bufio.NewReader(stream.Body).ReadString('\n'); err != nil || !strings.HasPrefix(first, "retry:") {
		t.Errorf("the stream begins with %q: %v", first, err)
	}
	socket, answer, err := websocket.Dial(ctx, p.base+"/api/v1/ws", &websocket.DialOptions{HTTPClient: p.client})
	if err != nil {
		t.Fatalf("the socket: %v %v", answer, err)
	}
	_ = socket.CloseNow()

	var described struct{ Servers []struct{ URL string } }
	_, document := p.get(p.base + "/api/v1/openapi.json")
	if err := json.Unmarshal([]byte(document), &described); err != nil || len(described.Servers) != 1 || described.Servers[0].URL != p.base {
		t.Errorf("the description names %+v: %v", described, err)
	}
	var feed struct{ Feeds []struct{ URL string } }
	_, text := p.get(p.base + "/api/v1/sources/" + string(source) + "/feed")
	if err := json.Unmarshal([]byte(text), &feed); err != nil || len(feed.Feeds) == 0 {
		t.Fatalf("%s: %v", text, err)
	}
	for _, one := range feed.Feeds {
		answer, text := p.get(one.URL)
		if !strings.HasPrefix(one.URL, p.base+"/feeds/") || answer.StatusCode != http.StatusOK {
			t.Errorf("%s: %d", one.URL, answer.StatusCode)
		}
		self := strings.Split(one.URL, "?")[0]
		if strings.HasSuffix(self, ".atom") && !strings.Contains(text, self) {
			t.Errorf("the feed does not know where it is: %s", text)
		}
	}
}
