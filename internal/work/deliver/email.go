package deliver

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/textproto"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	gomail "github.com/wneessen/go-mail"
	"github.com/wneessen/go-mail/smtp"
)

// Security is how the connection to a mail server is protected.
type Security string

const (
	StartTLS Security = "starttls" // the usual, port 587
	Implicit Security = "tls"      // port 465
	Insecure Security = "none"     // only to a loopback address
)

// MailServer is who takes our e-mail.
type MailServer struct {
	Host     string
	Port     int
	Security Security
	User     string // "" means that the server asks for nobody
	Password string
	From     string         // "Curlew <curlew@example.org>"
	RootCAs  *x509.CertPool // nil means the system's
}

// SecurityOf is how a server at a host is spoken to: in the clear on this machine, where nobody listens,
// unless it wants TLS from the first byte.
func SecurityOf(host string, implicit bool) Security {
	switch {
	case implicit:
		return Implicit
	case loopback(host):
		return Insecure
	}
	return StartTLS
}

// Check says what is wrong with the settings of a mail server.
func (s MailServer) Check() error {
	from, err := mail.ParseAddress(s.From)
	switch {
	case s.Host == "" || strings.ContainsAny(s.Host, " \r\n/@"):
		return curlew.Permanent("bad_mail_server", "the mail server has no host")
	case s.Port <= 0 || s.Port > 65535:
		return curlew.Permanent("bad_mail_server", "the mail server's port is %d, which is no port", s.Port)
	case s.Security != StartTLS && s.Security != Implicit && s.Security != Insecure:
		return curlew.Permanent("bad_mail_server", "the mail server's security is %q: use starttls, tls or none", s.Security)
	case s.Security == Insecure && !loopback(s.Host):
		return curlew.Permanent("bad_mail_server", "e-mail in the clear is only sent to a loopback address, which %s is not: use starttls "+
			"or tls", s.Host)
	case err != nil:
		return curlew.Permanent("bad_mail_server", "%q cannot be the sender: write Curlew <curlew@example.org>", line(s.From, 80))
	}
	return checkAddress(from.Address)
}

// Email sends by SMTP, over a connection that it is given.
type Email struct {
	Server MailServer
	Dial   func(ctx context.Context, network, address string) (net.Conn, error)
	Now    func() time.Time
	Time   time.Duration // of the whole conversation; 0 means 30 s
}

const (
	mailTime = 30 * time.Second
	// maxTalk is how much a mail server may say in one conversation: greetings and
	// answers are lines, and TLS needs a few KiB.
	maxTalk = 256 << 10
)

// Send sends the message to the addresses of the target, or those of them that the message is for. It fails when the server takes
// it for nobody; otherwise the answer says what became of it for each.
func (e Email) Send(ctx context.Context, raw json.RawMessage, m Message) (Answer, error) {
	t, err := decodeTarget[EmailTarget](raw)
	if err != nil {
		return Answer{}, err
	}
	if err := errors.Join(checkEmail(t), e.Server.Check()); err != nil {
		return Answer{}, err
	}
	to, left := m.receivers(t, e.Now())
	if len(to) == 0 {
		return Answer{Receivers: left}, curlew.Permanent("no_receiver", "those for whom it waited are no receivers any more")
	}
	var letters []letter
	for _, to := range to {
		l, err := newMessage(m, e.Server.From, to, e.Now())
		if err != nil {
			return Answer{}, err
		}
		letters = append(letters, letter{l, to})
	}
	started := e.Now()
	answer, err := e.sendAll(ctx, letters)
	answer.Took, answer.Receivers = e.Now().Sub(started), append(answer.Receivers, left...)
	if ctx.Err() != nil && err != nil {
		return answer, context.Cause(ctx)
	}
	return answer, err
}

// sendAll sends letters, those behind one at which the server hangs up in a conversation of their own; for those behind one at
// which it is slow or silent there may be no time. It fails when the server takes none of them.
func (e Email) sendAll(ctx context.Context, letters []letter) (answer Answer, err error) {
	limit := e.Time
	if limit <= 0 {
		limit = mailTime
	}
	inner, cancel := context.WithTimeout(ctx, limit+limit/beginFor)
	defer cancel()
	var results []curlew.ReceiverResult
	for left := letters; len(left) > 0; {
		answer, err = e.talk(inner, left, limit)
		results, left = append(results, answer.Receivers...), left[len(answer.Receivers):]
		if len(answer.Receivers) == 0 || mayNotBegin(inner, limit) {
			for _, l := range left {
				results = append(results, curlew.ReceiverResult{Address: l.to, Status: curlew.ReceiverWaiting, Answer: curlew.NotTried, At: e.Now()})
			}
			break
		}
	}
	answer.Receivers = results
	if slices.ContainsFunc(results, func(r curlew.ReceiverResult) bool { return r.Status == curlew.ReceiverAccepted }) {
		answer.Status, err = 250, nil
	}
	if err == nil || len(letters) > 1 {
		answer.Text = told(results)
	}
	return answer, err
}

// beginFor is the part of the time for one e-mail during which another is begun.
const beginFor = 3

type stoppingKey struct{}

// Stopping lets a sender ask between two e-mails whether the process is about to end: then it begins no other.
func Stopping(ctx context.Context, is func() bool) context.Context {
	return context.WithValue(ctx, stoppingKey{}, is)
}

// mayNotBegin says whether there is no time for another e-mail: one that is cut off in the middle may be sent twice.
func mayNotBegin(ctx context.Context, patience time.Duration) bool {
	stopping, known := ctx.Value(stoppingKey{}).(func() bool)
	end, ends := ctx.Deadline()
	return ctx.Err() != nil || known && stopping() || ends && time.Until(end) < patience
}

// Try connects and signs in, and sends nothing.
func (e Email) Try(ctx context.Context) error {
	if err := e.Server.Check(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, mailTime)
	defer cancel()
	_, err := e.talk(ctx, nil, 0)
	return err
}

// letter is the e-mail to one receiver.
type letter struct {
	*gomail.Msg
	to string
}

// talk is one conversation, in which nothing is sent without letters. Whatever blocks ends when ctx
// does, or the patience with one letter, because the connection is closed.
func (e Email) talk(ctx context.Context, all []letter, patience time.Duration) (Answer, error) {
	conn, err := e.Dial(ctx, "tcp", net.JoinHostPort(e.Server.Host, strconv.Itoa(e.Server.Port)))
	if err != nil {
		return Answer{}, e.fault(ctx, &wire{broken: true}, "connecting", err)
	}
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	defer conn.Close()
	wire := &wire{Conn: conn, left: maxTalk}
	client, err := e.client(wire)
	if err != nil {
		return Answer{}, e.fault(ctx, wire, "connecting", err)
	}
	session, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return status(err), e.fault(ctx, wire, "signing in", err)
	}
	if len(all) == 0 {
		_ = session.Quit()
		return Answer{}, nil
	}
	results, err := e.hand(ctx, session, all, patience, func() { conn.Close() })
	answer := Answer{Status: 250, Receivers: results}
	if err != nil {
		answer, err = status(err), e.fault(ctx, wire, "handing over the e-mail", err)
		answer.Receivers = results
	} else {
		_ = session.Quit() // the e-mail is accepted; how the server says goodbye does not matter
	}
	return answer, err
}

// told says for how many receivers an e-mail was accepted, and what was said of the others.
func told(results []curlew.ReceiverResult) string {
	accepted, others := 0, ""
	for _, r := range results {
		if r.Status == curlew.ReceiverAccepted {
			accepted++
			continue
		}
		others += "\n" + r.Address + ": " + r.Answer
	}
	return tidyLines([]byte("accepted for " + strconv.Itoa(accepted) + " of " + strconv.Itoa(len(results)) + others))
}

// receivers are those that a message goes to, and those it was for who are no receivers any more.
func (m Message) receivers(t EmailTarget, now time.Time) (to []string, left []curlew.ReceiverResult) {
	if len(m.To) == 0 {
		return Distinct(t.To), nil
	}
	for _, address := range m.To {
		if slices.Contains(t.To, address) {
			to = append(to, address)
			continue
		}
		left = append(left, curlew.ReceiverResult{Address: address, Status: curlew.ReceiverRefused, At: now,
			Answer: "it is no receiver any more"})
	}
	return to, left
}

// client speaks SMTP over a connection that is open already. Passwords go in the clear to loopback alone, which Check sees to.
func (e Email) client(wire *wire) (*gomail.Client, error) {
	protection := &tls.Config{ServerName: e.Server.Host, RootCAs: e.Server.RootCAs, MinVersion: tls.VersionTLS12}
	options := []gomail.Option{
		gomail.WithHELO("curlew.localhost"), gomail.WithTLSConfig(protection), gomail.WithTLSPolicy(gomail.NoTLS),
		gomail.WithTimeout(time.Hour), // the context's end comes before
		gomail.WithDialContextFunc(func(context.Context, string, string) (net.Conn, error) {
			if e.Server.Security == Implicit {
				return tls.Client(wire, protection), nil
			}
			return wire, nil
		}),
	}
	if e.Server.Security == StartTLS {
		options = append(options, gomail.WithTLSPolicy(gomail.TLSMandatory))
	}
	if e.Server.User != "" {
		options = append(options, gomail.WithUsername(e.Server.User), gomail.WithPassword(e.Server.Password),
			gomail.WithOpportunisticSMTPAuth(gomail.SMTPAuthPlainNoEnc, gomail.SMTPAuthLoginNoEnc))
	}
	return gomail.NewClient(e.Server.Host, options...)
}

// hand gives the letters to the server one by one, and says what became of each, until the conversation ends. It fails when
// one is not taken: with what was said of one that waits, if any does.
func (e Email) hand(
	ctx context.Context, c *smtp.Client, all []letter, patience time.Duration, giveUp func(),
) (results []curlew.ReceiverResult, err error) {
	for i, l := range all {
		if i > 0 && mayNotBegin(ctx, patience) {
			break
		}
		r := curlew.ReceiverResult{Address: l.to, Status: curlew.ReceiverAccepted, Answer: "250", At: e.Now()}
		limit := time.AfterFunc(patience, giveUp)
		failed := handOver(c, l)
		limit.Stop()
		if failed != nil {
			r.Status, r.Answer = refusal(failed)
			if err == nil || r.Status == curlew.ReceiverWaiting {
				err = failed
			}
		}
		if results = append(results, r); failed != nil && (hungUp(failed) || c.Reset() != nil) { // one that fails lets the next fail, too
			break
		}
	}
	return results, err
}

// hungUp says whether the server has ended the conversation, or the connection has.
func hungUp(err error) bool {
	var reply *textproto.Error
	return !errors.As(err, &reply) || reply.Code == 421
}

// handOver gives one letter to the server.
func handOver(c *smtp.Client, l letter) error {
	from, err := l.GetSender(false)
	if err == nil {
		err = c.Mail(from)
	}
	if err == nil {
		err = c.Rcpt("<" + l.to + ">")
	}
	if err != nil {
		return err
	}
	w, err := c.Data()
	if err != nil {
		return err
	}
	if _, err := l.WriteTo(w); err != nil {
		return err
	}
	return w.Close()
}

// refusal says whether a receiver is refused for good, and in which words.
func refusal(err error) (curlew.ReceiverStatus, string) {
	var reply *textproto.Error
	if !errors.As(err, &reply) {
		return curlew.ReceiverWaiting, "the conversation with the mail server ended before"
	}
	answer := line(strconv.Itoa(reply.Code)+" "+reply.Msg, 200)
	if reply.Code >= 500 {
		return curlew.ReceiverRefused, answer
	}
	return curlew.ReceiverWaiting, answer
}

func status(err error) Answer {
	var reply *textproto.Error
	if errors.As(err, &reply) {
		return Answer{Status: reply.Code, Text: tidyLines([]byte(reply.Error()))}
	}
	return Answer{}
}

// fault says what went wrong while doing what.
func (e Email) fault(ctx context.Context, wire *wire, doing string, err error) error {
	var f *curlew.Fault
	var reply *textproto.Error
	var certificate *tls.CertificateVerificationError
	var garbled textproto.ProtocolError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return curlew.Temporary(curlew.ErrTimeout, "the mail server was given up while %s: it took too long", doing).Because(err)
	case errors.As(err, &f):
		return f
	case errors.As(err, &reply) && reply.Code >= 500:
		return curlew.Permanent("refused_there", "the mail server answered %s while %s", line(reply.Error(), 200), doing).Because(err)
	case errors.As(err, &reply):
		return curlew.Temporary("bad_answer", "the mail server answered %s while %s", line(reply.Error(), 200), doing).Because(err)
	case errors.As(err, &certificate):
		return curlew.Permanent(curlew.ErrTLSFailed, "the certificate of the mail server is not valid").Because(err)
	case errors.Is(err, errTooMuchTalk):
		return curlew.Temporary("bad_answer", "the mail server says far more than a mail server says").Because(err)
	case !wire.broken && !errors.As(err, &garbled): // it offers no protection, or no way to sign in that we know
		return curlew.Permanent("mail_server_unfit", "the mail server cannot be used for e-mail: %s", line(err.Error(), 200)).Because(err)
	}
	return curlew.Temporary("connection_lost", "the mail server hung up while %s", doing).Because(err)
}

var errTooMuchTalk = fmt.Errorf("more than %d bytes", maxTalk)

// wire stops a server that does not stop, and knows whether the connection broke.
type wire struct {
	net.Conn
	left   int
	broken bool
}

func (w *wire) Read(p []byte) (int, error) {
	if w.left <= 0 {
		return 0, errTooMuchTalk
	}
	n, err := w.Conn.Read(p[:min(len(p), w.left)])
	w.left -= n
	w.broken = w.broken || err != nil
	return n, err
}

func (w *wire) Write(p []byte) (int, error) {
	n, err := w.Conn.Write(p)
	w.broken = w.broken || err != nil
	return n, err
}
