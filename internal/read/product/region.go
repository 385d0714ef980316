package product

import (
	"cmp"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text/wordlist"
)

// regionOf is the language and country for which a page is made.
func regionOf(d *dom.Document) string {
	lang, _ := splitTag(d.Lang())
	for _, tag := range []string{d.Meta("og:locale"), d.Meta("content-language")} {
		l, _ := splitTag(tag)
		lang = cmp.Or(lang, l)
	}
	return strings.Trim(lang+"-"+Market(d), "-")
}

// Market is the country for which a page is made: the one that its address names, else the
// one that its language tags name.
func Market(d *dom.Document) string {
	country := cmp.Or(countryOfHost(d.URL().Hostname()), countryOfPath(d.URL().Path))
	if country != "" || d.IsJSON() {
		return country
	}
	if _, country = splitTag(d.Lang()); country != "" {
		return country
	}
	for _, name := range []string{"og:locale", "content-language"} {
		if _, country = splitTag(d.Meta(name)); country != "" {
			break
		}
	}
	return country
}

func splitTag(tag string) (lang, country string) {
	for i, part := range strings.FieldsFunc(tag, func(r rune) bool { return r == '-' || r == '_' }) {
		switch {
		case i == 0 && (len(part) == 2 || len(part) == 3):
			lang = strings.ToLower(part)
		case i > 0 && len(part) == 2:
			country = strings.ToUpper(part)
		}
	}
	return lang, country
}

// generic are two-letter domains that are used by everybody.
var generic = wordlist.Named(words, "generic")

func countryOfHost(host string) string {
	at := strings.LastIndexByte(host, '.')
	if at < 0 || len(host)-at-1 != 2 {
		return ""
	}
	domain := strings.ToLower(host[at+1:])
	switch {
	case generic().Has(domain):
		return ""
	case domain == "uk":
		return "GB"
	}
	return strings.ToUpper(domain)
}

// countries are those that large shops name in their addresses.
var countries = wordlist.Named(words, "countries")

// countryOfPath reads "/gb/en/…" and "/en-gb/…".
func countryOfPath(path string) string {
	parts := strings.Split(strings.Trim(strings.ToLower(path), "/"), "/")
	for i, part := range parts[:min(len(parts), 2)] {
		if len(part) == 5 && (part[2] == '-' || part[2] == '_') && countries().Has(part[3:]) {
			return british(part[3:])
		}
		if len(part) == 2 && countries().Has(part) && i+1 < len(parts) && len(parts[i+1]) == 2 {
			return british(part)
		}
	}
	return ""
}

func british(code string) string {
	if code == "uk" {
		return "GB"
	}
	return strings.ToUpper(code)
}

func hostOf(d *dom.Document, address string) string {
	parsed, err := d.URL().Parse(address)
	if err != nil {
		return ""
	}
	return parsed.Host
}
