package dom

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// grow parses a page. It never fails: what the parser refuses (more than 512 open
// elements) or would take minutes over is pruned until it can be read.
func grow(body []byte, v survey) *html.Node {
	if !v.load.heavy() {
		if tree := parseLean(body, v.bulk); tree != nil {
			return tree
		}
		if tree, err := html.Parse(bytes.NewReader(body)); err == nil {
			return tree
		}
	}
	tags := max(v.load.tokens, 1)
	for _, depth := range []int{maxDepth, 128, 32, 8} {
		limits := pruning{
			depth:   min(depth, max(8, maxClimbing/tags)),
			formats: min(depth/4, max(1, 2*maxCopying/tags)),
			tags:    maxTokens,
		}
		if tree, err := html.Parse(bytes.NewReader(prune(body, limits))); err == nil {
			return tree
		}
	}
	tree, _ := html.Parse(strings.NewReader(""))
	return tree
}

// nameTimes makes time elements of those elements of a page's own that carry a time as one
// does, such as relative-time.
func nameTimes(tree *html.Node, body []byte) *html.Node {
	if !bytes.Contains(body, []byte("datetime")) {
		return tree
	}
	for n := range tree.Descendants() {
		if n.Type == html.ElementNode && n.DataAtom == 0 && n.Namespace == "" && HasAttr(n, "datetime") {
			n.Data, n.DataAtom = "time", atom.Time
		}
	}
	return tree
}

// pieces is read one after the other.
type pieces [][]byte

func (p *pieces) Read(into []byte) (int, error) {
	for len(*p) > 0 {
		if n := copy(into, (*p)[0]); n > 0 {
			(*p)[0] = (*p)[0][n:]
			return n, nil
		}
		*p = (*p)[1:]
	}
	return 0, io.EOF
}

// parseLean parses a page without the contents of its longer scripts and styles
// and puts them back afterwards. It returns nil if anything is not as the scanner
// thought, so that the tree is always that of the whole page.
func parseLean(body []byte, bulk []content) *html.Node {
	mark := "~bulk"
	for bytes.Contains(body, []byte(mark)) {
		if mark += "~"; len(mark) > 16 {
			return nil
		}
	}
	lean := make(pieces, 0, 2*len(bulk)+1)
	from := 0
	for i, b := range bulk {
		lean = append(lean, body[from:b.from], strconv.AppendInt([]byte(mark), int64(i), 10))
		from = b.to
	}
	lean = append(lean, body[from:])
	tree, err := html.Parse(&lean)
	if err != nil {
		return nil
	}
	restored := 0
	for n := range elements(tree) {
		if n.DataAtom != atom.Script && n.DataAtom != atom.Style || n.FirstChild == nil {
			continue
		}
		number, marked := strings.CutPrefix(n.FirstChild.Data, mark)
		if !marked {
			continue
		}
		i, err := strconv.Atoi(number)
		if err != nil || i != restored || n.FirstChild.NextSibling != nil {
			return nil
		}
		n.FirstChild.Data = bulk[i].text
		restored++
	}
	if restored != len(bulk) {
		return nil
	}
	return tree
}
