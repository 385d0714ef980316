package article

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/numbers"
	"golang.org/x/net/html"
)

// How much may stand with a figure.
const (
	longestLabelled  = 60  // bytes of a block whose one figure all of it names
	longestFigures   = 600 // bytes of a block with figures
	mostWordsBefore  = 6
	mostWordsBehind  = 3
	mostCellsClimbed = 4 // elements between a line and its cell
)

var (
	figurePattern = text.Pattern(`[-+−]?(?:\d+[.,]\d{4,}|\d{1,3}(?:[.,'’\x{00a0}\x{202f} ]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?)`)
	endsInDigit   = text.Pattern(`\d $`)
	labelPattern  = text.Pattern(`\pL\pL`)
	yearPattern   = text.Pattern(`^(?:19|20)\d\d$`)
	sentenceEnd   = text.Pattern(`[.!?;]\s`)
	partEnd       = text.Pattern(`[,;·|()/]|\s[–-]\s`)
)

// figuresIn are the numbers of a page by what stands with them: the path of a value of JSON, the
// row and the column of a cell, the words of the same block, or, of a number that stands alone,
// the block before it. Which sign stands before decimals the other numbers of the page tell, or
// else its language.
func figuresIn(d *dom.Document, blocks []PlainBlock) map[string]any {
	written, cells := map[string]string{}, cellNames(d)
	var signs numbers.DecimalSigns
	for i, b := range blocks {
		name := dom.Attr(b.Node, "data-path")
		if name != "" {
			b.Text, b.dates = strings.TrimPrefix(b.Text, name+": "), nil
		} else {
			name = nameOfCell(cells, b.Node)
		}
		above := ""
		if i > 0 && len(blocks[i-1].Text) <= longestLabelled && !figurePattern().MatchString(blocks[i-1].Text) {
			above = blocks[i-1].Text
		}
		for label, number := range b.figures(name, above) {
			signs.See(number)
			if label = strings.Trim(label, " :=–-.,`"); label != "" && written[label] == "" && len(written) < mostFigures {
				written[label] = number
			}
		}
	}
	lang := d.Language()
	if d.IsJSON() {
		lang = "en" // as programs write numbers
	}
	sign := cmp.Or(d.Meta(dom.DecimalSign), signs.Decimal(), numbers.DecimalIn(lang))
	figures := map[string]any{}
	for label, number := range written {
		figures[label] = numbers.Plain(number, sign)
	}
	return figures
}

// figures are the numbers of a block: of one that has a name by its place the value alone, of
// others by the words beside them.
func (b PlainBlock) figures(name, above string) iter.Seq2[string, string] {
	all := figuresOf(b.Text, b.dates)
	single := len(all) == 1 && len(b.dates) == 0 && len(b.Text) <= longestLabelled
	return func(yield func(string, string) bool) {
		for n, at := range all {
			label, whole := "", alone(b.Text, at)
			switch {
			case name != "" && single && whole:
				label = name
			case name != "" || len(b.Text) > longestFigures:
			case single && whole && above != "":
				label = above
			case single:
				label = strings.TrimSpace(b.Text[:at[0]]) + " " + strings.TrimSpace(b.Text[at[1]:])
			default:
				label = wordsBeside(b.Text, at, bounds(b.Text, all, b.dates, n))
			}
			if !yield(label, b.Text[at[0]:at[1]]) {
				return
			}
		}
	}
}

// alone says whether a number has nothing beside it but its unit.
func alone(line string, at []int) bool {
	return !labelPattern().MatchString(line[:at[0]]) && !strings.Contains(strings.TrimSpace(line[at[1]:]), " ")
}

// figuresOf finds the numbers of a line that are figures: not those of dates, of times, of codes
// such as A-2, and of telephones, nor years beside other numbers.
func figuresOf(line string, dates [][]int) [][]int {
	all := figurePattern().FindAllStringIndex(line, 64)
	all = slices.DeleteFunc(all, func(at []int) bool {
		inDate := slices.ContainsFunc(dates, func(d []int) bool { return at[0] < d[1] && d[0] < at[1] })
		return inDate || partOfCode(line, at)
	})
	if len(all) > 1 {
		all = slices.DeleteFunc(all, func(at []int) bool { return yearPattern().MatchString(line[at[0]:at[1]]) })
	}
	return all
}

// partOfCode says whether the digits at a place are not all of a word, or begin with a zero as no
// number does.
func partOfCode(line string, at []int) bool {
	before, _ := utf8.DecodeLastRuneInString(line[:at[0]])
	behind, size := utf8.DecodeRuneInString(line[at[1]:])
	next, _ := utf8.DecodeRuneInString(line[at[1]+size:])
	joined := strings.ContainsRune("-/_:.#", before) || unicode.IsLetter(before) || unicode.IsDigit(before) ||
		before == ' ' && endsInDigit().MatchString(line[:at[0]]) // the second half of a telephone number
	goesOn := strings.ContainsRune("-/_:", behind) && (unicode.IsLetter(next) || unicode.IsDigit(next)) ||
		strings.ContainsRune(".,", behind) && unicode.IsDigit(next) || unicode.IsDigit(behind) // 2.4.1
	digits := strings.TrimLeft(line[at[0]:at[1]], "-+−")
	return joined || goesOn || len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9'
}

// bounds are where the words beside a number begin and end: with its sentence, or where those of
// another number or a date begin.
func bounds(line string, all, dates [][]int, n int) [2]int {
	from, to := 0, len(line)
	for _, end := range sentenceEnd().FindAllStringIndex(line, -1) {
		if end[1] <= all[n][0] {
			from = end[1]
		}
		if end[0] >= all[n][1] {
			to = min(to, end[0])
		}
	}
	first, last := from, to
	for _, other := range append(slices.Clone(all), dates...) {
		if other[0] >= first && other[1] <= all[n][0] {
			from = max(from, parted(line, other[1], all[n][0]))
		}
		if other[0] >= all[n][1] && other[1] <= last {
			to = min(to, parted(line, all[n][1], other[0]))
		}
	}
	return [2]int{from, max(from, to)}
}

// parted is where the words between two numbers stop to belong to the first: at a mark, before
// words with a colon, else behind the first word.
func parted(line string, from, to int) int {
	between := line[from:to]
	if mark := partEnd().FindStringIndex(between); mark != nil {
		return from + mark[1]
	}
	if strings.HasSuffix(strings.TrimSpace(between), ":") {
		return from
	}
	word := len(between) - len(strings.TrimLeft(between, " "))
	if end := strings.IndexByte(between[word:], ' '); end >= 0 {
		return from + word + end
	}
	return to
}

// wordsBeside are the last words before a number and the first behind it.
func wordsBeside(line string, at []int, within [2]int) string {
	before, behind := strings.Fields(line[min(within[0], at[0]):at[0]]), strings.Fields(line[at[1]:max(within[1], at[1])])
	before, behind = before[max(0, len(before)-mostWordsBefore):], behind[:min(len(behind), mostWordsBehind)]
	if len(before) == 1 && len(before[0]) <= len("and") && len(behind) > 0 {
		before = nil
	}
	return strings.Trim(strings.Join(append(before, behind...), " "), "(),;·|/ ")
}

// cellNames are what the cells of a page's tables are called: by the first words of their row and
// the head of their column.
func cellNames(d *dom.Document) map[*html.Node]string {
	names := map[*html.Node]string{}
	for _, table := range d.Tables() {
		for _, row := range table.Rows {
			first := slices.IndexFunc(row, func(c dom.Cell) bool { return strings.ContainsFunc(c.Text, unicode.IsLetter) })
			for column, cell := range row {
				if cell.Node == nil || column >= len(table.Header) || table.Header[column] == "" || cell.Text == table.Header[column] {
					continue
				}
				names[cell.Node] = table.Header[column]
				if first >= 0 && first != column {
					names[cell.Node] = row[first].Text + " " + table.Header[column]
				}
			}
		}
	}
	return names
}

func nameOfCell(names map[*html.Node]string, n *html.Node) string {
	for range mostCellsClimbed {
		if n == nil || names[n] != "" {
			break
		}
		n = n.Parent
	}
	return names[n]
}
