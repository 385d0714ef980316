package fetch

import (
	"bytes"
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
	if name := declared(head); name != "utf-8" && readable(body, name) {
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

// declared is the charset that a page names in its head. One that names none counts as UTF-8:
// its markup alone, with a letter in UTF-8 behind it, looks like nothing else.
func declared(head []byte) string {
	markup := bytes.Map(func(r rune) rune {
		if r >= utf8.RuneSelf {
			return -1
		}
		return r
	}, head)
	const utf8Letter, looked = "é ", 1024 // DetermineEncoding looks at so many bytes
	markup = append(markup[:min(len(markup), looked-len(utf8Letter))], utf8Letter...)
	_, name, _ := charset.DetermineEncoding(markup, "")
	return name
}

// readable tells that each byte of a body is a letter or sign in a charset.
func readable(body []byte, name string) bool {
	known, err := htmlindex.Get(name)
	if err != nil {
		return false
	}
	decoded, err := known.NewDecoder().Bytes(body)
	return err == nil && !bytes.ContainsFunc(decoded, func(r rune) bool { return r == utf8.RuneError || r >= 0x80 && r < 0xA0 })
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
