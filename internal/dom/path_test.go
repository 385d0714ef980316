package dom

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestPathsAreTheSameInWhateverOrderTheyAreAskedFor(t *testing.T) {
	var page strings.Builder
	page.WriteString("<table>")
	for i := range 200 {
		fmt.Fprintf(&page, "<tr><th>%d</th>\n<td>a</td><td><p>b</p><i>c</i><p>d</p></td></tr>\n", i)
	}
	page.WriteString("</table><p>end</p>")
	var all []*html.Node
	doc := func() *Document { return New([]byte(page.String()), "https://example.org/") }
	first := doc()
	for n := range first.Tree().Descendants() {
		if n.Type == html.ElementNode {
			all = append(all, n)
		}
	}
	orders := map[string]func(i int) int{
		"down":  func(i int) int { return i },
		"up":    func(i int) int { return len(all) - 1 - i },
		"leaps": func(i int) int { return i * 7919 % len(all) }, // a prime: each is asked for once
	}
	for name, order := range orders {
		t.Run(name, func(t *testing.T) {
			asked := doc()
			for i := range all {
				path := Path(all[order(i)])
				n := asked.At(path)
				if got := asked.Path(n); got != path {
					t.Fatalf("got %s, want %s", got, path)
				}
			}
		})
	}
	if !slices.ContainsFunc(all, func(n *html.Node) bool {
		return first.Path(n) == "/html[1]/body[1]/table[1]/tbody[1]/tr[200]/td[2]/p[2]"
	}) {
		t.Error("the last cell's second paragraph has no path")
	}
	if got := first.Path(nil) + first.Path(first.Tree()); got != "" {
		t.Errorf("what is no element has the path %s", got)
	}
}

func TestTextThatIsPlainReadsAsWrittenAndAllOtherAsShown(t *testing.T) {
	for markup, want := range map[string]string{
		`<td><a href="/x">Great Hall</a></td>`:        "Great Hall",
		`<td>Great  Hall</td>`:                        "Great Hall",
		`<td> Great Hall </td>`:                       "Great Hall",
		`<td><a hidden>Great Hall</a></td>`:           "",
		`<td><script>great()</script></td>`:           "",
		`<td><b><i>Größe</i></b></td>`:                "Größe",
		`<td>Great<br>Hall</td>`:                      "Great\nHall",
		`<td><span>Great</span> <b>Hall</b></td>`:     "Great Hall",
		`<td><p style="display:none">Great</p></td>`:  "",
		`<td><!-- a remark --><b>Great Hall</b></td>`: "Great Hall",
	} {
		doc := New([]byte("<table><tr>"+markup+"</tr></table>"), "")
		if got := Text(doc.At("/html[1]/body[1]/table[1]/tbody[1]/tr[1]/td[1]")); got != want {
			t.Errorf("%s: got %q, want %q", markup, got, want)
		}
	}
}
