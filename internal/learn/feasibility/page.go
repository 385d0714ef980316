package feasibility

import (
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/structured"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
)

// Snapshot is one page with all that came with it. Only the document is needed.
type Snapshot struct {
	Document *dom.Document
	Graph    *structured.Graph   // nil: read when needed
	Header   map[string][]string // of the response
	Calls    []ScriptCall        // what the page's scripts asked for, where a browser recorded it
}

// ScriptCall is one request that a page's scripts made, and its answer.
type ScriptCall struct {
	Method      string
	URL         string
	ContentType string
	Status      int
	RequestBody []byte
	Body        []byte
}

// graph reads the structured data once.
func (p *Snapshot) graph() *structured.Graph {
	if p.Graph == nil {
		p.Graph = structured.Read(p.Document)
	}
	return p.Graph
}

// maxLook is how much of a page is searched for tell-tales.
const maxLook = 1 << 20

// clues are the places where software leaves its name.
type clues struct {
	generators []string
	assets     string // addresses of scripts, styles, images, frames, one per line
	headers    string // "name: value", in lower case, one per line
	cookies    string // names, in lower case, one per line
	body       string
}

func cluesOf(p Snapshot) clues {
	var c clues
	var assets strings.Builder
	seen := 0
	for n := range p.Document.Tree().Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if seen++; seen > 200_000 || assets.Len() > maxLook {
			break
		}
		switch n.Data {
		case "meta":
			if strings.EqualFold(dom.Attr(n, "name"), "generator") {
				c.generators = append(c.generators, strings.ToLower(text.CutBytes(dom.Attr(n, "content"), 200)))
			}
		case "script", "img", "iframe", "embed", "source":
			assets.WriteString(text.CutBytes(dom.Attr(n, "src"), 500) + "\n")
		case "link":
			assets.WriteString(text.CutBytes(dom.Attr(n, "href"), 500) + "\n")
		}
	}
	c.assets = strings.ToLower(assets.String())
	c.headers, c.cookies = headerClues(p.Header)
	c.body = text.CutBytes(string(p.Document.Body()[:min(len(p.Document.Body()), maxLook)]), maxLook)
	return c
}

func headerClues(header map[string][]string) (lines, cookies string) {
	var h, k strings.Builder
	for name, values := range header {
		for _, v := range values {
			h.WriteString(strings.ToLower(name + ": " + text.CutBytes(v, 500) + "\n"))
			if strings.EqualFold(name, "Set-Cookie") {
				cookie, _, _ := strings.Cut(v, "=")
				k.WriteString(strings.ToLower(strings.TrimSpace(cookie)) + "\n")
			}
		}
	}
	return h.String(), k.String()
}
