package dom

import (
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
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

func hostilePages() map[string]string {
	return map[string]string{
		"513 nested divs":          strings.Repeat("<div>", 513) + "word",
		"200k attributes":          "<p " + numbered(200_000, "a#=b ") + ">word",
		"200k attributes on bold":  "<p><b " + numbered(200_000, "a#=b ") + "></p>" + upTo(mebibyte, "<p>word"),
		"250 attributes, copied":   "<p><b " + numbered(250, "a#=b ") + "></p>" + upTo(4*mebibyte, "<p>word"),
		"30 attributes, copied":    "<p><b " + numbered(30, "a#=b ") + "></p>" + upTo(4*mebibyte, "<p>word"),
		"40k open tags":            strings.Repeat("<div><span>", 20_000) + "word",
		"40k formatting tags":      numbered(40_000, "<font size=#>") + "word",
		"10 MiB of <":              upTo(hostileSize, "<") + " word",
		"10 MiB of <a":             upTo(hostileSize, "<a") + ">word",
		"10 MiB of <p>":            upTo(hostileSize, "<p>") + "word",
		"10 MiB of comments":       upTo(hostileSize, "<!-->") + "word",
		"10 MiB of </p> deep down": strings.Repeat("<div>", 300) + upTo(hostileSize, "</p>") + "word",
		"1 MiB of </p> deep down":  strings.Repeat("<div>", 400) + upTo(mebibyte, "</p>") + "word",
		"1 MiB of <p> deep down":   strings.Repeat("<div>", 400) + upTo(mebibyte, "<p>") + "word",
		"1 MiB of </b> deep down":  strings.Repeat("<div>", 400) + "<b>" + upTo(mebibyte, "<b></b></i>") + "word",
		"1 MiB of <li> deep down":  strings.Repeat("<span>", 400) + upTo(mebibyte, "<li></ul>") + "word",
		"copied formatting":        "<p>" + numbered(450, "<b id=#>") + "</p>" + upTo(hostileSize, "<p>word"),
		"copied links":             upTo(hostileSize, "<a><div>x") + "word",
		"merged bodies":            numbered(400_000, "<body a#=b>") + "word",
		"nested tables":            upTo(hostileSize, "<table><tr><td>") + "word",
		"text before tables":       upTo(hostileSize, "<table>x") + "word",
		"10 MiB of drawings":       upTo(hostileSize, "<svg>") + "</svg>word",
		"10 MiB of scripts":        upTo(hostileSize, "<script></script>") + "word",
		"10 MiB of open comments":  upTo(hostileSize, "<script><!--<script>") + "word",
		"10 MiB of entities":       upTo(hostileSize, "&amp;&") + " word",
		"10 MiB of dashes":         "<!--" + upTo(hostileSize/2, "-") + "x" + upTo(hostileSize/2, ">") + "-->word",
		"10 MiB of icons":          "<p>word" + upTo(hostileSize, "<span aria-hidden=true></span>"),
		"10 MiB of options":        upTo(hostileSize, "<select><option>") + "word",
		"10 MiB of list items":     upTo(hostileSize, "<li>x") + "word",
		"wide spans":               "<table>" + upTo(mebibyte, "<tr><td rowspan=65534 colspan=1000>x") + "</table>word",
		"one long class":           "<p class='" + upTo(hostileSize, "a ") + "'>word",
		"adoption":                 upTo(hostileSize, "<b><p></b>") + "word",
		"nested lists":             upTo(hostileSize, "<ul><li>") + "word",
		"templates":                upTo(hostileSize, "<template>") + "word",
		"framesets":                upTo(hostileSize, "<frameset>"),
	}
}

func TestHostilePagesAreBounded(t *testing.T) {
	pages := hostilePages()
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		body := pages[name]
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			d := New([]byte(body), "https://example.org/")
			d.Tree()
			parsed := time.Since(start)
			blocks, links, tables := len(d.Blocks()), len(d.Links()), len(d.Tables())
			f := d.Fingerprint()
			Compare(f, f)
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			t.Logf("%v, of it the tree %v; %d MiB; %d blocks, %d links, %d tables", took.Round(time.Millisecond), parsed.Round(time.Millisecond),
				(after.TotalAlloc-before.TotalAlloc)>>20, blocks, links, tables)
			if took > hostileTime {
				t.Errorf("took %v", took)
			}
			if (after.TotalAlloc-before.TotalAlloc)>>20 > 1500 {
				t.Errorf("took %d MiB", (after.TotalAlloc-before.TotalAlloc)>>20)
			}
			if len(d.Tree().Data) > 0 || d.Tree().FirstChild == nil {
				t.Error("there is no tree")
			}
		})
	}
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
		d := page(body)
		if got := Line(d.Tree()); got != "word tail" {
			t.Errorf("%s: %.80q", name, got)
		}
		if !strings.Contains(d.VisibleText(), "word") {
			t.Errorf("%s: not visible", name)
		}
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
		if got := page(c.body).Title(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
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
		if got := page(body).Refresh(); got != want {
			t.Errorf("%s leads to %q, want %q", body, got, want)
		}
	}
}
