package extract

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"io"
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
}

// Guarded reads the page and turns a panic of a reader into a fault.
func (m Material) Guarded(stage guard.Stage, read func()) *curlew.Fault {
	return curlew.AsFault(guard.Read(stage, cmp.Or(m.Archived, m.URL), func() error { read(); return nil }))
}

// Ready is the page made ready once, for all who read it.
func (m Material) Ready() Material {
	m.document = m.Document()
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

// Unpacked is what a file in gzip holds, where that is a sitemap; any other body is as it is.
func Unpacked(body []byte) []byte {
	if !bytes.HasPrefix(body, []byte("\x1f\x8b")) {
		return body
	}
	packed, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return body
	}
	plain, err := io.ReadAll(io.LimitReader(packed, mostUnpacked+1))
	if err != nil || len(plain) > mostUnpacked || !feeds.IsSitemap(plain) {
		return body
	}
	return plain
}

// Document makes the page ready for reading. A file that is no page (CSV, plain text, a
// sitemap, PDF) is made into one; it is empty where the file cannot be read.
func (m Material) Document() *dom.Document {
	if m.document != nil {
		return m.document
	}
	if file, is := m.file(); is {
		return m.tree(file.page)
	}
	body := text.UTF8(m.Body, m.Charset)
	if page, ok := feeds.Page(body, m.ContentType, m.URL, urls.Site); ok {
		body = page
	}
	return m.tree(body)
}

func (m Material) tree(body []byte) *dom.Document {
	d := dom.New(body, m.URL)
	d.Archived = m.Archived
	return d
}

// Markdown is the page as Markdown, and what it is called; "" where there is none or it cannot be read.
func (m Material) Markdown() (title, text string) {
	if m.FileFault() != nil {
		return "", ""
	}
	doc := m.asText(m.Document())
	fault := m.Guarded(guard.Markdown, func() {
		title, text = article.PageMarkdown(doc, structured.Read(doc), article.Options{Now: m.Now})
	})
	if fault != nil {
		return "", ""
	}
	return title, text
}
