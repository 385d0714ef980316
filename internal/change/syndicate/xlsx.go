package syndicate

import (
	"archive/zip"
	"bufio"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/text"
)

// What a sheet can hold (ECMA-376 and the limits of the spreadsheet that most people have).
const (
	mostRows     = 1 << 20
	mostCellText = 32_000
	widestCell   = 50 // characters
)

// The styles of cells, by their places in the list of xlsxStyles.
const (
	stylePlain = iota
	styleHeader
	styleMoney // two decimals
	styleTime
	styleDay
)

const xlsxStyles = xml.Header + `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">` +
	`<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd\ hh:mm"/><numFmt numFmtId="165" formatCode="yyyy\-mm\-dd"/>` +
	`</numFmts>` +
	`<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
	`<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
	`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
	`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5">` +
	`<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" ` +
	`applyFont="1"/>` +
	`<xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
	`<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
	`<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`

// xlsxParts are the files of a workbook with one sheet, but for the sheet.
var xlsxParts = [][2]string{
	{"[Content_Types].xml", xml.Header + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Default Extension="xml" ContentType="application/xml"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>` +
		`<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>` +
		`<Override PartName="/xl/worksheets/sheet1.xml" ` +
		`ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`},
	{"_rels/.rels", xml.Header + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" ` +
		`Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
	{"xl/_rels/workbook.xml.rels", xml.Header + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" ` +
		`Target="worksheets/sheet1.xml"/>` +
		`<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/>` +
		`</Relationships>`},
	{"xl/styles.xml", xlsxStyles},
}

// writeXLSX writes a workbook that spreadsheets open: numbers, times and amounts are such, and no text is a formula.
func writeXLSX(out *bufio.Writer, f Feed, _ Options) error {
	file := zip.NewWriter(out)
	for _, part := range xlsxParts {
		if err := addPart(file, part[0], part[1]); err != nil {
			return err
		}
	}
	name := "Entities"
	if f.Changes {
		name = "Changes"
	}
	err := addPart(file, "xl/workbook.xml", xml.Header+`<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" `+
		`xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="`+name+
		`" sheetId="1" r:id="rId1"/></sheets></workbook>`)
	if err != nil {
		return err
	}
	part, err := file.Create("xl/worksheets/sheet1.xml")
	if err != nil {
		return err
	}
	sheet := &xlsxSheet{out: bufio.NewWriter(part)}
	if err := writeTable(sheet, f); err != nil {
		return err
	}
	if err := sheet.end(); err != nil {
		return err
	}
	return file.Close()
}

func addPart(file *zip.Writer, name, text string) error {
	part, err := file.Create(name)
	if err != nil {
		return err
	}
	_, err = io.WriteString(part, text)
	return err
}

// xlsxSheet writes the rows of a sheet.
type xlsxSheet struct {
	out     *bufio.Writer
	rows    int
	columns int
}

func (s *xlsxSheet) header(columns []string) error {
	s.columns = len(columns)
	_, _ = s.out.WriteString(xml.Header + `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews>` +
		`<sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>`)
	cells := make([]any, len(columns))
	for i, name := range columns {
		fmt.Fprintf(s.out, `<col min="%d" max="%[1]d" width="%d" customWidth="1"/>`, i+1, min(widestCell, max(12, len(name)+4)))
		cells[i] = name
	}
	_, _ = s.out.WriteString(`</cols><sheetData>`)
	return s.write(cells, styleHeader)
}

func (s *xlsxSheet) row(values []any) error {
	if s.rows == mostRows-1 {
		return s.write([]any{"More rows than a sheet can hold: export fewer by a filter, or as CSV."}, styleHeader)
	}
	return s.write(values, stylePlain)
}

func (s *xlsxSheet) write(values []any, style int) error {
	if s.rows >= mostRows {
		return nil
	}
	s.rows++
	fmt.Fprintf(s.out, `<row r="%d">`, s.rows)
	for i, v := range values {
		s.cell(column(i)+strconv.Itoa(s.rows), v, style)
	}
	_, err := s.out.WriteString(`</row>`)
	return err
}

func (s *xlsxSheet) cell(at string, value any, style int) {
	written := tableText(value)
	if written == "" {
		return
	}
	switch v := value.(type) {
	case time.Time:
		style, written = styleTime, serial(v)
	case day:
		style, written = styleDay, serial(time.Time(v))
	case bool:
		fmt.Fprintf(s.out, `<c r="%s" t="b"><v>%d</v></c>`, at, map[bool]int{true: 1}[v])
		return
	case json.Number:
		if strings.IndexByte(written, '.') == len(written)-3 {
			style = styleMoney
		}
	default:
		if !isNumeric(value) || !isNumber(written) {
			fmt.Fprintf(s.out, `<c r="%s" s="%d" t="inlineStr"><is><t xml:space="preserve">`, at, style)
			_ = xml.EscapeText(s.out, []byte(text.Clip(written, mostCellText)))
			_, _ = s.out.WriteString(`</t></is></c>`)
			return
		}
	}
	fmt.Fprintf(s.out, `<c r="%s" s="%d"><v>%s</v></c>`, at, style, written)
}

func (s *xlsxSheet) end() error {
	fmt.Fprintf(s.out, `</sheetData><autoFilter ref="A1:%s%d"/></worksheet>`, column(max(0, s.columns-1)), max(1, s.rows))
	return s.out.Flush()
}

// column is the name of a column: A, B … Z, AA.
func column(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return column(i/26-1) + string(rune('A'+i%26))
}

// serial counts days since the last of 1899, as spreadsheets do, by the clock on the wall there.
func serial(t time.Time) string {
	wall := time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
	days := wall.Sub(time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)).Hours() / 24
	return strconv.FormatFloat(days, 'f', 10, 64)
}
