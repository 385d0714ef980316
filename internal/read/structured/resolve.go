package structured

import (
	"net/url"
	"strings"
)

// resolve makes an address absolute against base. Unlike dom.Document.Resolve it
// keeps addresses of any scheme (mailto:, urn:, data:), because they are values,
// and gives back what cannot be resolved as written.
func resolve(base *url.URL, reference string) string {
	reference = strings.TrimSpace(reference)
	if reference == "" {
		if base.Host == "" {
			return base.String()
		}
	}
	if i := strings.IndexAny(reference, ":/?#"); i > 0 && reference[i] == ':' {
		return reference // absolute already; parsing could only change its spelling
	}
	u, err := base.Parse(reference)
	if err != nil {
		return reference
	}
	return u.String()
}

// looksRelative says whether a text that ought to be an address can be made
// absolute without guessing.
func looksRelative(text string) bool {
	return text != "" && !strings.HasPrefix(text, "www.") && !strings.ContainsAny(text, " \t\n<>{}\"")
}
