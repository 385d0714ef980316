package pages

import (
	"bytes"
	"cmp"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/web/urls"
)

// Sitemap reads a sitemap or feed, of which page keeps the copy.
func Sitemap(body []byte, page curlew.Page, namedBy ...string) (file *urls.Sitemap, err error) {
	err = guard.Read(guard.Links, cmp.Or(page.ArchiveRef, page.FinalURL), func() (err error) {
		file, err = urls.ParseSitemap(bytes.NewReader(body), urls.SitemapOptions{URL: page.FinalURL, Now: page.FetchedAt, NamedBy: namedBy})
		return err
	})
	return file, err
}

// Links finds what a page leads to.
func Links(m extract.Material) (links *urls.PageLinks, err error) {
	err = guard.Read(guard.Links, cmp.Or(m.Archived, m.URL), func() (err error) {
		links, err = urls.ReadPageLinks(text.UTF8(m.Body, m.Charset), m.URL)
		return err
	})
	return links, err
}
