package egress

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// serveTLS starts a server with HTTP/2; a certificate of one's own is optional.
func serveTLS(t testing.TB, certificate *tls.Certificate, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.EnableHTTP2 = true
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // it reports handshakes that are meant to fail
	if certificate != nil {
		server.TLS = &tls.Config{Certificates: []tls.Certificate{*certificate}}
	}
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

// knowing trusts the certificate of a test server.
func knowing(t testing.TB, server *httptest.Server) *Client {
	t.Helper()
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	return client(t, Policy{Allow: loopback, Ports: []uint16{portIn(t, server.URL)}, RootCAs: roots})
}

// issue signs a certificate for 127.0.0.1 that ends at a given time.
func issue(t testing.TB, until time.Time) *tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: until.Add(-time.Hour), NotAfter: until,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

func TestHTTP2(t *testing.T) {
	page := strings.Repeat("The curlew calls. ", 10_000)
	var remotes atomic.Value
	server := serveTLS(t, nil, func(w http.ResponseWriter, r *http.Request) {
		if old := remotes.Swap(r.RemoteAddr); old != nil && old != r.RemoteAddr {
			t.Error("a second connection was opened")
		}
		if r.URL.Path != "/page" {
			http.Redirect(w, r, "/page", http.StatusFound)
			return
		}
		w.Header().Set("Content-Encoding", "br")
		w.Write(encode(t, []byte(page), "br"))
	})
	c := knowing(t, server)
	for range 3 {
		r := get(t, c, server.URL)
		if r.Proto != "HTTP/2.0" || string(r.Body) != page || !r.Complete || "https://"+r.Remote.String() != server.URL {
			t.Errorf("%s from %v, %d bytes, %q", r.Proto, r.Remote, len(r.Body), r.Why)
		}
	}
}

func TestHTTP2ServersMisbehave(t *testing.T) {
	server := serveTLS(t, nil, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/reset":
			panic(http.ErrAbortHandler)
		case "/cut":
			w.Header().Set("Content-Length", "100")
			io.WriteString(w, "hello")
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		case "/header": // few bytes that unpack to many
			for range 3000 {
				w.Header().Add("X", "x")
			}
		case "/longer": // many bytes: the connection is given up in the middle
			for range 20 {
				w.Header().Add("X", strings.Repeat("x", 8<<10))
			}
		case "/silent":
			<-r.Context().Done()
		case "/bomb":
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(bomb(t, "gzip"))
		}
	})
	c := knowing(t, server)
	budget := Budget{Time: time.Second}
	for path, want := range map[string]struct {
		kind curlew.FaultKind
		code string
	}{
		"/reset":  {curlew.KindTemporary, "protocol_error"},
		"/header": {curlew.KindRefused, "header_too_large"},
		"/longer": {curlew.KindTemporary, "protocol_error"},
		"/silent": {curlew.KindTemporary, "timeout"},
	} {
		t.Run(path, func(t *testing.T) {
			_, err := c.Do(t.Context(), Request{URL: server.URL + path, Budget: budget})
			expectFault(t, err, want.kind, want.code)
		})
	}
	if r := get(t, c, server.URL+"/cut"); r.Complete || r.Why != CutShort || string(r.Body) != "hello" {
		t.Errorf("cut: %+v", r)
	}
	if r := get(t, c, server.URL+"/bomb"); r.Why != OverBudget || len(r.Body) != 10<<20 {
		t.Errorf("bomb: %d bytes, %q", len(r.Body), r.Why)
	}
}

func TestCertificatesAreVerified(t *testing.T) {
	reached := func(http.ResponseWriter, *http.Request) { t.Error("the request was sent") }

	expired := serveTLS(t, issue(t, time.Now().Add(-time.Minute)), reached)
	_, err := knowing(t, expired).Do(t.Context(), Request{URL: expired.URL})
	expectFault(t, err, curlew.KindPermanent, "tls_failed")

	unknown := serveTLS(t, nil, reached)
	_, err = trusting(t, unknown.URL).Do(t.Context(), Request{URL: unknown.URL})
	expectFault(t, err, curlew.KindPermanent, "tls_failed")

	valid := serveTLS(t, issue(t, time.Now().Add(time.Minute)), func(http.ResponseWriter, *http.Request) {})
	if r := get(t, knowing(t, valid), valid.URL); r.Status != 200 {
		t.Errorf("got %+v", r)
	}

	other := strings.Replace(valid.URL, "127.0.0.1", "other.example", 1)
	c := knowing(t, valid)
	c.policy.Resolver = always("127.0.0.1")
	_, err = c.Do(t.Context(), Request{URL: other})
	expectFault(t, err, curlew.KindPermanent, "tls_failed")
}

func TestHandshakesThatGoWrong(t *testing.T) {
	plain := raw(t, say("HTTP/1.1 400 Bad Request\r\n\r\n"))
	_, err := trusting(t, plain).Do(t.Context(), Request{URL: strings.Replace(plain, "http:", "https:", 1)})
	expectFault(t, err, curlew.KindTemporary, "tls_failed")

	silent := raw(t, func(conn net.Conn) { io.Copy(io.Discard, conn) })
	_, err = trusting(t, silent).Do(t.Context(),
		Request{URL: strings.Replace(silent, "http:", "https:", 1), Budget: Budget{Time: 100 * time.Millisecond}})
	expectFault(t, err, curlew.KindTemporary, "timeout")
}
