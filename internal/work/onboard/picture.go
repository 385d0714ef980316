package onboard

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"curlew/internal/curlew"
	"curlew/internal/read/dom"
	"curlew/internal/web/fetch"
)

// largestPicture bounds the picture of a site that is kept.
const largestPicture = 32 << 10

// picture is the icon that the page names for its site; nil where it names none, where
// it is not fetched, or where it is no small picture.
func (p Proposal) picture(ctx context.Context) *curlew.Picture {
	if p.Search == nil || p.Search.Home.Body == nil {
		return nil
	}
	address := iconOf(p.Search.Home.Document())
	if address == "" {
		return nil
	}
	if p.Search.Step != nil {
		p.Search.Step(address)
	}
	result, err := p.Search.Web.Fetch(ctx, fetch.PageRequest{URL: address, Adapter: curlew.AdapterDirect})
	if err != nil || result.Page.Outcome != curlew.OutcomeFetched || len(result.Body) > largestPicture {
		return nil
	}
	// What it is, is told by its bytes: a server's word is not passed on to browsers. Drawings
	// in SVG are programs and never among them.
	kind := http.DetectContentType(result.Body)
	if !strings.HasPrefix(kind, "image/") {
		return nil
	}
	return &curlew.Picture{Type: kind, Body: result.Body}
}

// iconOf is the address of the icon that a page names: the one for the tab of a browser, or
// else the large one for the screen of a phone.
func iconOf(d *dom.Document) (address string) {
	if d.IsJSON() {
		return ""
	}
	var phone string
	for n := range d.Tree().Descendants() {
		if n.Type != html.ElementNode || n.DataAtom != atom.Link {
			continue
		}
		href := d.Resolve(dom.Attr(n, "href"))
		if !strings.HasPrefix(href, "http") || strings.HasSuffix(href, ".svg") {
			continue
		}
		switch rels := strings.Fields(strings.ToLower(dom.Attr(n, "rel"))); {
		case slices.Contains(rels, "icon") && address == "":
			address = href
		case slices.Contains(rels, "apple-touch-icon") && phone == "":
			phone = href
		}
	}
	if address == "" {
		return phone
	}
	return address
}
