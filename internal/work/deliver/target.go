package deliver

import (
	"bytes"
	"encoding/json"
	"net/mail"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/http/httpguts"
)

// WebhookTarget is where a webhook goes and what it is signed with.
type WebhookTarget struct {
	URL     string            `json:"url"`
	Secrets []Secret          `json:"secrets"`
	Headers map[string]string `json:"headers,omitempty"` // such as Authorization
}

// SlackTarget is an incoming webhook of Slack, or of a chat with the same format.
type SlackTarget struct {
	URL string `json:"url"` // a secret: whoever knows it may post
}

// EmailTarget is who receives e-mail.
type EmailTarget struct {
	To           []string `json:"to"`
	Unsubscribed []string `json:"unsubscribed,omitempty"` // tokens of the last links that were used
}

// Rules say what targets may be beyond the usual.
type Rules struct {
	PlainHTTP bool // http besides https: for installations whose receivers are on the same machine or network
}

const (
	maxTarget  = 16 << 10
	maxURL     = 2083
	maxHeaders = 16
	maxTo      = 20
)

// CheckTarget says what is wrong with the target of a subscription.
func (r Rules) CheckTarget(channel curlew.Channel, raw json.RawMessage) error {
	switch channel {
	case curlew.ChannelWebhook:
		t, err := decodeTarget[WebhookTarget](raw)
		if err != nil {
			return err
		}
		return r.checkWebhook(t)
	case curlew.ChannelSlack:
		t, err := decodeTarget[SlackTarget](raw)
		if err != nil {
			return err
		}
		return r.checkURL(t.URL)
	case curlew.ChannelEmail:
		t, err := decodeTarget[EmailTarget](raw)
		if err != nil {
			return err
		}
		return checkEmail(t)
	}
	if IsChat(channel) {
		t, err := decodeTarget[ChatTarget](raw)
		if err != nil {
			return err
		}
		return r.checkChat(channel, t)
	}
	var known []string
	for _, c := range curlew.Channels() {
		known = append(known, string(c))
	}
	return badTarget("unknown channel %q: use %s", text.Clip(string(channel), 40), strings.Join(known, ", "))
}

func badTarget(format string, args ...any) error {
	return curlew.Permanent("bad_target", format, args...)
}

func decodeTarget[T any](raw json.RawMessage) (T, error) {
	var t T
	if len(raw) > maxTarget {
		return t, badTarget("the target is %d bytes long; %d are the most", len(raw), maxTarget)
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&t); err != nil {
		// Its text may repeat what was given, but never a value: those are secrets.
		return t, badTarget("the target is not the JSON that this channel needs: %s", text.Clip(strings.TrimPrefix(err.Error(), "json: "), 200))
	}
	return t, nil
}

func (r Rules) checkWebhook(t WebhookTarget) error {
	if err := r.checkURL(t.URL); err != nil {
		return err
	}
	if len(t.Secrets) == 0 || len(t.Secrets) > maxSecrets {
		return badTarget("a webhook has between 1 and %d secrets", maxSecrets)
	}
	for _, s := range t.Secrets {
		if _, err := s.bytes(); err != nil {
			return err
		}
	}
	return checkHeaders(t.Headers)
}

// ours are headers that a target may not set.
var ours = []string{"host", "content-type", "content-length", "content-encoding", "transfer-encoding", "connection", "upgrade",
	"te", "trailer", "expect", "user-agent", "accept-encoding", "cookie"}

func checkHeaders(headers map[string]string) error {
	if len(headers) > maxHeaders {
		return badTarget("a webhook can have at most %d custom headers", maxHeaders)
	}
	for name, value := range headers {
		lower := strings.ToLower(name)
		switch {
		case !httpguts.ValidHeaderFieldName(name):
			return badTarget("%q cannot be the name of a header", line(name, 60))
		case slices.Contains(ours, lower) || strings.HasPrefix(lower, "webhook-") || strings.HasPrefix(lower, "proxy-"):
			return badTarget("the header %s is set by Curlew", text.Clip(name, 60))
		case !httpguts.ValidHeaderFieldValue(value) || len(value) > 4096:
			return badTarget("the value of the header %s has characters that a header cannot carry, or too many", text.Clip(name, 60))
		}
	}
	return nil
}

// checkURL never repeats the URL: that of a chat is a secret.
func (r Rules) checkURL(raw string) error {
	if raw == "" {
		return badTarget("the target has no url")
	}
	u, err := url.Parse(raw)
	switch {
	case len(raw) > maxURL:
		return badTarget("the url is %d bytes long; %d are the most", len(raw), maxURL)
	case err != nil || strings.ContainsFunc(raw, func(c rune) bool { return c <= ' ' || c == 0x7f }):
		return badTarget("the url cannot be read: it has spaces, line ends or broken escapes")
	case u.Scheme == "http" && !r.PlainHTTP:
		return badTarget("the url begins with http://; use https:// to protect messages on the way")
	case u.Scheme != "http" && u.Scheme != "https":
		return badTarget("the url begins with neither https:// nor http://")
	case u.User != nil:
		return badTarget("the url has a user name or password before its host; give them in a header instead")
	case u.Hostname() == "":
		return badTarget("the url has no host")
	case u.Fragment != "":
		return badTarget("the url has a fragment (#…), which is never sent")
	}
	return nil
}

func checkEmail(t EmailTarget) error {
	if len(t.To) == 0 || len(t.To) > maxTo {
		return badTarget("an e-mail goes to between 1 and %d addresses", maxTo)
	}
	for _, to := range t.To {
		if err := checkAddress(to); err != nil {
			return err
		}
	}
	return nil
}

// Receivers are those whom a subscription has messages for: of e-mail each address, else one without a name.
func Receivers(s curlew.Subscription) []string {
	if s.Channel != curlew.ChannelEmail {
		return []string{""}
	}
	t, err := decodeTarget[EmailTarget](s.Target)
	if err != nil {
		return []string{""} // it is said when it is sent
	}
	return Distinct(t.To)
}

// Receives says whether an address is among the receivers.
func Receives(s curlew.Subscription, address string) bool {
	return slices.ContainsFunc(Receivers(s), func(other string) bool { return sameMailbox(other, address) })
}

// Distinct are the receivers without those who are named twice: the domain of an address is the same in capitals.
func Distinct(to []string) (all []string) {
	for _, address := range to {
		if !slices.ContainsFunc(all, func(other string) bool { return sameMailbox(other, address) }) {
			all = append(all, address)
		}
	}
	return all
}

func sameMailbox(a, b string) bool {
	i, j := strings.LastIndexByte(a, '@')+1, strings.LastIndexByte(b, '@')+1
	return a[:i] == b[:j] && strings.EqualFold(a[i:], b[j:])
}

// checkAddress takes an address alone, in the plain form that every server knows.
func checkAddress(address string) error {
	parsed, err := mail.ParseAddress(address)
	if err != nil || parsed.Name != "" || parsed.Address != address || len(address) > 254 {
		return badTarget("%q is not an e-mail address: write it alone, as in ana@example.org", line(address, 80))
	}
	plain := func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`"(),:;<>[\]`, r) }
	local, domain, _ := strings.Cut(address, "@")
	if strings.ContainsFunc(local, plain) || strings.ContainsFunc(domain, plain) || strings.Contains(domain, "@") {
		return badTarget("%q has characters that not every mail server takes", line(address, 80))
	}
	return nil
}

const hidden = "••••"

// Redact gives a target that may be shown: without secrets, passwords and tokens.
func Redact(channel curlew.Channel, raw json.RawMessage) json.RawMessage {
	var shown any
	switch channel {
	case curlew.ChannelWebhook:
		t, err := decodeTarget[WebhookTarget](raw)
		if err != nil {
			return json.RawMessage(`{}`)
		}
		t.URL = redactURL(t.URL, true)
		t.Secrets = slices.Clone(t.Secrets)
		for i := range t.Secrets {
			t.Secrets[i].Key = secretPrefix + hidden
		}
		t.Headers = hiddenHeaders(t.Headers)
		shown = t
	case curlew.ChannelSlack:
		t, err := decodeTarget[SlackTarget](raw)
		if err != nil {
			return json.RawMessage(`{}`)
		}
		t.URL = redactURL(t.URL, false)
		shown = t
	case curlew.ChannelEmail:
		t, err := decodeTarget[EmailTarget](raw)
		if err != nil {
			return json.RawMessage(`{}`)
		}
		t.Unsubscribed = nil
		shown = t
	default:
		t, err := decodeTarget[ChatTarget](raw)
		if err != nil || !IsChat(channel) {
			return json.RawMessage(`{}`)
		}
		t.URL, t.Headers = redactURL(t.URL, false), hiddenHeaders(t.Headers)
		shown = t
	}
	out, err := json.Marshal(shown)
	if err != nil {
		return json.RawMessage(`{}`)
	}
	return out
}

func hiddenHeaders(headers map[string]string) map[string]string {
	shown := map[string]string{}
	for name := range headers {
		shown[name] = hidden
	}
	return shown
}

// redactURL keeps scheme and host, and the path where it is no secret. Queries and
// user names always are.
func redactURL(raw string, path bool) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return hidden
	}
	shown := u.Scheme + "://" + u.Host
	if path {
		shown += u.EscapedPath()
	} else if u.Path != "" && u.Path != "/" {
		shown += "/" + hidden
	}
	if u.RawQuery != "" {
		shown += "?" + hidden
	}
	return shown
}

// loopback says whether a mail server may be spoken to in the clear.
func loopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return err == nil && a.IsLoopback()
}
