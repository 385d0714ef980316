package feeds

import (
	"bytes"
	"html"
	"regexp"
	"sync"
)

// texts are the elements of feeds that hold text for people, one pattern for each.
var texts = sync.OnceValue(func() (all []*regexp.Regexp) {
	for _, name := range []string{"title", "description", "summary", "content", "content:encoded", "link", "guid"} {
		all = append(all, regexp.MustCompile(`(?s)(<`+name+`(?:\s[^>]*[^>/])?>)(.*?)(</`+name+`\s*>)`))
	}
	return all
})

var cdata = []byte("<![CDATA[")

// mended is a feed that is no XML as far as it can be: it ends behind its last whole entry, and
// what stands in its texts is text.
func mended(body []byte) []byte {
	entry, end := entryMarks(body)
	shut := append([]byte("</"), entry[1:]...)
	if last := bytes.LastIndex(body, shut); last >= 0 {
		if close := bytes.IndexByte(body[last:], '>'); close >= 0 {
			body = append(bytes.Clone(body[:last+close+1]), end...)
		}
	}
	for _, element := range texts() {
		body = element.ReplaceAllFunc(body, func(whole []byte) []byte {
			m := element.FindSubmatch(whole)
			if bytes.Contains(m[2], cdata) {
				return whole
			}
			return bytes.Join([][]byte{m[1], []byte(html.EscapeString(html.UnescapeString(string(m[2])))), m[3]}, nil)
		})
	}
	return body
}
