package dom

import (
	"net/url"
	"strings"
)

// maxAddress is the longest address worth following; browsers and servers stop
// at 2 to 64 KiB.
const maxAddress = 16 << 10

// Base is the address against which links are resolved: that of the page, or of
// its first <base href> if that is an http address.
func (d *Document) Base() *url.URL { return d.base() }

func (d *Document) findBase() *url.URL {
	found := d.survey().base
	if found == nil {
		return d.address
	}
	base, ok := resolve(d.address, *found)
	if !ok {
		return d.address
	}
	return base
}

// Resolve makes an address of the page absolute. It returns "" for what is not an
// http address.
func (d *Document) Resolve(reference string) string {
	if plainPath(reference) {
		if base := d.Base(); base.Host != "" && (base.Scheme == "http" || base.Scheme == "https") && base.User == nil {
			return base.Scheme + "://" + base.Host + reference
		}
	}
	u, ok := resolve(d.Base(), reference)
	if !ok {
		return ""
	}
	return u.String()
}

// resolve reads an address as browsers do: without the white space in it, with
// backslashes as slashes, and with stray signs escaped.
func resolve(base *url.URL, reference string) (*url.URL, bool) {
	reference = strings.TrimSpace(reference)
	if len(reference) > maxAddress || hasOtherScheme(reference) {
		return nil, false
	}
	if strings.ContainsAny(reference, "\\\t\n\r ") {
		reference = straighten(reference)
	}
	u, err := base.Parse(reference)
	if err != nil {
		if u, err = base.Parse(escapeStray(reference)); err != nil {
			return nil, false
		}
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Hostname() == "" {
		return nil, false
	}
	return u, true
}

// hasOtherScheme sorts out mailto:, tel:, javascript:, data: and the like early.
func hasOtherScheme(s string) bool {
	for i := 0; i < len(s) && i < 32; i++ {
		switch c := s[i]; {
		case c == ':':
			return i > 0 && !strings.EqualFold(s[:i], "http") && !strings.EqualFold(s[:i], "https")
		case !letter(c) && (i == 0 || c != '+' && c != '-' && c != '.' && (c < '0' || c > '9')):
			return false
		}
	}
	return false
}

// straighten drops line breaks and turns backslashes before the query round.
func straighten(s string) string {
	s = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(s)
	path, query := s, ""
	if i := strings.IndexAny(s, "?#"); i >= 0 {
		path, query = s[:i], s[i:]
	}
	return strings.ReplaceAll(path, `\`, "/") + strings.ReplaceAll(query, " ", "%20")
}

// escapeStray escapes percent signs that escape nothing and control characters.
func escapeStray(s string) string {
	const hex = "0123456789ABCDEF"
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		escapes := c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2])
		if c == '%' && !escapes || c < ' ' || c == 0x7f {
			out.WriteByte('%')
			out.WriteByte(hex[c>>4])
			out.WriteByte(hex[c&15])
			continue
		}
		out.WriteByte(c)
	}
	return out.String()
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

// plainPath says whether a reference is an absolute path in which nothing needs
// to be escaped, shortened or looked at twice, as most are.
func plainPath(s string) bool {
	if len(s) == 0 || len(s) > maxAddress || s[0] != '/' {
		return false
	}
	for i := 1; i < len(s); i++ {
		c := s[i]
		if c == '/' || c == '.' {
			if s[i-1] == '/' {
				return false
			}
			continue
		}
		if !letter(c) && strings.IndexByte("0123456789-_?=&", c) < 0 {
			return false
		}
	}
	return true
}
