package blueprint

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/antchfx/xpath"
	"golang.org/x/net/html"
)

// TestTextPathsGiveWhatTheEngineGives compares the short way with the general engine,
// from every element of a page with empty, repeated and nested texts.
func TestTextPathsGiveWhatTheEngineGives(t *testing.T) {
	tree, err := html.Parse(strings.NewReader(`<body><ul><li>Price: <b>12</b> <i></i>  now</li><li> Price:
 <b> 14 </b><!-- old --><script>x</script><span>&nbsp;</span>was</li></ul><p>Price:</p>Price:<p>Prices: all</p><p>end</p>`))
	if err != nil {
		t.Fatal(err)
	}
	for _, expression := range []string{
		".//text()[normalize-space()='Price:']/following::text()[normalize-space()][1]",
		".//text()[normalize-space()='Price:']/following::text()[normalize-space()][2]",
		".//text()[normalize-space()=\"Price:\"]/following::text()[normalize-space()][4]",
		".//text()[normalize-space()='end']/following::text()[normalize-space()][2]",
		".//text()[starts-with(normalize-space(.),'Price')]",
		".//text()[starts-with(normalize-space(.),'Nothing')]",
	} {
		t.Run(expression, func(t *testing.T) {
			short := textPathOf(expression)
			if short == nil {
				t.Fatalf("%s is not read", expression)
			}
			expr := xpath.MustCompile(expression)
			for n := range tree.Descendants() {
				if n.Type != html.ElementNode {
					continue
				}
				want, got := inOrder(findXPath(expr, n, newBudget())), inOrder(short.find(n, newBudget()))
				if !slices.Equal(got, want) {
					t.Errorf("%s from <%s>: got %q, want %q", expression, n.Data, got, want)
				}
			}
		})
	}
	for _, other := range []string{".//text()", "//text()[normalize-space()='a']/following::text()[normalize-space()][2]", ".//text()[starts-with(normalize-space(.),concat('a','b'))]"} {
		t.Run(other, func(t *testing.T) {
			if textPathOf(other) != nil {
				t.Errorf("%s is none", other)
			}
		})
	}
}

func inOrder(all []match) []string {
	var out []string
	for _, m := range all {
		out = append(out, fmt.Sprintf("%p %s", m.node, m.node.Data))
	}
	return out
}
