package scout

import (
	"regexp"
	"regexp/syntax"
	"strings"

	"curlew/internal/curlew"
)

// Limits of a scope's patterns. Go's regular expressions take linear time, so
// these bound memory and the patience of a reader.
const (
	maxPatterns      = 50
	maxPatternLength = 500
	maxPatternSteps  = 5000 // instructions of the compiled program
)

// ScopeRules say which URLs belong to a crawl, as a person writes them.
type ScopeRules struct {
	Start      string   `json:"start"`                 // the URL that the crawl begins with
	SameHost   bool     `json:"same_host,omitempty"`   // not merely the same site
	PathPrefix string   `json:"path_prefix,omitempty"` // "/events/"
	Include    []string `json:"include,omitempty"`     // if any, one must match the URL
	Exclude    []string `json:"exclude,omitempty"`     // none may match the URL
}

// Scope decides which URLs belong to a crawl.
type Scope struct {
	start            address
	sameHost         bool
	prefix           string
	include, exclude []*regexp.Regexp
}

// NewScope checks the rules.
func NewScope(rules ScopeRules) (*Scope, error) {
	start, err := resolver{}.resolve(rules.Start)
	if err != nil {
		return nil, err
	}
	s := &Scope{start: start, sameHost: rules.SameHost, prefix: rules.PathPrefix}
	if s.prefix != "" && s.prefix[0] != '/' {
		return nil, badScope("the path prefix %q does not begin with a slash", s.prefix)
	}
	s.prefix = respell(s.prefix)
	if s.include, err = patterns(rules.Include); err != nil {
		return nil, err
	}
	s.exclude, err = patterns(rules.Exclude)
	return s, err
}

func badScope(format string, args ...any) error {
	return curlew.Permanent("bad_scope", format, args...)
}

func patterns(texts []string) ([]*regexp.Regexp, error) {
	if len(texts) > maxPatterns {
		return nil, badScope("%d patterns are more than %d", len(texts), maxPatterns)
	}
	var all []*regexp.Regexp
	for _, text := range texts {
		pattern, err := compile(text)
		if err != nil {
			return nil, err
		}
		all = append(all, pattern)
	}
	return all, nil
}

func compile(text string) (*regexp.Regexp, error) {
	if text == "" || len(text) > maxPatternLength {
		return nil, badScope("a pattern has 1 to %d characters, and not %d", maxPatternLength, len(text))
	}
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, badScope("the pattern %q is not a regular expression: %v", text, err)
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil || len(program.Inst) > maxPatternSteps {
		return nil, badScope("the pattern %q is too complex", text)
	}
	return regexp.MustCompile(text), nil
}

// Admits says why a URL is outside of the scope; ReasonNone when it is inside.
func (s *Scope) Admits(url string) Reason {
	a, err := resolver{}.resolve(url)
	if err != nil {
		return reasonOf(err)
	}
	return s.admits(a)
}

func (s *Scope) admits(a address) Reason {
	url := a.String()
	switch {
	case a.site() != s.start.site():
		return ReasonOffSite
	case s.sameHost && a.host != s.start.host:
		return ReasonOffHost
	case !strings.HasPrefix(a.path, s.prefix):
		return ReasonPath
	case matchesAny(s.exclude, url):
		return ReasonExcluded
	case len(s.include) > 0 && !matchesAny(s.include, url):
		return ReasonNotIncluded
	}
	return ReasonNone
}

func matchesAny(all []*regexp.Regexp, url string) bool {
	for _, pattern := range all {
		if pattern.MatchString(url) {
			return true
		}
	}
	return false
}
