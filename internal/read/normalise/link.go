package normalise

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text/wordlist"
)

// maxURL is the longest address that is kept, as everywhere in Curlew.
const maxURL = 2083

// link reads an address.
func (w *work) link(name string, value any) any {
	text := addressText(value)
	if f, _ := w.schema.Field(name); name == "image_url" || f.Type == curlew.TypePicture {
		text = largest(text)
	}
	if strings.TrimSpace(text) == "" {
		return nil
	}
	u, why := cleanURL(text, w.Base)
	if u == "" {
		w.note(name, "not_a_web_address", why)
		return nil
	}
	return u
}

// addressText finds the address in a value of any kind.
func addressText(value any) string {
	switch v := value.(type) {
	case map[string]any:
		for _, key := range []string{"contentUrl", "url", "@id", "src", "href"} {
			if s := addressText(v[key]); s != "" {
				return s
			}
		}
		return ""
	case []any:
		for _, each := range v[:min(len(v), maxList)] {
			if s := addressText(each); s != "" {
				return s
			}
		}
		return ""
	case []string:
		if len(v) > 0 {
			return v[0]
		}
		return ""
	case string:
		return v
	}
	return ""
}

// largest picks the largest image of a srcset: "a.jpg 300w, b.jpg 600w".
func largest(set string) string {
	if !strings.ContainsAny(strings.TrimSpace(set), " \t\n") || len(set) > 1<<16 {
		return set
	}
	best, size := "", -1.0
	fields := strings.Fields(set)
	for i, address := range fields {
		if address = strings.Trim(address, ","); address == "" || isDescriptor(address) {
			continue
		}
		own := 1.0
		if i+1 < len(fields) && !strings.HasSuffix(fields[i], ",") {
			if d := strings.TrimRight(fields[i+1], ","); isDescriptor(d) {
				own, _ = strconv.ParseFloat(d[:len(d)-1], 64)
			}
		}
		if own > size {
			best, size = address, own
		}
	}
	if !strings.Contains(set, ",") && len(fields) != 2 {
		return set // an address with blanks
	}
	return best
}

func isDescriptor(s string) bool {
	if len(s) < 2 || !strings.ContainsAny(s[len(s)-1:], "wxh") {
		return false
	}
	_, err := strconv.ParseFloat(s[:len(s)-1], 64)
	return err == nil
}

// cleanURL gives the one spelling of an address: absolute, of the web, without
// credentials, tracking and fragment. Otherwise it says why there is none.
func cleanURL(text, base string) (clean, why string) {
	u, why := parseURL(text)
	if why != "" {
		return "", why
	}
	if b, err := url.Parse(base); err == nil && !u.IsAbs() {
		u = b.ResolveReference(u)
	}
	u.Scheme = strings.ToLower(u.Scheme)
	if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.Opaque != "" {
		return "", "only addresses that begin with http or https are kept"
	}
	u.User = nil
	u.Host = strings.ToLower(u.Host)
	u.Host = strings.TrimSuffix(u.Host, map[string]string{"http": ":80", "https": ":443"}[u.Scheme])
	u.Path = cmp.Or(u.Path, "/")
	if !strings.HasPrefix(u.Fragment, "!") {
		u.Fragment, u.RawFragment = "", ""
	}
	u.RawQuery = withoutTracking(u.RawQuery)
	u.ForceQuery = false
	if clean = u.String(); len(clean) > maxURL {
		return "", "the address is longer than 2,083 characters"
	}
	return clean, ""
}

// parseURL reads an address without what nobody sees, or says why it cannot.
func parseURL(text string) (u *url.URL, why string) {
	if len(text) > maxRaw {
		return nil, "the address is too long"
	}
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || dropped(r) {
			return -1
		}
		return r
	}, strings.TrimSpace(storable(text)))
	switch {
	case text == "":
		return nil, "the address is empty"
	case len(text) > maxURL*4:
		return nil, "the address is too long"
	}
	u, err := url.Parse(strings.ReplaceAll(text, " ", "%20"))
	if err != nil {
		return nil, "the address cannot be read"
	}
	return u, ""
}

var tracking = wordlist.Named(words, "tracking")

// withoutTracking takes parameters out that only tell where a visitor came from,
// and leaves the others as they were written.
func withoutTracking(query string) string {
	kept := slices.DeleteFunc(strings.Split(query, "&"), func(pair string) bool {
		name, _, _ := strings.Cut(strings.ToLower(pair), "=")
		return name == "" || strings.HasPrefix(name, "utm_") || tracking().Has(name)
	})
	return strings.Join(kept, "&")
}
