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
		if zone, next := p.zoneAt(i + 1); zone != nil {
			if p.mark(next) == ')' {
				next++
			}
			return zone, next
		}
		return nil, i
	}
	if m := p.mark(i); m == '+' || m == '-' {
		return p.offsetAt(i)
	}
	t := p.tok(i)
	if t == nil || t.kind != tokenWord {
		return nil, i
	}
	if zone, next := p.namedZone(i); zone != nil {
		return zone, next
	}
	minutes, ok := p.sense(i, isZone)
	if !ok {
		return nil, i
	}
	name := p.text[t.begin:t.end]
	// Short words are zones only in capitals: "et", "cat", "west" are words.
	if name != upperASCII(name) {
		return nil, i
	}
	if place, ok := american[foldText(name)]; ok {
		if loc, err := time.LoadLocation(place); err == nil {
			return loc, i + 1
		}
	}
	if minutes == 0 {
		if zone, next := p.offsetAt(i + 1); zone != nil && !p.tok(i+1).space {
			return zone, next
		}
		return time.UTC, i + 1
	}
	return time.FixedZone(name, minutes*60), i + 1
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
	m := p.mark(i)
	n := p.tok(i + 1)
	if m != '+' && m != '-' || n == nil || n.kind != tokenNumber || n.space {
		return nil, i
	}
	var hours, minutes int
	next := i + 2
	switch {
	case n.digits == 4:
		hours, minutes = int(n.value)/100, int(n.value)%100
	case n.digits <= 2:
		hours = int(n.value)
		if mm := p.tok(i + 3); p.mark(i+2) == ':' && mm != nil && mm.kind == tokenNumber && mm.digits == 2 && !mm.space {
			minutes, next = int(mm.value), i+4
		}
	default:
		return nil, i
	}
	if hours > 14 || minutes > 59 {
		return nil, i
	}
	seconds := (hours*60 + minutes) * 60
	if m == '-' {
		seconds = -seconds
	}
	if seconds == 0 {
		return time.UTC, next
	}
	return time.FixedZone(fmt.Sprintf("%c%02d:%02d", m, hours, minutes), seconds), next
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
	if city := p.tok(j); city == nil || city.kind != tokenWord || city.space {
		return nil, i
	}
	// Names have up to three parts, joined by "/" and "_".
	for n := 0; n < 3 && (p.mark(j+1) == '/' || p.mark(j+1) == '_') && p.tok(j+2) != nil && p.tok(j+2).kind == tokenWord; n++ {
		j += 2
	}
	loc, err := time.LoadLocation(p.text[t.begin:p.tok(j).end])
	if err != nil {
		return nil, i
	}
	return loc, j + 1
}
