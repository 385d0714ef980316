package auth

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/web/egress"
	"github.com/go-jose/go-jose/v4"
)

// OIDCConfig is the provider that vouches for people.
type OIDCConfig struct {
	Issuer         string
	ClientID       string
	ClientSecret   string   // "" for a public client
	AllowedDomains []string // whose people become viewers by themselves; "*" means all whom the issuer vouches for
}

// provider is the OIDC provider as it described itself last.
type provider struct {
	OIDCConfig
	client *egress.Client
	now    func() time.Time

	mu       sync.Mutex
	about    discovery
	aboutAt  time.Time
	keys     []jose.JSONWebKey
	askedFor time.Time // when the keys were last asked for, whatever came of it
}

// discovery is what we need of OpenID Connect Discovery 1.0, section 3.
type discovery struct {
	Issuer        string   `json:"issuer"`
	Authorization string   `json:"authorization_endpoint"`
	Token         string   `json:"token_endpoint"`
	JWKS          string   `json:"jwks_uri"`
	UserInfo      string   `json:"userinfo_endpoint"`
	Algorithms    []string `json:"id_token_signing_alg_values_supported"`
	TokenAuth     []string `json:"token_endpoint_auth_methods_supported"`
}

const (
	discoveryFor = time.Hour   // how long a description is believed
	keysEvery    = time.Minute // how often unknown keys make us ask again
)

// algorithms are those that need the issuer's private key. A shared secret or no
// signature at all is never accepted, whatever the issuer lists.
var algorithms = []jose.SignatureAlgorithm{jose.RS256, jose.RS384, jose.RS512, jose.ES256, jose.ES384, jose.ES512,
	jose.PS256, jose.PS384, jose.PS512, jose.EdDSA}

func newProvider(c OIDCConfig, client *egress.Client, now func() time.Time) *provider {
	return &provider{OIDCConfig: c, client: client, now: now}
}

func unreachable(err error) error {
	return curlew.Temporary("oidc_unavailable", "the sign-in provider does not answer as it should: try again later").Because(err)
}

func distrusted(format string, args ...any) error {
	return curlew.Refused("oidc_refused", "the sign-in provider did not confirm who you are: sign in again").
		Because(curlew.Permanent("oidc_refused", format, args...))
}

// ask sends one request to the provider and reads JSON: no redirects, a megabyte
// and ten seconds at most.
func (p *provider) ask(ctx context.Context, r egress.Request, into any) error {
	r.Budget = egress.Budget{Body: 1 << 20, Time: 10 * time.Second}
	if r.Header == nil {
		r.Header = http.Header{}
	}
	r.Header.Set("Accept", "application/json")
	answer, err := p.client.Do(ctx, r)
	switch {
	case err != nil:
		return unreachable(err)
	case answer.Status == http.StatusBadRequest || answer.Status == http.StatusUnauthorized:
		return distrusted("%s answered %d", r.URL, answer.Status)
	case answer.Status != http.StatusOK || !answer.Complete:
		return unreachable(curlew.Temporary("oidc_status", "%s answered %d", r.URL, answer.Status))
	}
	if err := json.Unmarshal(answer.Body, into); err != nil {
		return unreachable(err)
	}
	return nil
}

// discover reads how the provider describes itself, at most once an hour.
func (p *provider) discover(ctx context.Context) (discovery, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.aboutAt.IsZero() && p.now().Sub(p.aboutAt) < discoveryFor {
		return p.about, nil
	}
	var about discovery
	err := p.ask(ctx, egress.Request{URL: strings.TrimSuffix(p.Issuer, "/") + "/.well-known/openid-configuration"}, &about)
	if err != nil {
		return about, err
	}
	if about.Issuer != p.Issuer {
		return about, unreachable(curlew.Permanent("oidc_issuer", "the provider calls itself %q, and oidc.issuer is %q", about.Issuer, p.Issuer))
	}
	endpoints := []string{about.Authorization, about.Token, about.JWKS}
	if about.UserInfo != "" {
		endpoints = append(endpoints, about.UserInfo)
	}
	for _, endpoint := range endpoints {
		if !p.fitsIssuer(endpoint) {
			return about, unreachable(curlew.Permanent("oidc_endpoint", "the provider names the endpoint %q", endpoint))
		}
	}
	p.about, p.aboutAt = about, p.now()
	return about, nil
}

// fitsIssuer says whether an endpoint is as well protected as the issuer.
func (p *provider) fitsIssuer(endpoint string) bool {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || u.User != nil {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && strings.HasPrefix(p.Issuer, "http://")
}

// authorizeURL is where a person's browser goes; the seed stands for this one
// sign-in, and state, nonce and verifier are made from it.
func (p *provider) authorizeURL(about discovery, seed, callback string) (string, error) {
	u, err := url.Parse(about.Authorization)
	if err != nil {
		return "", unreachable(err)
	}
	q := u.Query()
	for name, value := range map[string]string{
		"response_type": "code", "client_id": p.ClientID, "redirect_uri": callback, "scope": "openid email profile",
		"state": seedState(seed), "nonce": seedNonce(seed), "code_challenge": challenge(seedVerifier(seed)), "code_challenge_method": "S256",
	} {
		q.Set(name, value)
	}
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// tokens is the answer of the token endpoint.
type tokens struct {
	ID     string `json:"id_token"`
	Access string `json:"access_token"`
}

// exchange gives the code back for tokens, and proves with the verifier that it
// was us who asked for it.
func (p *provider) exchange(ctx context.Context, about discovery, seed, code, callback string) (tokens, error) {
	form := url.Values{"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {callback}, "code_verifier": {seedVerifier(seed)}}
	header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	basic := len(about.TokenAuth) == 0 || slices.Contains(about.TokenAuth, "client_secret_basic")
	switch {
	case p.ClientSecret == "":
		form.Set("client_id", p.ClientID)
	case basic: // both are form-encoded first: RFC 6749, section 2.3.1
		pair := url.QueryEscape(p.ClientID) + ":" + url.QueryEscape(p.ClientSecret)
		header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(pair)))
	default:
		form.Set("client_id", p.ClientID)
		form.Set("client_secret", p.ClientSecret)
	}
	var got tokens
	err := p.ask(ctx, egress.Request{Method: http.MethodPost, URL: about.Token, Header: header, Body: []byte(form.Encode())}, &got)
	if err == nil && got.ID == "" {
		err = distrusted("there is no ID token")
	}
	return got, err
}

// claims are what the provider says of a person.
type claims struct {
	Subject  string   `json:"sub"`
	Email    string   `json:"email"`
	Verified flexible `json:"email_verified"`
	Name     string   `json:"name"`
	Party    string   `json:"azp"`
}

// flexible is a truth that some providers write as text.
type flexible bool

func (f *flexible) UnmarshalJSON(raw []byte) error {
	*f = string(raw) == "true" || string(raw) == `"true"`
	return nil
}

// allowedAlgorithms are those that the provider signs with and that we trust.
func (d discovery) allowedAlgorithms() (allowed []string) {
	for _, a := range algorithms {
		if slices.Contains(d.Algorithms, string(a)) || len(d.Algorithms) == 0 && a == jose.RS256 {
			allowed = append(allowed, string(a))
		}
	}
	return allowed
}

// vouch checks what came with a code and tells for whom the provider vouches.
func (p *provider) vouch(ctx context.Context, about discovery, seed string, got tokens) (claims, error) {
	var c claims
	allowed := about.allowedAlgorithms()
	if len(allowed) == 0 {
		return c, distrusted("the provider signs only with %v", about.Algorithms)
	}
	verifier := oidc.NewVerifier(p.Issuer, p, &oidc.Config{ClientID: p.ClientID, SupportedSigningAlgs: allowed, Now: p.now})
	token, err := verifier.Verify(ctx, got.ID)
	if err != nil {
		return c, distrusted("the ID token: %s", err)
	}
	if err := token.Claims(&c); err != nil {
		return c, distrusted("the claims: %s", err)
	}
	switch {
	case !same(token.Nonce, seedNonce(seed)):
		return c, distrusted("the nonce does not match")
	case c.Party != "" && c.Party != p.ClientID || len(token.Audience) > 1 && c.Party == "":
		return c, distrusted("the token was made for %q", c.Party)
	case token.Subject == "":
		return c, distrusted("there is no subject")
	}
	if c.Email == "" && about.UserInfo != "" && got.Access != "" {
		return p.userInfo(ctx, about, got.Access, token.Subject)
	}
	return c, nil
}

// userInfo asks for what some providers leave out of the ID token.
func (p *provider) userInfo(ctx context.Context, about discovery, access, subject string) (claims, error) {
	var c claims
	err := p.ask(ctx, egress.Request{URL: about.UserInfo, Header: http.Header{"Authorization": {"Bearer " + access}}}, &c)
	if err == nil && c.Subject != subject {
		err = distrusted("userinfo is about another person")
	}
	return c, err
}
