package urls

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
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
	Starts     []string `json:"starts"`                // the URLs that the crawl begins with
	SameHost   bool     `json:"same_host,omitempty"`   // not merely the same site
	PathPrefix string   `json:"path_prefix,omitempty"` // "/events/"
	Include    []string `json:"include,omitempty"`     // if any, one must match the URL
	Exclude    []string `json:"exclude,omitempty"`     // none may match the URL
}

// CrawlScope decides which URLs belong to a crawl.
type CrawlScope struct {
	starts           []address
	sameHost         bool
	prefix           string
	include, exclude []*regexp.Regexp
}

// NewCrawlScope checks the rules.
func NewCrawlScope(rules ScopeRules) (*CrawlScope, error) {
	s := &CrawlScope{sameHost: rules.SameHost, prefix: rules.PathPrefix}
	for _, url := range rules.Starts {
		start, err := resolver{}.resolve(url)
		if err != nil {
			return nil, err
		}
		s.starts = append(s.starts, start)
	}
	if len(s.starts) == 0 {
		return nil, badScope("a crawl has to start somewhere")
	}
	if s.prefix != "" && s.prefix[0] != '/' {
		return nil, badScope("the path prefix %q does not begin with a slash", s.prefix)
	}
	s.prefix = respell(s.prefix)
	var err error
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

func compile(pattern string) (*regexp.Regexp, error) {
	if pattern == "" || len(pattern) > maxPatternLength {
		return nil, badScope("a pattern has 1 to %d characters, and not %d", maxPatternLength, len(pattern))
	}
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, badScope("%s", text.PatternProblem(pattern, err))
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil || len(program.Inst) > maxPatternSteps {
		return nil, badScope("the pattern %q is too complex", pattern)
	}
	return regexp.MustCompile(pattern), nil
}

// Admits says why a URL is outside of the scope; RefusalNone when it is inside.
func (s *CrawlScope) Admits(url string) Refusal {
	a, err := resolver{}.resolve(url)
	if err != nil {
		return refusalOf(err)
	}
	return s.admits(a)
}

// AdmitsLink is Admits for a link of a page.
func (s *CrawlScope) AdmitsLink(link PageLink) Refusal { return s.admits(link.target) }

func (s *CrawlScope) admits(a address) Refusal {
	url := a.String()
	switch {
	case !slices.ContainsFunc(s.starts, func(start address) bool { return start.site() == a.site() }):
		return RefusalOffSite
	case s.sameHost && !slices.ContainsFunc(s.starts, func(start address) bool { return start.host == a.host }):
		return RefusalOffHost
	case !strings.HasPrefix(a.path, s.prefix):
		return RefusalPath
	case matchesAny(s.exclude, url):
		return RefusalExcluded
	case len(s.include) > 0 && !matchesAny(s.include, url):
		return RefusalNotIncluded
	}
	return RefusalNone
}

func matchesAny(all []*regexp.Regexp, url string) bool {
	return slices.ContainsFunc(all, func(pattern *regexp.Regexp) bool { return pattern.MatchString(url) })
}
