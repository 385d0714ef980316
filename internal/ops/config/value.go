package config

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/curlew-data/curlew/internal/text"
)

// value binds a field of Config to its text form.
type value struct {
	allowed string // completes "it must be"
	list    bool   // the file may give a YAML list
	set     func(text string) error
	text    func() string            // the present value, secrets masked
	show    func(text string) string // any given text, secrets masked; nil means redact
}

// errMisfit refuses a text when there is no more to say than what is allowed.
// Any other error of a set continues the sentence: `… is "20", which has no unit`.
var errMisfit = errors.New("")

func misfit(ok bool) error {
	if ok {
		return nil
	}
	return errMisfit
}

// parsed binds a field to how its text is read and written.
func parsed[T any](p *T, allowed string, read func(string) (T, error), write func(T) string) value {
	return value{
		allowed: allowed,
		text:    func() string { return write(*p) },
		set: func(s string) error {
			v, err := read(s)
			if err == nil {
				*p = v
			}
			return err
		},
	}
}

func plain(p *string, allowed string, check func(string) error) value {
	read := func(s string) (string, error) { return s, check(s) }
	return parsed(p, allowed, read, func(s string) string { return s })
}

func whole(p *int, least, most int) value {
	return parsed(p, fmt.Sprintf("a whole number from %d to %d", least, most), func(s string) (int, error) {
		n, err := strconv.Atoi(s)
		return n, misfit(err == nil && n >= least && n <= most)
	}, strconv.Itoa)
}

func duration(p *time.Duration, least, most time.Duration) value {
	return parsed(p, fmt.Sprintf("a duration from %s to %s", spell(least), spell(most)), func(s string) (time.Duration, error) {
		if _, err := strconv.ParseFloat(s, 64); err == nil {
			return 0, errors.New("which has no unit (ms, s, m, h or d)")
		}
		d, ok := parseDuration(s)
		return d, misfit(ok && d >= least && d <= most)
	}, spell)
}

// leadingDays is what time.ParseDuration lacks: retention is thought of in days.
// Five digits cannot overflow a time.Duration of 106,751 days.
var leadingDays = regexp.MustCompile(`^([0-9]{1,5})d(.*)$`)

func parseDuration(s string) (time.Duration, bool) {
	var days time.Duration
	if m := leadingDays.FindStringSubmatch(s); m != nil {
		n, _ := strconv.Atoi(m[1])
		if days, s = time.Duration(n)*day, m[2]; s == "" {
			return days, true
		}
	}
	rest, err := time.ParseDuration(s)
	sum := days + rest
	return sum, err == nil && (days == 0 || rest >= 0 && sum >= days)
}

// spell writes a duration as a person would: 30d, 5m, 500ms.
func spell(d time.Duration) string {
	if d != 0 && d%day == 0 {
		return fmt.Sprintf("%dd", d/day)
	}
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

func choice[T comparable](p *T, options ...T) value {
	write := func(o T) string { return strings.ToLower(fmt.Sprint(o)) }
	names := make([]string, len(options))
	for i, o := range options {
		names[i] = write(o)
	}
	last := len(names) - 1
	return parsed(p, strings.Join(names[:last], ", ")+" or "+names[last], func(s string) (o T, err error) {
		i := slices.Index(names, s)
		if i < 0 {
			return o, errMisfit
		}
		return options[i], nil
	}, write)
}

// list reads elements parted by commas. The error of parse is a verb phrase: it
// continues `which …` or `where "x" …`.
func list[T comparable](p *[]T, allowed string, least int, parse func(string) (T, error)) value {
	v := parsed(p, allowed, func(s string) ([]T, error) {
		all, err := elements(s, parse)
		return all, cmp.Or(err, misfit(err != nil || len(all) >= least))
	}, func(all []T) string { return joined(all, func(v T) string { return fmt.Sprint(v) }) })
	v.list = true
	return v
}

func joined[T any](all []T, write func(T) string) string {
	parts := make([]string, len(all))
	for i, v := range all {
		parts[i] = write(v)
	}
	return strings.Join(parts, ",")
}

func elements[T comparable](s string, parse func(string) (T, error)) ([]T, error) {
	if s == "" {
		return nil, nil
	}
	var all []T
	for part := range strings.SplitSeq(s, ",") {
		part = strings.TrimSpace(part)
		v, err := parse(part)
		switch {
		case part == "":
			return nil, errors.New("where an element is empty")
		case err != nil && part == s:
			return nil, fmt.Errorf("which %w", err)
		case err != nil:
			return nil, fmt.Errorf("where %s %w", quote(redact(part)), err)
		case slices.Contains(all, v):
			return nil, fmt.Errorf("where %s is given twice", quote(part))
		}
		all = append(all, v)
	}
	return all, nil
}

func ports(p *[]uint16) value {
	return list(p, "a list of ports from 1 to 65535, such as 80,443", 1, func(s string) (uint16, error) {
		n, err := strconv.ParseUint(s, 10, 16)
		if err != nil || n == 0 {
			return 0, errors.New("is not a port")
		}
		return uint16(n), nil
	})
}

func ranges(p *[]netip.Prefix) value {
	return list(p, "empty, or a list of address ranges such as 127.0.0.0/8,10.0.0.0/8", 0, parseRange)
}

func parseRange(s string) (netip.Prefix, error) {
	if a, err := netip.ParseAddr(s); err == nil && a.Zone() == "" {
		return netip.Prefix{}, fmt.Errorf("should read %s/%d", a, a.BitLen())
	}
	r, err := netip.ParsePrefix(s)
	switch {
	case err != nil:
		return r, errors.New("is not an address range")
	case r.Addr().Is4In6():
		return r, errors.New("should be written as IPv4")
	case r != r.Masked():
		return r, fmt.Errorf("should read %s", r.Masked())
	}
	return r, nil
}

// Reach is a range of addresses that may be reached on the ports of egress.ports, or one address on one port.
type Reach struct {
	netip.Prefix
	Port uint16 // 0 means egress.ports
}

// String is how the setting writes it.
func (r Reach) String() string {
	if r.Port == 0 {
		return r.Prefix.String()
	}
	return netip.AddrPortFrom(r.Addr(), r.Port).String()
}

func reaches(p *[]Reach) value {
	return list(p, "empty, or a list of address ranges and of addresses with a port, such as 127.0.0.0/8,10.0.0.5:8080", 0,
		func(s string) (Reach, error) {
			at, err := netip.ParseAddrPort(s)
			if err != nil {
				r, err := parseRange(s)
				return Reach{Prefix: r}, err
			}
			if at.Port() == 0 || at.Addr().Zone() != "" || at.Addr().Is4In6() {
				return Reach{}, errors.New("is not an address with a port")
			}
			return Reach{netip.PrefixFrom(at.Addr(), at.Addr().BitLen()), at.Port()}, nil
		})
}

var hostName = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]{0,252})$`)

const addressAllowed = "an address with a port, such as 127.0.0.1:7480, or :7480 for every interface"

func address(p *string) value { return plain(p, addressAllowed, checkAddress) }

func checkAddress(s string) error {
	host, port, err := net.SplitHostPort(s)
	if err != nil {
		return errMisfit
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return errors.New("whose port is not one from 0 to 65535")
	}
	_, err = netip.ParseAddr(host)
	return misfit(host == "" || err == nil || hostName.MatchString(host))
}

func folder(p *string) value {
	return plain(p, "the path of a folder, such as ./data", func(s string) error {
		return misfit(s != "" && !strings.Contains(s, "://") && !strings.ContainsFunc(s, unicode.IsControl))
	})
}

// contact keeps to what can stand inside the comment of a User-Agent, where a
// parenthesis would end it (RFC 9110, section 5.6.5).
func contact(p *string) value {
	return plain(p, "empty, an e-mail address or an http(s) URL, in plain ASCII without spaces, parentheses or a password",
		func(s string) error {
			awkward := func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`()\`, r) }
			if s == "" {
				return nil
			}
			if strings.ContainsFunc(s, awkward) || len(s) > 200 {
				return errMisfit
			}
			if m, err := mail.ParseAddress(s); err == nil && m.Address == s {
				return nil
			}
			u, err := url.Parse(s)
			return misfit(err == nil && onWeb(u) && u.User == nil)
		})
}

// quote shows a given text inside a sentence, shortened when it is long.
func quote(s string) string {
	if s == "" {
		return "empty"
	}
	return strconv.Quote(text.Clip(s, 80))
}

// redact masks what stands before the @ of any URL, because a database URL may
// land in the wrong setting.
func redact(s string) string {
	scheme, rest, ok := strings.Cut(s, "://")
	if ok && (scheme == "postgres" || scheme == "postgresql") {
		return maskDatabase(s)
	}
	if at := strings.LastIndex(rest, "@"); ok && at >= 0 {
		return scheme + "://…" + rest[at:]
	}
	return s
}

// browser is a path to Chromium, nothing, or "off".
func browser(p *string) value {
	return plain(p, `empty, off, or the path of a Chromium`, func(s string) error {
		return misfit(s == "" || s == "off" || strings.HasPrefix(s, "/"))
	})
}

// onWeb says whether an address is one of http or https, with a host.
func onWeb(u *url.URL) bool {
	return (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}

// isBare says whether an address has neither a password nor a query nor a fragment.
func isBare(u *url.URL) bool {
	return u.User == nil && u.RawQuery == "" && !u.ForceQuery && u.Fragment == ""
}

// template is an http(s) address with a place for the page.
func template(p *string) value {
	v := plain(p, `empty or an http(s) address that contains {url}`, func(s string) error {
		u, err := url.Parse(strings.ReplaceAll(s, "{url}", "x"))
		return misfit(s == "" || err == nil && onWeb(u) && strings.Contains(s, "{url}"))
	})
	v.show = func(s string) string { return queryMasked(s) }
	v.text = func() string { return queryMasked(*p) }
	return v
}

// queryMasked hides what services put into the query of their address: keys.
func queryMasked(s string) string {
	before, _, found := strings.Cut(redact(s), "?")
	if !found {
		return before
	}
	return before + "?…"
}

// location is a folder or an S3 bucket.
func location(p *string) value {
	v := plain(p, `empty, a folder, or s3://BUCKET/PREFIX?endpoint=HOST`, func(s string) error {
		scheme, _, found := strings.Cut(s, "://")
		return misfit(!found || scheme == "file" || scheme == "s3")
	})
	v.show = redact
	v.text = func() string { return redact(*p) }
	return v
}
