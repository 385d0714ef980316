package dom

import "golang.org/x/net/html"

// Link is an a element with an address.
type Link struct {
	Node  *html.Node
	URL   string // absolute; never empty
	Text  string // visible text on one line
	Rel   string
	Title string
}

// Links are all links in document order.
func (d *Document) Links() []Link { return nil }

// Table is a table as a grid: spans are filled, rows have equal length.
type Table struct {
	Node   *html.Node
	Header []string // texts of its heading row, empty when it has none
	Rows   [][]Cell // body rows
}

// Cell is one cell; a spanned cell appears several times with the same node.
type Cell struct {
	Node *html.Node
	Text string
}

// Tables are the tables that hold data rather than layout.
func (d *Document) Tables() []Table { return nil }
