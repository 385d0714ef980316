package publish

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"github.com/curlew-data/curlew/internal/text/labels"
)

// countsAttention says whether a slot's two texts differ only in how often something was
// read, answered or passed on, by their own words: "89 Comments", "90 Comments". Of numbers
// alone the name of the slot tells it, the head of a column such as "Views".
func countsAttention(slot string, before, after any) bool {
	a, aText := before.(string)
	b, bText := after.(string)
	if !aText || !bText {
		return false
	}
	if bareNumber(a) && bareNumber(b) {
		_, name, _ := strings.Cut(slot, ".")
		a, b = a+" "+name, b+" "+name
	}
	x, xCounts := withoutCounts(a)
	y, yCounts := withoutCounts(b)
	return xCounts && yCounts && slices.Equal(x, y)
}

func bareNumber(s string) bool {
	said := func(r rune) bool { return unicode.IsLetter(r) || unicode.Is(unicode.Sc, r) } // a word or a currency
	return strings.ContainsFunc(s, unicode.IsDigit) && !strings.ContainsFunc(s, said)
}

// withoutCounts are the words of a text but for numbers and for what they count, and
// whether it counts attention.
func withoutCounts(s string) (rest []string, counts bool) {
	plain := withoutDigits(s)
	for _, word := range text.Words(plain) {
		switch {
		case labels.DrawsAttention(word):
			counts = true
		case word != "k" && word != "m": // of thousands and millions
			rest = append(rest, word)
		}
	}
	return rest, counts && plain != s
}

// mostAgo is how many words a text has at most that says how long ago something was, and little else.
const mostAgo = 6

// saysHowLongAgo says whether a slot's two texts say how long ago something was, and nothing else that differs: "reported
// 40 seconds ago". So does one that came or went.
func (d *decision) saysHowLongAgo(c curlew.FieldChange) bool {
	was, before := besideAge(c.Old, d.o.At)
	is, now := besideAge(c.New, d.o.At)
	ages := strings.HasPrefix(c.Field, "slots.") && before && now
	return ages && (c.Old == nil || c.New == nil || slices.Equal(was, is))
}

// besideAge are the words of a short text beside those that say how long ago something was; none of what is missing.
func besideAge(v any, now time.Time) ([]string, bool) {
	said, ok := v.(string)
	all := strings.Fields(said)
	if !ok || len(all) > mostAgo {
		return nil, v == nil
	}
	whole, past := agedAt(all, now)
	if !past {
		return nil, false
	}
	for size := range all {
		for from := 0; from+size <= len(all); from++ {
			if at, ok := agedAt(all[from:from+size], now); ok && at.Equal(whole) {
				return slices.DeleteFunc(slices.Concat(all[:from], all[from+size:]), ofAge), true
			}
		}
	}
	return nil, true
}

// ofAge says whether a word belongs to an age.
func ofAge(word string) bool { return dates.IsWord(word) || labels.Inexact(text.Letters(word)) }

// agedAt is the moment that words tell by how long ago it was, or their day: "3 hours ago", "yesterday", "last week".
func agedAt(words []string, now time.Time) (time.Time, bool) {
	date, ok := dates.Parse(strings.Join(words, " "), dates.Options{Now: now})
	past := date.Relative == dates.RelativeDay && !date.Start.After(now)
	return date.Start, ok && (past || date.Relative == dates.RelativeMoment)
}

// stampsTime says whether a slot's two values are moments of which the later one lies between the last check and this
// one: when the site's program wrote the record, not when something happened to it.
func (d *decision) stampsTime(before curlew.Entity, c curlew.FieldChange) bool {
	then, ok := momentOf(c.Old)
	now, also := momentOf(c.New)
	if ok && also {
		return now.After(then) && now.After(before.LastSeenAt.Add(-clockSkew)) && now.Before(d.o.At.Add(clockSkew))
	}
	return clockWentOn(c.Old, c.New, d.o.At.Sub(before.LastSeenAt))
}

// clockPattern is a time of day to the second.
var clockPattern = text.Pattern(`\b\d{1,2}:\d{2}:\d{2}\b`)

// clockWentOn says whether two texts are the same but for a clock that went on for as long as passed, in whatever zone.
func clockWentOn(before, after any, passed time.Duration) bool {
	was, _ := before.(string)
	is, _ := after.(string)
	old, err := time.Parse("15:04:05", clockPattern().FindString(was))
	now, wrong := time.Parse("15:04:05", clockPattern().FindString(is))
	if err != nil || wrong != nil || withoutDigits(was) != withoutDigits(is) {
		return false
	}
	const day = 24 * time.Hour
	off := ((now.Sub(old)-passed)%day + day) % day // the shorter way around the clock
	return min(off, day-off) <= clockSkew
}

// withoutDigits is a text with a blank for each digit.
func withoutDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return ' '
		}
		return r
	}, s)
}

// clockSkew is how far a site's clock may be from ours.
const clockSkew = 2 * time.Minute

// momentOf is the moment that a value names to the second: written out, or in seconds or milliseconds since 1970.
func momentOf(v any) (time.Time, bool) {
	said, ok := v.(string)
	if !ok {
		return time.Time{}, false
	}
	if n, err := strconv.ParseInt(said, 10, 64); err == nil {
		switch len(said) {
		case len("1700000000"):
			return time.Unix(n, 0), true
		case len("1700000000000"):
			return time.UnixMilli(n), true
		}
	}
	for _, layout := range []string{time.RFC3339, time.DateTime} {
		if at, err := time.Parse(layout, said); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

// restlessSlots are the slots that move by themselves in most of the entities that have them: they count attention,
// are drawn by chance, or say how large a file is or when the record was written. Nothing happened to these entities.
func (d *decision) restlessSlots(all []found) map[string]bool {
	moved := map[string]int{}
	for _, f := range all {
		for _, c := range f.changes {
			if d.movesByItself(f, c) {
				moved[c.Field]++
			}
		}
	}
	restless := map[string]bool{}
	for _, field := range slices.Sorted(maps.Keys(moved)) {
		if n, of := moved[field], d.having(all, field); d.mostMoved(n, of, only(field)) {
			restless[field] = true
			d.note(curlew.LogInfo, "%s is a count, a size, a token or a date of writing that moved for %d of %d: "+
				"taken over without change events", field, n, of)
		}
	}
	return restless
}

// sizePattern is how large a file is.
var sizePattern = text.Pattern(`(?i)\d ?[kmg]i?b\b`)

// sizesFile says whether two texts differ only in how large a file is.
func sizesFile(before, after any) bool {
	was, _ := before.(string)
	is, _ := after.(string)
	return sizePattern().MatchString(was) && sizePattern().MatchString(is) &&
		slices.Equal(text.Words(withoutDigits(was)), text.Words(withoutDigits(is)))
}

// tokenPattern is what a program drew by chance or computed, also behind the name of how: a session, a key, a checksum.
var tokenPattern = text.Pattern(`^(?:\w+:)?[\w=+/-]+$`)

// leastKey is how many characters a token has at least that its column calls a key, as shops and musicians do, too.
const leastKey = 8

// drawnAnew says whether two texts are tokens of the same length, of a column that says so: what else has letters and
// digits may be that of a new state, such as a commit.
func drawnAnew(slot string, before, after any) bool {
	was, _ := before.(string)
	is, _ := after.(string)
	if len(was) != len(is) || !tokenPattern().MatchString(was) || !tokenPattern().MatchString(is) || bareNumber(was) && bareNumber(is) {
		return false
	}
	_, wasDay := dates.Parse(was, dates.Options{})
	_, isDay := dates.Parse(is, dates.Options{})
	_, name, _ := strings.Cut(slot, ".")
	words := strings.Split(name, "_")
	return !(wasDay && isDay) && (slices.ContainsFunc(words, labels.ForMachines) || slices.Contains(words, "key") && len(is) >= leastKey)
}

// movesByItself says whether a slot changed as counts of attention, sizes of files, tokens and stamps of time do.
func (d *decision) movesByItself(f found, c curlew.FieldChange) bool {
	return strings.HasPrefix(c.Field, "slots.") && (countsAttention(c.Field, c.Old, c.New) || sizesFile(c.Old, c.New) ||
		drawnAnew(c.Field, c.Old, c.New) || d.stampsTime(d.prior.Entities[f.entity], c))
}

// countsNow says whether slots count attention at this check: those of some entities do so otherwise than before, and
// these are half of those that have such slots. Nothing happened to them, somebody read of them.
func (d *decision) countsNow(all []found) bool {
	counts := func(slot string, value any) bool {
		return strings.HasPrefix(slot, "slots.") && countsAttention(slot, value, value)
	}
	n, of := 0, 0
	for _, these := range [][]found{d.seenLast(all), all} { // the last check may have seen none that counts
		n, of = 0, 0
		for _, f := range these {
			if has(d.prior.Entities[f.entity], counts) {
				of++
			}
			if slices.ContainsFunc(f.changes, attention) {
				n++
			}
		}
		if of > 0 {
			break
		}
	}
	if !d.mostMoved(n, of, counts) {
		return false
	}
	d.note(curlew.LogInfo, "only counts of readers or replies moved for %d of %d: updated without change events", n, of)
	return true
}

// mostMoved says whether so many of those that were seen again moved that it says nothing of them. Of half a list few
// are seen again, of the many that are known.
func (d *decision) mostMoved(n, of int, such func(field string, value any) bool) bool {
	return 2*n >= of && (n >= moveFloor || n > 0 && of < moveFloor && d.listedWith(such) >= moveFloor)
}

// listedWith counts the entities of the list that have such a field.
func (d *decision) listedWith(such func(field string, value any) bool) (n int) {
	for _, e := range d.prior.Entities {
		if d.m.watched[e.ID] && d.listed(e) && has(e, such) {
			n++
		}
	}
	return n
}

func has(e curlew.Entity, such func(field string, value any) bool) bool {
	for field, value := range e.Fields.Flat() {
		if such(field, value) {
			return true
		}
	}
	return false
}

func only(name string) func(string, any) bool {
	return func(field string, _ any) bool { return field == name }
}

// attention says whether a slot changed that counts attention, or one that does so came or went, or stands where
// something else stood.
func attention(c curlew.FieldChange) bool {
	was, is := c.Old, c.New
	if was == nil {
		was = is
	}
	if is == nil {
		is = was
	}
	anew := countsAttention(c.Field, is, is) && !countsAttention(c.Field, was, was)
	return strings.HasPrefix(c.Field, "slots.") && (countsAttention(c.Field, was, is) || anew)
}

// saidNothing says that a field had no value, or a count of attention that made room for another one.
func saidNothing(c curlew.FieldChange) bool {
	return c.Old == nil || countsAttention(c.Field, c.Old, c.Old) && !countsAttention(c.Field, c.New, c.New)
}
