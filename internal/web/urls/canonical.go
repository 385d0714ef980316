package urls

import (
	"cmp"
	"net"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	whatwg "github.com/nlnwa/whatwg-url/url"
)

const (
	// MaxURLLength is the longest URL that Curlew fetches: the limit that
	// Internet Explorer set for the web, and sitemaps.org took over.
	MaxURLLength = 2083
	// maxRawURL bounds what is handed to the URL parser: a URL may shrink, as
	// tracking parameters go, but not by any amount.
	maxRawURL = 4 * MaxURLLength
	maxHost   = 253 // RFC 1035, section 2.3.4
	maxLabel  = 63
)

// parser reads URLs as browsers do. A percent sign that escapes nothing is
// escaped itself, so that what results is a URL for stricter readers too.
var parser = whatwg.NewParser(whatwg.WithPercentEncodeSinglePercentSign())

// Canonical gives the one spelling of a URL, resolved against base where that
// is not empty. It changes nothing that a server could tell apart, save that
// tracking parameters, session ids and fragments go (a "#!" route stays). The
// order of parameters and a trailing slash are kept. A URL that Curlew does not
// fetch is a fault: another scheme than http or https, user information, no
// host, or too long.
func Canonical(raw, base string) (string, error) {
	from, err := newResolver(base)
	if err != nil {
		return "", err
	}
	a, err := from.resolve(raw)
	return a.String(), err
}

// Key gives a spelling in which two URLs are equal when they most likely name
// the same page: as Canonical, with parameters sorted by name and without those
// that tell how a visitor came ("ref"). It is for comparison only. What has no canonical spelling is its own key.
func Key(raw string) string {
	a, err := resolver{}.resolve(raw)
	if err != nil {
		return raw
	}
	return a.key()
}

// Site gives the registrable domain of a URL ("example.co.uk"), which two
// hosts of one owner share. IP addresses, local names and public suffixes have
// none: there the host with its port is the site. It is "" for no URL.
func Site(url string) string {
	a, err := resolver{}.resolve(url)
	if err != nil {
		return ""
	}
	return a.site()
}

// SameSite tells whether two URLs belong to one site.
func SameSite(a, b string) bool {
	site := Site(a)
	return site != "" && site == Site(b)
}

// address is a canonical URL in parts.
type address struct {
	scheme, host string // the host with its port, where that is not the default
	path         string
	query        []string // parameters in order, each "name" or "name=value"
	fragment     string   // only a route: "!/products"
}

// resolver parses many URLs against one base.
type resolver struct {
	base *whatwg.Url
	root address // the base's "/"; without host when that is no web page
}

func resolverFor(base *whatwg.Url) resolver {
	r := resolver{base: base}
	if root, err := r.resolve("/"); err == nil {
		r.root = root
	}
	return r
}

func newResolver(base string) (resolver, error) {
	if base == "" {
		return resolver{}, nil
	}
	if len(base) > maxRawURL {
		return resolver{}, tooLong(len(base))
	}
	u, err := parser.Parse(base)
	if err != nil {
		return resolver{}, badURL(base, err)
	}
	return resolverFor(u), nil
}

func (r resolver) resolve(raw string) (address, error) {
	if r.root.host != "" && isPlain(raw) {
		return address{scheme: r.root.scheme, host: r.root.host, path: raw}, nil
	}
	if a, ok := plainAddress(raw); ok {
		return a, nil
	}
	return r.resolveOdd(raw)
}

// resolveOdd resolves what may be spelled in any way.
func (r resolver) resolveOdd(raw string) (address, error) {
	if len(raw) > maxRawURL {
		return address{}, tooLong(len(raw))
	}
	u, err := r.parse(strings.ToValidUTF8(raw, "\uFFFD"))
	if err != nil {
		return address{}, badURL(raw, err)
	}
	if scheme := u.Scheme(); scheme != "http" && scheme != "https" {
		return address{}, curlew.Refused("url_scheme", "%.200q is not a web page: its scheme is %q", raw, scheme)
	}
	if u.Username() != "" || u.Password() != "" {
		return address{}, curlew.Refused("url_credentials", "the URL on %s carries a user name or password", u.Hostname())
	}
	a := address{scheme: u.Scheme(), host: u.Host(), path: cleanPath(u.Pathname()), query: cleanQuery(u.Query())}
	if a.host, err = cleanHost(u); err != nil {
		return address{}, err
	}
	if route := respell(u.Fragment()); len(route) > 1 && route[0] == '!' {
		a.fragment = route
	}
	if n := len(a.String()); n > MaxURLLength {
		return address{}, tooLong(n)
	}
	return a, nil
}

// plainLength leaves room for scheme and host within MaxURLLength.
const plainLength = MaxURLLength - maxHost - len("https://:65535")

// isPlain tells a path from the root whose spelling is canonical already: most
// links are such, and need no parser.
func isPlain(raw string) bool {
	if raw == "" || raw[0] != '/' || len(raw) > plainLength {
		return false
	}
	for i := 1; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '/' && i == 1: // another host
			return false
		case c == '.' && raw[i-1] == '/': // may be a dot segment
			return false
		case c != '/' && !unreserved(c):
			return false
		}
	}
	return true
}

// plainAddress takes a whole address apart whose spelling is canonical already.
func plainAddress(raw string) (a address, ok bool) {
	scheme, rest, _ := strings.Cut(raw, "://")
	if scheme != "https" && scheme != "http" {
		return a, false
	}
	slash := strings.IndexByte(rest, '/')
	if slash < 0 || !isPlainHost(rest[:slash]) || !isPlain(rest[slash:]) {
		return a, false
	}
	return address{scheme: scheme, host: rest[:slash], path: rest[slash:]}, true
}

// isPlainHost tells the name of a host whose spelling is canonical already: labels of small letters, digits and hyphens, none of
// them in Punycode, and a last one of letters, so that it is no address of a network.
func isPlainHost(host string) bool {
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || len(label) > maxLabel || strings.Trim(label, "-") != label || strings.HasPrefix(label[min(2, len(label)):], "--") {
			return false
		}
	}
	notLetter := func(r rune) bool { return r < 'a' || r > 'z' }
	odd := func(r rune) bool { return notLetter(r) && (r < '0' || r > '9') && r != '-' && r != '.' }
	last := host[strings.LastIndexByte(host, '.')+1:]
	return len(host) <= maxHost && !strings.ContainsFunc(host, odd) && !strings.ContainsFunc(last, notLetter)
}

func (r resolver) parse(raw string) (*whatwg.Url, error) {
	if r.base == nil {
		return parser.Parse(raw)
	}
	return r.base.Parse(raw)
}

func badURL(raw string, err error) error {
	return curlew.Permanent("bad_url", "%.200q is not a URL", raw).Because(err)
}

func tooLong(n int) error {
	return curlew.Refused("url_too_long", "a URL of %d characters is longer than %d", n, MaxURLLength)
}

// String writes the canonical spelling.
func (a address) String() string {
	if a.host == "" {
		return ""
	}
	return a.with(a.query)
}

func (a address) with(query []string) string {
	var b strings.Builder
	b.WriteString(a.scheme + "://" + a.host + a.path)
	for i, parameter := range query {
		b.WriteByte("?&"[min(i, 1)])
		b.WriteString(parameter)
	}
	if a.fragment != "" {
		b.WriteString("#" + a.fragment)
	}
	return b.String()
}

// key sorts the parameters by name. Values of one name keep their order, in
// which the first or the last may count.
func (a address) key() string {
	var sorted []string
	for _, parameter := range a.query {
		name, value, _ := strings.Cut(parameter, "=")
		if text.IsVisitorParameter(strings.ToLower(name), value) {
			continue
		}
		if value == "" {
			parameter = name // servers take "name" and "name=" for the same
		}
		if parameter != "" {
			sorted = append(sorted, strictQuery.Replace(parameter))
		}
	}
	slices.SortStableFunc(sorted, func(x, y string) int {
		nameX, _, _ := strings.Cut(x, "=")
		nameY, _, _ := strings.Cut(y, "=")
		return strings.Compare(nameX, nameY)
	})
	return a.with(sorted)
}

// strictQuery escapes what browsers leave alone in a query and RFC 3986 does
// not allow there; servers take both for the same.
var strictQuery = strings.NewReplacer("[", "%5B", "]", "%5D", "|", "%7C", "^", "%5E", "`", "%60", "{", "%7B", "}", "%7D", `\`, "%5C")

func (a address) hostname() string {
	if host, _, err := net.SplitHostPort(a.host); err == nil {
		return host
	}
	return a.host
}

func (a address) site() string {
	return cmp.Or(text.Site(a.hostname()), a.host)
}

// cleanHost drops the dot at the end, which names the same host in DNS.
func cleanHost(u *whatwg.Url) (string, error) {
	name := u.Hostname()
	if clean := strings.TrimRight(name, "."); clean != name && clean != "" {
		if u.SetHostname(clean); u.Hostname() != clean {
			return "", badURL(name, nil)
		}
		name = clean
	}
	if name == "" || len(name) > maxHost || strings.Trim(name, ".") == "" {
		return "", curlew.Permanent("bad_url", "%.60q cannot be the name of a host", name)
	}
	if strings.Contains(name, "xn--") {
		// Some names can be encoded and not decoded again; no registry has them.
		if again, err := parser.Parse("https://" + name); err != nil || again.Hostname() != name {
			return "", curlew.Permanent("bad_url", "%.60q cannot be the name of a host", name).Because(err)
		}
	}
	return u.Host(), nil
}

// cleanPath takes session ids out of a path. Dot segments are gone already;
// none may arise.
func cleanPath(path string) string {
	path = respell(path)
	if !strings.Contains(strings.ToLower(path), ";jsessionid=") {
		return path
	}
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if clean := withoutSession(segment); clean != "." && clean != ".." {
			segments[i] = clean
		}
	}
	return strings.Join(segments, "/")
}

// withoutSession removes the path parameter in which Java keeps its session.
func withoutSession(segment string) string {
	parameters := strings.Split(segment, ";")
	return strings.Join(slices.DeleteFunc(parameters, func(p string) bool {
		name, _, ok := strings.Cut(p, "=")
		return ok && strings.EqualFold(name, "jsessionid")
	}), ";")
}

func cleanQuery(query string) []string {
	if query == "" {
		return nil
	}
	var kept []string
	for parameter := range strings.SplitSeq(respell(query), "&") {
		name, value, _ := strings.Cut(parameter, "=")
		if name = strings.ToLower(name); parameter != "" && !text.IsTracker(name) && !text.IsSession(name, value) {
			kept = append(kept, parameter)
		}
	}
	return kept
}

// respell writes escapes in capitals, undoes those of characters that need none
// (RFC 3986, section 6.2.2), and escapes a percent sign that escapes nothing.
func respell(text string) string {
	if strings.IndexByte(text, '%') < 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			b.WriteByte(text[i])
			continue
		}
		if i+2 >= len(text) || !isHex(text[i+1]) || !isHex(text[i+2]) {
			b.WriteString("%25")
			continue
		}
		if c := unhex(text[i+1])<<4 | unhex(text[i+2]); unreserved(c) {
			b.WriteByte(c)
		} else {
			b.WriteString(strings.ToUpper(text[i : i+3]))
		}
		i += 2
	}
	return b.String()
}

func unreserved(c byte) bool {
	return isLetter(c) || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}
