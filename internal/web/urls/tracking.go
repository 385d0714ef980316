package urls

import "strings"

// trackers are parameters that say how a visitor came to a page and never what
// the page is. The list is closed: Firefox's query stripping list, and what the
// vendors named document themselves. Names are compared in lower case.
var trackers = set(
	// Firefox: its list of stripped query parameters
	"__hsfp", "__hssc", "__hstc", "__s", "_hsenc", "_openstat", "dclid", "fbclid", "gbraid", "gclid",
	"hsctatracking", "igshid", "mc_eid", "mkt_tok", "ml_subscriber", "ml_subscriber_hash", "msclkid",
	"oly_anon_id", "oly_enc_id", "rb_clickid", "s_cid", "twclid", "vero_conv", "vero_id", "wbraid",
	"wickedid", "yclid",
	// Google Analytics and Ads
	"_ga", "_gl", "gclsrc", "gad_source", "gad_campaignid", "srsltid",
	// Facebook, Instagram, X, LinkedIn, TikTok, Pinterest, Reddit, Snapchat
	"fb_action_ids", "fb_action_types", "fb_ref", "fb_source", "igsh", "li_fat_id", "ref_src", "ref_url",
	"rdt_cid", "sccid", "ttclid", "epik",
	// Mailchimp, HubSpot, Yandex, Impact, Commission Junction
	"mc_cid", "_hsmi", "ymclid", "irclickid", "cjevent",
)

// trackerFamilies are prefixes that a vendor reserves: Google Analytics'
// campaigns, and those of Matomo under its three names.
var trackerFamilies = []string{"utm_", "mtm_", "pk_", "piwik_"}

func tracks(name string) bool {
	name = strings.ToLower(name)
	if trackers[name] {
		return true
	}
	for _, prefix := range trackerFamilies {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// sessions are names that only ever hold a session; likelySessions are also
// used for other things, so there the value must look like an id.
var (
	sessions       = set("phpsessid", "jsessionid", "cftoken", "zenid", "oscsid")
	likelySessions = set("sid", "sessid", "sessionid", "session_id", "session", "s", "cfid")
)

func isSession(name, value string) bool {
	name = strings.ToLower(name)
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

func set(names ...string) map[string]bool {
	all := make(map[string]bool, len(names))
	for _, name := range names {
		all[name] = true
	}
	return all
}
