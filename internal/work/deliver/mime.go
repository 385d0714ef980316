package deliver

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"mime"
	"mime/quotedprintable"
	"net/mail"
	"strings"
	"time"

	"curlew/internal/curlew"
)

// letter is an e-mail before it is written.
type letter struct {
	from    mail.Address
	to      []string
	subject string
	id      string // without angle brackets
	date    time.Time
	text    string
	html    string
	leave   string // where to unsubscribe; "" when nowhere
}

func newLetter(m Message, from mail.Address, to []string, now time.Time) (letter, error) {
	p := pageOf(m)
	html, err := p.html()
	if err != nil {
		return letter{}, curlew.Permanent("bad_message", "the e-mail cannot be laid out").Because(err)
	}
	_, domain, _ := strings.Cut(from.Address, "@")
	return letter{
		from: from, to: to, subject: subject(m), id: plainID(m.ID) + "@" + domain, date: now,
		text: p.plainText(), html: html, leave: p.Links.Unsubscribe,
	}, nil
}

// plainID keeps an id to the characters that a Message-ID may have.
func plainID(id string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '-'
	}, id)
}

// bytes writes the letter: ASCII throughout, lines of at most 76 characters.
func (l letter) bytes() []byte {
	var b bytes.Buffer
	sum := sha256.Sum256([]byte(l.id + l.text))
	boundary := "curlew-" + hex.EncodeToString(sum[:15])
	writeHeader(&b, "From", l.from.String())
	writeHeader(&b, "To", strings.Join(l.to, ", "))
	writeHeader(&b, "Subject", encodeWords(l.subject))
	writeHeader(&b, "Date", l.date.Format(time.RFC1123Z))
	writeHeader(&b, "Message-ID", "<"+l.id+">")
	writeHeader(&b, "Auto-Submitted", "auto-generated") // RFC 3834: no vacation replies, please
	if l.leave != "" {
		writeHeader(&b, "List-Unsubscribe", "<"+l.leave+">")
		if strings.HasPrefix(l.leave, "https://") {
			writeHeader(&b, "List-Unsubscribe-Post", "List-Unsubscribe=One-Click") // RFC 8058
		}
	}
	writeHeader(&b, "MIME-Version", "1.0")
	writeHeader(&b, "Content-Type", `multipart/alternative; boundary="`+boundary+`"`)
	b.WriteString("\r\n")
	for _, part := range []struct{ kind, text string }{{"text/plain", l.text}, {"text/html", l.html}} {
		fmt.Fprintf(&b, "--%s\r\nContent-Type: %s; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n", boundary, part.kind)
		w := quotedprintable.NewWriter(&b)
		w.Write([]byte(part.text)) //nolint:errcheck // a buffer takes everything
		w.Close()
		b.WriteString("\r\n")
	}
	fmt.Fprintf(&b, "--%s--\r\n", boundary)
	return b.Bytes()
}

// encodeWords writes a text as a header may carry it (RFC 2047).
func encodeWords(s string) string { return mime.QEncoding.Encode("utf-8", tidy(s)) }

// writeHeader writes one header, folded at its spaces. Nothing in a value can end it:
// what could is gone, here once more.
func writeHeader(b *bytes.Buffer, name, value string) {
	b.WriteString(name + ":")
	width := len(name) + 1
	for word := range strings.FieldsSeq(tidy(value)) {
		if width+1+len(word) > 76 && width > len(name)+1 {
			b.WriteString("\r\n")
			width = 0
		}
		b.WriteString(" " + word)
		width += 1 + len(word)
	}
	b.WriteString("\r\n")
}
