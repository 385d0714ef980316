package demo

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// The characters that windows-1252 has at 0x80 to 0x9F, by the WHATWG table.
var windows1252High = map[rune]byte{
	'€': 0x80, '‚': 0x82, 'ƒ': 0x83, '„': 0x84, '…': 0x85, '†': 0x86, '‡': 0x87, 'ˆ': 0x88, '‰': 0x89,
	'Š': 0x8A, '‹': 0x8B, 'Œ': 0x8C, 'Ž': 0x8E, '‘': 0x91, '’': 0x92, '“': 0x93, '”': 0x94, '•': 0x95,
	'–': 0x96, '—': 0x97, '˜': 0x98, '™': 0x99, 'š': 0x9A, '›': 0x9B, 'œ': 0x9C, 'ž': 0x9E, 'Ÿ': 0x9F,
}

// windows1252 encodes markup; what the charset lacks becomes a reference.
func windows1252(markup []byte) []byte {
	var out bytes.Buffer
	for len(markup) > 0 {
		r, size := utf8.DecodeRune(markup)
		markup = markup[size:]
		high, known := windows1252High[r]
		switch {
		case known:
			out.WriteByte(high)
		case r < 0x80 || r >= 0xA0 && r <= 0xFF:
			out.WriteByte(byte(r))
		default:
			fmt.Fprintf(&out, "&#%d;", r)
		}
	}
	return out.Bytes()
}
