package extract

import (
	"time"

	"curlew/internal/curlew"
	"curlew/internal/learn/feasibility"
	"curlew/internal/read/dom"
	"curlew/internal/text"
)

// Material is a page as the reading half takes it: bytes and what is known of
// them. It may come from the web, the archive or a file.
type Material struct {
	Body        []byte // decoded, in its own charset
	Charset     string
	ContentType string
	URL         string
	Now         time.Time              // when the page was as it is, or when it is read
	Undated     bool                   // Now is only when it is read: the page may be of any age
	Calls       []feasibility.PageCall // that the page made while a browser drew it
	Adapter     curlew.AdapterName
}

// Document makes the page ready for reading.
func (m Material) Document() *dom.Document { return dom.New(text.UTF8(m.Body, m.Charset), m.URL) }
