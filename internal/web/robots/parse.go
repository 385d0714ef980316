package robots

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"

	"github.com/jimsmart/grobotstxt"
)

// Parse reads a robots.txt. It never fails: what it cannot read it skips, and
// what is no robots.txt at all forbids nothing and is noted.
func Parse(body []byte) *File {
	p := &parser{file: &File{}}
	if len(body) > MaxBytes {
		body = body[:MaxBytes]
		// Half a rule may forbid more than the whole one: drop the cut line.
		body = body[:bytes.LastIndexAny(body, "\r\n")+1]
		p.note("longer than 500 KiB: the rest is not read")
	}
	body = p.decode(body)
	if start := bytes.TrimLeft(body, "\xef\xbb\xbf \t\r\n"); len(start) > 0 && start[0] == '<' {
		p.note("this is an HTML page and no robots.txt: it forbids nothing")
		return p.file
	}
	body = escaped.ReplaceAllFunc(body, bytes.ToUpper) // the library spoils digits when it does this itself
	grobotstxt.Parse(string(body), p)
	return p.file
}

// parser keeps what Google's parser finds in the lines of a file.
type parser struct {
	file    *File
	ruled   bool   // the current group has a rule: the next agent begins a new one
	waiting *group // the agents of a coming Crawl-delay
	delayed bool   // something followed them: the next agent is of others
}

func (p *parser) note(sentence string) { p.file.notes = append(p.file.notes, sentence) }

// decode reads UTF-16 where a byte order mark announces it.
func (p *parser) decode(body []byte) []byte {
	for _, encoding := range []struct {
		mark  string
		order binary.ByteOrder
	}{{"\xff\xfe", binary.LittleEndian}, {"\xfe\xff", binary.BigEndian}} {
		if rest, ok := bytes.CutPrefix(body, []byte(encoding.mark)); ok {
			p.note("written in UTF-16 and not in UTF-8")
			units := make([]uint16, len(rest)/2)
			for i := range units {
				units[i] = encoding.order.Uint16(rest[2*i:])
			}
			return []byte(string(utf16.Decode(units)))
		}
	}
	return body
}

// maxSitemaps keeps the search for repeated sitemaps short; real files name a
// few dozen.
const maxSitemaps = 1000

// HandleRobotsStart is for the parser.
func (p *parser) HandleRobotsStart() {}

// HandleRobotsEnd is for the parser.
func (p *parser) HandleRobotsEnd() {}

// HandleAllow keeps a rule.
func (p *parser) HandleAllow(line int, value string) {
	p.rule(rule{allow: true, line: line, pattern: value})
}

// HandleDisallow keeps a rule.
func (p *parser) HandleDisallow(line int, value string) { p.rule(rule{line: line, pattern: value}) }

// HandleSitemap keeps a sitemap.
func (p *parser) HandleSitemap(_ int, value string) {
	if value != "" && !slices.Contains(p.file.sitemaps, value) && len(p.file.sitemaps) < maxSitemaps {
		p.file.sitemaps = append(p.file.sitemaps, value)
	}
}

// HandleUnknownAction keeps a Crawl-delay, which Google does not know.
func (p *parser) HandleUnknownAction(_ int, action, value string) {
	switch strings.ToLower(action) {
	case "crawl-delay", "crawldelay", "crawl delay":
		p.delay(value)
	}
}

// HandleUserAgent begins a group or adds to one.
func (p *parser) HandleUserAgent(_ int, value string) {
	if p.ruled || len(p.file.groups) == 0 {
		p.file.groups = append(p.file.groups, &group{})
		p.ruled = false
	}
	if p.delayed || p.waiting == nil {
		p.waiting, p.delayed = &group{}, false
	}
	global := value == "*" || len(value) > 1 && value[0] == '*' && unicode.IsSpace(rune(value[1]))
	for _, g := range []*group{p.current(), p.waiting} {
		if global {
			g.global = true
		} else {
			g.agents = append(g.agents, strings.ToLower(productToken(value)))
		}
	}
}

func (p *parser) current() *group { return p.file.groups[len(p.file.groups)-1] }

// productToken is the beginning of a user agent that counts: RFC 9309, section
// 2.2.1, allows letters, hyphens and underscores.
func productToken(value string) string {
	for i := 0; i < len(value); i++ {
		if c := value[i]; !isAlpha(c) && c != '-' && c != '_' {
			return value[:i]
		}
	}
	return value
}

func (p *parser) rule(r rule) {
	if len(p.file.groups) == 0 {
		return // a rule for nobody
	}
	p.ruled, p.delayed = true, true
	if r.pattern == "" {
		return // an empty rule forbids and permits nothing
	}
	if plain := plainForm(r.pattern); plain != r.pattern {
		r.plain = plain
	}
	p.current().rules = append(p.current().rules, r)
}

const (
	maxDelay = time.Hour
	// A delay beyond a day is no wish but a mistake, or a way to say "go away"
	// for which there is Disallow.
	senselessDelay = 24 * time.Hour
)

// delay keeps a Crawl-delay: a plain decimal number of seconds.
//
// It is no rule and does not end a group (RFC 9309, section 2.2.4), so that
// agents before and after it share the rules that follow. But it is meant for
// the agents above it alone: a delay for one bot, followed by the group of all
// others, shall not slow down everybody.
func (p *parser) delay(value string) {
	p.delayed = true
	if p.waiting == nil || value == "" || strings.Trim(value, "0123456789.") != "" {
		return
	}
	seconds, err := strconv.ParseFloat(value, 64)
	if err != nil || seconds > senselessDelay.Seconds() {
		return
	}
	asked := min(time.Duration(seconds*float64(time.Second)), maxDelay)
	if p.waiting.delay == nil {
		p.waiting.delay = &asked
		p.file.delays = append(p.file.delays, p.waiting)
	}
	*p.waiting.delay = max(*p.waiting.delay, asked)
}
