package sanitize

import (
	"path"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
)

// names are what elements of a page become. All others become spans. Only names that
// a parser treats as plain structure are here: nothing that holds raw text, loads
// anything, or changes how what follows is parsed.
var names = func() map[string]string {
	all := map[string]string{
		"center": "div", "details": "div", "summary": "div", "dialog": "div", "fieldset": "div", "legend": "div", "hgroup": "div",
		"search": "div", "menu": "ul", "dir": "ul", "strike": "s", "big": "b", "tt": "code", "kbd": "code", "samp": "code", "listing": "pre",
		"xmp": "pre",
	}
	for name := range strings.FieldsSeq(`div p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table caption thead tbody tfoot tr th td
		section article header footer nav main aside address blockquote figure figcaption pre
		b strong i em small del s ins u mark sub sup code q time abbr`) {
		all[name] = name
	}
	return all
}()

// voids are written as they are, without anything.
var voids = []string{"br", "hr", "wbr"}

// silent says whether an element shows nothing that could be copied.
func silent(n *html.Node) bool {
	switch n.Data {
	case "script", "style", "template", "noscript", "noframes", "noembed", "head", "link", "meta", "base", "title", "svg", "math", "area",
		"map", "param", "source", "track", "col", "colgroup", "frameset", "frame", "applet", "bgsound", "portal", "fencedframe",
		"plaintext", "datalist", "slot":
		return true
	case "input":
		return strings.EqualFold(dom.Attr(n, "type"), "hidden")
	}
	return n.Namespace != ""
}

// media says whether an element is a film, a frame or the like, whose text nobody sees.
func media(n *html.Node) bool {
	switch n.Data {
	case "video", "audio", "canvas", "iframe", "object", "embed":
		return true
	}
	return false
}

// standing is the word that stands for something that cannot be copied.
type standing struct{ class, text string }

// standIn is what stands for pictures, films, frames and the parts of forms.
func standIn(n *html.Node) (standing, bool) {
	if media(n) {
		return standing{"k-media", n.Data}, true
	}
	switch n.Data {
	case "img", "picture", "image":
		if n.Data == "picture" {
			for c := range n.Descendants() {
				if c.Data == "img" {
					return standing{}, false // the picture in it has its turn
				}
			}
		}
		return standing{"k-image", pictureName(n)}, true
	case "input", "textarea", "select":
		s := dom.Attr(n, "placeholder")
		if s == "" && n.Data == "input" {
			s = dom.Attr(n, "value")
		}
		if n.Data == "select" {
			s = firstOption(n)
		}
		return standing{"k-control", text.Clip(s, 60)}, true
	}
	return standing{}, false
}

// pictureName is what a picture is called: by its text, else by its file.
func pictureName(n *html.Node) string {
	if alt := Text(n); alt != "" {
		return text.Clip(alt, 120)
	}
	at, _, _ := strings.Cut(ImageAt(n), "?")
	if name := path.Base(at); name != "." && name != "/" {
		return text.Clip(name, 60)
	}
	return "picture"
}

func firstOption(n *html.Node) string {
	for c := range n.Descendants() {
		if c.Type == html.ElementNode && c.Data == "option" {
			return dom.Line(c)
		}
	}
	return ""
}

// classOf says what an element was, where the copy has no such element.
func classOf(n *html.Node) string {
	switch n.Data {
	case "a":
		return "k-link"
	case "button":
		return "k-control"
	case "label":
		return "k-label"
	}
	return ""
}
