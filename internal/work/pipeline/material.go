package pipeline

import (
	"time"

	"curlew/internal/curlew"
	"curlew/internal/read/dom"
	"curlew/internal/web/fetch"
)

// Material is a page as the reading half takes it: bytes and what is known of
// them. It may come from the web, the archive or a file.
type Material struct {
	Body        []byte // decoded, in its own charset
	Charset     string
	ContentType string
	URL         string
	Now         time.Time // when the page was as it is, or when it is read
	Undated     bool      // Now is only when it is read: the page may be of any age
	Calls       []fetch.PageCall
	Adapter     curlew.AdapterName
}

// MaterialOf is a page that was just fetched.
func MaterialOf(r *fetch.Capture, now time.Time) Material {
	return Material{Body: r.Body, Charset: r.Page.Charset, ContentType: r.Page.ContentType, URL: r.Page.FinalURL, Now: now,
		Calls: r.Calls, Adapter: r.Page.Adapter}
}

// Document makes the page ready for reading.
func (m Material) Document() *dom.Document { return dom.New(fetch.UTF8(m.Body, m.Charset), m.URL) }
