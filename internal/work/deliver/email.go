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

// Send sends the message to all addresses of the target. Addresses that the server refuses for good are left out, as
// long as one remains, and so are those whose e-mail it refuses when others are handed over; the answer names them.
func (e Email) Send(ctx context.Context, raw json.RawMessage, m Message) (Answer, error) {
	t, err := decodeTarget[EmailTarget](raw)
	if err != nil {
		return Answer{}, err
	}
	if err := errors.Join(checkEmail(t), e.Server.Check()); err != nil {
		return Answer{}, err
	}
	var letters []letter
	for _, to := range Distinct(t.To) {
		l, err := newMessage(m, e.Server.From, to, e.Now())
		if err != nil {
			return Answer{}, err
		}
		letters = append(letters, letter{l, to})
	}
	limit := e.Time
	if limit <= 0 {
		limit = mailTime
	}
	started := e.Now()
	inner, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	answer, err := e.talk(inner, letters)
	answer.Took = e.Now().Sub(started)
	if ctx.Err() != nil && err != nil {
		return answer, context.Cause(ctx)
	}
	return answer, err
}

// Try connects and signs in, and sends nothing.
func (e Email) Try(ctx context.Context) error {
	if err := e.Server.Check(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, mailTime)
	defer cancel()
	_, err := e.talk(ctx, nil)
	return err
}

// letter is the e-mail to one receiver.
type letter struct {
	*gomail.Msg
	to string
}

// talk is one conversation, in which nothing is sent without letters. Whatever blocks ends when ctx
// does, because the connection is closed.
func (e Email) talk(ctx context.Context, all []letter) (Answer, error) {
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
	refused, err := hand(session, all)
	if err != nil {
		return status(err), e.fault(ctx, wire, "handing over the e-mail", err)
	}
	_ = session.Quit() // the e-mail is accepted; how the server says goodbye does not matter
	answer := Answer{Status: 250, Text: "accepted for " + strconv.Itoa(len(all)-len(refused)) + " of " + strconv.Itoa(len(all))}
	for _, r := range refused {
		answer.Text += "\n" + r
	}
	answer.Text = tidyLines([]byte(answer.Text))
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

// hand gives the letters to the server and returns the addresses that it did not take. Once one letter is handed over it
// does not fail: a second try would send that one again. It asks for all addresses before the first letter.
func hand(c *smtp.Client, all []letter) (refused []string, err error) {
	taken, refused, err := ask(c, all)
	if err != nil {
		return nil, err
	}
	handed := 0
	for _, l := range taken {
		if failed := handOver(c, l, len(taken) > 1); failed != nil {
			refused, err = append(refused, l.to+": "+line(failed.Error(), 200)), errors.Join(err, failed)
			continue
		}
		handed++
	}
	if handed == 0 {
		return nil, err
	}
	return refused, nil
}

// handOver gives one letter to the server.
func handOver(c *smtp.Client, l letter, several bool) error {
	if several {
		if err := again(c, l); err != nil {
			return err
		}
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

// ask finds out which addresses the server takes; at least one, or it fails.
func ask(c *smtp.Client, all []letter) (taken []letter, refused []string, err error) {
	if err := begin(c, all[0]); err != nil {
		return nil, nil, err
	}
	for _, l := range all {
		err := c.Rcpt("<" + l.to + ">")
		var reply *textproto.Error
		if errors.As(err, &reply) && reply.Code >= 500 && len(refused) < len(all)-1 {
			refused = append(refused, l.to+": "+line(reply.Error(), 200))
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		taken = append(taken, l)
	}
	return taken, refused, nil
}

// begin names the sender of a letter.
func begin(c *smtp.Client, l letter) error {
	from, err := l.GetSender(false)
	if err == nil {
		err = c.Mail(from)
	}
	return err
}

// again begins a letter after the server was asked for several addresses.
func again(c *smtp.Client, l letter) error {
	err := c.Reset()
	if err == nil {
		err = begin(c, l)
	}
	if err == nil {
		err = c.Rcpt("<" + l.to + ">")
	}
	return err
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
