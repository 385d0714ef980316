package sanitize

import (
	"regexp"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
	"golang.org/x/net/html"
)

// hostile is a page that tries everything.
const hostile = `<!doctype html><html><head><base href="//evil.example/"><meta http-equiv="refresh" content="0;url=//evil.example/"><title></title><style>@import "//evil.example/x.css"</style>
<link rel="stylesheet" href="//evil.example/x.css"><script>parent.postMessage({curlew:"pick"},"*")</script></head>
<body onload="alert(1)" id="body" class="on hot k-link" data-n="7" data-r="9" style="background:url(//evil.example/b)">
<form id="data-pick" name="elements" action="//evil.example/"><input name="place" value="typed" onfocus="alert(2)" autofocus><button formaction="javascript:alert(3)">Go</button><input type="hidden" value="secret"></form>
<a href="javascript:alert(4)" id="r0" name="parent" ping="//evil.example/">A link</a> <a href="data:text/html,<script>alert(5)</script>">data</a>
<img src="//evil.example/i.png" srcset="//evil.example/2.png 2x" onerror="alert(6)" alt="<img src=x onerror=alert(7)>">
<iframe src="//evil.example/" srcdoc="<script>alert(8)</script>"></iframe><object data="//evil.example/o"></object><embed src="//evil.example/e"><video src="//evil.example/v" poster="//evil.example/p" autoplay></video>
<svg onload="alert(9)"><a xlink:href="javascript:alert(10)"><text>svg text</text></a><foreignObject><script>alert(11)</script></foreignObject></svg>
<math><mtext><table><mglyph><style><img src=x onerror=alert(12)></style></mglyph></table></mtext></math>
<noscript><p title="</noscript><img src=x onerror=alert(13)>"></noscript><template><script>alert(14)</script></template>
<p style="position:fixed" onclick="alert(15)">Text &lt;script&gt;alert(16)&lt;/script&gt; ` + "\u202e" + `turned</p>
<textarea></textarea><img src=x onerror=alert(17)></textarea><xmp><script>alert(18)</script></xmp><plaintext-not>x</plaintext-not>
<details ontoggle="alert(19)" open><summary>Sum</summary>More</details><td><marquee onstart="alert(20)">moving</marquee>
<div data-n='"><script>alert(21)</script>'>last</div></body></html>`

// written are the only tags that a copy may have.
var written = regexp.MustCompile(`^<(?:/(?:[a-z][a-z0-9]*)|[a-z][a-z0-9]*(?: (?:data-n|data-r|data-f|class|id|title|colspan|rowspan)="[^"<>]*")*)>$`)

func TestNothingOfAPageGetsIntoItsCopyButText(t *testing.T) {
	doc := dom.New([]byte(hostile), "https://site.example/")
	copied := string(Number(doc).Copy(Highlights{}).HTML)
	for _, tag := range regexp.MustCompile(`<[^>]*>`).FindAllString(copied, -1) {
		name := strings.Trim(strings.Fields(tag)[0], "</>")
		if !written.MatchString(tag) || names[name] != name && name != "span" && name != "br" && name != "hr" && name != "wbr" {
			t.Errorf("the copy has %s", tag)
		}
	}
	for _, never := range []string{"evil.example/x.css", "evil.example/i.png", "onerror=\"", "javascript:alert(3)", "secret", "\u202e", "style=", "action", "name=", "postMessage", "<script", "alert(8)", "alert(9)"} {
		t.Run(never, func(t *testing.T) {
			if strings.Contains(copied, never) {
				t.Errorf("the copy has %q", never)
			}
		})
	}
	for _, kept := range []string{"A link", "Text &lt;script&gt;alert(16)&lt;/script&gt; turned", "last", "More", "moving", "k-image", "k-media", "k-control"} {
		t.Run(kept, func(t *testing.T) {
			if !strings.Contains(copied, kept) {
				t.Errorf("the copy lacks %q:\n%s", kept, copied)
			}
		})
	}
}

// A browser parses the copy once more: what it sees must be what was written.
func TestACopyMeansTheSameWhenItIsParsedAgain(t *testing.T) {
	for _, page := range []string{hostile, "<table><tr><td>1<td colspan=9999 rowspan=2>2</table>", "<p>a<div>b<ul><li>c<li>d</ul>", strings.Repeat("<div><b>", 400) + "deep", "<select><option>One<option>Two</select>after",
		"<frameset><frame src=x></frameset>", "", "<dl><dt>a<dd>b</dl><custom-card>c</custom-card>"} {
		t.Run(page, func(t *testing.T) {
			copied := string(Number(dom.New([]byte(page), "https://site.example/")).Copy(Highlights{}).HTML)
			tree, err := html.Parse(strings.NewReader("<!doctype html><body>" + copied))
			if err != nil {
				t.Fatal(err)
			}
			for n := range tree.Descendants() {
				if n.Type != html.ElementNode || n.Data == "html" || n.Data == "head" || n.Data == "body" {
					continue
				}
				if names[n.Data] != n.Data && n.Data != "span" && n.Data != "br" && n.Data != "hr" && n.Data != "wbr" || n.Namespace != "" {
					t.Errorf("%.40q becomes <%s>", page, n.Data)
				}
			}
		})
	}
}

func TestPlacesLeadBackToThePage(t *testing.T) {
	doc := dom.New([]byte(`<ul><li id=a><b>Price:</b> 12 € <a href="/x">more</a></li><li hidden>no</li><li style="display:none" class=h>kept</li></ul>`), "https://site.example/")
	index := Number(doc)
	hidden := doc.At("/html[1]/body[1]/ul[1]/li[3]")
	first := doc.At("/html[1]/body[1]/ul[1]/li[1]")
	copied := string(index.Copy(Highlights{Records: map[*html.Node]int{first: 4}, Fields: map[*html.Node][]string{hidden: {"price", "name"}}}).HTML)
	if !strings.Contains(copied, `data-r="4" id="r4"`) || !strings.Contains(copied, `data-f="price name">kept`) || strings.Contains(copied, ">no<") {
		t.Error(copied)
	}
	places := regexp.MustCompile(`<span data-n="(\d+)"> 12 € </span>`).FindStringSubmatch(copied)
	if places == nil {
		t.Fatalf("the loose text cannot be pointed at: %s", copied)
	}
	var found []string
	for _, p := range index.Pieces([]*html.Node{first}, 10) {
		if Text(index.Node(p.Number)) != p.Text {
			t.Errorf("%d says %q, not %q", p.Number, Text(index.Node(p.Number)), p.Text)
		}
		found = append(found, p.Text+p.Link)
	}
	if got := strings.Join(found, "|"); got != "Price:|12 €|more/x" {
		t.Errorf("the pieces are %s", got)
	}
	if index.Node(-1) != nil || index.Node(index.Count()) != nil {
		t.Error("there are places beyond the page")
	}
}

func TestAHugePageIsCut(t *testing.T) {
	doc := dom.New([]byte(strings.Repeat("<p>"+strings.Repeat("x", 900)+"</p>", 9000)), "https://site.example/")
	if c := Number(doc).Copy(Highlights{}); !c.Cut || len(c.HTML) > mostBytes+4096 {
		t.Errorf("%d bytes, cut %v", len(c.HTML), c.Cut)
	}
	many := dom.New([]byte(strings.Repeat("<i>x</i>", 100_000)), "https://site.example/")
	if c := Number(many).Copy(Highlights{}); !c.Cut {
		t.Errorf("%d bytes of too many nodes", len(c.HTML))
	}
}

func FuzzCopy(f *testing.F) {
	f.Add(hostile)
	f.Add("<table><td><svg><style><img src=x onerror=alert(1)>")
	f.Fuzz(func(t *testing.T, page string) {
		copied := string(Number(dom.New([]byte(page), "https://site.example/")).Copy(Highlights{}).HTML)
		for _, tag := range regexp.MustCompile(`<[^>]*>?`).FindAllString(copied, -1) {
			if !written.MatchString(tag) {
				t.Fatalf("%q writes %s", page, tag)
			}
		}
	})
}
