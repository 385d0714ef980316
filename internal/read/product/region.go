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

func hostOf(d *dom.Document, address string) string {
	parsed, err := d.URL().Parse(address)
	if err != nil {
		return ""
	}
	return parsed.Host
}
