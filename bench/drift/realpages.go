package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"
)

// realPage is a captured list page, with the elements of its items.
type realPage struct {
	id, address string
	now         time.Time
	root        *html.Node
	items       []*listed
}

// listed is an item of a real page.
type listed struct {
	node  *html.Node
	title string
	link  string
}

// The pages that are taken: lists of some length, and not so large that a benchmark of thousands
// of visits measures the parsing of megabytes.
const (
	leastItems = 6
	mostItems  = 120
	mostBytes  = 150_000
)

// realPages are captured lists whose items others have marked, in the order of their names.
func realPages(folder string) (all []*realPage, err error) {
	for _, set := range []string{"next-eval", "court-lists", "planning-lists"} {
		rows, err := rowsOf[listRow](filepath.Join(folder, set, "dev", "truth.jsonl"))
		if err != nil {
			return nil, err
		}
		sites := map[string]bool{} // one page of each template
		for _, row := range rows {
			if row.Site != "" && sites[row.Site+row.Template] || row.usable() != nil {
				continue
			}
			p, err := row.page(filepath.Join(folder, set, "dev"))
			if err != nil {
				return nil, err
			}
			if p != nil {
				p.id = set + "-" + strconv.Itoa(len(all)+1)
				sites[row.Site+row.Template] = true
				all = append(all, p)
			}
		}
	}
	return all, nil
}

// listRow is a page of a set with its truth, in either format.
type listRow struct {
	File, Page, Site, Template, URL, Now string
	Clean                                *bool
	Complete                             *bool
	Records                              []struct {
		XPaths   []string
		Grounded struct{ Name, Reference any }
		Fields   struct{ URL string }
	}
}

// usable says why a page cannot be taken.
func (r listRow) usable() error {
	if r.Clean != nil && !*r.Clean || r.Complete != nil && !*r.Complete {
		return fmt.Errorf("its truth is not that of one whole list")
	}
	if len(r.Records) < leastItems || len(r.Records) > mostItems {
		return fmt.Errorf("it has %d records", len(r.Records))
	}
	return nil
}

// rowsOf reads a file of JSON lines.
func rowsOf[T any](file string) (rows []T, err error) {
	lines, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(lines) {
		var row T
		if err := json.Unmarshal(line, &row); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// page parses the page and finds its items; nil where too few of them have titles of their own.
func (r listRow) page(folder string) (*realPage, error) {
	body, err := os.ReadFile(filepath.Join(folder, r.File+r.Page))
	if err != nil || len(body) > mostBytes {
		return nil, err
	}
	root, err := parsed(athome(body))
	if err != nil {
		return nil, err
	}
	p := &realPage{address: r.URL, root: root, now: sampleDay.Add(9 * time.Hour)}
	if at, err := time.Parse(time.DateOnly, r.Now); err == nil {
		p.now = at.Add(9 * time.Hour)
	}
	if p.address == "" {
		p.address = "https://example.org/list"
	}
	var names []Item
	for _, record := range r.Records {
		if len(record.XPaths) == 1 {
			if node := nodeAt(root, record.XPaths[0]); node != nil {
				p.items = append(p.items, &listed{node: node, title: headingOf(node), link: linkOf(node)})
			}
			continue
		}
		for _, name := range []any{record.Grounded.Name, record.Grounded.Reference} {
			if text, ok := name.(string); ok {
				names = append(names, Item{Title: text})
				break
			}
		}
	}
	if len(p.items) == 0 {
		nodes, titles := itemNodes(root, names)
		for i, n := range nodes {
			p.items = append(p.items, &listed{node: n, title: titles[i], link: linkOf(n)})
		}
	}
	if len(p.items) == 0 || len(p.items) > len(r.Records) || !p.clear(len(r.Records)) || !p.whole() {
		return nil, nil
	}
	p.withoutScripts()
	return p, nil
}

// otherHosts are links to other hosts, which nobody can reach here.
var otherHosts = regexp.MustCompile(`(?i)(href\s*=\s*["']?)https?://[^/"'?#\s>]+`)

// athome lets all links of a page lead to the site that serves it, as they did when it was captured.
func athome(body []byte) []byte { return otherHosts.ReplaceAll(body, []byte("$1")) }

func parsed(body []byte) (*html.Node, error) {
	r, err := charset.NewReader(bytes.NewReader(body), "text/html")
	if err != nil {
		return nil, err
	}
	body, err = io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return html.Parse(bytes.NewReader(body))
}

// clear keeps the items that can be told apart by their titles, and says whether they are most of all.
func (p *realPage) clear(all int) bool {
	titles, links := map[string]int{}, map[string]int{}
	for _, i := range p.items {
		titles[plain(i.title)]++
		links[key(i.link)]++
	}
	p.items = slices.DeleteFunc(p.items, func(i *listed) bool {
		return len(plain(i.title)) < leastTitle || titles[plain(i.title)] > 1 || i.node.Data != p.items[0].node.Data
	})
	for _, i := range p.items { // an address that several share is none's
		if links[key(i.link)] > 1 {
			i.link = ""
		}
	}
	return len(p.items) >= leastItems && 4*len(p.items) >= 3*all
}

// whole says whether the elements of most items hold all of them. Where the heading of each stands beside its element,
// to take that away takes half of the item.
func (p *realPage) whole() bool {
	nodes := map[*html.Node]bool{}
	for _, i := range p.items {
		nodes[i.node] = true
	}
	beside := 0
	for _, i := range p.items {
		text := ""
		for n := i.node.PrevSibling; n != nil && !nodes[n]; n = n.PrevSibling {
			if n.Type == html.ElementNode {
				text += textOf(n)
			}
		}
		if text != "" {
			beside++
		}
	}
	return 4*beside < 3*len(p.items)
}

// withoutScripts leaves out what would contradict a page that is changed by hand: the same data as
// JSON, and what would run.
func (p *realPage) withoutScripts() {
	var gone []*html.Node
	each(p.root, func(n *html.Node) {
		if n.DataAtom == atom.Script || n.DataAtom == atom.Noscript {
			gone = append(gone, n)
		}
	})
	for _, n := range gone {
		if n.Parent != nil {
			n.Parent.RemoveChild(n)
		}
	}
}

// nodeAt resolves an absolute path from the body.
func nodeAt(root *html.Node, path string) *html.Node {
	var node *html.Node
	each(root, func(n *html.Node) {
		if n.DataAtom == atom.Body && node == nil {
			node = n
		}
	})
	for _, step := range strings.Split(strings.TrimPrefix(path, "/body[1]/"), "/") {
		tag, number, _ := strings.Cut(strings.TrimSuffix(step, "]"), "[")
		left, _ := strconv.Atoi(number)
		if node == nil {
			return nil
		}
		child := node.FirstChild
		for ; child != nil; child = child.NextSibling {
			if child.Type == html.ElementNode && child.Data == tag {
				if left--; left <= 0 {
					break
				}
			}
		}
		node = child
	}
	return node
}

// headings are the elements that name what they stand in.
var headings = []atom.Atom{atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}

// headingOf is the title of an item: its heading, else its longest link.
func headingOf(item *html.Node) (title string) {
	heading := false
	each(item, func(n *html.Node) {
		text := textOf(n)
		switch {
		case heading || text == "":
		case slices.Contains(headings, n.DataAtom):
			title, heading = text, true
		case n.DataAtom == atom.A && len(text) > len(title):
			title = text
		}
	})
	return title
}

// pathOf is the path and query of an address.
func pathOf(address string) (host, path string) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "example.org", "/list"
	}
	path = u.EscapedPath()
	if path == "" {
		path = "/"
	}
	if u.RawQuery != "" {
		path += "?" + u.RawQuery
	}
	return u.Host, path
}
