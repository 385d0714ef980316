package dom

import (
	"slices"
	"testing"
)

func TestHeadlinesAreToldWithoutTheTree(t *testing.T) {
	for page, want := range map[string][]string{
		`<h1>One</h1><h2>Two</h2><h1 class=a>Three <b>and</b> four</h1>`: {"One", "Three and four"},
		`<h1>A&nbsp;&amp;<br>B<span hidden>C</span></h1>`:                {"A & B"},
		`<h1><svg><title>logo</title></svg></h1>`:                        {""},
		`<h1></h1>`: nil,
		`<!-- <h1>no</h1> --><script>"<h1>"</script>`: nil,
		`<h1>never closed <p>text`:                    {"never closed text"},
		`<h1>closed by another</h2> text`:             {"closed by another"},
		`<h1><table><tr><td>cell</table></h1>`:        {"cell"},
	} {
		t.Run(page, func(t *testing.T) {
			if got := New([]byte("<body>"+page), "").Headlines(); !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

func TestConformanceHeadlines(t *testing.T) {
	quick, total := 0, 0
	eachPage(t, func(path string, body []byte) {
		total++
		d := New(body, "https://example.org/")
		if h := d.survey().headlines; !h.odd && h.open < 0 {
			quick++
		}
		if got, want := d.Headlines(), headlines(d.Tree()); !slices.Equal(got, want) {
			t.Errorf("%s: %q, the tree has %q", path, got, want)
		}
	})
	t.Logf("dom-headlines: %d/%d pages whose headlines are told without the tree", quick, total)
	if quick < total*9/10 {
		t.Errorf("only %d of %d", quick, total)
	}
}
