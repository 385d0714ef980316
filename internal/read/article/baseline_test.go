package article

import (
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/markusmobius/go-trafilatura"
)

// baseline is what a program would do that used go-trafilatura alone.
func baseline(d *dom.Document) string {
	result, err := trafilatura.ExtractDocument(d.Tree(), trafilatura.Options{OriginalURL: d.URL(), EnableFallback: true, ExcludeComments: true})
	if err != nil {
		return ""
	}
	return result.ContentText
}
