package text

import (
	"net"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// Site is the domain that the owner of a host registered, as "example.co.uk" is that of "shop.example.co.uk". IP addresses,
// local names and public suffixes have none: "".
func Site(host string) string {
	host = strings.ToLower(strings.Trim(host, "[]"))
	if net.ParseIP(host) != nil || host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return ""
	}
	site, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		return ""
	}
	return site
}

// SameSite says whether two hosts are those of one owner.
func SameSite(a, b string) bool {
	if strings.EqualFold(a, b) {
		return true
	}
	site := Site(a)
	return site != "" && site == Site(b)
}
