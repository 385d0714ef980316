package config

import (
	"strings"

	"github.com/curlew-data/curlew/internal/text"
)

// nearest finds the name that was probably meant, or nothing.
func nearest(given string, names []string) string {
	best, least := "", max(2, len(given)/4)+1
	for _, name := range names {
		d := text.Distance(given, name)
		if partOf(given, name) {
			d = min(d, 1)
		}
		if d < least {
			best, least = name, d
		}
	}
	return best
}

// partOf says whether a name was given without its section or its last word:
// concurrency for workers.concurrency, CURLEW_DATABASE for CURLEW_DATABASE_URL.
func partOf(given, name string) bool {
	for _, sep := range []string{".", "_", "-"} {
		if strings.HasSuffix(name, sep+given) || strings.HasPrefix(name, given+sep) {
			return true
		}
	}
	return false
}
