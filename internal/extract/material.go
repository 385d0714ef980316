package extract

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"io"
	"net/http"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/feasibility"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/curlew-data/curlew/internal/read/article"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/feeds"
	"github.com/curlew-data/curlew/internal/read/structured"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/web/urls"
)

// Material is a page as the reading half takes it: bytes and what is known of
// them. It may come from the web, the archive or a file.
type Material struct {
	Body        []byte // decoded, in its own charset
	Charset     string
	ContentType string
	URL         string
	Archived    string                   // the reference of its archived copy; "" where it has none
	Now         time.Time                // when the page was as it is, or when it is read
	Undated     bool                     // Now is only when it is read: the page may be of any age
	Calls       []feasibility.ScriptCall // that the page made while a browser drew it
	Adapter     curlew.AdapterName

	document *dom.Document // the page made ready, where it was before
	fault    *curlew.Fault // why it could not be made ready
}

// Guarded reads the page and turns a panic of a reader into a fault.
func (m Material) Guarded(stage guard.Stage, read func()) *curlew.Fault {
	return curlew.AsFault(guard.Read(stage, cmp.Or(m.Archived, m.URL), func() error { read(); return nil }))
}

// Ready is the page made ready once, for all who read it.
func (m Material) Ready() Material {
	if m.document == nil {
		body, fault := m.page()
		m.document, m.fault = dom.New(body, m.URL), fault
		m.document.Archived = m.Archived
	}
	return m
}

// IsIndex says whether this is an index of sitemaps, which only names the lists to read.
func (m Material) IsIndex() bool { return feeds.IsSitemapIndex(m.Body) }

// Parts are the sitemaps that an index of sitemaps lists, those that changed last first, as
// many as are read of one list and one more; none of anything else.
func (m Material) Parts() []string {
	if !m.IsIndex() {
		return nil
	}
	var index *urls.Sitemap
	fault := m.Guarded(guard.Links, func() {
		index, _ = urls.ParseSitemap(bytes.NewReader(m.Body), urls.SitemapOptions{URL: m.URL, Now: m.Now})
	})
	if fault != nil || index == nil { // it is none
		return nil
	}
	var all []string
	for _, part := range index.Newest() {
		if len(all) <= MostPages {
			all = append(all, part.URL)
		}
	}
	return all
}

// IsPart says whether this is a sitemap that an index may list, with something in it.
func (m Material) IsPart() bool {
	return feeds.ListsPages(m.Body) || LooksLikeFeed(m.Body) && !feeds.Empty(m.Body)
}

// mostUnpacked is as much as a fetch would take of a file that is not packed.
const mostUnpacked = 10 << 20

// Unpacked is a sitemap that came as a file in gzip as what that holds; anything else is as it is.
func (m Material) Unpacked() Material {
	_ = m.Guarded(guard.Body, func() {
		packed, err := gzip.NewReader(bytes.NewReader(m.Body))
		if err != nil {
			return
		}
		plain, err := io.ReadAll(io.LimitReader(packed, mostUnpacked+1))
		if err == nil && len(plain) <= mostUnpacked && feeds.IsSitemap(plain) {
			m.Body = plain
		}
	})
	return m
}

// Document is the page made ready for reading. A file that is no page (CSV, plain text, a
// sitemap, PDF) is made into one; it is empty where it cannot be read, and FileFault says why.
func (m Material) Document() *dom.Document { return m.Ready().document }

// FileFault says why a page or file cannot be read at all; nil where it can.
func (m Material) FileFault() *curlew.Fault { return m.Ready().fault }

// pageOf makes a page of a file that is none.
var pageOf = feeds.Page

func (m Material) page() (body []byte, fault *curlew.Fault) {
	if file, is := m.file(); is {
		return file.page, file.fault
	}
	if m.binary() {
		return nil, curlew.Permanent("not_text", "it is a file (%s) that has no text", http.DetectContentType(m.Body))
	}
	fault = m.Guarded(guard.Extract, func() {
		plain := text.UTF8(m.Body, m.Charset)
		if page, ok := pageOf(plain, m.ContentType, m.URL, urls.Site); ok {
			plain = page
		}
		body = plain
	})
	return body, fault
}

// Markdown is the page as Markdown, and what it is called; "" where there is none or it cannot be read.
func (m Material) Markdown() (title, text string) {
	if m = m.Ready(); m.fault != nil {
		return "", ""
	}
	_ = m.Guarded(guard.Markdown, func() {
		doc := m.asText(m.document)
		title, text = article.PageMarkdown(doc, structured.Read(doc), article.Options{Now: m.Now})
	})
	return title, text
}
