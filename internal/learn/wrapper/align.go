package wrapper

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/read/regions"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"github.com/curlew-data/curlew/internal/text/labels"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// shape is what pages of one kind have in common.
type shape struct {
	views []*view
	texts map[string]int // on how many pages a text stands at a place: the template, when on most
	begin map[string]int // likewise, what stands before the colon of a text
}

func learnTemplate(views []*view) *shape {
	t := &shape{views: views, texts: map[string]int{}, begin: map[string]int{}}
	for _, v := range views {
		seen := map[string]bool{}
		for _, l := range v.pieces {
			for _, k := range []string{"t" + place(l.key, l.sign), "b" + place(text.Fold(text.Collapse(beginning(l))), l.sign)} {
				if seen[k] {
					continue
				}
				seen[k] = true
				if k[0] == 't' {
					t.texts[k[1:]]++
				} else {
					t.begin[k[1:]]++
				}
			}
		}
	}
	return t
}

func place(key, sign string) string { return key + "\x00" + sign }

// maxLabel is how long a label may be, in characters.
const maxLabel = 40

// beginning is what stands before the colon of a text that begins with its own label:
// "Engine: 4.4 l"; "" when it does not.
func beginning(l piece) string {
	at := strings.IndexAny(l.text, ":：")
	if at <= 0 || at > maxLabel*2 || l.attr != "" {
		return ""
	}
	start, rest := l.text[:at], strings.TrimLeft(l.text[at:], ":： ")
	last, _ := utf8.DecodeLastRuneInString(start)
	isLabel := utf8.RuneCountInString(start) <= maxLabel && (unicode.IsLetter(last) || last == ')')
	if rest == "" || strings.HasPrefix(rest, "//") || !isLabel {
		return ""
	}
	return start
}

// fixed says whether a leaf is text of the template: what stands on most pages, and
// labels that stand on two. Of a single page only labels are known.
func (t *shape) fixed(l piece) bool {
	if len(t.views) == 1 { // nothing to compare with: labels alone are told
		return l.labelled() && l.heads != 1
	}
	n := t.texts[place(l.key, l.sign)]
	if n < 2 || l.attr != "" {
		return false
	}
	return n*5 >= len(t.views)*3 || l.named || strings.HasSuffix(l.text, ":")
}

// labelled says whether a leaf reads like a label.
func (l piece) labelled() bool {
	if utf8.RuneCountInString(l.text) > maxLabel || strings.ContainsFunc(l.text, unicode.IsDigit) || l.attr != "" || l.heads == 1 {
		return false
	}
	return l.named || strings.HasSuffix(l.text, ":") || labels.Exact(l.text) != labels.Unknown
}

// labels says whether a leaf may be the label of the next one. Entries of a menu stand
// in elements of the same names, and so do cells, of which one may name the other.
func (l piece) labels(next piece) bool {
	if !l.labelled() || l.aside != next.aside {
		return false
	}
	return l.sign != next.sign || strings.HasSuffix(l.text, ":") || strings.HasPrefix(l.sign, "td") && row(l.node) == row(next.node)
}

// row is the row of a table around a node; nil when there is none.
func row(n *html.Node) *html.Node {
	for ; n != nil; n = n.Parent {
		if n.DataAtom == atom.Tr {
			return n
		}
	}
	return nil
}

// group is the pieces of equivalent places, by page.
type group struct {
	label  string
	prefix bool // the label stands in the texts themselves
	pieces []int
	order  int
}

// groups gathers equivalent places: those that follow the same text of the template
// in elements of the same names, and those that are the first few of their kind.
func (t *shape) groups() []group {
	found := map[string]*group{}
	var keys []string
	add := func(key, label string, prefix bool, page, leaf int) {
		g := found[key]
		if g == nil {
			if len(keys) >= maxSlots {
				return
			}
			g = &group{label: label, prefix: prefix, pieces: make([]int, len(t.views)), order: leaf}
			for i := range g.pieces {
				g.pieces[i] = -1
			}
			found[key] = g
			keys = append(keys, key)
		}
		if g.pieces[page] < 0 {
			g.pieces[page] = leaf
		}
	}
	for page := range t.views {
		t.gather(page, add)
	}
	return t.distinct(found, keys)
}

// gather gives the places of one page their keys.
func (t *shape) gather(page int, add func(key, label string, prefix bool, page, leaf int)) {
	v := t.views[page]
	anchor, times, since := "", map[string]int{}, map[string]int{}
	nth := map[string]int{}
	for i, l := range v.pieces {
		if b := beginning(l); b != "" && t.begin[place(text.Fold(text.Collapse(b)), l.sign)] >= 2 {
			add("b"+place(text.Fold(text.Collapse(b)), l.sign), b, true, page, i)
		}
		isFixed := t.fixed(l)
		label := ""
		if i > 0 && l.heads != 1 && t.fixed(v.pieces[i-1]) && v.pieces[i-1].labels(l) {
			label = strings.TrimRight(v.pieces[i-1].text, " :：")
		}
		if !isFixed || label != "" && !l.named && !strings.HasSuffix(l.text, ":") {
			at := place(anchor, l.sign)
			add("a"+place(at, strconv.Itoa(since[at])), label, false, page, i)
			since[at]++
			if nth[l.sign] < 3 {
				add("n"+place(l.sign, strconv.Itoa(nth[l.sign])), "", false, page, i)
				nth[l.sign]++
			}
		}
		if isFixed {
			times[l.key] = min(times[l.key]+1, 4)
			anchor = place(l.key, strconv.Itoa(times[l.key]))
		}
	}
}

// distinct drops groups that are the same as one before, those with labels first.
func (t *shape) distinct(found map[string]*group, keys []string) []group {
	var all []group
	for _, k := range keys {
		all = append(all, *found[k])
	}
	slices.SortStableFunc(all, func(a, b group) int {
		return cmp.Or(bools(a.label == "", b.label == ""), cmp.Compare(a.order, b.order))
	})
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(g group) bool {
		key := strconv.FormatBool(g.prefix)
		for _, l := range g.pieces {
			key += " " + strconv.Itoa(l)
		}
		double := seen[key]
		seen[key] = true
		return double
	})
}

func bools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// slot says what is known of a group.
func (t *shape) slot(g group) Slot {
	s := Slot{Label: g.label, Values: make([]SlotValue, len(t.views))}
	after, n := 0, 0
	for page, i := range g.pieces {
		if i < 0 {
			continue
		}
		v := t.views[page]
		l := v.pieces[i]
		raw := l.text
		if g.prefix {
			raw = strings.TrimLeft(raw[len(beginning(l)):], ":： ")
		}
		s.Values[page] = SlotValue{raw, l.node}
		s.Attr, s.heads, s.aside = l.attr, l.heads, s.aside || l.aside
		after, n = after+i-v.headline, n+1
		if v.title != "" && utf8.RuneCountInString(raw) >= 3 && strings.Contains(v.title, text.Fold(text.Collapse(raw))) {
			s.titled++
		}
		s.hints = markup(l.node)
	}
	s.after, s.titled = after/max(1, n), s.titled/float64(max(1, n))
	texts := s.filled()
	s.Constant = len(texts) > 1 && allSame(texts)
	s.Type = t.typeOf(s, texts)
	return s
}

// typeOf tells what the values of a slot are. A text with a whole date is one,
// whatever stands around it; what is no date without today's is left to segment.
func (t *shape) typeOf(s Slot, texts []string) regions.Type {
	if s.Attr == "src" {
		return regions.TypeImage
	}
	o := t.views[0].dates
	o.Now = time.Time{}
	if s.most(func(text string) bool {
		if len(text) > 120 || !strings.ContainsFunc(text, unicode.IsDigit) {
			return false
		}
		found := dates.Find(text, o)
		return len(found) > 0 && (found[0].End-found[0].Begin)*3 >= len(text)
	}) {
		return regions.TypeDate
	}
	return regions.TypeOf(texts, t.views[0].dates)
}
