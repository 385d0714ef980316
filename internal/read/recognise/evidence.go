package recognise

import (
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
)

// evidence is what the page shows beside the data that it carries. A nil evidence
// is that of an API answer: none.
type evidence struct {
	titles  map[string]float64
	doc     *dom.Document
	amounts map[string]bool // numbers of the visible text, in hundredths
}

// title is how much a text counts as the title of the page.
func (e *evidence) title(text string) float64 {
	if e == nil {
		return 0
	}
	return e.titles[titleKey(text)]
}

var shownNumber = text.Pattern(`\d{1,3}(?:[ .,\x{00a0}\x{202f}]\d{3})+(?:[.,]\d{2})?|\d+(?:[.,]\d{1,2})?`)

// countsMinor says whether amounts in data are shown as hundredths of themselves:
// 3100 in the data, 31 € on the page, and 3100 nowhere.
func (e *evidence) countsMinor(values []string) bool {
	if e == nil || e.doc == nil {
		return false
	}
	if e.amounts == nil {
		e.amounts = map[string]bool{}
		for _, text := range shownNumber().FindAllString(e.doc.Text(), 20_000) {
			e.amounts[hundredths(text)] = true
		}
	}
	seen := map[string]bool{}
	whole, minor := 0, 0
	for _, v := range values {
		if n, err := strconv.ParseInt(v, 10, 64); err != nil || n < 100 || seen[v] {
			continue
		}
		seen[v] = true
		if e.amounts[v+"00"] {
			whole++
		}
		if e.amounts[v] {
			minor++
		}
	}
	return len(seen) >= 2 && minor*3 >= len(seen)*2 && whole*4 <= minor
}

// hundredths writes a shown number as a whole number of hundredths.
func hundredths(text string) string {
	at := strings.LastIndexAny(text, ".,")
	decimals := 0
	if at >= 0 && len(text)-at-1 <= 2 {
		decimals = len(text) - at - 1
	}
	digits := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
	return strings.TrimLeft(digits+"00"[decimals:], "0")
}
