package onboard

import (
	"testing"

	"curlew/internal/read/dom"
)

func TestTheIconOfAPage(t *testing.T) {
	for name, c := range map[string]struct{ head, want string }{
		"for a tab":               {`<link rel="shortcut icon" href="/favicon.ico">`, "https://example.org/favicon.ico"},
		"before that for a phone": {`<link rel="apple-touch-icon" href="/big.png"><link rel="icon" href="small.png">`, "https://example.org/news/small.png"},
		"for a phone":             {`<link rel="apple-touch-icon" href="//cdn.example.org/big.png">`, "https://cdn.example.org/big.png"},
		"not a drawing":           {`<link rel="icon" href="/i.svg"><link rel="icon" href="/i.png">`, "https://example.org/i.png"},
		"not within the address":  {`<link rel="icon" href="data:image/png;base64,AAAA">`, ""},
		"none":                    {`<link rel="stylesheet" href="/a.css">`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			page := "<html><head><title>News</title>" + c.head + "</head><body><p>News</p></body></html>"
			if got := iconOf(dom.New([]byte(page), "https://example.org/news/")); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
