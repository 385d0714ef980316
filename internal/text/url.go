package text

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// SameURL says whether two addresses lead to the same page, however a visitor came.
// An empty address leads nowhere.
func SameURL(a, b string) bool {
	return a != "" && (a == b || URLKey(a) == URLKey(b))
}

// URLKey is an address without what does not matter: scheme, "www.", default port,
// fragment, trailing slash, index file, order of parameters, how the visitor came.
func URLKey(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Opaque != "" {
		return strings.TrimSpace(address)
	}
	fragment := ""
	if strings.HasPrefix(u.Fragment, "/") || strings.HasPrefix(u.Fragment, "!") { // a page of an app
		fragment = "#" + u.Fragment
	}
	return HostKey(u) + pathKey(u.Path) + QueryKey(u, IsVisitorParameter) + fragment
}

// HostKey is the host of an address without what does not matter, and a scheme that is not that of the web.
func HostKey(u *url.URL) string {
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if port := u.Port(); port != "" && port != "80" && port != "443" {
		host += ":" + port
	}
	switch u.Scheme {
	case "http", "https", "":
		return strings.TrimPrefix(host, "www.")
	}
	return u.Scheme + ":" + host
}

var indexPage = regexp.MustCompile(`(?i)/(?:index|default)\.(?:html?|php|aspx?)$`)

func pathKey(path string) string {
	path, _, _ = strings.Cut(path, ";jsessionid=")
	return strings.TrimRight(indexPage.ReplaceAllString(path, "/"), "/")
}

// QueryKey writes the parameters of an address that matter, in one order.
func QueryKey(u *url.URL, drop func(name, value string) bool) string {
	if u.RawQuery == "" {
		return ""
	}
	var kept []string
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if pair == "" || drop(strings.ToLower(name), value) {
			continue
		}
		if plain, err := url.QueryUnescape(value); err == nil {
			value = plain
		}
		kept = append(kept, name+"="+value)
	}
	if len(kept) == 0 {
		return ""
	}
	slices.Sort(kept)
	return "?" + strings.Join(kept, "&")
}

// trackers are parameters that say how a visitor came to a page and never what
// the page is. The list is closed: Firefox's query stripping list, and what the
// vendors named document themselves.
var trackers = Set(`
	__hsfp __hssc __hstc __s _hsenc _openstat dclid fbclid gbraid gclid hsctatracking igshid mc_eid mkt_tok ml_subscriber
	ml_subscriber_hash msclkid oly_anon_id oly_enc_id rb_clickid s_cid twclid vero_conv vero_id wbraid wickedid yclid
	_ga _gl gclsrc gad_source gad_campaignid srsltid
	fb_action_ids fb_action_types fb_ref fb_source igsh li_fat_id ref_src ref_url rdt_cid sccid ttclid epik
	mc_cid _hsmi ymclid irclickid cjevent`) // Firefox; Google; social networks; Mailchimp, HubSpot, Yandex, Impact, CJ

// trackerFamilies are prefixes that a vendor reserves: Google Analytics'
// campaigns, and those of Matomo under its three names.
var trackerFamilies = []string{"utm_", "mtm_", "pk_", "piwik_"}

// IsTracker says whether a parameter, in lower case, only tells how a visitor came.
func IsTracker(name string) bool {
	return trackers[name] || slices.ContainsFunc(trackerFamilies, func(p string) bool { return strings.HasPrefix(name, p) })
}

// visitors are parameters that now and then name a page, so that they are fetched; two
// addresses of one site that differ in nothing else are one.
var visitors = Set("ref ref_ referrer referer source campaign cmp cmpid")

// IsVisitorParameter says whether a parameter, in lower case, is about the visitor and
// not about the page.
func IsVisitorParameter(name, value string) bool {
	return IsTracker(name) || visitors[name] || IsSession(name, value)
}

// sessions are names that only ever hold a session; likelySessions are also
// used for other things, so there the value must look like an id.
var (
	sessions       = Set("phpsessid jsessionid cftoken zenid oscsid")
	likelySessions = Set("sid sessid sessionid session_id session s cfid")
)

// IsSession says whether a parameter, in lower case, holds the session of a visitor.
func IsSession(name, value string) bool {
	return sessions[name] || strings.HasPrefix(name, "aspsessionid") || likelySessions[name] && looksLikeID(value)
}

// looksLikeID tells a random token from a word, a number or a slug: at least 16
// letters and digits, mixed, as the common frameworks make them.
func looksLikeID(value string) bool {
	letters, digits := 0, 0
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case '0' <= c && c <= '9':
			digits++
		case 'a' <= c|0x20 && c|0x20 <= 'z':
			letters++
		default:
			return false
		}
	}
	return letters+digits >= 16 && letters > 0 && digits >= 4
}
