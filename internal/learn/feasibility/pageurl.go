package feasibility

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/text"
)

// counting is what addresses of numbered pages have in common: they differ in one
// number, which grows evenly with the number of the page.
type counting struct {
	before, after string // in loose spelling
	sample, seen  string // an address as written, and its number
	step, zero    int    // value = step·n + zero
	name          string // of the parameter or path segment that counts
}

// numberedLink is an address with the number that stands on its link.
type numberedLink struct {
	number int
	href   string
}

var digitRuns = text.Pattern(`[0-9]+`)

// countedBy finds the counting that explains most of the links, and how many it
// explains. Page one often has an address of its own and is not asked.
func countedBy(links []numberedLink) (counting, int) {
	var asked []numberedLink
	for _, l := range links {
		if l.number >= 2 && len(asked) < 60 && len(l.href) < 2083 {
			asked = append(asked, l)
		}
	}
	var best counting
	most := 0
	for i, l := range asked {
		for _, c := range countings(l, asked[i+1:]) {
			fits := 0
			for _, other := range asked {
				if n, ok := c.number(other.href); ok && n == other.number {
					fits++
				}
			}
			if fits > most {
				best, most = c, fits
			}
		}
		if most >= len(asked)-i {
			break
		}
	}
	return best, most
}

// countings are the ways in which one address may count: with another link they
// are proven, alone they are guessed from the last number that fits.
func countings(l numberedLink, others []numberedLink) []counting {
	var all []counting
	text := loose(l.href)
	for _, at := range digitRuns().FindAllStringIndex(text, 40) {
		value, err := strconv.Atoi(text[at[0]:at[1]])
		if err != nil {
			continue
		}
		c := countingAt(l.href, text, at)
		proven := false
		for _, o := range others[:min(len(others), 3)] {
			if v, ok := c.value(o.href); ok && o.number != l.number && (v-value)%(o.number-l.number) == 0 {
				c.step = (v - value) / (o.number - l.number)
				c.zero = value - c.step*l.number
				proven = c.step > 0
				break
			}
		}
		switch {
		case proven:
		case value == l.number || value == l.number-1:
			c.zero = value - l.number
		case value > 1 && value%(l.number-1) == 0:
			c.step, c.zero = value/(l.number-1), -value/(l.number-1)
		default:
			continue
		}
		all = append([]counting{c}, all...)
	}
	return all
}

// value is the number that an address has in the place that counts.
func (c counting) value(href string) (int, bool) {
	text := loose(href)
	rest, ok := strings.CutPrefix(text, c.before)
	if !ok || len(rest) < len(c.after) || !strings.HasSuffix(rest, c.after) {
		return 0, false
	}
	rest = rest[:len(rest)-len(c.after)]
	v, err := strconv.Atoi(rest)
	if err != nil || v < 0 || len(rest) > 9 {
		return 0, false
	}
	return v, true
}

// number is the page that an address stands for.
func (c counting) number(href string) (int, bool) {
	v, ok := c.value(href)
	if !ok || c.step <= 0 || (v-c.zero)%c.step != 0 {
		return 0, false
	}
	return (v - c.zero) / c.step, true
}

// stem says whether an address is what remains without the number: the first page.
func (c counting) stem(href string) bool {
	text := loose(href)
	if strings.TrimSuffix(c.before, "index")+strings.TrimPrefix(c.after, ".html") == text {
		return true
	}
	stem := c.before
	for range 3 {
		stem = strings.TrimRight(stem, "/?&=-_.,;~")
		if stem == text || stem+c.after == text || stem+"?"+strings.Trim(c.after, "&?") == text {
			return true
		}
		at := strings.LastIndexAny(stem, "/?&-_.")
		if at < 0 {
			return false
		}
		stem = stem[:at]
	}
	return false
}

// pattern is the address as written, with {n} for the number of the page or
// {offset} for that of a record.
func (c counting) pattern() string {
	hole := "{n}"
	if c.step != 1 {
		hole = "{offset}"
	}
	for _, n := range []int{12, 6, 3, 1} { // the loose spelling may leave out a slash before the query
		near := c.before[max(0, len(c.before)-n):]
		if at := strings.LastIndex(c.sample, near+c.seen); at >= 0 {
			return c.sample[:at+len(near)] + hole + c.sample[at+len(near)+len(c.seen):]
		}
	}
	return c.before + hole + c.after
}

// countingAt takes the number at a place of an address, in loose spelling, as that of
// its page.
func countingAt(href, text string, at []int) counting {
	before, seen := text[:at[0]], text[at[0]:at[1]]
	return counting{before: before, after: text[at[1]:], sample: href, seen: seen, step: 1, name: nameBefore(before)}
}

// named says whether the name before the number is one that pages are counted by.
func (c counting) named() bool { return paging().Of("counter").Has(c.name) }

// byOffset says whether the records before a page are counted, not the pages.
func (c counting) byOffset() bool {
	switch c.name {
	case "offset", "limitstart", "skip", "from":
		return true
	}
	return strings.HasPrefix(c.name, "start")
}

// nameBefore is the word that introduces the number: "paged" in "?paged=",
// "page" in "/page/" or "page-".
func nameBefore(before string) string {
	before = strings.TrimRight(before, "/=-_.,[]")
	at := strings.LastIndexAny(before, "/?&-_.;=")
	return strings.TrimRight(strings.ToLower(before[at+1:]), "0123456789_")
}

// differOnce says whether addresses differ in just one parameter of the query or
// one segment of the path, whatever stands in it: lists that go on by a cursor.
func differOnce(addresses []string) bool {
	if len(addresses) < 2 {
		return false
	}
	first := pieces(addresses[0])
	place := -1
	for _, a := range addresses[1:] {
		p := pieces(a)
		if len(p) != len(first) {
			return false
		}
		for i := range p {
			if p[i] == first[i] {
				continue
			}
			if place >= 0 && place != i {
				return false
			}
			place = i
		}
	}
	return place > 0
}

func pieces(address string) []string {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	out := append([]string{u.Host}, strings.Split(strings.Trim(u.Path, "/"), "/")...)
	query := strings.FieldsFunc(u.RawQuery, func(r rune) bool { return r == '&' || r == ';' })
	slices.Sort(query)
	return append(out, query...)
}

// samePath says whether two addresses name the same page but for the query.
func samePath(a, b string) bool {
	a, _, _ = strings.Cut(loose(a), "?")
	b, _, _ = strings.Cut(loose(b), "?")
	return a == b
}
