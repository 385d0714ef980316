package dom

import (
	"strconv"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/testkit/growth"
)

const mebibyte = 1 << 20

// upTo repeats a piece until the page has so many bytes.
func upTo(size int, piece string) string { return strings.Repeat(piece, size/len(piece)) }

// numbered repeats a piece with a number in place of #.
func numbered(n int, piece string) string {
	var out strings.Builder
	for i := range n {
		out.WriteString(strings.ReplaceAll(piece, "#", strconv.Itoa(i)))
	}
	return out.String()
}

func hostilePages() growth.Inputs {
	fill, number := growth.Fill, growth.Number
	deep := strings.Repeat("<div>", 400)
	return growth.Inputs{
		"attributes":             number("<p ", "a#=b ", ">word"),
		"attributes on bold":     func(size int) string { return number("<p><b ", "a#=b ", "></p>")(size/2) + upTo(size/2, "<p>word") },
		"250 attributes, copied": fill("<p><b "+numbered(250, "a#=b ")+"></p>", "<p>word", ""),
		"30 attributes, copied":  fill("<p><b "+numbered(30, "a#=b ")+"></p>", "<p>word", ""),
		"open tags":              fill("", "<div><span>", "word"),
		"formatting tags":        number("", "<font size=#>", "word"),
		"<":                      fill("", "<", " word"),
		"<a":                     fill("", "<a", ">word"),
		"<p>":                    fill("", "<p>", "word"),
		"comments":               fill("", "<!-->", "word"),
		"</p> deep down":         fill(deep, "</p>", "word"),
		"<p> deep down":          fill(deep, "<p>", "word"),
		"</b> deep down":         fill(deep+"<b>", "<b></b></i>", "word"),
		"<li> deep down":         fill(strings.Repeat("<span>", 400), "<li></ul>", "word"),
		"copied formatting":      fill("<p>"+numbered(450, "<b id=#>")+"</p>", "<p>word", ""),
		"copied links":           fill("", "<a><div>x", "word"),
		"merged bodies":          number("", "<body a#=b>", "word"),
		"nested tables":          fill("", "<table><tr><td>", "word"),
		"text before tables":     fill("", "<table>x", "word"),
		"drawings":               fill("", "<svg>", "</svg>word"),
		"scripts":                fill("", "<script></script>", "word"),
		"open comments":          fill("", "<script><!--<script>", "word"),
		"entities":               fill("", "&amp;&", " word"),
		"dashes":                 func(size int) string { return "<!--" + upTo(size/2, "-") + "x" + upTo(size/2, ">") + "-->word" },
		"icons":                  fill("<p>word", "<span aria-hidden=true></span>", ""),
		"options":                fill("", "<select><option>", "word"),
		"list items":             fill("", "<li>x", "word"),
		"wide spans":             fill("<table>", "<tr><td rowspan=65534 colspan=1000>x", "</table>word"),
		"one long class":         fill("<p class='", "a ", "'>word"),
		"adoption":               fill("", "<b><p></b>", "word"),
		"nested lists":           func(size int) string { return upTo(size/2, "<ul><li>") + "word" }, // others are pruned at once
		"templates":              fill("", "<template>", "word"),
		"framesets":              fill("", "<frameset>", ""),
	}
}

func TestHostilePagesAreBounded(t *testing.T) {
	hostilePages().Check(t, 2*mebibyte, func(body string) func() {
		return func() {
			d := New([]byte(body), "https://example.org/")
			if tree := d.Tree(); len(tree.Data) > 0 || tree.FirstChild == nil {
				t.Error("there is no tree")
			}
			d.Blocks()
			d.Links()
			d.Tables()
			f := d.Fingerprint()
			Compare(f, f)
		}
	})
}

func TestAPrunedPageKeepsItsText(t *testing.T) {
	for name, body := range map[string]string{
		"513 nested divs":     strings.Repeat("<div>", 513) + "word" + strings.Repeat("</div>", 513) + "<p class=after>tail",
		"40k open tags":       strings.Repeat("<div><span>", 20_000) + "word</span></div><p class=after>tail",
		"40k formatting tags": numbered(40_000, "<font size=#>") + "word<p class=after>tail",
		"200k attributes":     "<p " + numbered(200_000, "a#=b ") + ">word</p><p class=after>tail",
		"a million tags":      upTo(4*mebibyte, "<p>") + "word <p class=after>tail",
		"with a script":       strings.Repeat("<div>", 600) + "word<script>not</script><!-- nor --><p class=after>tail",
	} {
		t.Run(name, func(t *testing.T) {
			d := page(body)
			if got := Line(d.Tree()); got != "word tail" {
				t.Errorf("%.80q", got)
			}
			if !strings.Contains(d.VisibleText(), "word") {
				t.Error("not visible")
			}
		})
	}
}

func TestOddBytesAreMended(t *testing.T) {
	cases := []struct{ name, body, want string }{
		{"NUL in the title", "<title>a\x00b</title>", "ab"},
		{"broken UTF-8", "<title>a\xffb</title>", "a\ufffdb"},
		{"a lone surrogate in bytes", "<title>a\xed\xa0\x80b</title>", "a\ufffdb"},
		{"a lone surrogate as an entity", "<title>a&#xD800;b</title>", "a\ufffdb"},
		{"the title of a drawing is none", "<svg><title>x</title></svg>", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := page(c.body).Title(); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestRefreshLeadsElsewhere(t *testing.T) {
	for body, want := range map[string]string{
		`<meta http-equiv=refresh content="0; url=/next">`:                    "https://example.org/next",
		`<meta http-equiv="Refresh" content="5;URL='http://other.example/'">`: "http://other.example/",
		`<meta http-equiv=refresh content="0;url=https://example.org/a/b">`:   "",
		`<meta http-equiv=refresh content="30">`:                              "",
		`<meta http-equiv=refresh content="0;url=javascript:alert(1)">`:       "",
		`<meta name=description content="0;url=/next">`:                       "",
	} {
		t.Run(body, func(t *testing.T) {
			if got := page(body).Refresh(); got != want {
				t.Errorf("%s leads to %q, want %q", body, got, want)
			}
		})
	}
}
