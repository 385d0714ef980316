package article

import (
	"github.com/markusmobius/go-trafilatura"

	"curlew/internal/read/dom"
)

// baseline is what a program would do that used go-trafilatura alone.
func baseline(d *dom.Document) string {
	result, err := trafilatura.ExtractDocument(d.Tree(), trafilatura.Options{OriginalURL: d.URL(), EnableFallback: true, ExcludeComments: true})
	if err != nil {
		return ""
	}
	return result.ContentText
}
