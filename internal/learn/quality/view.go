package quality

import (
	"bytes"
	"html"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"github.com/curlew-data/curlew/internal/text/money"
	nethtml "golang.org/x/net/html"
)

// Grounding is where a value stands on the pages that it was read from.
type Grounding struct {
	Field string      `json:"field"`
	Value any         `json:"value"`
	Seen  curlew.Seen `json:"seen"`
	Page  string      `json:"page,omitempty"` // its address
	Node  string      `json:"node,omitempty"` // the element that shows it
	Text  string      `json:"text,omitempty"` // what it shows there
}

// view is one page that can be asked where it shows a value.
type view struct {
	document *dom.Document
	pageText *PageText
	options  dates.Options
	address  string
	blocks   []block
	data     string // folded: everything the page carries, shown or not
	raw      []byte // likewise, as written
	apart    *pieces
	asked    map[string]bool // what carries answered; records of a page share many values
}

// block is a run of visible text, with what was read in it.
type block struct {
	node  *nethtml.Node
	text  string
	words string
	read  bool
	when  []dates.Occurrence
	costs []money.Price
}

// The bounds of what a judge looks at on one page; real pages stay far below.
const (
	mostBlocks   = 6_000
	mostText     = 4_000     // bytes of one block that are searched for dates and prices
	mostSearched = 256 << 10 // bytes of all blocks that are
	mostData     = 10 << 20  // bytes of structured data
)

func newView(d *dom.Document, o dates.Options) *view {
	if o.Lang == "" {
		o.Lang, _, _ = strings.Cut(strings.ToLower(d.Lang()), "-")
	}
	v := &view{document: d, blocks: blocksOf(d.Blocks())}
	if d.URL() != nil {
		v.address = d.URL().String()
	}
	if o.Order == dates.OrderUnknown {
		o.Order, _ = d.DateOrder(o.Now)
	}
	v.options, v.pageText = o, NewPageText(d, o)
	return v
}

// pieces are the parts of dates on the whole page.
func (v *view) pieces() pieces {
	if v.apart == nil {
		p := piecesOf(v.blocks, v.options)
		v.apart = &p
	}
	return *v.apart
}

func blocksOf(all []dom.TextBlock) []block {
	blocks := make([]block, 0, min(len(all), mostBlocks))
	searched := 0
	for _, b := range all[:min(len(all), mostBlocks)] {
		searched += min(len(b.Text), mostText)
		blocks = append(blocks, block{node: b.Node, text: b.Text, words: padded(b.Text), read: searched > mostSearched})
	}
	return blocks
}

// within are the blocks of a part of the page.
func (v *view) within(path string) []block {
	if path == "" || v.document.IsJSON() {
		return nil
	}
	node := v.document.At(path)
	if node == nil {
		return nil
	}
	return blocksOf(dom.Blocks(node))
}

// dates are the dates that a block shows.
func (b *block) dates(o dates.Options) []dates.Occurrence {
	b.readTypes(o)
	return b.when
}

func (b *block) prices(o dates.Options) []money.Price {
	b.readTypes(o)
	return b.costs
}

func (b *block) readTypes(o dates.Options) {
	if b.read {
		return
	}
	b.read = true
	text := b.text
	if len(text) > mostText {
		text = strings.ToValidUTF8(text[:mostText], "")
	}
	if strings.ContainsFunc(text, unicode.IsDigit) {
		b.when, b.costs = dates.Find(text, o), money.Find(text)
	}
}

// shows finds the block that shows a value, among some blocks of the page.
func (v *view) shows(blocks []block, f curlew.Field, value any) *block {
	var holds func(b *block) bool
	switch f.Type {
	case curlew.TypeTime, curlew.TypeDate:
		return v.showsMoment(blocks, said(value))
	case curlew.TypeMoney:
		units, ok := asInt(value)
		if !ok {
			return nil
		}
		holds = func(b *block) bool { return showsUnits(b.prices(v.options), units) }
	case curlew.TypeLong:
		holds = longIn(padded(said(value)))
	case curlew.TypeURL, curlew.TypeBool, curlew.TypeChoice, curlew.TypeMap:
		return nil
	case curlew.TypeList:
		return showsEach(blocks, texts(value))
	default:
		needles := foldedAll(variants(value))
		holds = func(b *block) bool { return anyIn(b.words, needles) }
	}
	for i := range blocks {
		if holds(&blocks[i]) {
			return &blocks[i]
		}
	}
	return nil
}

// showsEach finds the block of the first text of a list, if all of them are shown.
func showsEach(blocks []block, all []string) *block {
	var first *block
	for i, text := range all {
		needle := padded(text)
		at := slices.IndexFunc(blocks, func(b block) bool { return needle != " " && strings.Contains(b.words, needle) })
		if at < 0 {
			return nil
		}
		if i == 0 {
			first = &blocks[at]
		}
	}
	return first
}

// longIn finds the first block of a long text: its beginning, or most of it.
func longIn(folded string) func(*block) bool {
	words := strings.Fields(folded)
	start := " " + strings.Join(words[:min(len(words), shingle)], " ") + " "
	return func(b *block) bool { return len(words) > 0 && strings.Contains(b.words, start) }
}

func foldedAll(spelled []string) []string {
	var all []string
	for _, s := range spelled {
		if f := padded(s); f != " " {
			all = append(all, f)
		}
	}
	return all
}

func anyIn(words string, needles []string) bool {
	return slices.ContainsFunc(needles, func(n string) bool { return strings.Contains(words, n) })
}

// variants are the ways in which pages write a text or a number.
func variants(value any) []string {
	var n float64
	switch v := value.(type) {
	case string:
		return []string{v}
	case float64:
		n = v
	case int64:
		n = float64(v)
	case int:
		n = float64(v)
	default:
		if all := texts(value); len(all) > 0 {
			return all[:1]
		}
		return []string{said(value)}
	}
	plain := strconv.FormatFloat(n, 'f', -1, 64)
	all := []string{plain, strings.ReplaceAll(plain, ".", ",")}
	if !strings.Contains(plain, ".") {
		all = append(all, plain+".0", plain+",0", grouped(plain, ","), grouped(plain, " "))
	} else {
		all = append(all, plain+"0", strings.ReplaceAll(plain, ".", ",")+"0")
	}
	return all
}

// grouped writes a whole number with thousands apart.
func grouped(digits, mark string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + mark + digits[i:]
	}
	return digits
}

// splitMoment gives the day of a time and its time of day, if it has one.
func splitMoment(value string) (day, clock string) {
	if len(value) < len(time.DateOnly) {
		return value, ""
	}
	day = value[:len(time.DateOnly)]
	if _, rest, timed := strings.Cut(value, "T"); timed && len(rest) >= 5 {
		clock = rest[:5]
	}
	return day, clock
}

// showsMoment finds the block with the day of a moment. Its time of day may stand
// in another block, but it must stand somewhere.
func (v *view) showsMoment(blocks []block, value string) *block {
	day, clock := splitMoment(value)
	var loose *block
	for i := range blocks {
		found := blocks[i].dates(v.options)
		if len(day) >= 4 && v.pageText.showsYear(day) {
			found = blocks[i].datesOf(day[:4], v.options)
		}
		if showsDay(found, day, clock) {
			return &blocks[i]
		}
		if loose == nil && showsDay(found, day, "") {
			loose = &blocks[i]
		}
	}
	if loose == nil || !slices.ContainsFunc(blocks, func(b block) bool { return v.showsClock(b, clock) }) {
		return nil
	}
	return loose
}

func (v *view) showsClock(b block, clock string) bool {
	if len(b.text) > mostText || !strings.ContainsFunc(b.text, unicode.IsDigit) {
		return false
	}
	c, ok := dates.TimeOnly(b.text, v.options)
	return ok && slices.Contains(clockVariants(c), clock) || writesClock(b.words, clock)
}

// showsDay says whether dates have a day, or it lies in a range of theirs, with a
// time of day if one is asked for.
func showsDay(found []dates.Occurrence, day, clock string) bool {
	for _, f := range found {
		first, last := f.Start.Format(time.DateOnly), f.Start.Format(time.DateOnly)
		if !f.Date.End.IsZero() {
			last = f.Date.End.Format(time.DateOnly)
		}
		if day < first || day > last {
			continue
		}
		starts := f.TimeKnown && f.Start.Format("15:04") == clock
		ends := f.EndTime && f.Date.End.Format("15:04") == clock
		if clock == "" || starts || ends {
			return true
		}
	}
	return false
}

func showsUnits(prices []money.Price, units int64) bool {
	for _, p := range prices {
		if n, ok := money.Minor(p.Amount, p.Currency); ok && n == units {
			return true
		}
	}
	return false
}

// carries says whether structured data on the page, or its markup, have a value.
func (v *view) carries(r curlew.Record, f curlew.Field, value any) bool {
	key := string(f.Type) + "|" + textOf(r, "currency") + "|" + said(value)
	answer, known := v.asked[key]
	if !known {
		if v.asked == nil {
			v.asked = map[string]bool{}
		}
		answer = v.searchData(r, f, value)
		v.asked[key] = answer
	}
	return answer
}

func (v *view) searchData(r curlew.Record, f curlew.Field, value any) bool {
	v.readData()
	switch f.Type {
	case curlew.TypeTime, curlew.TypeDate:
		return v.carriesTime(said(value))
	case curlew.TypeMoney:
		units, ok := asInt(value)
		return ok && v.carriesAmount(units, textOf(r, "currency"))
	case curlew.TypeURL:
		u := strings.TrimPrefix(strings.TrimPrefix(said(value), "https:"), "http:")
		_, path, _ := strings.Cut(strings.TrimPrefix(u, "//"), "/")
		return bytes.Contains(v.raw, []byte(u)) || len(path) > 1 && bytes.Contains(v.raw, []byte("/"+path))
	case curlew.TypeNumber, curlew.TypeInteger:
		return slices.ContainsFunc(variants(value), v.carriesNumber)
	case curlew.TypeLong:
		return holdsMostOf(v.data, padded(said(value)))
	}
	all := texts(value)
	if all == nil {
		all = []string{said(value)}
	}
	for _, one := range all {
		if folded := padded(one); folded == " " || !strings.Contains(v.data, folded) {
			return false
		}
	}
	return len(all) > 0
}

// carriesAmount looks for an amount in major units, with and without decimals, or in
// minor ones.
func (v *view) carriesAmount(units int64, currency string) bool {
	major := money.Major(units, currency)
	if v.carriesNumber(major) || v.carriesNumber(strconv.FormatInt(units, 10)) {
		return true
	}
	return strings.Contains(major, ".") && v.carriesNumber(strings.TrimSuffix(strings.TrimRight(major, "0"), "."))
}

func (v *view) carriesTime(value string) bool {
	at, clock, ok := moment(value)
	if !ok {
		return false
	}
	spelled := []string{at.Format(time.DateOnly), at.Format("20060102")}
	if clock != "" {
		utc := at.UTC()
		spelled = []string{at.Format("2006-01-02T15:04"), at.Format("2006-01-02 15:04"), at.Format("20060102T1504"),
			utc.Format("2006-01-02T15:04"), utc.Format("2006-01-02 15:04"), utc.Format("20060102T1504"), strconv.FormatInt(at.Unix(), 10)}
	}
	return slices.ContainsFunc(spelled, func(s string) bool { return bytes.Contains(v.raw, []byte(s)) })
}

// carriesNumber looks for a number that stands alone, as values in data do.
func (v *view) carriesNumber(number string) bool {
	needle := []byte(number)
	for from := 0; ; {
		i := bytes.Index(v.raw[from:], needle)
		if i < 0 || number == "" {
			return false
		}
		at, end := from+i, from+i+len(needle)
		if (at == 0 || !inNumber(v.raw[at-1])) && (end == len(v.raw) || !inNumber(v.raw[end])) {
			return true
		}
		from = at + 1
	}
}

func inNumber(c byte) bool {
	return strings.IndexByte(".-_", c) >= 0 || c < utf8.RuneSelf && text.InWord(rune(c))
}

// readData takes what the page carries as one text, with the escapes of HTML,
// JSON and iCalendar undone.
func (v *view) readData() {
	if v.raw != nil {
		return
	}
	body := v.document.Body()
	text := string(body[:min(len(body), mostData)])
	text = html.UnescapeString(html.UnescapeString(unescaped(text)))
	v.raw = append([]byte(text), '\n')
	v.data = padded(text)
}

// unescaped undoes what JSON and iCalendar write with a backslash, and the line
// ends with which iCalendar breaks long lines.
func unescaped(text string) string {
	if !strings.ContainsAny(text, "\\") && !strings.Contains(text, "\r\n ") {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		switch {
		case strings.HasPrefix(text[i:], "\r\n "):
			i += 3
		case text[i] != '\\' || i+1 == len(text):
			out = append(out, text[i])
			i++
		case text[i+1] == 'u':
			r, size := escapedRune(text[i:])
			out = utf8.AppendRune(out, r)
			i += size
		case strings.IndexByte("ntr", text[i+1]) >= 0:
			out = append(out, ' ')
			i += 2
		default:
			out = append(out, text[i+1])
			i += 2
		}
	}
	return string(out)
}

// escapedRune reads \u00e9, and the two halves of a character beyond the basic plane.
func escapedRune(text string) (r rune, size int) {
	const half = len(`\u0000`)
	code := func(at int) (rune, bool) {
		if len(text) < at+half || text[at] != '\\' || text[at+1] != 'u' {
			return 0, false
		}
		n, err := strconv.ParseUint(text[at+2:at+half], 16, 16)
		return rune(n), err == nil
	}
	first, ok := code(0)
	if !ok {
		return ' ', 2
	}
	if second, ok := code(half); ok && utf16.IsSurrogate(first) {
		return utf16.DecodeRune(first, second), 2 * half
	}
	return first, half
}
