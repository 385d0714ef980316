package dom

import (
	"runtime"
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
		"10 MiB of <":              upTo(10*mebibyte, "<") + " word",
		"10 MiB of <a":             upTo(10*mebibyte, "<a") + ">word",
		"10 MiB of <p>":            upTo(10*mebibyte, "<p>") + "word",
		"10 MiB of comments":       upTo(10*mebibyte, "<!-->") + "word",
		"10 MiB of </p> deep down": strings.Repeat("<div>", 300) + upTo(10*mebibyte, "</p>") + "word",
		"copied formatting":        "<p>" + numbered(450, "<b id=#>") + "</p>" + upTo(10*mebibyte, "<p>word"),
		"copied links":             upTo(10*mebibyte, "<a><div>x") + "word",
		"merged bodies":            numbered(400_000, "<body a#=b>") + "word",
		"nested tables":            upTo(10*mebibyte, "<table><tr><td>") + "word",
		"text before tables":       upTo(10*mebibyte, "<table>x") + "word",
		"10 MiB of drawings":       upTo(10*mebibyte, "<svg>") + "</svg>word",
		"10 MiB of scripts":        upTo(10*mebibyte, "<script></script>") + "word",
		"10 MiB of open comments":  upTo(10*mebibyte, "<script><!--<script>") + "word",
		"10 MiB of entities":       upTo(10*mebibyte, "&amp;&") + " word",
		"10 MiB of dashes":         "<!--" + upTo(5*mebibyte, "-") + "x" + upTo(5*mebibyte, ">") + "-->word",
		"10 MiB of icons":          "<p>word" + upTo(10*mebibyte, "<span aria-hidden=true></span>"),
		"10 MiB of options":        upTo(10*mebibyte, "<select><option>") + "word",
		"10 MiB of list items":     upTo(10*mebibyte, "<li>x") + "word",
		"wide spans":               "<table>" + upTo(mebibyte, "<tr><td rowspan=65534 colspan=1000>x") + "</table>word",
		"one long class":           "<p class='" + upTo(10*mebibyte, "a ") + "'>word",
		"adoption":                 upTo(10*mebibyte, "<b><p></b>") + "word",
		"nested lists":             upTo(10*mebibyte, "<ul><li>") + "word",
		"templates":                upTo(10*mebibyte, "<template>") + "word",
		"framesets":                upTo(10*mebibyte, "<frameset>"),
	}
}

func TestHostilePagesAreReadInBoundedTime(t *testing.T) {
	for name, body := range hostilePages() {
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
