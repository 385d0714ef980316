package deliver

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	gomail "github.com/wneessen/go-mail"
)

// newMessage makes an e-mail: ASCII throughout, lines of at most 76 characters.
func newMessage(m Message, from, to string, now time.Time) (*gomail.Msg, error) {
	m.Links = m.Links.For(to)
	p := pageOf(m)
	html, err := p.html()
	if err != nil {
		return nil, curlew.Permanent("bad_message", "the e-mail cannot be rendered").Because(err)
	}
	l := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	if err := errors.Join(l.From(from), l.To(to)); err != nil {
		return nil, curlew.Permanent("bad_message", "the e-mail cannot be addressed").Because(err)
	}
	sender := l.GetFrom()[0].Address
	l.Subject(tidy(subject(m)))
	l.SetDateWithValue(now)
	l.SetMessageIDWithValue(plainID(m.ID) + "." + letterID(to) + sender[strings.LastIndexByte(sender, '@'):])
	l.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: no vacation replies, please
	if link := tidy(p.Links.Unsubscribe); link != "" {
		l.SetGenHeader(gomail.HeaderListUnsubscribe, "<"+link+">")
		if strings.HasPrefix(link, "https://") {
			l.SetGenHeader(gomail.HeaderListUnsubscribePost, "List-Unsubscribe=One-Click") // RFC 8058
		}
	}
	l.SetBodyString(gomail.TypeTextPlain, p.plainText())
	l.AddAlternativeString(gomail.TypeTextHTML, html)
	return l, nil
}

// letterID tells the letters of one message apart by their receivers: those who get several by a list or an alias keep all, and a
// letter that is sent again is the same one.
func letterID(to string) string {
	sum := sha256.Sum256([]byte(to))
	return hex.EncodeToString(sum[:6])
}

// plainID keeps an id to the characters that a Message-ID may have.
func plainID(id string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && text.InWord(r) || r == '_' || r == '-' {
			return r
		}
		return '-'
	}, id)
}
