package extract

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/guard"
)

func TestMain(m *testing.M) {
	ServeReaders(os.Args[1:])
	os.Exit(m.Run())
}

// pdfFile is a file of these objects, numbered from 1; the first is the catalog.
func pdfFile(objects ...string) []byte {
	return pdfWithTrailer("", objects...)
}

func pdfWithTrailer(trailer string, objects ...string) []byte {
	var out bytes.Buffer
	out.WriteString("%PDF-1.4\n")
	offsets := make([]int, len(objects))
	for i, object := range objects {
		offsets[i] = out.Len()
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	table := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, offset := range offsets {
		fmt.Fprintf(&out, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&out, "trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1,
		strings.ReplaceAll(trailer, "TABLE", fmt.Sprint(table)), table)
	return out.Bytes()
}

// written are the objects of a file with one page on which this is written.
func written(commands string) []string {
	return withContents(fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(commands)+11, "BT /F1 "+commands+" ET"))
}

func withContents(contents string) []string {
	return []string{"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>", contents,
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"}
}

// deflated is a stream that becomes the text so many times.
func deflated(text string, times int) string {
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	part := []byte(strings.Repeat(text, 1000))
	for range times / 1000 {
		_, _ = w.Write(part) // memory takes everything
	}
	_ = w.Close()
	return fmt.Sprintf("<< /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream", out.Len(), out.String())
}

func materialOfPDF(body []byte) Material {
	return Material{Body: body, ContentType: "application/pdf", URL: "https://pier.example/rules.pdf", Now: time.Date(2026, 3, 10, 0, 0, 0, 0, time.UTC)}
}

func TestAPrintedPDFIsReadByParagraphs(t *testing.T) {
	body, err := os.ReadFile("testdata/terms.pdf")
	if err != nil {
		t.Fatal(err)
	}
	all := Readings(t.Context(), materialOfPDF(body), ExtractOptions{})
	if len(all) != 1 || all[0].Schema != curlew.SchemaPage {
		t.Fatalf("%+v", all)
	}
	fields := all[0].Records[0].Record.Fields
	want := "Terms of use\nThe berths of the harbour are let by the month. Notice must be given within 30 days of receipt of the invoice, " +
		"in writing, to the harbour office, which confirms it within a week of its arrival there.\nFees\nBerth Fee per month\n" +
		"Small € 120.00\nLarge € 240.50\nNo fishing from the pier – ever.\nDogs on a leash.\nIn force since 1 March 2026. Zażółć gęślą jaźń."
	if fields["text"] != want || fields["title"] != "Terms of use" {
		t.Errorf("%q: %q", fields["title"], fields["text"])
	}
}

// A gap between two texts of a line is a space, unless it is a kern.
func TestGapsInALineOfAPDFAreSpaces(t *testing.T) {
	m := materialOfPDF(pdfFile(written("10 Tf 72 720 Td [(No) -400 (fi) 20 (shing)] TJ 60 0 Td (here.) Tj 0 -40 TD (Ever.) Tj")...))
	if got := m.Document().VisibleText(); !strings.Contains(got, "No fishing here.\nEver.") {
		t.Errorf("%q", got)
	}
}

func TestWhatAHostilePDFDoesIsASentence(t *testing.T) {
	limits := limitsOfPDF
	limitsOfPDF = guard.ChildLimits{CPU: 2 * time.Second, Memory: 256 << 20, Output: 8 << 20}
	t.Cleanup(func() { limitsOfPDF = limits })
	whole := pdfFile(written("12 Tf (No fishing.) Tj")...)
	kids := strings.Repeat("2 0 R ", 50)
	for name, file := range map[string][]byte{
		"truncated":             whole[:len(whole)/2],
		"no pages":              pdfFile("<< /Type /Catalog >>"),
		"a loop of pages":       pdfFile("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids ["+kids+"] /Count 99999999 >>"),
		"a loop of tables":      pdfWithTrailer("/Prev TABLE", written("12 Tf (No fishing.) Tj")...),
		"a loop of references":  pdfFile("<< /Type /Catalog /Pages 2 0 R >>", "2 0 R"),
		"brackets":              pdfFile(withContents("<< /Length 4000000 >>\nstream\n" + strings.Repeat("[", 4_000_000) + "\nendstream")...),
		"dictionaries":          pdfFile(strings.Repeat("<< /A ", 2_000_000)),
		"a bomb":                pdfFile(withContents(deflated("[ 1 2 3 ", 20_000_000))...),
		"a table without end":   pdfWithTrailer("/Size 999999999999", "<< >>"),
		"pictures alone":        pdfFile(withContents("<< /Length 1 >>\nstream\n \nendstream")...),
		"a mark and nothing":    []byte("%PDF-1.7"),
		"a table of everything": []byte("%PDF-1.4\nxref\n0 99999999999\n" + strings.Repeat("0000000000 00000 n \n", 50_000) + "startxref\n9\n%%EOF"),
	} {
		t.Run(name, func(t *testing.T) {
			m := materialOfPDF(file)
			e := Extract(t.Context(), m, ExtractOptions{Schema: curlew.SchemaPage, Asserted: true})
			if !errors.Is(e.Fault, guard.ErrFileUnreadable) || !strings.HasPrefix(e.Fault.Sentence, "the PDF file cannot be read: ") {
				t.Errorf("%v", e.Fault)
			}
		})
	}
}
