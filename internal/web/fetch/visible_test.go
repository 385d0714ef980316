package fetch

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// The reading of visible, said in another way.
var (
	commentsOf = regexp.MustCompile(`(?s)<!--.*?-->`)
	scriptsOf  = regexp.MustCompile(`(?is)<(script|style|template|svg)\b.*?</(script|style|template|svg)\s*>`)
	noscriptOf = regexp.MustCompile(`(?is)<noscript\b.*?</noscript\s*>`)
	tagsOf     = regexp.MustCompile(`(?s)<[^>]*>`)
)

func visibleText(body []byte) []byte {
	for _, cut := range []*regexp.Regexp{commentsOf, scriptsOf, noscriptOf} {
		body = cut.ReplaceAll(body, nil)
	}
	return bytes.Join(bytes.Fields(tagsOf.ReplaceAll(body, []byte(" "))), []byte(" "))
}

var visibleCases = []string{
	"", " ", "a", " a  b ", "<p>a</p><p>b</p>", "a<b>b", "a < b", "a <", "<<p>>a", "ä\u00a0ö\u2003ü\xff\xc2",
	"<!-- x --> a <!-- y -->b", "<!-->a-->b", "<!-- a", "a<!-<!-- x -->- b -->",
	"<script>x</script>a<SCRIPT src=y>x</Script >b", "<script>x</style>a</script>b", "<scripts>a</scripts>", "<script", "<script>a",
	"<svg><template>x</template></svg>y", "<style\n>x</style\t\n>y", "<style>x</style/>y</style>z", "<s<script>x</script>cript>y",
	"<noscript>x</noscript >y<NOSCRIPT>z", "<noscript><noscript>x</noscript>y</noscript>", "<script_>a</script>", "<script-x>a</script>b",
}

func TestVisible(t *testing.T) {
	for i, page := range visibleCases {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got, want := visible([]byte(page), 1<<20), len(visibleText([]byte(page))); got != want {
				t.Errorf("%q: %d, not %d", page, got, want)
			}
		})
	}
	if got := visible([]byte(strings.Repeat("word ", 1000)), 100); got <= 100 || got > 110 {
		t.Errorf("counting stopped at %d", got)
	}
}

func FuzzVisible(f *testing.F) {
	for _, page := range visibleCases {
		f.Add([]byte(page))
	}
	f.Fuzz(func(t *testing.T, page []byte) {
		if bytes.Contains(page, []byte("ſ")) {
			return // the long s of the regular expression is no s of HTML
		}
		if got, want := visible(page, 1<<30), len(visibleText(page)); got != want {
			t.Errorf("%q: %d, not %d", page, got, want)
		}
	})
}
