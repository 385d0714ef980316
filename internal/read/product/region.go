package product

import (
	"cmp"
	"strings"

	"curlew/internal/read/dom"
	"curlew/internal/text/wordlist"
)

// regionOf is the language and country for which a page is made: the country that
// its address names, else the one that its language tags name.
func regionOf(d *dom.Document) string {
	lang, country := splitTag(d.Lang())
	for _, tag := range []string{d.Meta("og:locale"), d.Meta("content-language")} {
		l, c := splitTag(tag)
		lang = cmp.Or(lang, l)
		country = cmp.Or(country, c)
	}
	if c := countryOfHost(d.URL().Hostname()); c != "" {
		country = c
	} else if c := countryOfPath(d.URL().Path); c != "" {
		country = c
	}
	if country == "" {
		return lang
	}
	if lang == "" {
		return country
	}
	return lang + "-" + country
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
