package urls

import (
	"errors"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Refusal says why a URL was not taken: a named outcome, counted and shown.
type Refusal string

const (
	RefusalNone        Refusal = ""                // it was taken
	RefusalNoURL       Refusal = "no_url"          // an entry without one
	RefusalBadURL      Refusal = "bad_url"         // not a URL
	RefusalScheme      Refusal = "url_scheme"      // not http or https
	RefusalCredentials Refusal = "url_credentials" // with user name or password
	RefusalTooLong     Refusal = "url_too_long"
	RefusalSelf        Refusal = "self"     // a sitemap that lists itself
	RefusalOffSite     Refusal = "off_site" // of another registrable domain
	RefusalOffHost     Refusal = "off_host"
	RefusalPath        Refusal = "outside_path"
	RefusalNotIncluded Refusal = "not_included"
	RefusalExcluded    Refusal = "excluded"
	RefusalKnown       Refusal = "known" // already in the crawl
	RefusalDepth       Refusal = "too_deep"
	RefusalBudget      Refusal = "over_budget"
	RefusalRepeats     Refusal = "trap_repeats" // /a/b/a/b/a/b
	RefusalQuery       Refusal = "trap_query"   // parameters that pile up
)

var sentences = map[Refusal]string{
	RefusalNoURL:       "it has no URL",
	RefusalBadURL:      "it is not a URL",
	RefusalScheme:      "it is neither http nor https",
	RefusalCredentials: "it carries a user name or password",
	RefusalTooLong:     "it is longer than 2,083 characters",
	RefusalSelf:        "the sitemap lists itself",
	RefusalOffSite:     "it belongs to another site",
	RefusalOffHost:     "it is on another host",
	RefusalPath:        "it is outside of the path",
	RefusalNotIncluded: "no include pattern matches it",
	RefusalExcluded:    "an exclude pattern matches it",
	RefusalKnown:       "it is known already",
	RefusalDepth:       "it is too many links away from the start",
	RefusalBudget:      "the budget of pages is used up",
	RefusalRepeats:     "its path repeats itself, as in an endless site",
	RefusalQuery:       "its parameters pile up, as in an endless site",
}

// Sentence says the reason to a person.
func (r Refusal) Sentence() string { return sentences[r] }

// refusalOf turns the fault of a URL into a reason; they share their codes.
func refusalOf(err error) Refusal {
	for _, reason := range []Refusal{RefusalScheme, RefusalCredentials, RefusalTooLong} {
		if errors.Is(err, curlew.Code(reason)) {
			return reason
		}
	}
	return RefusalBadURL
}
