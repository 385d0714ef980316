// Package deliver sends change events to subscribers: as signed webhooks, by e-mail, and to
// chats and notification services (Slack, Discord, Telegram, Teams, Mattermost, ntfy, Gotify,
// Pushover, Matrix, plain HTTP), one at a time or as digests.
//
// It makes messages, sends them over connections that it is given, and says what an
// answer means: delivered, retried later, or the endpoint is gone. It stores nothing and
// knows nothing of orgs: package outbox selects the receivers and records deliveries.
//
// Whatever was scraped is data here: it cannot become a header, a mention, markup or
// a command. docs/deliveries.md is what receivers read.
package deliver

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/web/egress"
)

// Channel sends a message to a target, the JSON that a subscription keeps for it.
//
// Without an error the message was accepted. An error is a *curlew.Fault whose kind
// and code Classify understands, or that of the context when the caller gave up; the
// answer is filled as far as there was one, in both cases.
type Channel interface {
	Send(ctx context.Context, target json.RawMessage, m Message) (Answer, error)
}

// Answer is what the other side said.
type Answer struct {
	Status     int           // of HTTP or SMTP; 0 when there was none
	Text       string        // at most 16 KiB of valid UTF-8
	RetryAfter time.Duration // as asked for, clamped to 1 s … 24 h; 0 means that nothing was asked
	Took       time.Duration
	Partly     string // of an e-mail to several: who has it, and who has not and why; "" where all have it or none
	OfReceiver bool   // the mail server was reached: what it said is of the receiver
	OfMessage  bool   // it has the whole e-mail, and what it said is of that
}

// maxAnswer is how much of an answer is kept.
const maxAnswer = 16 << 10

// Class is what became of an attempt.
type Class string

const (
	Delivered Class = "delivered"
	Later     Class = "later"    // it may pass by itself: no answer, 5xx, 429
	Stubborn  Class = "stubborn" // somebody must probably change something: 4xx, a redirect, a refusal of ours
	Gone      Class = "gone"     // the endpoint says that it does not exist any more
)

// SendOutcome is an attempt as the retry policy and the endpoint's health see it.
type SendOutcome struct {
	Class      Class
	Silent     bool // no answer came in time, or no connection: an endpoint that costs others time
	Sentence   string
	RetryAfter time.Duration
	OfReceiver bool // it is about one receiver of e-mail, and says nothing of the others
	OfMessage  bool // it is about this message, and says nothing of others to the same receiver
}

const errGone curlew.Code = "gone"

// silent says whether a failure kept the sender waiting.
func silent(err error) bool {
	waits := func(code curlew.Code) bool { return errors.Is(err, code) }
	return slices.ContainsFunc([]curlew.Code{curlew.ErrTimeout, egress.ErrConnectFailed, egress.ErrDNSFailed, egress.ErrConnectionLost}, waits)
}

// Classify says what became of an attempt. It must not be asked about one that the
// caller itself gave up.
func Classify(a Answer, err error) SendOutcome {
	if err == nil {
		return SendOutcome{Class: Delivered}
	}
	f := curlew.AsFault(err)
	o := SendOutcome{Class: Later, Silent: silent(err), Sentence: line(f.Sentence, 500), RetryAfter: a.RetryAfter,
		OfReceiver: a.OfReceiver, OfMessage: a.OfMessage}
	switch {
	case errors.Is(err, errGone):
		o.Class = Gone
	case f.Kind != curlew.KindTemporary && !errors.Is(err, curlew.ErrTLSFailed): // an expired certificate is renewed within days
		o.Class = Stubborn
	}
	return o
}

// givenUp says whether an error is the caller's own decision to stop.
func givenUp(ctx context.Context, err error) bool {
	return err != nil && ctx.Err() != nil && errors.Is(err, context.Cause(ctx))
}

// tidy makes one line of a text that somebody else wrote: no control characters, no
// characters that turn the direction of what follows.
func tidy(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r):
			return ' '
		case unicode.IsControl(r) || turnsDirection(r) || r == utf8.RuneError:
			return -1
		}
		return r
	}, s)
	return text.Collapse(s)
}

// turnsDirection names the embeddings, overrides and isolates of Unicode's
// bidirectional algorithm (UAX 9), and the marks that hide between letters.
func turnsDirection(r rune) bool {
	switch r {
	case 0x200e, 0x200f, 0x061c, 0xfeff:
		return true
	}
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// tidyLines keeps the lines of an answer apart.
func tidyLines(raw []byte) string {
	s := string(raw)
	for cut := 0; cut < utf8.UTFMax && len(s) > 0; cut++ { // a character may have been cut in two
		if r, size := utf8.DecodeLastRuneInString(s); r != utf8.RuneError || size != 1 {
			break
		}
		s = s[:len(s)-1]
	}
	s = strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) || turnsDirection(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return text.CutBytes(s, maxAnswer)
}

// line is tidy and clip in one, for texts of any length.
func line(s string, most int) string {
	if reach := 16*most + 64; len(s) > reach { // what is cut off here would be cut off below
		s = text.CutBytes(s, reach) + " …"
	}
	return text.Clip(tidy(s), most)
}
