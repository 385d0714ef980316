// Package trafilatura finds the text of an article. It is the part of go-trafilatura 1.12.2
// (https://github.com/markusmobius/go-trafilatura, Copyright (C) 2021 Markus Mobius, Apache License 2.0, see LICENSE) that
// finds the main text. What Curlew has no use for was left out: metadata and dates, comments, the search with other
// libraries, languages and logging. See docs/decisions/0013-a-copy-of-go-trafilatura.md.
package trafilatura

import (
	nurl "net/url"
	"unicode/utf8"

	"github.com/curlew-data/curlew/third_party/trafilatura/internal/lru"
	"github.com/go-shiori/dom"
	"golang.org/x/net/html"
)

// MainText is the main text of a page, empty if there is none. The page is left as it is.
func MainText(page *html.Node, address *nurl.URL) string {
	opts := Options{Config: DefaultConfig(), OriginalURL: address, ExcludeComments: true}
	doc := dom.Clone(page, true)
	docCleaning(doc, opts)
	convertTags(doc, opts)
	_, text := extractContent(doc, lru.NewCache(opts.Config.CacheSize), opts)
	if utf8.RuneCountInString(text) < opts.Config.MinExtractedSize {
		_, text = baseline(dom.Clone(page, true))
	}
	return text
}
