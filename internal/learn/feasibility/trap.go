package feasibility

import (
	"net/url"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
)

// sessionName is how a parameter is called that only tells visitors apart.
var sessionName = text.Pattern(`(?i)^(?:` +
	`phpsessid|jsessionid|aspsessionid\w*|sessionid|session_id|session|sessid|sid|cfid|cftoken|zenid|osCsid|xtcsid|s)$`)

// trapOf says why a site has no end: addresses that carry a new session each time
// on a calendar that goes on for ever, or filters that multiply its months.
func trapOf(d *dom.Document, p DetectedPagination) string {
	if p.Kind != PagesCalendar && !strings.Contains(p.Pattern, "{month}") {
		return ""
	}
	internal, sessions, months := 0, 0, map[string]int{}
	values := map[string]bool{}
	for _, l := range d.Links() {
		u, err := url.Parse(l.URL)
		if err != nil || !strings.EqualFold(u.Hostname(), d.URL().Hostname()) {
			continue
		}
		internal++
		if id := sessionOf(u); id != "" {
			sessions++
			values[id] = true
		}
		if _, pattern, ok := monthOf(plain(u)); ok && !dayAfter(pattern) {
			months[u.Path]++
		}
		if internal > 5000 {
			break
		}
	}
	variants := 0
	for _, n := range months {
		variants = max(variants, n)
	}
	switch {
	case sessions >= 5 && len(values) > 1:
		return "its months go on for ever and every link carries a new session id, so that the same page has endless addresses"
	case variants >= 12:
		return "its months go on for ever and filters multiply each of them"
	}
	return ""
}

func sessionOf(u *url.URL) string {
	if _, id, ok := strings.Cut(strings.ToLower(u.Path), ";jsessionid="); ok {
		return id
	}
	for name, values := range u.Query() {
		if sessionName().MatchString(name) && len(values) > 0 && len(values[0]) >= 12 {
			return values[0]
		}
	}
	return ""
}
