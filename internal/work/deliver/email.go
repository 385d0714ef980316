package deliver

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/textproto"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/web/egress"
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
		return curlew.Permanent("bad_mail_server", "the mail server's port %d is not a valid port", s.Port)
	case s.Security != StartTLS && s.Security != Implicit && s.Security != Insecure:
		return curlew.Permanent("bad_mail_server", "the mail server's security is %q: use starttls, tls or none", s.Security)
	case s.Security == Insecure && !loopback(s.Host):
		return curlew.Permanent("bad_mail_server", "unencrypted e-mail is only sent to a loopback address, and %s is not one: use starttls "+
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
	Time   time.Duration // for signing in, and again for handing over; 0 means 30 s
}

const (
	mailTime = 30 * time.Second
	// acceptTimes is how much longer a server may take to accept what it has whole: who gives up then sends it twice.
	acceptTimes = 4
	goodbyeTime = 2 * time.Second
	// MostMailTime is the longest that an e-mail takes: to sign in, to hand it over, to be accepted, to part.
	MostMailTime = (1+1+acceptTimes)*mailTime + goodbyeTime
	// maxTalk is how much a mail server may say in one conversation: greetings and
	// answers are lines, and TLS needs a few KiB.
	maxTalk = 256 << 10
)

// Send sends the message to one of the addresses of the target, or to all of them when it is for nobody in particular: then it
// fails when the server takes it for none, and the answer says who was left out.
func (e Email) Send(ctx context.Context, raw json.RawMessage, m Message) (answer Answer, err error) {
	t, err := decodeTarget[EmailTarget](raw)
	if err != nil {
		return Answer{}, err
	}
	if err := errors.Join(checkEmail(t), e.Server.Check()); err != nil {
		return Answer{}, err
	}
	started := e.Now()
	if m.To != "" {
		answer, err = e.sendTo(ctx, m, m.To)
	} else {
		answer, err = e.sendAll(ctx, m, Distinct(t.To))
	}
	answer.Took = e.Now().Sub(started)
	if cause := context.Cause(ctx); err != nil && cause != nil && !errors.Is(cause, context.DeadlineExceeded) {
		return answer, cause
	}
	return answer, err
}

// sendAll sends to all at the same time.
func (e Email) sendAll(ctx context.Context, m Message, to []string) (answer Answer, err error) {
	answers, errs := make([]Answer, len(to)), make([]error, len(to))
	var group sync.WaitGroup
	for i, address := range to {
		group.Go(func() { answers[i], errs[i] = e.sendTo(ctx, m, address) })
	}
	group.Wait()
	accepted, others := 0, ""
	for i, address := range to {
		if errs[i] == nil {
			accepted++
			continue
		}
		answer, err = answers[i], errs[i]
		others += "\n" + address + ": " + curlew.AsFault(err).Sentence
	}
	answer.OfReceiver, answer.OfMessage = false, false
	if accepted > 0 {
		answer.Status, err = 250, nil
	}
	if fault := curlew.AsFault(err); err != nil && len(to) > 1 { // who was refused why
		said := strings.ReplaceAll(strings.TrimPrefix(others, "\n"), "\n", "; ")
		err = &curlew.Fault{Kind: fault.Kind, Code: fault.Code, Sentence: line(said, 500)}
	}
	all := "accepted for " + strconv.Itoa(accepted) + " of " + strconv.Itoa(len(to)) + others
	if err == nil || len(to) > 1 {
		answer.Text = tidyLines([]byte(all))
	}
	if err == nil && others != "" {
		answer.Partly = line(strings.ReplaceAll(all, "\n", "; "), 500)
	}
	return answer, err
}

func (e Email) sendTo(ctx context.Context, m Message, to string) (Answer, error) {
	l, err := newMessage(m, e.Server.From, to, e.Now())
	if err != nil {
		return Answer{}, err
	}
	return e.talk(ctx, &letter{l, to})
}

// Try connects and signs in, and sends nothing.
func (e Email) Try(ctx context.Context) error {
	if err := e.Server.Check(); err != nil {
		return err
	}
	_, err := e.talk(ctx, nil)
	return err
}

// letter is the e-mail to one receiver.
type letter struct {
	*gomail.Msg
	to string
}

// talk is one conversation, in which nothing is sent without a letter. Whatever blocks ends when ctx
// does, or the time for it, because the connection is closed.
func (e Email) talk(ctx context.Context, l *letter) (Answer, error) {
	limit := cmp.Or(e.Time, mailTime)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	clock := time.AfterFunc(limit, func() { cancel(context.DeadlineExceeded) })
	defer clock.Stop()
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
	answer := Answer{}
	if l != nil {
		clock.Reset(limit)
		written := false
		if err := handOver(session, *l, func() { written = clock.Reset(acceptTimes * limit) }); err != nil {
			answer = status(err)
			answer.OfReceiver, answer.OfMessage = true, written && answer.Status != 0
			return answer, e.fault(ctx, wire, "handing over the e-mail", err)
		}
		answer = Answer{Status: 250, Text: "250"}
	}
	clock.Reset(goodbyeTime)
	_ = session.Quit() // the e-mail is accepted; how the server says goodbye does not matter
	return answer, nil
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

// handOver gives one letter to the server, and says when all of it is written.
func handOver(c *smtp.Client, l letter, written func()) error {
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
	written()
	return w.Close()
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
	case errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		return curlew.Temporary(curlew.ErrTimeout, "the mail server timed out while %s", doing).Because(err)
	case errors.As(err, &f):
		return f
	case errors.As(err, &reply) && reply.Code >= 500:
		return curlew.Permanent("refused_there", "the mail server answered %s while %s", line(reply.Error(), 200), doing).Because(err)
	case errors.As(err, &reply):
		return curlew.Temporary("bad_answer", "the mail server answered %s while %s", line(reply.Error(), 200), doing).Because(err)
	case errors.As(err, &certificate):
		return curlew.Permanent(curlew.ErrTLSFailed, "the certificate of the mail server is not valid").Because(err)
	case errors.Is(err, errTooMuchTalk):
		return curlew.Temporary("bad_answer", "the answer of the mail server is too long").Because(err)
	case !wire.broken && !errors.As(err, &garbled): // it offers no protection, or no way to sign in that we know
		return curlew.Permanent("mail_server_unfit", "the mail server cannot be used for e-mail: %s", line(err.Error(), 200)).Because(err)
	}
	return curlew.Temporary(egress.ErrConnectionLost, "the mail server hung up while %s", doing).Because(err)
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
