package onboard

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/web/fetch"
)

// passing says whether what keeps a page from being read may pass by itself.
func passing(p curlew.Page) bool {
	return p.Outcome == curlew.OutcomeFailed || p.Block == curlew.BlockRateLimited || fetch.BrokeOff(p)
}

// refusal says why a page was not read, what was tried, and what to do.
func refusal(p curlew.Page) string {
	tried := "It was asked for once"
	if p.Adapter == curlew.AdapterBrowser {
		tried = "It was asked for directly and in a browser"
	}
	if len(p.Redirects) > 0 {
		tried += ", and led to " + p.FinalURL
	}
	why, remedy := refused(p)
	return fmt.Sprintf("The page could not be read: %s. %s. %s.", why, tried, remedy)
}

// refused is what came of asking for a page, and what a person can do about it.
func refused(p curlew.Page) (why, remedy string) {
	const later = "Try again later, with a longer pause between requests, or ask the site's owner for a feed or an API"
	answer := strings.TrimSpace(fmt.Sprint(p.Status, " ", http.StatusText(p.Status)))
	switch {
	case p.Outcome == curlew.OutcomeGone:
		return "there is none at this address (" + answer + ")",
			"Open the address in a browser and copy it from there, or give a page with a link to it"
	case p.Block == curlew.BlockLogin:
		return "the site asks to sign in", "Curlew reads only what everybody may see: give a public page of the site"
	case p.Block == curlew.BlockForbidden:
		return "the site refuses to show it (" + answer + ")",
			"Open the address in a browser: if it shows there, ask the site's owner to let Curlew read it"
	case p.Block == curlew.BlockJavaScript:
		return "it shows nothing without a browser", "Install Chromium, so that Curlew can draw the page, and try again"
	case p.Outcome == curlew.OutcomeBlocked:
		return "the site shows a " + string(p.Block) + " in place of it", later
	case p.Outcome == curlew.OutcomeDamaged:
		return p.Why, "Open the address in a browser: if it shows there, try again, or give a smaller page of the site"
	}
	return p.OutcomeWords(), "Open the address in a browser: if it shows there, try again"
}
