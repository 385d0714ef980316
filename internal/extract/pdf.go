package extract

import (
	"cmp"
	"crypto/sha256"
	"strings"
	"sync"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/curlew-data/curlew/internal/read/feeds"
)

// ServeReaders comes first in a program that reads pages: readers of dangerous files run in
// child processes, which are this program again.
func ServeReaders(args []string) {
	guard.ServeChildren(args, map[string]guard.ChildReader{"pdf": feeds.PDFPage})
}

// limitsOfPDF bound the reading of one file.
var limitsOfPDF = guard.ChildLimits{CPU: 10 * time.Second, Memory: 768 << 20, Output: 8 << 20}

// mostFilePages is how many files stay read: one check reads the same copy several times.
const mostFilePages = 16

// filePage is a PDF file as a page, or why it cannot be read.
type filePage struct {
	page  []byte
	fault *curlew.Fault
}

var filePages = struct {
	sync.Mutex
	known map[[sha256.Size]byte]filePage
	order [][sha256.Size]byte
}{known: map[[sha256.Size]byte]filePage{}}

// file is the page that a PDF file is made into; is says whether it is one.
func (m Material) file() (f filePage, is bool) {
	if !feeds.IsPDF(m.Body) {
		return f, false
	}
	key := sha256.Sum256(m.Body)
	filePages.Lock()
	f, known := filePages.known[key]
	filePages.Unlock()
	if known {
		return f, true
	}
	page, err := guard.ReadInChild("pdf", cmp.Or(m.Archived, m.URL), m.Body, limitsOfPDF)
	f = filePage{page: page, fault: curlew.AsFault(err)}
	if f.fault != nil && f.fault.Kind == curlew.KindTemporary {
		return f, true
	}
	filePages.Lock()
	defer filePages.Unlock()
	filePages.known[key] = f
	if filePages.order = append(filePages.order, key); len(filePages.order) > mostFilePages {
		delete(filePages.known, filePages.order[0])
		filePages.order = filePages.order[1:]
	}
	return f, true
}

// binary says whether this is a file of bytes, such as a picture: text has hardly any
// control characters.
func (m Material) binary() bool {
	if strings.HasPrefix(strings.ToLower(m.Charset), "utf-16") {
		return false // its letters have bytes of zero
	}
	control, head := 0, m.Body[:min(len(m.Body), 4096)]
	for _, c := range head {
		switch {
		case c == 0:
			control += 10 // few in a page, many in a file
		case c < ' ' && !strings.ContainsRune("\t\n\f\r\x1b", rune(c)):
			control++
		}
	}
	return control*50 > len(head)
}
