package fetch

import (
	"unicode/utf8"

	"github.com/gogs/chardet"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/htmlindex"
)

// Charset names the charset of a body: what marks it (BOM, header, meta), unless
// the bytes speak against it; else what it looks like.
func Charset(body []byte, contentType string) string {
	head := body[:min(len(body), 4096)]
	if name := looksLikeUTF16(head); name != "" {
		return name
	}
	_, name, certain := charset.DetermineEncoding(head, contentType)
	if name == "utf-8" || !certain {
		if utf8.Valid(body) {
			return "utf-8"
		}
	}
	if certain && name != "utf-8" {
		return name
	}
	guess, err := chardet.NewTextDetector().DetectBest(body[:min(len(body), 64<<10)])
	if err != nil || guess.Confidence < 30 {
		return "windows-1252" // what browsers fall back to
	}
	if known, err := htmlindex.Get(guess.Charset); err == nil {
		if canonical, err := htmlindex.Name(known); err == nil {
			return canonical
		}
	}
	return "windows-1252"
}

// looksLikeUTF16 tells UTF-16 without a mark by the zero bytes of its markup.
func looksLikeUTF16(head []byte) string {
	var even, odd int
	for i, c := range head {
		if c == 0 && i%2 == 0 {
			even++
		} else if c == 0 {
			odd++
		}
	}
	switch half := len(head) / 2; {
	case half > 8 && odd > half*6/10 && even < half/10:
		return "utf-16le"
	case half > 8 && even > half*6/10 && odd < half/10:
		return "utf-16be"
	}
	return ""
}
