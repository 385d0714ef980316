package onboard

import (
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/read/dom"
)

func TestASiteIsCalledAsItCallsItself(t *testing.T) {
	for name, c := range map[string]struct{ head, site, page string }{
		"by its own tag":        {`<meta property="og:site_name" content="Harbour Theatre"><title>What's on | Harbour Theatre</title>`, "Harbour Theatre", "What's on"},
		"by the title's end":    {`<title>Council meetings – Elmford</title>`, "Elmford", "Council meetings"},
		"by what is no heading": {`<title>Rates – Bank of Elmford</title></head><body><h1>Rates</h1>`, "Bank of Elmford", "Rates"},
		"a title alone":         {`<title>Council meetings</title>`, "", "Council meetings"},
		"the site's front page": {`<meta property="og:site_name" content="Elmford"><title>Elmford</title>`, "Elmford", ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := dom.New([]byte("<html><head>"+c.head+"</head><body><p>x</p></body></html>"), "https://example.org/")
			if site, page := pageNames(d); site != c.site || page != c.page {
				t.Errorf("site %q, page %q; want %q and %q", site, page, c.site, c.page)
			}
		})
	}
}

func TestASiteWithoutANameIsCalledAsItsPage(t *testing.T) {
	if got := nameOf(curlew.Candidate{URL: "http://127.0.0.1:8000/feed", Name: "127.0.0.1:8000"}, Analysis{Title: "Harbour news"}); got != "Harbour news" {
		t.Errorf("called %q", got)
	}
}

func TestAPersonsNameForACandidateStays(t *testing.T) {
	a := Analysis{Site: "Harbour Theatre"}
	for given, want := range map[string]string{"": "Harbour Theatre", "example.org": "Harbour Theatre", "Our theatre": "Our theatre"} {
		t.Run(given, func(t *testing.T) {
			if got := nameOf(curlew.Candidate{URL: "https://example.org/agenda", Name: given}, a); got != want {
				t.Errorf("a candidate named %q is called %q, not %q", given, got, want)
			}
		})
	}
}

func TestAFileWithoutATitleIsCalledAsItsAddressEnds(t *testing.T) {
	m := extract.Material{Body: []byte("berth,length\nA1,12\n"), ContentType: "text/csv", URL: "http://127.0.0.1:8000/data/berths.csv"}
	if _, page := Names(m); page != "berths.csv" {
		t.Errorf("called %q", page)
	}
}
