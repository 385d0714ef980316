package text

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
)

// UTF8 gives a body as UTF-8. A charset that nobody knows is read as UTF-8, with
// what does not fit replaced.
func UTF8(body []byte, name string) []byte {
	if name == "utf-8" || name == "" {
		if utf8.Valid(body) {
			return bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
		}
		return bytes.ToValidUTF8(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")), []byte("\uFFFD"))
	}
	var from encoding.Encoding
	from, err := htmlindex.Get(name)
	if err != nil {
		return bytes.ToValidUTF8(body, []byte("\uFFFD"))
	}
	decoded, err := from.NewDecoder().Bytes(body)
	if err != nil {
		return bytes.ToValidUTF8(body, []byte("\uFFFD"))
	}
	return bytes.ToValidUTF8(decoded, []byte("\uFFFD"))
}
