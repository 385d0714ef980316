package dom

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
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
		t.Run(markup, func(t *testing.T) {
			doc := New([]byte("<table><tr>"+markup+"</tr></table>"), "")
			if got := Text(doc.At("/html[1]/body[1]/table[1]/tbody[1]/tr[1]/td[1]")); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestManyMayAskForPathsAndTextsAtOnce(t *testing.T) {
	doc := New([]byte("<ul>"+strings.Repeat("<li>one <b>two</b>  three</li>", 300)+"</ul>"), "")
	var all []*html.Node
	for n := range doc.Tree().Descendants() {
		if n.DataAtom == atom.Li {
			all = append(all, n)
		}
	}
	var wait sync.WaitGroup
	for asker := range 4 {
		wait.Go(func() {
			for i := range all {
				n := all[(i*(asker+1)+asker*71)%len(all)]
				if path, text := doc.Path(n), Text(n); path != Path(n) || text != "one two three" {
					t.Errorf("got %s with %q", path, text)
				}
			}
		})
	}
	wait.Wait()
}
