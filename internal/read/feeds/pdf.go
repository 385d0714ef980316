package feeds

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"math"
	"strings"

	"github.com/curlew-data/curlew/internal/text"
	"github.com/ledongthuc/pdf"
)

// Bounds of what is read of a PDF file.
const (
	mostPDFPages = 1_000
	mostPDFNodes = 20_000 // of the tree that holds the pages
	mostPDFText  = 1 << 20
	deepestPDF   = 32 // trees of pages, and forms within forms
)

// IsPDF says whether a file is a PDF.
func IsPDF(body []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(body[:min(len(body), 1024)], "\xef\xbb\xbf \t\r\n"), []byte("%PDF-"))
}

// PDFPage makes a page of the text of a PDF file: a paragraph for each of its own. It may
// loop, and take all the memory and stack that there is: it is for a process of its own.
func PDFPage(file []byte) ([]byte, error) {
	file, err := trimmed(file)
	if err != nil {
		return nil, err
	}
	r, err := pdf.NewReader(bytes.NewReader(file), int64(len(file)))
	if errors.Is(err, pdf.ErrInvalidPassword) {
		return nil, errors.New("it needs a password")
	}
	if err != nil {
		return nil, fmt.Errorf("it is damaged (%s)", err)
	}
	b := &pdfBook{}
	b.walk(r.Trailer().Key("Root").Key("Pages"), 0)
	if len(b.paragraphs) == 0 {
		if b.pages == 0 {
			return nil, errors.New("it is damaged (it has no pages)")
		}
		return nil, errors.New("it has no text, only pictures")
	}
	return b.page(text.Collapse(r.Trailer().Key("Info").Key("Title").Text())), nil
}

// trimmed is the file without what stands before and after it, and with a mark that the
// library knows: a newer version is read like the last one.
func trimmed(file []byte) ([]byte, error) {
	start := bytes.Index(file[:min(len(file), 1024)], []byte("%PDF-"))
	end := bytes.LastIndex(file, []byte("%%EOF"))
	if start < 0 || end < start+16 {
		return nil, errors.New("it ends in the middle")
	}
	file = bytes.Clone(file[start : end+len("%%EOF")])
	copy(file, "%PDF-1.7\n")
	return file, nil
}

// pdfBook gathers the paragraphs of a file.
type pdfBook struct {
	paragraphs   []pdfLine
	pages, nodes int
	size         int
}

// walk reads the pages below a node of the tree.
func (b *pdfBook) walk(node pdf.Value, depth int) {
	b.nodes++
	if depth > deepestPDF || b.nodes > mostPDFNodes || b.pages >= mostPDFPages || b.size >= mostPDFText {
		return
	}
	kids := node.Key("Kids")
	for i := range kids.Len() {
		b.walk(kids.Index(i), depth+1)
	}
	if kids.Len() > 0 || node.IsNull() {
		return
	}
	b.pages++
	w := &pdfWriter{most: mostPDFText - b.size}
	w.page(pdf.Page{V: node})
	b.size += w.size
	b.paragraphs = append(b.paragraphs, paragraphs(w.lines)...)
}

// page is the text as a page. The largest line at the beginning is its headline.
func (b *pdfBook) page(title string) []byte {
	headline, letters, sum := 0, 0.0, 0.0
	for i, p := range b.paragraphs {
		if i < 10 && p.height > 1.1*b.paragraphs[headline].height {
			headline = i
		}
		letters += float64(len(p.text))
		sum += float64(len(p.text)) * p.height
	}
	if b.paragraphs[headline].height <= 1.1*sum/letters {
		headline = -1
	}
	if title == "" {
		title = headOf([]byte(b.paragraphs[max(0, headline)].text))
	}
	var out bytes.Buffer
	out.WriteString("<!doctype html><meta charset=utf-8>" + titleOf(title) + "<main>\n")
	for i, p := range b.paragraphs {
		tag := "p"
		if i == headline {
			tag = "h1"
		}
		fmt.Fprintf(&out, "<%s>%s</%s>\n", tag, html.EscapeString(p.text), tag)
	}
	out.WriteString("</main>")
	return out.Bytes()
}

// pdfLine is a line of a page, or the lines of a paragraph.
type pdfLine struct {
	text        string
	left, right float64
	y, height   float64 // of its last line
}

// ligatures are signs that fonts have for several letters.
var ligatures = strings.NewReplacer("ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st", "\x00", "")

// paragraphs puts lines together that go on in the next one: it stands right below, as
// large, and the line before it is about as long as lines there are.
func paragraphs(lines []pdfLine) []pdfLine {
	right := 0.0
	for _, l := range lines {
		right = max(right, l.right)
	}
	var all []pdfLine
	for _, l := range lines {
		l.text = text.Collapse(strings.ToValidUTF8(ligatures.Replace(l.text), ""))
		if l.text == "" {
			continue
		}
		if n := len(all) - 1; n >= 0 && all[n].goesOn(l, right) {
			space := " "
			if strings.HasSuffix(all[n].text, "-") {
				space = ""
			}
			l.text, l.left = all[n].text+space+l.text, min(all[n].left, l.left)
			all[n] = l
			continue
		}
		all = append(all, l)
	}
	return all
}

func (l pdfLine) goesOn(next pdfLine, right float64) bool {
	step := l.y - next.y
	return step > 0 && step < 1.7*l.height && math.Abs(l.height-next.height) < 0.1*l.height &&
		math.Abs(l.left-next.left) < 3*l.height && l.right > 0.75*right
}
