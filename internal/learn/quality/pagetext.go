package quality

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/money"
)

// padded reduces a text to its words with one space around each, so that punctuation,
// markup and Unicode form do not matter, and whole words are found by their spaces.
func padded(s string) string {
	words := text.Phrase(s)
	if words == "" {
		return " "
	}
	return " " + words + " "
}

// ShowsText says whether the words of a text stand on the page in this order.
func (w *PageText) ShowsText(text string) bool {
	folded := padded(text)
	return folded != " " && strings.Contains(w.words(), folded)
}

// The shingles of a long text, and how many of them must be on the page: longer
// texts are often shortened or broken by boxes.
const (
	shingle   = 6
	mostOf    = 0.6
	enough    = 60 // shingles looked at
	shortText = 2 * shingle
)

func (w *PageText) showsMostOf(text string) bool {
	return holdsMostOf(w.words(), padded(text))
}

// showsLetters says whether a text of some length stands on the page, wherever gaps and
// signs may be: cells that are put together from several elements have others.
func (w *PageText) showsLetters(s string) bool {
	letters := text.Letters(strings.TrimSuffix(s, "…"))
	return len(letters) >= shortestCode && strings.Contains(w.letters(), letters)
}

// holdsMostOf says whether most of a folded text stands in another.
func holdsMostOf(all, folded string) bool {
	words := strings.Fields(folded)
	if len(words) <= shortText {
		return folded != " " && strings.Contains(all, folded)
	}
	step := max(1, (len(words)-shingle)/enough)
	places := (len(words)-shingle)/step + 1
	at := func(i int) string { return " " + strings.Join(words[i:i+shingle], " ") + " " }
	if places > 2*probes && !slices.ContainsFunc(firstProbes(places), func(i int) bool { return strings.Contains(all, at(i*step)) }) {
		return false // of a text that is there, one of them is all but sure to be found
	}
	missing := 0
	for i := 0; i+shingle <= len(words); i += step {
		if !strings.Contains(all, at(i)) {
			missing++
		}
		if float64(places-missing) < mostOf*float64(places) {
			return false // looking on cannot help
		}
	}
	return true
}

// probes is how many shingles are tried before all: searching a large page for a text
// that is not there is what costs most.
const probes = 8

func firstProbes(places int) []int {
	tried := make([]int, probes)
	for i := range tried {
		tried[i] = i * (places - 1) / (probes - 1)
	}
	return tried
}

func (w *PageText) showsAll(value any) bool {
	all, ok := value.([]string)
	if !ok {
		return w.ShowsText(fmt.Sprint(value))
	}
	return len(all) > 0 && !slices.ContainsFunc(all, func(one string) bool { return !w.ShowsText(one) })
}

func (w *PageText) showsMap(value any) bool {
	all, ok := value.(map[string]string)
	if !ok {
		return false
	}
	for _, one := range all {
		if !w.ShowsText(one) {
			return false
		}
	}
	return len(all) > 0
}

// readAmounts finds the prices of the page.
func (w *PageText) readAmounts() map[string]bool {
	amounts := map[string]bool{}
	for _, price := range money.Find(w.searched()) {
		if n, ok := money.Minor(price.Amount, price.Currency); ok {
			amounts[strconv.FormatInt(n, 10)] = true
		}
	}
	return amounts
}

// showsAmount compares in hundredths: no currency has its exponent changed by how
// a price is shown, and a page shows few numbers that equal a price by chance.
func (w *PageText) showsAmount(value any) bool {
	minor, ok := asInt(value)
	if !ok {
		return false
	}
	if w.amounts()[strconv.FormatInt(minor, 10)] {
		return true
	}
	if whole := minor / 100; minor%100 == 0 && whole >= 10 { // a bare number, as in tables of prices
		return w.ShowsText(strconv.FormatInt(whole, 10))
	}
	return w.ShowsText(fmt.Sprintf("%d.%02d", minor/100, minor%100)) || w.ShowsText(fmt.Sprintf("%d,%02d", minor/100, minor%100))
}

func asInt(value any) (int64, bool) {
	switch n := value.(type) {
	case int64:
		return n, true
	case int:
		return int64(n), true
	case float64:
		return int64(n), true
	case json.Number:
		i, err := n.Int64()
		return i, err == nil
	}
	return 0, false
}

// showsAddress says whether a link or a picture of the page has the address.
func (w *PageText) showsAddress(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return false
	}
	if own := w.document.URL(); own != nil && own.Host == u.Host && own.EscapedPath() == u.EscapedPath() {
		return true // the page itself
	}
	tail := u.EscapedPath()
	if u.RawQuery != "" {
		tail += "?" + u.RawQuery
	}
	if len(tail) < 2 {
		tail = u.Host
	}
	escaped := html.EscapeString(tail)
	return w.linksTo(tail) || escaped != tail && w.linksTo(escaped)
}

// shown are the attributes that people see or follow.
var shown = [][]byte{[]byte("href="), []byte("src="), []byte("srcset="), []byte("poster="), []byte("data-src=")}

func (w *PageText) linksTo(tail string) bool {
	known, ok := w.links.Load(tail)
	if !ok {
		known = w.findLink(tail)
		w.links.Store(tail, known)
	}
	return known.(bool)
}

func (w *PageText) findLink(tail string) bool {
	body, needle := w.document.Body(), []byte(tail)
	lead := max(0, len(needle)-quickNeedle)
	for from := 0; ; {
		i := bytes.Index(body[from:], needle[lead:])
		if i < 0 {
			return false
		}
		at := from + i - lead
		from += i + 1
		if at < 0 || !bytes.HasPrefix(body[at:], needle) {
			continue
		}
		before := body[max(0, at-400):at]
		if tag := bytes.LastIndexByte(before, '<'); tag >= 0 {
			before = before[tag:]
			for _, attribute := range shown {
				if bytes.Contains(before, attribute) {
					return true
				}
			}
		}
	}
}

// quickNeedle is how long a text may be that bytes.Index finds with the wide
// instructions of the processor; beyond, it is several times slower.
const quickNeedle = 60
