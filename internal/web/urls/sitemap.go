package urls

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Limits of sitemaps.org. MaxSitemapDepth is for whoever fetches: an index may
// list indexes that list sitemaps, and no more.
const (
	MaxSitemapURLs  = 50_000
	MaxSitemapBytes = 50 << 20 // decompressed
	MaxSitemapDepth = 3
)

// maxTokens keeps a file of nothing but tags from taking minutes: a hundred for
// each URL that a sitemap may list.
const maxTokens = 100 * MaxSitemapURLs

// maxWarnings is how many warnings are kept in words; the rest is counted.
const maxWarnings = 100

// SitemapKind is what a sitemap turned out to be.
type SitemapKind string

const (
	SitemapURLs  SitemapKind = "urlset"
	SitemapIndex SitemapKind = "index"
	SitemapText  SitemapKind = "text"
	SitemapRSS   SitemapKind = "rss"
	SitemapAtom  SitemapKind = "atom"
)

// SitemapURL is a URL that was discovered.
type SitemapURL struct {
	URL     string     `json:"url"` // canonical
	LastMod *time.Time `json:"lastmod"`
	Line    int        `json:"line,omitempty"` // where it stands in the sitemap
}

// Warning is something odd at a line.
type Warning struct {
	Line     int    `json:"line"`
	Sentence string `json:"sentence"`
}

// Limit names what cut a sitemap short.
type Limit string

const (
	LimitNone   Limit = ""
	LimitURLs   Limit = "urls"   // listed, be they taken or not
	LimitBytes  Limit = "bytes"  // decompressed
	LimitTokens Limit = "tokens" // tags and texts, of which an entry has a few
)

// Sitemap is what was read of a sitemap or feed.
type Sitemap struct {
	Kind       SitemapKind
	Entries    []SitemapURL    // pages, each once
	Children   []SitemapURL    // sitemaps that an index lists, each once
	Refused    map[Refusal]int // listed and not taken
	Extensions map[string]int  // what else was there: image, news, video, alternate …
	Warnings   []Warning       // the first hundred
	Omitted    int             // further warnings
	Truncated  Limit           // which limit was met
	Damaged    bool            // it broke off, or is not well formed
	source     SitemapOptions
	from       resolver
	own        address
	seen       map[string]bool
	listed     int
}

// Complete tells whether all of the sitemap was read. Only then does a URL that
// is missing in it count as gone.
func (s *Sitemap) Complete() bool { return s.Truncated == LimitNone && !s.Damaged }

// Newest are the sitemaps that an index lists, those that changed last first.
func (s *Sitemap) Newest() []SitemapURL {
	all := slices.Clone(s.Children)
	slices.SortStableFunc(all, func(a, b SitemapURL) int { return b.Changed().Compare(a.Changed()) })
	return all
}

// Changed is when the page changed last, as far as the sitemap says.
func (u SitemapURL) Changed() time.Time {
	if u.LastMod == nil {
		return time.Time{}
	}
	return *u.LastMod
}

// SitemapOptions say where a sitemap was read and how far to trust it.
type SitemapOptions struct {
	// URL is where the sitemap was read, after redirects.
	URL string
	// NamedBy are the hosts whose robots.txt names this sitemap. It may list
	// their URLs, and else only those of its own site (sitemaps.org, "sitemaps
	// & cross submits").
	NamedBy []string
	// Now, where it is set, makes a lastmod that lies more than a day after it
	// worthless: such a page would seem unchanged until then.
	Now time.Time
	// MaxURLs and MaxBytes lower the limits; 0 leaves them.
	MaxURLs  int
	MaxBytes int64
}

// ParseSitemap reads a sitemap, a sitemap index, a list of URLs or a feed; which
// it is, its compression and its encoding are told from the content. A fault
// means that it is none of them. What is merely damaged gives what could be
// read, and is not Complete.
func ParseSitemap(body io.Reader, o SitemapOptions) (*Sitemap, error) {
	if o.MaxURLs <= 0 || o.MaxURLs > MaxSitemapURLs {
		o.MaxURLs = MaxSitemapURLs
	}
	if o.MaxBytes <= 0 || o.MaxBytes > MaxSitemapBytes {
		o.MaxBytes = MaxSitemapBytes
	}
	s := &Sitemap{source: o, Refused: map[Refusal]int{}, Extensions: map[string]int{}, seen: map[string]bool{}}
	var err error
	if s.own, err = (resolver{}).resolve(o.URL); err != nil {
		return nil, fmt.Errorf("the sitemap's own URL: %w", err)
	}
	if s.from, err = newResolver(o.URL); err != nil {
		return nil, fmt.Errorf("the sitemap's own URL: %w", err)
	}
	plain, err := decompress(body)
	if err != nil {
		return nil, unreadable("it is not valid gzip").Because(err)
	}
	limited := &limitedReader{from: plain, left: o.MaxBytes}
	err = s.read(limited)
	if limited.met {
		s.Truncated, s.Damaged = LimitBytes, false
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

func unreadable(format string, args ...any) *curlew.Fault {
	return curlew.Permanent("sitemap_unreadable", "this is not a sitemap: "+format, args...)
}

func (s *Sitemap) read(body io.Reader) error {
	text, err := s.decode(body)
	if err != nil {
		return unreadable("it cannot be read").Because(err)
	}
	start, err := text.skipBlank()
	if err != nil {
		return unreadable("it is empty").Because(err)
	}
	if start == '<' {
		return s.readXML(text)
	}
	return s.readText(text)
}

// decompress undoes gzip, told by its magic number. Two layers are common: a
// .gz file that the server compresses once more.
func decompress(body io.Reader) (*bufio.Reader, error) {
	for range 2 {
		buffered := bufio.NewReaderSize(body, 64<<10)
		if magic, _ := buffered.Peek(2); string(magic) != "\x1f\x8b" {
			return buffered, nil
		}
		unzipped, err := gzip.NewReader(buffered)
		if err != nil {
			return nil, err
		}
		body = unzipped
	}
	return bufio.NewReaderSize(body, 64<<10), nil
}

// limitedReader ends after some bytes and remembers that there was more.
type limitedReader struct {
	from *bufio.Reader
	left int64
	met  bool
}

func (l *limitedReader) Read(p []byte) (int, error) {
	if l.left <= 0 {
		_, err := l.from.Peek(1)
		l.met = err == nil
		return 0, io.EOF
	}
	n, err := l.from.Read(p[:min(int64(len(p)), l.left)])
	l.left -= int64(n)
	return n, err
}

// readText reads one URL per line. The first line decides whether this is such
// a list at all.
func (s *Sitemap) readText(text *textReader) error {
	s.Kind = SitemapText
	for begun := false; ; {
		line, number, err := text.line()
		if line = strings.TrimSpace(line); line != "" {
			if !begun && !isWebURL(line) {
				return unreadable("it begins with %.60q", line)
			}
			begun = true
			if !s.add(found{loc: line, line: number}) {
				return nil
			}
		}
		if err != nil {
			s.Damaged = s.Damaged || !errors.Is(err, io.EOF)
			return nil
		}
	}
}

func isWebURL(text string) bool {
	start := strings.ToLower(text[:min(len(text), 8)])
	return strings.HasPrefix(start, "http://") || strings.HasPrefix(start, "https://")
}

// found is an entry as it stands in the file.
type found struct {
	loc, lastmod string
	base         string // xml:base, where a feed has one
	line         int
	child        bool // of an index
}

// add takes an entry, or says why not. It returns false when the limit is met
// and reading can stop.
func (s *Sitemap) add(f found) bool {
	if s.listed++; s.listed > s.source.MaxURLs {
		s.Truncated = LimitURLs
		s.warn(f.line, "more than %d URLs: the rest is not read", s.source.MaxURLs)
		return false
	}
	a, reason := s.admit(f)
	if reason != RefusalNone {
		s.refuse(f, reason)
		return true
	}
	key := a.key()
	if s.seen[key] {
		return true
	}
	s.seen[key] = true
	entry := SitemapURL{URL: a.String(), LastMod: s.lastMod(f), Line: f.line}
	if f.child {
		s.Children = append(s.Children, entry)
	} else {
		s.Entries = append(s.Entries, entry)
	}
	return true
}

// admit resolves an entry and applies the rule of sites.
func (s *Sitemap) admit(f found) (address, Refusal) {
	from := s.from
	if f.base != "" {
		if base, err := s.from.parse(f.base); err == nil {
			from = resolverFor(base)
		}
	}
	a, err := from.resolve(strings.TrimSpace(f.loc))
	switch {
	case strings.TrimSpace(f.loc) == "":
		return a, RefusalNoURL
	case err != nil:
		return a, refusalOf(err)
	case f.child && a.key() == s.own.key():
		return a, RefusalSelf
	case a.site() != s.own.site() && !slices.Contains(s.source.NamedBy, a.hostname()) && !slices.Contains(s.source.NamedBy, a.host):
		return a, RefusalOffSite
	}
	return a, RefusalNone
}

func (s *Sitemap) refuse(f found, reason Refusal) {
	s.Refused[reason]++
	s.warn(f.line, "%.100q is not taken: %s", f.loc, reason.Sentence())
}

func (s *Sitemap) lastMod(f found) *time.Time {
	if strings.TrimSpace(f.lastmod) == "" {
		return nil
	}
	when, ok := parseLastMod(f.lastmod)
	if !ok {
		s.warn(f.line, "the lastmod %.40q is not a date", f.lastmod)
		return nil
	}
	if !s.source.Now.IsZero() && when.After(s.source.Now.Add(24*time.Hour)) {
		s.warn(f.line, "the lastmod %.40q lies in the future", f.lastmod)
		return nil
	}
	return &when
}

func (s *Sitemap) warn(line int, format string, args ...any) {
	if len(s.Warnings) >= maxWarnings {
		s.Omitted++
		return
	}
	s.Warnings = append(s.Warnings, Warning{line, fmt.Sprintf(format, args...)})
}
