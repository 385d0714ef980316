// Package robots reads robots.txt as RFC 9309 and Google's parser do, and says
// which line decided. It takes bytes and gives verdicts.
//
// It refuses to fetch, to cache and to wait: redirects, the 24 hours that an
// answer may be kept and the pause between requests are the caller's.
package robots

import (
	"slices"
	"strings"
	"time"
)

const (
	// MaxBytes is how much of a robots.txt is read: the least that RFC 9309,
	// section 2.5, lets a crawler read.
	MaxBytes = 500 << 10
	// MaxRedirects is how many redirects of a robots.txt are followed (RFC
	// 9309, section 2.3.1.2).
	MaxRedirects = 5
	// MaxAge is how long a robots.txt may be kept (RFC 9309, section 2.4).
	MaxAge = 24 * time.Hour
)

// Permission says whether a URL may be fetched and which line decided so. Line is
// 0 where no rule applies, which means allowed.
type Permission struct {
	Allowed bool
	Line    int
	Rule    string // as a person would write it: "Disallow: /private/"
}

// File is a parsed robots.txt.
type File struct {
	groups   []*group
	delays   []*group // agents as Crawl-delay sees them, see parser.delay
	sitemaps []string
	notes    []string
}

// group is one run of user-agent lines with the rules that follow it.
type group struct {
	agents []string // product tokens, lowercase
	global bool     // the group of *
	rules  []rule
	delay  *time.Duration
}

// rule is one allow or disallow line.
type rule struct {
	allow   bool
	line    int
	pattern string // as Google matches it
	plain   string // as RFC 9309 compares it; "" when that is the same
}

// Sitemaps gives the sitemaps that the file names, as written, each once.
// Relative ones are left to the caller, who knows where the file was read.
func (f *File) Sitemaps() []string { return f.sitemaps }

// Notes are sentences about what was odd: cut, not a robots.txt at all.
func (f *File) Notes() []string { return f.notes }

// CrawlDelay gives the pause that the file asks of the agent between two
// requests, at most an hour; false when it asks for none that makes sense.
func (f *File) CrawlDelay(agentToken string) (time.Duration, bool) {
	_, _, named := groupsOf(f.groups, agentToken)
	specific, global, _ := groupsOf(f.delays, agentToken)
	if !named {
		specific = global
	}
	var longest time.Duration
	found := false
	for _, g := range specific {
		if g.delay != nil {
			longest, found = max(longest, *g.delay), true
		}
	}
	return longest, found
}

// Allowed says whether the agent may fetch the URL. The agent is the product
// token alone ("Curlew"), and the URL stands in its escaped form. The longest
// matching rule of the agent's groups decides, allow before disallow when they
// are equally long.
func (f *File) Allowed(agentToken, url string) Permission {
	target := newTarget(url)
	specific, global, named := groupsOf(f.groups, agentToken)
	if !named {
		return target.judge(global)
	}
	return target.judge(specific)
}

// groupsOf finds the groups that name the agent, and those of everybody. A
// group that names both belongs to the agent only.
func groupsOf(groups []*group, agentToken string) (specific, global []*group, named bool) {
	token := strings.ToLower(agentToken)
	for _, g := range groups {
		switch {
		case g.names(token):
			specific, named = append(specific, g), true
		case g.global:
			global = append(global, g)
		}
	}
	return specific, global, named
}

func (g *group) names(token string) bool {
	return slices.Contains(g.agents, token)
}
