package dates

import (
	"fmt"
	"time"
)

// zoneMinutes has the abbreviations that mean one thing to most readers, in
// minutes from UTC. IST, CST and BST are read as India, US Central and Britain.
var zoneMinutes = map[string]int{
	"utc": 0, "gmt": 0, "z": 0, "wet": 0, "west": 60, "bst": 60, "cet": 60, "cest": 120, "mez": 60, "mesz": 120,
	"met": 60, "mest": 120, "eet": 120, "eest": 180, "msk": 180, "trt": 180, "sast": 120, "eat": 180, "wat": 60, "cat": 120,
	"est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420, "mdt": -360, "pst": -480, "pdt": -420,
	"akst": -540, "akdt": -480, "hst": -600, "hdt": -540, "ast": -240, "adt": -180, "nst": -210, "ndt": -150,
	"brt": -180, "art": -180, "clt": -240, "ist": 330, "pkt": 300, "npt": 345, "sgt": 480, "hkt": 480, "pht": 480,
	"wib": 420, "jst": 540, "kst": 540, "awst": 480, "acst": 570, "acdt": 630, "aest": 600, "aedt": 660, "nzst": 720, "nzdt": 780,
	"et": -300, "ct": -360, "mt": -420, "pt": -480,
}

// american are the abbreviations that name a place and leave the season open.
var american = map[string]string{
	"et": "America/New_York", "ct": "America/Chicago", "mt": "America/Denver", "pt": "America/Los_Angeles",
}

// zoneAt reads a zone after a time: "Z", "+02:00", "UTC+2", "(CEST)", "Europe/Warsaw".
func (p *parser) zoneAt(i int) (*time.Location, int) {
	if p.mark(i) == '(' {
		zone, next := p.zoneAt(i + 1)
		if zone == nil {
			return nil, i
		}
		if p.mark(next) == ')' {
			next++
		}
		return zone, next
	}
	if p.marked(i, "+-") {
		return p.offsetAt(i)
	}
	t := p.tok(i)
	if t == nil || t.kind != tokenWord {
		return nil, i
	}
	if zone, next := p.namedZone(i); zone != nil {
		return zone, next
	}
	name := p.text[t.begin:t.end]
	minutes, ok := p.sense(i, isZone)
	if !ok || name != upperASCII(name) { // "et", "cat", "west" are words
		return nil, i
	}
	return p.shortZone(i, name, minutes)
}

// shortZone is the zone of an abbreviation: a place, an offset behind "UTC", or its
// minutes from UTC.
func (p *parser) shortZone(i int, name string, minutes int) (*time.Location, int) {
	if place, ok := american[foldText(name)]; ok {
		if loc, err := time.LoadLocation(place); err == nil {
			return loc, i + 1
		}
	}
	if minutes != 0 {
		return time.FixedZone(name, minutes*60), i + 1
	}
	if zone, next := p.offsetAt(i + 1); zone != nil && !p.tok(i+1).space {
		return zone, next
	}
	return time.UTC, i + 1
}

func upperASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'a' && c <= 'z' {
			b[i] = c - 32
		}
	}
	return string(b)
}

// offsetAt reads "+02:00", "-0500", "+2".
func (p *parser) offsetAt(i int) (*time.Location, int) {
	if !p.marked(i, "+-") || !p.isNumber(i+1) || p.toks[i+1].space {
		return nil, i
	}
	hours, minutes, next := p.offsetDigits(i + 1)
	if next < 0 || hours > 14 || minutes > 59 {
		return nil, i
	}
	seconds := (hours*60 + minutes) * 60
	if p.mark(i) == '-' {
		seconds = -seconds
	}
	if seconds == 0 {
		return time.UTC, next
	}
	return time.FixedZone(fmt.Sprintf("%c%02d:%02d", p.mark(i), hours, minutes), seconds), next
}

// offsetDigits reads "0500", "02:00" or "2"; next is -1 for other numbers.
func (p *parser) offsetDigits(i int) (hours, minutes, next int) {
	n := int(p.toks[i].value)
	switch digits := p.toks[i].digits; {
	case digits == 4:
		return n / 100, n % 100, i + 1
	case digits > 2:
		return 0, 0, -1
	}
	if p.mark(i+1) == ':' && p.isNumber(i+2) && p.toks[i+2].digits == 2 && !p.toks[i+2].space {
		return n, int(p.toks[i+2].value), i + 3
	}
	return n, 0, i + 1
}

// continents begin the names of the zone database.
var continents = map[string]bool{
	"Africa": true, "America": true, "Antarctica": true, "Asia": true, "Atlantic": true,
	"Australia": true, "Europe": true, "Indian": true, "Pacific": true, "US": true,
}

func (p *parser) namedZone(i int) (*time.Location, int) {
	t := p.tok(i)
	if !continents[p.text[t.begin:t.end]] || p.mark(i+1) != '/' {
		return nil, i
	}
	j := i + 2
	if !p.isWord(j) || p.toks[j].space {
		return nil, i
	}
	// Names have up to three parts, joined by "/" and "_".
	for n := 0; n < 3 && p.marked(j+1, "/_") && p.isWord(j+2); n++ {
		j += 2
	}
	loc, err := time.LoadLocation(p.text[t.begin:p.tok(j).end])
	if err != nil {
		return nil, i
	}
	return loc, j + 1
}

// isWord tells that the token at i is a word.
func (p *parser) isWord(i int) bool {
	t := p.tok(i)
	return t != nil && t.kind == tokenWord
}
