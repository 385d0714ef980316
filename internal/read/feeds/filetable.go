package feeds

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"html"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
)

// tableHead begins a page that is made of a table.
const tableHead = `<!doctype html><meta name="` + dom.FileTable + `" content="1">`

// table makes a table of the rows of a CSV file; the first row is the header unless it looks like
// the others. A file whose rows do not agree is no table.
func table(body []byte) ([]byte, bool) {
	notes, body := comments(body)
	r := csv.NewReader(bytes.NewReader(body))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = separator(body), true, -1
	var rows [][]string
	sign := ""
	for len(rows) < mostRows {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, false
		}
		rows = append(rows, cells)
		sign = cmp.Or(sign, decimalSign(cells, r.Comma))
	}
	if len(rows) < 2 || len(rows[0]) < 2 {
		return nil, false
	}
	var out bytes.Buffer
	out.WriteString(tableHead)
	if sign != "" {
		out.WriteString(`<meta name="` + dom.DecimalSign + `" content="` + sign + `">`)
	}
	out.WriteString(aside(notes) + "<table>")
	for i, cells := range rows {
		writeRow(&out, cells[:min(len(cells), len(rows[0]))], i == 0 && !likeTheOthers(rows))
	}
	out.WriteString("</table>")
	return out.Bytes(), true
}

// comments cuts the lines before the rows of a file that begin with "#". One with as many cells as
// the first row is the header.
func comments(body []byte) (notes []string, rest []byte) {
	rest = body
	for bytes.HasPrefix(rest, []byte("#")) {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		words := strings.TrimSpace(strings.TrimLeft(string(line), "#"))
		first, _, _ := bytes.Cut(after, []byte("\n"))
		if sign := string(separator(first)); strings.Count(words, sign) > 0 && strings.Count(words, sign) == strings.Count(string(first), sign) ||
			strings.HasPrefix(words, sign) {
			return notes, rest
		}
		notes, rest = append(notes, words), after
	}
	return notes, rest
}

// likeTheOthers says whether the first row is one of the others: it has a number where all have one.
// Headers may be years.
func likeTheOthers(rows [][]string) bool {
	for column, cell := range rows[0] {
		if !numberCell().MatchString(cell) || yearCell().MatchString(cell) {
			continue
		}
		if !slices.ContainsFunc(rows[1:], func(cells []string) bool { return column >= len(cells) || !numberCell().MatchString(cells[column]) }) {
			return true
		}
	}
	return false
}

var (
	numberCell = text.Pattern(`^\s*-?\d+(?:[.,]\d+)*\s*$`)
	yearCell   = text.Pattern(`^\s*(?:19|20)\d\d\s*$`)
)

// fewestLines are those of a text that is a table by its separators.
const fewestLines = 3

// inColumns says whether every line of a text has as many tabs, or semicolons, as the first.
func inColumns(body []byte) bool {
	for sign, least := range map[string]int{"\t": 1, ";": 2} {
		lines, columns := 0, -1
		for line := range bytes.Lines(body) {
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			n := bytes.Count(line, []byte(sign))
			if columns < 0 {
				columns = n
			}
			if n != columns || n < least {
				lines = 0
				break
			}
			lines++
		}
		if lines >= fewestLines {
			return true
		}
	}
	return false
}

// decimalSign is the sign before decimals where a number has one: files are parted by
// semicolons where commas stand before decimals, and by commas where points do.
func decimalSign(cells []string, separator rune) string {
	sign := map[rune]string{';': ",", ',': "."}[separator]
	for _, cell := range cells {
		if m := decimals().FindStringSubmatch(cell); m != nil && m[1] == sign {
			return sign
		}
	}
	return ""
}

var decimals = text.Pattern(`^\s*-?\d+([.,])\d+\s*$`)

// separator is the one that the first line has most of.
func separator(body []byte) rune {
	header, _, _ := bytes.Cut(body, []byte("\n"))
	best, most := ',', 0
	for _, c := range []rune{',', ';', '\t', '|'} {
		if n := bytes.Count(header, []byte(string(c))); n > most {
			best, most = c, n
		}
	}
	return best
}

func writeRow(out *bytes.Buffer, cells []string, header bool) {
	open, end := "<td>", "</td>"
	if header {
		open, end = "<th>", "</th>"
	}
	out.WriteString("<tr>")
	for _, cell := range cells {
		cell = strings.TrimSpace(cell)
		out.WriteString(open)
		if strings.HasPrefix(cell, "https://") || strings.HasPrefix(cell, "http://") {
			out.WriteString(link(cell, cell))
		} else {
			out.WriteString(html.EscapeString(cell))
		}
		out.WriteString(end)
	}
	out.WriteString("</tr>\n")
}

func link(address, words string) string {
	return `<a href="` + html.EscapeString(address) + `">` + html.EscapeString(words) + `</a>`
}

// isJSONLines says whether a file has an object of JSON in each of its first two lines.
func isJSONLines(body []byte) bool {
	if !bytes.HasPrefix(body, []byte("{")) {
		return false
	}
	first, rest, _ := bytes.Cut(body, []byte("\n"))
	second, _, _ := bytes.Cut(bytes.TrimSpace(rest), []byte("\n"))
	return bytes.HasPrefix(second, []byte("{")) && json.Valid(first) && json.Valid(second)
}

// jsonLines are the objects of a file with one in each line; it is read as far as it goes.
func jsonLines(body []byte) []any {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var all []any
	for len(all) < mostRows {
		var object map[string]any
		if d.Decode(&object) != nil {
			break
		}
		all = append(all, object)
	}
	return all
}

// Bounds of XML that is read as a table.
const (
	deepestElement = 32
	mostElements   = 500_000
)

// xmlTable makes a table of the elements that repeat in a file of XML, by their attributes and the
// elements in them; ok is false for feeds, pages and drawings, and where nothing repeats.
func xmlTable(body []byte) ([]byte, bool) {
	d := xml.NewDecoder(bytes.NewReader(body))
	d.Strict, d.CharsetReader = false, func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // it is in UTF-8 by now
	for {
		token, err := d.Token()
		if err != nil {
			return nil, false
		}
		root, is := token.(xml.StartElement)
		if !is {
			continue
		}
		if slices.Contains([]string{"html", "rss", "feed", "RDF", "svg", "urlset", "sitemapindex"}, root.Name.Local) {
			return nil, false
		}
		left := mostElements
		value := xmlValue(d, root, deepestElement, &left)
		page, ok := JSONTable(value)
		return bytes.Replace(page, []byte("<table>"), []byte(aside(besideList(value))+"<table>"), 1), ok
	}
}

// xmlValue is what JSON would be for an element: its text, or an object of its attributes and the
// elements in it, with a list of those of one name. It is taken as far as it can be read.
func xmlValue(d *xml.Decoder, e xml.StartElement, deepest int, left *int) any {
	object, words := map[string]any{}, ""
	for _, a := range e.Attr {
		if a.Name.Space != "xmlns" && a.Name.Local != "xmlns" {
			object[a.Name.Local] = a.Value
		}
	}
	for {
		token, err := d.Token()
		if *left--; err != nil || *left < 0 {
			break
		}
		if _, ends := token.(xml.EndElement); ends {
			break
		}
		switch t := token.(type) {
		case xml.CharData:
			words += string(t)
		case xml.StartElement:
			if deepest == 0 {
				_ = d.Skip() // what is too deep is not read
				continue
			}
			name, value := t.Name.Local, xmlValue(d, t, deepest-1, left)
			switch known := object[name].(type) {
			case nil:
				object[name] = value
			case []any:
				object[name] = append(known, value)
			default:
				object[name] = []any{known, value}
			}
		}
	}
	words = strings.TrimSpace(words)
	if len(object) == 0 {
		return words
	}
	if words != "" {
		object["text"] = words
	}
	return object
}

// besideList are the texts around the list of a file, each with its name.
func besideList(value any) (all []string) {
	object, _ := value.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if words, is := object[name].(string); is && words != "" {
			all = append(all, name+": "+words)
		}
		all = append(all, besideList(object[name])...)
	}
	return all
}

// aside is what stands beside a table in its file, in one line: it is no list of its own.
func aside(notes []string) string {
	if len(notes) == 0 {
		return ""
	}
	return "<p>" + html.EscapeString(strings.Join(notes, " · ")) + "</p>"
}
