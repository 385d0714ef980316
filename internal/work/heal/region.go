package heal

import (
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/read/article"
	"golang.org/x/net/html"
)

// region is the CSS selector of the part of a page that a person points at; "" for none.
func (m Repair) region() string {
	if b := m.Old.Blueprint; b.Schema == curlew.SchemaPage && b.Records != nil {
		return b.Records.CSS
	}
	return ""
}

// regionAgain is the selector of the one element that has the text of the region now. What
// a person points at is never widened: text beside it would be told as changes.
func (m Repair) regionAgain() (string, error) {
	var found []*html.Node
	for _, e := range m.Known {
		known, _ := e.Fields["text"].(string)
		found = append(found, elementsOf(m.Page, known)...)
	}
	if len(found) != 1 {
		return "", curlew.Permanent("region_gone", "the selected part of the page, %s, is missing: check the selector", m.region())
	}
	return article.SelectorOf(found[0]), nil
}

// elementsOf are the innermost elements that have a text and nothing else.
func elementsOf(m extract.Material, known string) (found []*html.Node) {
	lines, doc := strings.Split(known, "\n"), m.Document()
	blocks := article.PlainBlocks(doc, article.PlainOptions{Now: m.Now, Within: []*html.Node{doc.Tree()}})
	for i := 0; known != "" && i+len(lines) <= len(blocks); i++ {
		part := blocks[i : i+len(lines)]
		if !slices.EqualFunc(part, lines, func(b article.PlainBlock, line string) bool { return b.Text == line }) {
			continue
		}
		node := part[0].Node
		for node != nil && !within(part[len(part)-1].Node, node) {
			node = node.Parent
		}
		if node != nil && len(article.PlainBlocks(doc, article.PlainOptions{Now: m.Now, Within: []*html.Node{node}})) == len(lines) {
			found = append(found, node)
		}
	}
	return found
}

func within(n, of *html.Node) bool {
	for ; n != nil && n != of; n = n.Parent {
	}
	return n != nil
}
