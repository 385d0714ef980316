package regions

import (
	"cmp"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text/labels"
	"golang.org/x/net/html"
)

// byIcon is what numbers count, by the icon or sign beside them.
var byIcon = map[string]string{
	"eye": "views", "views": "views", "👁": "views", "👀": "views",
	"heart": "likes", "like": "likes", "thumb": "likes", "thumbs": "likes", "bookmark": "likes", "favorite": "likes",
	"♡": "likes", "♥": "likes", "❤": "likes", "🤍": "likes", "👍": "likes",
	"comment": "comments", "comments": "comments", "chat": "comments", "💬": "comments", "share": "shares", "download": "downloads",
}

// iconLabel is what the numbers of a slot count where only a sign before them says it.
func iconLabel(s *Column) string {
	values, node := s.sample()
	if len(values) == 0 || node == nil {
		return ""
	}
	for sign, label := range byIcon {
		if strings.HasPrefix(strings.TrimSpace(values[0]), sign) {
			return label
		}
	}
	if node.Type == html.TextNode {
		node = node.Parent
	}
	within, before := node.FirstChild, node.PrevSibling
	for within != nil && within.Type != html.ElementNode && strings.TrimSpace(within.Data) == "" {
		within = within.NextSibling
	}
	for before != nil && before.Type != html.ElementNode && strings.TrimSpace(before.Data) == "" {
		before = before.PrevSibling
	}
	return cmp.Or(iconWord(within), iconWord(before))
}

func iconWord(n *html.Node) string {
	if n == nil || n.Type != html.ElementNode || strings.TrimSpace(dom.Text(n)) != "" {
		return ""
	}
	for _, word := range labels.Words(strings.ReplaceAll(dom.Attr(n, "class"), "-", " ")) {
		if label := byIcon[word]; label != "" {
			return label
		}
	}
	return ""
}
