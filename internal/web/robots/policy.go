package robots

import "github.com/curlew-data/curlew/internal/curlew"

// Access is what the answer to a request for robots.txt means for the site.
type Access string

const (
	ByRules   Access = "rules"    // a robots.txt was read: its rules decide
	AllowAll  Access = "allow"    // there is none: everything is allowed
	RefuseAll Access = "disallow" // it cannot be known: nothing is allowed for now
)

// The codes of a page that robots.txt forbids, and of one whose robots.txt could not be read.
const (
	ErrForbidden   curlew.Code = "robots"
	ErrUnreachable curlew.Code = "robots_unreachable"
)

// SiteRules is the answer to a request for robots.txt, read as RFC 9309, section
// 2.3.1, says.
type SiteRules struct {
	Access Access
	File   *File // never nil; empty unless Access is ByRules
	Status int   // 0 when the server could not be reached
}

// FromStatus reads an answer: 2xx is parsed, 4xx means that there are no rules,
// and everything else, no answer (0) and 429 included, that they are unknown.
// The caller has followed up to MaxRedirects redirects; a site that redirects
// further has no robots.txt.
func FromStatus(status int, body []byte) SiteRules {
	p := SiteRules{Access: RefuseAll, File: &File{}, Status: status}
	switch {
	case 200 <= status && status < 300:
		p.Access, p.File = ByRules, Parse(body)
	case 300 <= status && status < 500 && status != 429:
		p.Access = AllowAll
	}
	return p
}

// Allowed is the verdict on a URL under the policy.
func (p SiteRules) Allowed(agentToken, url string) Permission {
	switch p.Access {
	case ByRules:
		return p.File.Allowed(agentToken, url)
	case AllowAll:
		return Permission{Allowed: true}
	}
	return Permission{}
}

// Check returns nil when the URL may be fetched. Otherwise the fault names the
// line that forbids it, or says that the rules cannot be read at present.
func (p SiteRules) Check(agentToken, url string) error {
	verdict := p.Allowed(agentToken, url)
	switch {
	case verdict.Allowed:
		return nil
	case p.Access == ByRules:
		return curlew.Refused(ErrForbidden, "robots.txt forbids %s: line %d says %q", url, verdict.Line, verdict.Rule)
	case p.Status == 0:
		return curlew.Temporary(ErrUnreachable,
			"the site does not answer: its robots.txt could not be read, so %s is not fetched for now", url)
	}
	return curlew.Temporary(ErrUnreachable, "robots.txt answered with status %d, so %s is not fetched for now", p.Status, url)
}
