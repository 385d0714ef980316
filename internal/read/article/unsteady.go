package article

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// What is left out of a page's text is named by the selector of its element; lineMark stands before one of several lines
// in it, by its number, or before figures in its lines, by the words beside them: "#note##are number … in the queue".
const (
	lineMark   = "##"
	figureMark = "…"
)

// How the figures of a line that differ between two copies are named.
const (
	leastSteady = 6 // words that stay, below which all of the line is left out
	mostBeside  = 3 // words before and after figures
)

// Unsteady names what of a page differs between two copies of it: figures in a line, or whole lines. A page of which more
// than half differs is another page, of which nothing is learned.
func Unsteady(before, after []PlainBlock) []string {
	a, b := differing(before, after)
	if len(a)*len(b) > mostAligned {
		return nil
	}
	gone, come := apart(a, b)
	places, names := map[string]bool{}, []string{}
	several := severalLines(slices.Concat(before, after))
	for _, x := range slices.Concat(gone, come) {
		if places[x.Place] {
			continue
		}
		places[x.Place] = true
		element, _, _ := strings.Cut(x.Place, lineMark)
		figures := figuresBetween(x, come, several[element])
		if figures == nil {
			names = append(names, x.Place)
		}
		for _, words := range figures {
			names = append(names, element+lineMark+words)
		}
	}
	if 2*len(places) > max(len(before), len(after)) {
		return nil
	}
	return names
}

// LeftOut names what differs between two copies of a page for a blueprint that leaves it out. Lines of an element that
// has others cannot be named.
func LeftOut(before, after []PlainBlock) []string {
	several := severalLines(slices.Concat(before, after))
	return slices.DeleteFunc(Unsteady(before, after), func(name string) bool {
		element, words, _ := strings.Cut(name, lineMark)
		return several[element] && !strings.Contains(words, figureMark)
	})
}

// severalLines are the elements with more than one line.
func severalLines(blocks []PlainBlock) map[string]bool {
	several := map[string]bool{}
	for _, b := range blocks {
		if element, line, _ := strings.Cut(b.Place, lineMark); line != "" {
			several[element] = true
		}
	}
	return several
}

// figuresBetween names the figures of a line that are others in its later copy, where nothing else of it is; nil where
// that is not so, or where too little of the line stays to be worth reading.
func figuresBetween(x PlainBlock, later []PlainBlock, several bool) []string {
	at := slices.IndexFunc(later, func(b PlainBlock) bool { return b.Place == x.Place })
	if at < 0 {
		return nil
	}
	now, then := lineRuns(x.Text), lineRuns(later[at].Text)
	steady := 0
	for i := range now {
		if len(now) != len(then) || now[i].figures != then[i].figures || !now[i].figures && now[i].text != then[i].text {
			return nil
		}
		if !now[i].figures {
			steady += len(strings.Fields(now[i].text))
		}
	}
	if steady == 0 || steady < leastSteady && !several {
		return nil
	}
	var names []string
	for i := range now {
		if now[i].text != then[i].text || secondsPattern.MatchString(now[i].text) { // two copies may be of one second
			words, end := beside(now, i)
			names = append(names, strings.TrimSpace(words+" "+figureMark+" "+end))
		}
	}
	return names
}

// secondsPattern is the time of day of a clock.
var secondsPattern = regexp.MustCompile(`\b\d{1,2}:\d{2}:\d{2}\b`)

// lineRun are words of a line that stand together: all of them with figures, or none.
type lineRun struct {
	text    string
	figures bool
}

func lineRuns(line string) []lineRun {
	var runs []lineRun
	for word := range strings.FieldsSeq(line) {
		figures := strings.ContainsFunc(word, unicode.IsDigit)
		if n := len(runs) - 1; n >= 0 && runs[n].figures == figures {
			runs[n].text += " " + word
		} else {
			runs = append(runs, lineRun{word, figures})
		}
	}
	return runs
}

// beside are the words before and after the figures at a place.
func beside(runs []lineRun, at int) (before, after string) {
	if at > 0 {
		words := strings.Fields(runs[at-1].text)
		before = strings.Join(words[max(0, len(words)-mostBeside):], " ")
	}
	if at+1 < len(runs) {
		words := strings.Fields(runs[at+1].text)
		after = strings.Join(words[:min(mostBeside, len(words))], " ")
	}
	return before, after
}

// withoutFigures is a line without the figures between these words.
func withoutFigures(line string, between []string) string {
	if len(between) == 0 {
		return line
	}
	runs := lineRuns(line)
	var kept []string
	for i, run := range runs {
		before, after := beside(runs, i)
		if !run.figures || !slices.Contains(between, strings.TrimSpace(before+" "+figureMark+" "+after)) {
			kept = append(kept, run.text)
		}
	}
	return strings.Join(kept, " ")
}

// mostAligned bounds how many lines of two copies are compared with one another.
const mostAligned = 1 << 20

// apart are the lines that only one of two texts has.
func apart(a, b []PlainBlock) (onlyA, onlyB []PlainBlock) {
	longest := aligned(a, b)
	wide, i, j := len(b)+1, 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i].Text == b[j].Text:
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && longest[(i+1)*wide+j] >= longest[i*wide+j+1]:
			onlyA = append(onlyA, a[i])
			i++
		default:
			onlyB = append(onlyB, b[j])
			j++
		}
	}
	return onlyA, onlyB
}

// differing are two texts without the lines that both begin and end with.
func differing(a, b []PlainBlock) (x, y []PlainBlock) {
	for len(a) > 0 && len(b) > 0 && a[0].Text == b[0].Text {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1].Text == b[len(b)-1].Text {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}

// aligned is how many lines the rest of a and the rest of b have in common, from each line
// of a and of b on.
func aligned(a, b []PlainBlock) []uint16 {
	wide := len(b) + 1
	longest := make([]uint16, (len(a)+1)*wide)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i].Text == b[j].Text {
				longest[i*wide+j] = longest[(i+1)*wide+j+1] + 1
			} else {
				longest[i*wide+j] = max(longest[(i+1)*wide+j], longest[i*wide+j+1])
			}
		}
	}
	return longest
}
