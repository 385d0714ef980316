package auth

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/curlew-data/curlew/internal/web/egress"
	"github.com/go-jose/go-jose/v4"
)

// issuer is an OIDC provider on loopback, written from the specification: it
// describes itself, asks nobody for a password, gives codes away once, holds PKCE
// to its word, and signs with keys that it can rotate. It lies on command.
type issuer struct {
	t    *testing.T
	site *httptest.Server
	now  func() int64

	mu       sync.Mutex
	key      *ecdsa.PrivateKey
	keyID    string
	codes    map[string]url.Values // what was asked for under a code
	claims   map[string]any        // over the honest ones; nil removes one
	about    map[string]any
	userInfo map[string]any
	forge    func(*issuer, map[string]any) string // instead of signing
	asked    map[string]int
}

const clientID, clientSecret = "curlew client", "s3cret:/+"

func newIssuer(t *testing.T) *issuer {
	i := &issuer{t: t, codes: map[string]url.Values{}, asked: map[string]int{}}
	i.rotate()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", i.describe)
	mux.HandleFunc("GET /authorize", i.authorize)
	mux.HandleFunc("POST /token", i.token)
	mux.HandleFunc("GET /keys", i.keys)
	mux.HandleFunc("GET /userinfo", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer access" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_ = json.NewEncoder(w).Encode(i.userInfo)
	})
	i.site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.asked[r.URL.Path]++
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(i.site.Close)
	return i
}

// rotate takes a new key; the old one is not published any more.
func (i *issuer) rotate() {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(i.t, err)
	i.mu.Lock()
	defer i.mu.Unlock()
	i.key, i.keyID = key, rand.Text()
}

func (i *issuer) describe(w http.ResponseWriter, _ *http.Request) {
	about := map[string]any{"issuer": i.site.URL, "authorization_endpoint": i.site.URL + "/authorize?tenant=1", "token_endpoint": i.site.URL + "/token",
		"jwks_uri": i.site.URL + "/keys", "userinfo_endpoint": i.site.URL + "/userinfo",
		"id_token_signing_alg_values_supported": []string{"none", "HS256", "ES256"}}
	maps.Copy(about, i.about)
	_ = json.NewEncoder(w).Encode(about)
}

// authorize checks what a provider must and sends the browser back with a code.
func (i *issuer) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	for name, want := range map[string]string{"response_type": "code", "client_id": clientID, "code_challenge_method": "S256", "tenant": "1", "scope": "openid email profile"} {
		if q.Get(name) != want {
			i.t.Errorf("%s is %q, want %q", name, q.Get(name), want)
		}
	}
	code := rand.Text()
	i.codes[code] = q
	back := url.Values{"code": {code}, "state": {q.Get("state")}}
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
}

func (i *issuer) token(w http.ResponseWriter, r *http.Request) {
	asked, known := i.codes[r.PostFormValue("code")]
	delete(i.codes, r.PostFormValue("code"))
	id, secret, _ := r.BasicAuth()
	proof := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if !known || id != url.QueryEscape(clientID) || secret != url.QueryEscape(clientSecret) || r.PostFormValue("grant_type") != "authorization_code" ||
		base64.RawURLEncoding.EncodeToString(proof[:]) != asked.Get("code_challenge") || r.PostFormValue("redirect_uri") != asked.Get("redirect_uri") {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	claims := map[string]any{"iss": i.site.URL, "aud": clientID, "sub": "s-1", "exp": i.now() + 300, "iat": i.now(), "nonce": asked.Get("nonce"),
		"email": "ada@example.org", "email_verified": true, "name": "Ada"}
	for name, value := range i.claims {
		if claims[name] = value; value == nil {
			delete(claims, name)
		}
	}
	text := ""
	if i.forge != nil {
		text = i.forge(i, claims)
	} else {
		text = i.sign(claims)
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"id_token": text, "access_token": "access", "token_type": "Bearer"})
}

func (i *issuer) sign(claims map[string]any) string {
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: i.key, KeyID: i.keyID}}, nil)
	must(i.t, err)
	return i.signWith(signer, claims)
}

func (i *issuer) signWith(signer jose.Signer, claims map[string]any) string {
	body, err := json.Marshal(claims)
	must(i.t, err)
	signed, err := signer.Sign(body)
	must(i.t, err)
	text, err := signed.CompactSerialize()
	must(i.t, err)
	return text
}

// keys publishes the public key, among what a provider may also publish.
func (i *issuer) keys(w http.ResponseWriter, _ *http.Request) {
	public := jose.JSONWebKey{Key: i.key.Public(), KeyID: i.keyID, Use: "sig", Algorithm: "ES256"}
	raw, err := public.MarshalJSON()
	must(i.t, err)
	fmt.Fprintf(w, `{"keys": [{"kty": "unheard of"}, {"kty": "oct", "kid": "shared", "k": "c2hhcmVk"}, %s]}`, raw)
}

// unsigned makes a token with an algorithm that needs no key of the provider.
func unsigned(algorithm string, key []byte) func(*issuer, map[string]any) string {
	return func(i *issuer, claims map[string]any) string {
		if algorithm != "none" {
			signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.SignatureAlgorithm(algorithm), Key: key}, nil)
			must(i.t, err)
			return i.signWith(signer, claims)
		}
		body, _ := json.Marshal(claims)
		return base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none"}`)) + "." + base64.RawURLEncoding.EncodeToString(body) + "."
	}
}

// foreign signs with a key that the provider never published.
func foreign(i *issuer, claims map[string]any) string {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(i.t, err)
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: crypto.Signer(key), KeyID: i.keyID}}, nil)
	must(i.t, err)
	return i.signWith(signer, claims)
}

// tampered changes the claims after signing.
func tampered(i *issuer, claims map[string]any) string {
	parts := strings.Split(i.sign(claims), ".")
	claims["email"] = "owner@example.org"
	body, _ := json.Marshal(claims)
	parts[1] = base64.RawURLEncoding.EncodeToString(body)
	return strings.Join(parts, ".")
}

// reaching gives a service that trusts the issuer, through the real way out.
func (i *issuer) reaching(o *Options) {
	site, _ := url.Parse(i.site.URL)
	port, _ := strconv.ParseUint(site.Port(), 10, 16)
	o.Client = egress.New(egress.Policy{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Ports: []uint16{uint16(port)}})
	i.t.Cleanup(o.Client.Close)
	o.OIDC = OIDCConfig{Issuer: i.site.URL, ClientID: clientID, ClientSecret: clientSecret, AllowedDomains: []string{"Example.org"}}
	now := o.Now
	i.now = func() int64 { return now().Unix() }
}
