package feasibility

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
)

// maxScript is how much of a script is searched, and maxLiterals how many addresses
// in it are looked at.
const (
	maxScript   = 2 << 20
	maxLiterals = 1000
	maxLiteral  = 300
)

// nextLiteral finds the next quoted address in a script at or after from: one that
// is absolute or begins at the root. It gives its bounds without the quotes, or -1.
func nextLiteral(text string, from int) (begin, end int) {
	for i := from; i+2 < len(text); i++ {
		quote := text[i]
		if quote != '"' && quote != '\'' && quote != '`' {
			continue
		}
		rest := text[i+1:]
		if rest[0] != '/' && rest[0] != '\\' && !strings.HasPrefix(rest, "http") {
			continue
		}
		if n := strings.IndexAny(rest[:min(len(rest), maxLiteral)], "\"'` \t\r\n<>"); n > 1 && rest[n] == quote {
			return i + 1, i + 1 + n
		}
	}
	return -1, -1
}

// asking is what stands before an address that is asked for.
var asking = text.Pattern(`(?i)(?:fetch|axios(?:\.\w+)?|\.get|\.post|\.ajax|getJSON|\.open|request|useSWR|useFetch|\$fetch)` +
	`\s*\(\s*(?:["'](GET|POST)["']\s*,\s*)?(?:\{\s*)?$` +
	`|(?i)(?:url|uri|endpoint|api|apiUrl|baseUrl|href|feed|eventSources?|events)["']?\s*[:=]\s*$`)

// posting is what follows an address that is posted to.
var posting = text.Pattern(`(?i)^[^;]{0,80}method["']?\s*:\s*["']POST`)

// searchKey tells of search services whose keys stand in the page.
var searchKey = text.Pattern(`(?i)algoliasearch\s*\(\s*["']([A-Z0-9]{8,12})["']|` +
	`"?(?:appId|applicationId|algoliaAppId|application_id)"?\s*:\s*["']([A-Z0-9]{10})["']`)

// script looks for addresses of data in a script.
func (f *endpointFinder) script(ctx context.Context, s string) {
	s = text.CutBytes(s, maxScript)
	from := 0
	seen := map[string]bool{}
	for n := 0; n < maxLiterals && len(f.found) < 300 && ctx.Err() == nil; n++ {
		begin, end := nextLiteral(s, from)
		if begin < 0 {
			break
		}
		if around := s[max(0, begin-20):min(len(s), end+40)]; !seen[around] {
			seen[around] = true
			f.literal(s, begin, end)
		}
		from = end + 1
	}
	if !strings.Contains(s, "lgolia") {
		return
	}
	if m := searchKey().FindStringSubmatch(s); m != nil {
		id := strings.ToLower(m[1] + m[2])
		f.add(Endpoint{Method: "POST", URL: "https://" + id + "-dsn.algolia.net/1/indexes", Kind: EndpointSearch, Found: "script", Score: 3,
			Note: "a search service whose key stands in the page; Curlew does not use keys of others"})
	}
}

func (f *endpointFinder) literal(str string, begin, end int) {
	raw := strings.ReplaceAll(str[begin:end], `\/`, "/")
	before := str[max(0, begin-61) : begin-1]
	var asked []string
	if s := strings.TrimRight(before, " \t\n"); s != "" && strings.IndexByte("(:=,{", s[len(s)-1]) >= 0 {
		asked = asking().FindStringSubmatch(before)
	}
	api := looksLikeAPI(raw)
	if asked == nil && !api || bareRoot().MatchString(raw) {
		return
	}
	e := Endpoint{URL: f.doc.Resolve(withoutHoles(raw)), Kind: kindOf(raw), Found: "script", Score: 1 + subject(raw)}
	if api {
		e.Score += 2
	}
	if asked != nil {
		e.Score += 2
		e.Method = strings.ToUpper(asked[1])
	}
	after := text.CutBytes(str[end+1:], 4000)
	if strings.Contains(strings.ToUpper(text.CutBytes(after, 120)), "POST") && posting().MatchString(text.CutBytes(after, 120)) {
		e.Method = "POST"
	}
	if e.Kind == EndpointGraphQL {
		e.Method, e.Query = "POST", graphQuery(after)
		e.Score += 2
	} else if e.Method == "POST" {
		return // what else is posted may change something
	}
	if e.Score >= 3 {
		f.add(e)
	}
}

// bareRoot is where an API begins, which by itself answers nothing.
var bareRoot = text.Pattern(`(?i)^(?:https?://[^/]+)?/?(?:api|rest|ajax|_api)?(?:/v[0-9.]+)?/?$`)

// looksLikeAPI says whether an address is built like one of an API.
func looksLikeAPI(address string) bool {
	lower := strings.ToLower(address)
	if !strings.HasPrefix(lower, "/") && !strings.HasPrefix(lower, "http") {
		return false
	}
	file, _, _ := strings.Cut(lower, "?")
	if endpointWords().Of("api").In(file+"/") || strings.HasPrefix(file, "https://api.") {
		return true
	}
	return strings.HasSuffix(file, ".json") || strings.HasSuffix(file, ".ics") || strings.Contains(lower, "format=json")
}

func kindOf(address string) EndpointKind {
	lower := strings.ToLower(address)
	file, _, _ := strings.Cut(lower, "?")
	switch {
	case strings.Contains(file, "graphql"), strings.HasSuffix(file, "/gql"):
		return EndpointGraphQL
	case strings.HasSuffix(file, ".ics"):
		return EndpointCalendar
	case strings.HasSuffix(file, "/feed"), strings.HasSuffix(file, "/feed/"), strings.HasSuffix(file, ".rss"), strings.HasSuffix(file, ".xml"):
		return EndpointFeed
	}
	return EndpointJSON
}

var subjects = text.Pattern(`(?i)event|product|job|vacanc|career|position|article|post|news|stor(?:y|ies)|listing|item|search|` +
	`calendar|agenda|concert|show|performance|workshop|course|exhibition|session|schedule|program|venue|location|member|chapter|` +
	`branch|offer|catalog|collection|film|movie|meeting`)

// subject is what an address adds when it names something worth reading.
func subject(address string) int {
	if subjects().MatchString(address) {
		return 2
	}
	return 0
}

// hole is where a script puts a value of its own.
var hole = text.Pattern(`\$\{[^}]*\}|\{\{?[^}]*\}\}?|%s|:[a-z]+\b`)

// withoutHoles leaves out the parameters whose values a script fills in.
func withoutHoles(address string) string {
	head, query, ok := strings.Cut(address, "?")
	if at := hole().FindStringIndex(head); at != nil && !strings.HasPrefix(head[at[0]:], "://") {
		head = head[:at[0]]
		ok = false
	}
	if !ok {
		return head
	}
	var kept []string
	for pair := range strings.SplitSeq(query, "&") {
		if !hole().MatchString(pair) && !strings.HasSuffix(pair, "=") {
			kept = append(kept, pair)
		}
	}
	if len(kept) == 0 {
		return head
	}
	return head + "?" + strings.Join(kept, "&")
}

var queryStart = text.Pattern(`\bquery\b\s*(?:[A-Za-z_]\w*\s*)?(?:\([^)]*\)\s*)?\{|"\{\s*[a-z]`)

// graphQuery finds a GraphQL query in a script or a request, by its braces.
func graphQuery(s string) string {
	var request struct{ Query string }
	if json.Unmarshal([]byte(s), &request) == nil {
		return text.CutBytes(request.Query, 8000)
	}
	at := queryStart().FindStringIndex(s)
	if at == nil {
		return ""
	}
	depth := 0
	for i := at[0]; i < min(len(s), at[0]+8000); i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				query := s[at[0] : i+1]
				var plain string
				if json.Unmarshal([]byte(`"`+query+`"`), &plain) == nil {
					return plain
				}
				return query
			}
		}
	}
	return ""
}

// ScriptsWorthReading are the scripts of the site itself that may tell where a page
// without content gets it from, at most three: what a page loads last is its own.
func ScriptsWorthReading(p Snapshot) []string {
	var all []string
	for n := range p.Document.Tree().Descendants() {
		if n.Type != html.ElementNode || n.Data != "script" {
			continue
		}
		src := p.Document.Resolve(dom.Attr(n, "src"))
		if src == "" || dom.Attr(n, "src") == "" || endpointWords().Of("foreign script").In(strings.ToLower(src)) {
			continue
		}
		u, err := p.Document.URL().Parse(src)
		if err != nil || !text.SameSite(u.Hostname(), p.Document.URL().Hostname()) {
			continue
		}
		all = append(all, src)
	}
	return all[max(0, len(all)-3):]
}
