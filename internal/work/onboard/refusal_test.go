package onboard

import (
	"testing"

	"curlew/internal/curlew"
)

func TestARefusalSaysWhyWhatWasTriedAndWhatToDo(t *testing.T) {
	for want, p := range map[string]curlew.Page{
		"The page could not be read: there is none at this address (404 Not Found). It was asked for once. " +
			"Open the address in a browser and copy it from there, or give the page that leads to it.": {Outcome: curlew.OutcomeGone, Status: 404},
		"The page could not be read: the site shows a captcha in place of it. It was asked for directly and in a browser. " +
			"Try again later, with a longer pause between requests, or ask the site's owner for a feed or an API.": {Outcome: curlew.OutcomeBlocked,
			Block: curlew.BlockCaptcha, Adapter: curlew.AdapterBrowser},
		"The page could not be read: the site asks to sign in. It was asked for once, and led to https://a.example/login. " +
			"Curlew reads only what everybody may see: give a public page of the site.": {Outcome: curlew.OutcomeBlocked, Block: curlew.BlockLogin,
			FinalURL: "https://a.example/login", Redirects: []curlew.Hop{{}}},
	} {
		t.Run(string(p.Outcome)+string(p.Block), func(t *testing.T) {
			if said := refusal(p); said != want {
				t.Errorf("said %q, want %q", said, want)
			}
		})
	}
}
