package scout

import "curlew/internal/curlew"

// Reason says why a URL was not taken: a named outcome, counted and shown.
type Reason string

const (
	ReasonNone        Reason = ""                // it was taken
	ReasonNoURL       Reason = "no_url"          // an entry without one
	ReasonBadURL      Reason = "bad_url"         // not a URL
	ReasonScheme      Reason = "url_scheme"      // not http or https
	ReasonCredentials Reason = "url_credentials" // with user name or password
	ReasonTooLong     Reason = "url_too_long"
	ReasonSelf        Reason = "self"     // a sitemap that lists itself
	ReasonOffSite     Reason = "off_site" // of another registrable domain
	ReasonOffHost     Reason = "off_host"
	ReasonPath        Reason = "outside_path"
	ReasonNotIncluded Reason = "not_included"
	ReasonExcluded    Reason = "excluded"
	ReasonKnown       Reason = "known" // already in the crawl
	ReasonDepth       Reason = "too_deep"
	ReasonBudget      Reason = "over_budget"
	ReasonRepeats     Reason = "trap_repeats" // /a/b/a/b/a/b
	ReasonQuery       Reason = "trap_query"   // parameters that pile up
)

var sentences = map[Reason]string{
	ReasonNoURL:       "it has no URL",
	ReasonBadURL:      "it is not a URL",
	ReasonScheme:      "it is neither http nor https",
	ReasonCredentials: "it carries a user name or password",
	ReasonTooLong:     "it is longer than 2,083 characters",
	ReasonSelf:        "the sitemap lists itself",
	ReasonOffSite:     "it belongs to another site",
	ReasonOffHost:     "it is on another host",
	ReasonPath:        "it is outside of the path",
	ReasonNotIncluded: "no include pattern matches it",
	ReasonExcluded:    "an exclude pattern matches it",
	ReasonKnown:       "it is known already",
	ReasonDepth:       "it is too many links away from the start",
	ReasonBudget:      "the budget of pages is used up",
	ReasonRepeats:     "its path repeats itself, as in an endless site",
	ReasonQuery:       "its parameters pile up, as in an endless site",
}

// Sentence says the reason to a person.
func (r Reason) Sentence() string { return sentences[r] }

// reasonOf turns the fault of a URL into a reason; they share their codes.
func reasonOf(err error) Reason {
	switch reason := Reason(curlew.AsFault(err).Code); reason {
	case ReasonScheme, ReasonCredentials, ReasonTooLong:
		return reason
	}
	return ReasonBadURL
}
