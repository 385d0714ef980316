package grpc

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/read/dom"
	"golang.org/x/net/html"
)

func cleaned(page string) string {
	text, _ := clean(dom.New([]byte(page), "https://example.org/a/"), 1<<20)
	return text
}

func TestACleanedPageIsWhatPeopleSee(t *testing.T) {
	for page, want := range map[string]string{
		`<ul class="x"><li id="1">One <b>two</b></li></ul>`:                           `<html><body><ul class="x"><li id="1">One <b>two</b></li></ul></body></html>`,
		`<p style="color:red" onclick="x()" data-id="7">a<!-- no --></p>`:             `<html><body><p data-id="7">a</p></body></html>`,
		`<a href="b">x</a><img src="/i.png" srcset="x 2x" alt="y">`:                   `<html><body><a href="https://example.org/a/b">x</a><img src="https://example.org/i.png" alt="y"></body></html>`,
		`<a href="mailto:a@b.c">x</a>`:                                                `<html><body><a href="mailto:a@b.c">x</a></body></html>`,
		`<p hidden>no</p><p>a   b` + "\n" + ` c</p>`:                                  `<html><body><p>a b c</p></body></html>`,
		`<p>1 &lt; 2 &amp; "3"</p>`:                                                   `<html><body><p>1 &lt; 2 &amp; &#34;3&#34;</p></body></html>`,
		`<script>x</script><style>y</style><svg><a>z</a></svg><template>t</template>`: `<html><body></body></html>`,
	} {
		t.Run(page, func(t *testing.T) {
			if got := cleaned(page); got != want {
				t.Errorf("%s\n  became %s\n  want   %s", page, got, want)
			}
		})
	}
}

// runs says what in a page could run or load something by itself.
func runs(t *testing.T, page string) []string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch n.Data {
		case "script", "iframe", "object", "embed", "svg", "math", "style", "link", "base", "meta", "template":
			all = append(all, n.Data)
		}
		for _, a := range n.Attr {
			value := strings.ToLower(strings.TrimSpace(a.Val))
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "srcdoc" || (a.Key == "href" || a.Key == "src" || a.Key == "action") && (strings.HasPrefix(value, "javascript:") || strings.HasPrefix(value, "data:")) {
				all = append(all, a.Key+"="+a.Val)
			}
		}
	}
	return all
}

var attacks = []string{
	`<script>alert(1)</script>`, `<img src=x onerror=alert(1)>`, `<a href="javascript:alert(1)">x</a>`, `<a href=" jAva&#9;script:alert(1)">x</a>`, `<a href="data:text/html,x">x</a>`,
	`<base href="javascript:alert(1)//"><a href="x">y</a>`, `<form action="javascript:alert(1)"><button formaction="javascript:1">x</button></form>`, `<math><mtext><mglyph><style><img src=x onerror=alert(1)>`,
	`<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>`, `<svg><script>alert(1)</script></svg>`, `<textarea><img src=x onerror=alert(1)></textarea>`,
	`<p title='"><script>alert(1)</script>'>x</p>`, `<x"y=1>`, `<p a"b='x' ==y>x</p>`, `<iframe srcdoc="<script>1</script>">`, `<xmp><script>1</script></xmp>`, `<plaintext><script>1</script>`, `<title><script>1</script></title>`,
}

func TestACleanedPageRunsNothing(t *testing.T) {
	for i, page := range attacks {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if found := runs(t, cleaned(page)); len(found) > 0 {
				t.Errorf("%s became %s, which has %v", page, cleaned(page), found)
			}
		})
	}
	if len(runs(t, `<img src=x onerror=alert(1)>`)) == 0 {
		t.Error("the test finds nothing")
	}
}

func TestALongPageIsCutAndStaysWellFormed(t *testing.T) {
	text, cut := clean(dom.New([]byte("<ul>"+strings.Repeat("<li>word</li>", 10_000)+"</ul>"), "https://example.org/"), 1000)
	if !cut || len(text) > 1100 || !strings.HasSuffix(text, "</ul></body></html>") {
		t.Errorf("%v %d %s", cut, len(text), text[max(0, len(text)-60):])
	}
	deep, _ := clean(dom.New([]byte(strings.Repeat("<div>", 100_000)+"x"), "https://example.org/"), 1<<20)
	if strings.Count(deep, "<div>") != strings.Count(deep, "</div>") {
		t.Error("what is nested deeply is not closed")
	}
}

func FuzzClean(f *testing.F) {
	for _, page := range attacks {
		f.Add(page)
	}
	f.Fuzz(func(t *testing.T, page string) {
		if found := runs(t, cleaned(page)); len(found) > 0 {
			t.Errorf("%q became %q, which has %v", page, cleaned(page), found)
		}
	})
}

func TestATestSaysWhatWasNotRead(t *testing.T) {
	m, err := tested(app.Tested{Applied: extract.Applied{Cut: "it took too long", Over: "there are more records"}})
	if err != nil || !slices.Equal(m.Reasons, []string{"it took too long", "there are more records"}) {
		t.Errorf("%v, %v", m, err)
	}
}
