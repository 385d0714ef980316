package events

import (
	"slices"
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"github.com/curlew-data/curlew/internal/text/wordlist"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// named is a title and where it came from.
type named struct {
	text      string
	line      int
	rule      string
	inherited bool
	panel     bool   // from the label of a panel
	whole     bool   // all of a heading
	place     string // that the title began with
}

// cutOff ends a text that a date was cut out of, or begins one about a move.
var cutOff = text.Pattern(`(?i)\b(?:for|on|of|from|the)$|^(?:re-?scheduled|moved|changed|postponed) (?:from|to|due)\b`)

// bare is a line without its dates and times, and without what only names
// documents; "" when nothing is left.
func (r *reader) bare(i int) string {
	if l := &r.lines[i]; l.stripped != nil { // asked for often
		return *l.stripped
	}
	text := r.stripped(i)
	r.lines[i].stripped = &text
	return text
}

func (r *reader) stripped(i int) string {
	text := r.lines[i].text
	if len(text) > 600 {
		text = text[:strings.LastIndexByte(text[:600], ' ')+1]
	}
	text = r.withoutDates(i, text)
	if onlyWords(text, documentWords()) {
		return ""
	}
	return text
}

// withoutDates cuts the dates and times out of a line.
func (r *reader) withoutDates(i int, text string) string {
	rest := text
	if r.at[i] < r.at[i+1] {
		rest = r.cutDates(i, text)
	}
	if mayHoldTime(rest) {
		rest = timeCut().ReplaceAllString(rest, " ")
	}
	return trimTitle(rest)
}

// cutDates puts a space where a date stands.
func (r *reader) cutDates(i int, text string) string {
	var out strings.Builder
	at := 0
	for _, d := range r.dates[r.at[i]:r.at[i+1]] {
		if d.begin >= at && d.begin <= len(text) {
			out.WriteString(text[at:d.begin])
			out.WriteByte(' ')
			at = min(d.end, len(text))
			if d.lastLine > d.line {
				at = len(text)
			}
		}
	}
	out.WriteString(text[at:])
	return out.String()
}

// trimTitle removes the marks around a title, but not a bracket that belongs to it.
func trimTitle(s string) string {
	s = strings.Trim(text.Collapse(s), " ,.;:|-–—@/*•·&")
	for {
		cut := s
		if open := strings.Count(s, "(") - strings.Count(s, ")"); open < 0 {
			cut = strings.TrimSuffix(s, ")")
		} else if open > 0 {
			cut = strings.TrimSuffix(strings.TrimPrefix(s, "("), "(")
		}
		if strings.HasPrefix(cut, "(") && strings.HasSuffix(cut, ")") && strings.Count(cut, "(") == 1 {
			cut = cut[1 : len(cut)-1]
		}
		cut = strings.Trim(cut, " ,.;:|-–—@/*•·[]&")
		if cut == s {
			return s
		}
		s = cut
	}
}

// onlyWords says whether all words of a text are in a set; numbers count as such.
func onlyWords(text string, of ...*wordlist.List) bool {
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return !unicode.IsLetter(c) }) {
		if !slices.ContainsFunc(of, func(list *wordlist.List) bool { return list.Has(word) }) {
			return false
		}
	}
	return true
}

var titleWords = wordlist.Named(vocabulary, "title words")
var titleColumns = wordlist.Named(vocabulary, "title columns")

// name finds the title of an entry: inside it, else from a heading above.
func (r *reader) name(e *entry) named {
	for _, find := range [...]func(*entry) (named, bool){
		r.titleBySides, r.titleByHeading, r.titleByClass, r.titleByColumn, r.titleByContrast, r.titleByLink, r.titleByBold, r.titleByLine,
		r.titleByCard,
	} {
		if t, ok := find(e); ok && (goodTitle(t.text) || t.whole) {
			t.text = withoutStatus(withoutMonth(once(t.text)))
			if m := atPlace().FindStringSubmatch(t.text); m != nil {
				t.text, t.place = m[2], m[1]
			}
			t.splitPlace()
			return t
		}
	}
	if card := r.cardOf(e); card != nil {
		if t := r.name(card); !t.inherited {
			t.rule += " of the card"
			return t
		}
	}
	return r.inherit(e)
}

// cardOf is the element around a line of several days that is of the same make as
// other entries: its name is theirs.
func (r *reader) cardOf(e *entry) *entry {
	if e.shape != shapeLines || e.node == nil {
		return nil
	}
	for n, steps := e.node.Parent, 0; n != nil && steps < 6; n, steps = n.Parent, steps+1 {
		if r.unitMakes[makeOf(n)] >= 2 && dom.Attr(n, "class") != "" {
			return &entry{date: e.date, node: n, span: r.spans[n]}
		}
	}
	return nil
}

// atPlace is a title that begins with its place: "at the Old Mill: Tide Songs".
var atPlace = text.Pattern(`^(?:at|@)\s+(?:the\s+)?([^:]{3,60}):\s+(\S.*)$`)

// splitPlace cuts a hall off the end of a title: "Budget Hearing, Council Chambers".
func (t *named) splitPlace() {
	comma := strings.Index(t.text, ", ")
	if comma < 4 || t.place != "" {
		return
	}
	tail := t.text[comma+2:]
	if m := findHall(tail); m != "" && strings.HasPrefix(tail, m) && len(m)*2 >= len(tail) {
		t.text, t.place = t.text[:comma], tail
	}
}

// withoutMonth cuts a month with its year off a title: "March 2026 Special Meeting".
func withoutMonth(s string) string {
	if !strings.Contains(s, "19") && !strings.Contains(s, "20") {
		return s
	}
	m := fourDigits().FindStringIndex(s)
	if m == nil {
		return s
	}
	begin := strings.LastIndexByte(strings.TrimRight(s[:m[0]], " ,"), ' ') + 1
	if begin > 0 && m[1] < len(s) || !onlyMonth(s[begin:m[1]]) {
		return s
	}
	if cut := trimTitle(s[:begin] + s[m[1]:]); goodTitle(cut) {
		return cut
	}
	return s
}

// once removes the second of two equal halves: pages write a title twice for two
// sizes of screen.
func once(s string) string {
	if n := len(s); n > 8 && n%2 == 1 && s[:n/2] == s[n/2+1:] && s[n/2] == ' ' {
		return s[:n/2]
	}
	return s
}

func goodTitle(s string) bool { return titleLike(s) && !isCutOff(s) }

// titleLike says whether a text can be a title, if it is all of one.
func titleLike(s string) bool {
	if first := firstLetter(s); unicode.IsLower(first) && !strings.Contains(s, " ") {
		return false // the rest of a word
	}
	return len(s) >= 3 && len(s) <= 300 && hasLetters(s) && !onlyWords(s, documentWords(), kindWords()) && !onlyMonth(s)
}

// isCutOff spares most texts the pattern: they neither end nor begin like one.
func isCutOff(s string) bool {
	for _, word := range [...]string{"for", "on", "of", "from", "the"} {
		if len(s) >= len(word) && strings.EqualFold(s[len(s)-len(word):], word) {
			return cutOff().MatchString(s)
		}
	}
	return s != "" && strings.IndexByte("rmcpRMCP", s[0]) >= 0 && cutOff().MatchString(s)
}

// onlyMonth: "April" or "April 2026" says when, not what.
func onlyMonth(s string) bool {
	if len(s) > 24 || strings.Contains(strings.Trim(s, " .,0123456789"), " ") {
		return false
	}
	month, _ := monthYear(s)
	return month > 0
}

// part is the text of a line as far as it belongs to an entry.
func (r *reader) part(e *entry, i int) string {
	if i == e.span.first && (e.begin > 0 || e.end > 0) {
		text := r.lines[i].text
		end := e.end
		if end == 0 {
			end = len(text)
		}
		cut := text[e.begin:end]
		if e.date.begin >= e.begin && e.date.end <= end {
			cut = text[e.begin:e.date.begin] + " " + text[e.date.end:end]
		}
		cut = timeCut().ReplaceAllString(cut, " ")
		return trimTitle(cut)
	}
	return r.withoutDates(i, r.lines[i].text)
}

func (r *reader) titleByHeading(e *entry) (named, bool) {
	if e.shape == shapeLines {
		return named{}, false
	}
	for level := 1; level <= 6; level++ {
		for i := e.span.first; i < e.span.last; i++ {
			if r.lines[i].level == level && !r.isContext(i) && !r.placeMarked(i, e) {
				text := r.part(e, i)
				whole := text == r.lines[i].text && titleLike(text) // "Village lights switch-on" is not cut off
				if whole || goodTitle(text) {
					return named{text: text, line: i, rule: "the entry's heading", whole: whole}, true
				}
			}
		}
	}
	return named{}, false
}

func (r *reader) titleByClass(e *entry) (named, bool) {
	if e.shape == shapeLines {
		return named{}, false
	}
	for i := e.span.first; i < e.span.last; i++ {
		n := r.lines[i].pieces[0].node.Parent
		for steps := 0; n != nil && n != e.node && steps < 3; n, steps = n.Parent, steps+1 {
			if classHas(n, titleWords()) && goodTitle(r.part(e, i)) && !classHas(n, placeWords()) {
				return named{text: r.part(e, i), line: i, rule: "the class of its element"}, true
			}
		}
	}
	return named{}, false
}

func (r *reader) titleByColumn(e *entry) (named, bool) {
	for i := e.span.first; i < e.span.last; i++ {
		head := r.columnHead(i)
		for _, word := range r.wordsOf(head) {
			if titleColumns().Has(word) && !r.placeMarked(i, e) && !r.isFile(i) && r.fitsAsTitle(r.part(e, i)) {
				return named{text: r.part(e, i), line: i, rule: "the column " + head}, true
			}
		}
	}
	return named{}, false
}

func rowOf(n *html.Node) *html.Node {
	for ; n != nil; n = n.Parent {
		if n.DataAtom == atom.Tr {
			return n
		}
		if n.DataAtom == atom.Table {
			return nil
		}
	}
	return nil
}

func (r *reader) titleByLink(e *entry) (named, bool) {
	for i := e.span.first; i < e.span.last; i++ {
		l := &r.lines[i]
		if i == e.span.first && (e.begin > 0 || e.end > 0) {
			return named{}, false
		}
		if text, ok := r.linkInLine(i); ok {
			return named{text: text, line: i, rule: "the entry's link"}, true
		}
		if !isLink(l) || len(l.text) > 160 || r.placeMarked(i, e) || r.isFile(i) {
			continue
		}
		text := r.part(e, i)
		if words := wordCount(text); goodTitle(text) && words >= 2 && !mostlyDocument(text) {
			return named{text: text, line: i, rule: "the entry's link"}, true
		}
	}
	return named{}, false
}

// linkInLine is the text of a link that opens a line of several styled parts:
// title, place, date, price side by side. A time may stand before it.
func (r *reader) linkInLine(i int) (string, bool) {
	l := &r.lines[i]
	first := slices.IndexFunc(l.pieces, func(p piece) bool { return hasLetters(p.node.Data) })
	a := linkAround(l.pieces[max(0, first)].node)
	if a == nil || isLink(l) || len(l.text) > 400 || isFileLink(a) {
		return "", false
	}
	if r.at[i] < r.at[i+1] && r.dates[r.at[i]].begin == 0 {
		return "", false
	}
	text := trimTitle(dom.Line(a))
	return text, goodTitle(text) && !mostlyDocument(text) && len(text)*5 >= len(r.withoutDates(i, l.text)) && !strings.HasSuffix(text, ".")
}

// mostlyDocument says whether a text names a document: "Agenda for the regular meeting".
func mostlyDocument(s string) bool {
	first := strings.ToLower(strings.Fields(s)[0])
	switch strings.Trim(first, ".,:;") {
	case "agenda", "minutes", "draft", "approved", "view", "read", "download", "click", "watch", "register", "join", "notice",
		"meeting-minutes", "buy", "add":
		return true
	}
	switch strings.ToLower(s[strings.LastIndexByte(s, ' ')+1:]) {
	case "minutes", "agenda", "pdf", "video", "recording", "link", "summary", "packet", "transcript":
		return true
	}
	return false
}

// isLink says whether a whole line is one link.
func isLink(l *line) bool {
	for _, p := range l.pieces {
		in := false
		for n := p.node.Parent; n != nil && !in; n = n.Parent {
			in = n.DataAtom == atom.A
			if n == l.holder && !in {
				break
			}
		}
		if !in {
			return false
		}
	}
	return true
}

func (r *reader) titleByBold(e *entry) (named, bool) {
	if e.shape == shapeLines {
		return named{}, false
	}
	for i := e.span.first; i < e.span.last; i++ {
		if r.lines[i].level == 7 && !r.isContext(i) && !strings.HasSuffix(r.lines[i].text, ":") && !r.placeMarked(i, e) {
			if text := r.part(e, i); goodTitle(text) && wordCount(text) <= 16 && !r.aboveStreet(i, e) {
				return named{text: text, line: i, rule: "the entry's bold line"}, true
			}
		}
	}
	return named{}, false
}

var notATitle = text.Pattern(`(?i)^(?:virtual(?: meeting)?$|online$|via |location|where|when|time|date|venue|place|address|` +
	`room|phone|call|contact|note|please|due to|for more|the meeting (?:was|is|will|has)|this meeting|join|doors|tickets|cost|price|` +
	`admission|meeting (?:cancell?ed|rescheduled|postponed)|cancell?ed|rescheduled|see)\b`)

// sentenceWords are those of a sentence about entries rather than of a title.
var sentenceWords = phrases("sentence words")

// titleByLine takes the first short line with words of its own: the rest of the
// date's line first.
func (r *reader) titleByLine(e *entry) (named, bool) {
	if text := r.ownWords(e); e.date.line >= e.span.first && e.date.line < e.span.last && r.fitsAsTitle(text) {
		return named{text: cutTail(text), line: e.date.line, rule: "what stands beside the date"}, true
	}
	for i := e.span.first; i < e.span.last && i < e.span.first+12; i++ {
		if i == e.date.line {
			continue
		}
		text := r.part(e, i)
		if !r.fitsAsTitle(text) || r.isFile(i) || placeLabel().MatchString(text) {
			continue
		}
		if !r.placeMarked(i, e) && !r.aboveStreet(i, e) {
			return named{text: text, line: i, rule: "the entry's first line"}, true
		}
	}
	return named{}, false
}

// aboveStreet says whether a line stands right above a street, as the name of a place
// does; a title above it stands before the date.
func (r *reader) aboveStreet(i int, e *entry) bool {
	if i <= e.date.line || i+1 >= e.span.last {
		return false
	}
	m := findStreet(r.lines[i+1].text)
	return m != nil && m[0] == 0
}

// ownWords is what stands beside the date, without links to files.
func (r *reader) ownWords(e *entry) string {
	i := min(e.date.line, e.span.last-1)
	text := r.part(e, i)
	for _, p := range r.lines[i].pieces {
		if file := r.lines[i].text[p.begin:p.end]; isFileLink(linkAround(p.node)) && (p.end <= e.date.begin || p.begin >= e.date.end) {
			text = strings.Replace(text, strings.TrimSpace(file), " ", 1)
		}
	}
	return trimTitle(text)
}

// isFile says whether a line is a link to a file and holds no date: a document of
// the entry, not its name.
func (r *reader) isFile(i int) bool {
	l := &r.lines[i]
	return r.at[i] == r.at[i+1] && isLink(l) && isFileLink(linkAround(l.pieces[0].node))
}

var fileLink = text.Pattern(`(?i)\.(?:pdf|docx?|xlsx?|pptx?|rtf|mp3|mp4|zip|odt)(?:$|[?#])`)

func isFileLink(a *html.Node) bool { return a != nil && fileLink().MatchString(dom.Attr(a, "href")) }

func (r *reader) fitsAsTitle(text string) bool {
	if !goodTitle(text) || wordCount(text) > 16 || !unicode.IsLetter(firstLetter(text)) && !ordinal().MatchString(text) {
		return false
	}
	if _, weekday := dates.Weekday(text, r.options()); weekday {
		return false
	}
	if isRoom(text) || holdsStreet(text) || mostlyDocument(text) {
		return false
	}
	return !isStatus(text) && !sentenceWords().in(text) && !notATitle().MatchString(withoutStatus(text))
}

// ordinal begins a name that is counted: "2. Weihnachtstag".
var ordinal = text.Pattern(`^\d{1,3}\.\s?\p{L}{4}`)

func firstLetter(s string) rune {
	for _, c := range s {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return c
		}
	}
	return 0
}

// cutTail removes names of documents and states from the end of a title.
func cutTail(text string) string {
	fields := strings.Fields(text)
	for len(fields) > 1 {
		word := strings.ToLower(strings.Trim(fields[len(fields)-1], ".,;:|()[]-–—*"))
		if word != "" && (!documentWords().Has(word) || word == "the") {
			break
		}
		fields = fields[:len(fields)-1]
	}
	return trimTitle(strings.Join(fields, " "))
}
