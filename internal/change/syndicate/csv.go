package syndicate

import (
	"bufio"
	"encoding/csv"
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/text"
)

// csvTable writes RFC 4180: CRLF, quotes where needed, a header.
type csvTable struct{ *csv.Writer }

func (t csvTable) header(columns []string) error { return t.Write(columns) }

func (t csvTable) row(values []any) error {
	cells := make([]string, len(values))
	for i, v := range values {
		cells[i] = cell(v)
	}
	return t.Write(cells)
}

func writeCSV(out *bufio.Writer, f Feed, o Options) error {
	if o.BOM {
		_, _ = out.WriteString("\uFEFF")
	}
	w := csv.NewWriter(out)
	w.UseCRLF = true
	if err := writeTable(csvTable{w}, f); err != nil {
		return err
	}
	w.Flush()
	return w.Error()
}

// cell is a value that no spreadsheet takes for a formula. Text whose first visible
// character could begin one gets an apostrophe before it, which spreadsheets hide.
// Text that has apostrophes there already gets one more, so that taking one away
// always gives back the text. Numbers are left alone.
func cell(value any) string {
	text := tableText(value)
	if isNumeric(value) || isNumber(text) {
		return text
	}
	bare := strings.TrimLeft(strings.TrimLeftFunc(text, invisible), "'")
	bare = strings.TrimLeftFunc(bare, invisible)
	if bare != "" && strings.ContainsRune("=+-@＝＋－＠|", []rune(bare)[0]) {
		return "'" + text
	}
	return text
}

// invisible characters may stand before a formula without ending it.
func invisible(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) }

// isNumber says that text is a number and nothing more: "-12.5".
func isNumber(text string) bool {
	return plainNumber().MatchString(text)
}

var plainNumber = text.Pattern(`^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)$`)
