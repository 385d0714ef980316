package onboard

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
	"net/http"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/web/fetch"
	"github.com/curlew-data/curlew/internal/work/pages"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// largestPicture bounds the icon of a site that is kept, in bytes.
const largestPicture = 32 << 10

// mostIcons bounds how many icons of a site are asked for.
const mostIcons = 4

// Icon is the icon of the site of the proposed page; nil where there is none.
func (p Proposal) Icon(ctx context.Context) *curlew.Picture {
	if p.Search == nil || p.Search.Home.Body == nil {
		return nil
	}
	return Icon(ctx, p.Search.Web, p.Search.Home.Document())
}

// Icon is the icon of the site of a page: the first that can be fetched and is a small
// picture; nil where there is none.
func Icon(ctx context.Context, web pages.PageSource, d *dom.Document) *curlew.Picture {
	icons := iconsOf(d)
	for _, address := range icons[:min(len(icons), mostIcons)] {
		result, err := web.Fetch(ctx, fetch.PageRequest{URL: address, Adapter: curlew.AdapterDirect})
		if err != nil || result.Page.Outcome != curlew.OutcomeFetched {
			continue
		}
		if picture := pictureOf(result.Body); picture != nil {
			return picture
		}
	}
	return nil
}

// iconsOf are the addresses of the icons of a page: those that it names for the tab of a
// browser, those for the screen of a phone, and where browsers look for one unasked.
func iconsOf(d *dom.Document) []string {
	var tab, phone []string
	for n := range d.Tree().Descendants() {
		if n.Type != html.ElementNode || n.DataAtom != atom.Link {
			continue
		}
		href := d.Resolve(dom.Attr(n, "href"))
		if !strings.HasPrefix(href, "http") {
			continue
		}
		switch rels := strings.Fields(strings.ToLower(dom.Attr(n, "rel"))); {
		case slices.Contains(rels, "icon"):
			tab = append(tab, href)
		case slices.Contains(rels, "apple-touch-icon"):
			phone = append(phone, href)
		}
	}
	all := append(tab, phone...)
	if unasked := d.Resolve("/favicon.ico"); !slices.Contains(all, unasked) {
		all = append(all, unasked)
	}
	return slices.DeleteFunc(all, func(address string) bool { return strings.HasSuffix(address, ".svg") })
}

// pictureOf is the picture that bytes hold. What it is, is told by its bytes: a server's word
// is not passed on to browsers. Drawings in SVG are programs and never among them.
func pictureOf(body []byte) *curlew.Picture {
	kind := http.DetectContentType(body)
	if len(body) > largestPicture || !strings.HasPrefix(kind, "image/") {
		return nil
	}
	whole := wholeIcon
	if kind != "image/x-icon" {
		whole = decodes
	}
	intact := false
	_ = guard.Read(guard.Picture, fmt.Sprintf("%s of %d bytes", kind, len(body)), func() error { // one that breaks its reader is none
		intact = whole(body)
		return nil
	})
	if !intact {
		return nil
	}
	return &curlew.Picture{Type: kind, Body: body}
}

// widestIcon bounds the pictures that are decoded, in pixels.
const widestIcon = 1024

// decodes says whether bytes are a picture from the first to the last line.
func decodes(body []byte) bool {
	size, _, err := image.DecodeConfig(bytes.NewReader(body))
	if err != nil || size.Width > widestIcon || size.Height > widestIcon {
		return false
	}
	_, _, err = image.Decode(bytes.NewReader(body))
	return err == nil
}

// wholeIcon says whether every picture that the directory of an .ico file lists is in it.
func wholeIcon(body []byte) bool {
	const head, entry = 6, 16
	if len(body) < head {
		return false
	}
	count := int(binary.LittleEndian.Uint16(body[4:head]))
	if count == 0 || len(body) < head+count*entry {
		return false
	}
	for i := range count {
		place := body[head+i*entry+8:]
		size, from := uint64(binary.LittleEndian.Uint32(place)), uint64(binary.LittleEndian.Uint32(place[4:]))
		if size == 0 || from+size > uint64(len(body)) {
			return false
		}
	}
	return true
}
