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
	"net/smtp"
	"net/textproto"
	"strconv"
	"strings"
	"time"

	"curlew/internal/curlew"
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
		return curlew.Permanent("bad_mail_server", "e-mail in the clear is only sent to a loopback address, which %s is not: use starttls or tls", s.Host)
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

// Send sends the message to all addresses of the target. Addresses that the server
// refuses for good are left out, as long as one remains; the answer names them.
func (e Email) Send(ctx context.Context, raw json.RawMessage, m Message) (Answer, error) {
	t, err := decodeTarget[EmailTarget](raw)
	if err != nil {
		return Answer{}, err
	}
	if err := errors.Join(checkEmail(t), e.Server.Check()); err != nil {
		return Answer{}, err
	}
	from, err := mail.ParseAddress(e.Server.From)
	if err != nil {
		return Answer{}, err
	}
	l, err := newLetter(m, *from, t.To, e.Now())
	if err != nil {
		return Answer{}, err
	}
	limit := e.Time
	if limit <= 0 {
		limit = mailTime
	}
	started := e.Now()
	inner, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	answer, err := e.talk(inner, l)
	answer.Took = e.Now().Sub(started)
	if ctx.Err() != nil && err != nil {
		return answer, context.Cause(ctx)
	}
	return answer, err
}

// talk is one conversation. Whatever blocks ends when ctx does, because the
// connection is closed.
func (e Email) talk(ctx context.Context, l letter) (Answer, error) {
	conn, err := e.Dial(ctx, "tcp", net.JoinHostPort(e.Server.Host, strconv.Itoa(e.Server.Port)))
	if err != nil {
		return Answer{}, e.fault(ctx, "connecting", err)
	}
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	defer conn.Close()
	var wire net.Conn = &bounded{Conn: conn, left: maxTalk}
	if e.Server.Security == Implicit {
		wire = tls.Client(wire, e.tls())
	}
	client, err := smtp.NewClient(wire, e.Server.Host)
	if err != nil {
		return Answer{}, e.fault(ctx, "the greeting", err)
	}
	if err := e.introduce(client); err != nil {
		return status(err), e.fault(ctx, "signing in", err)
	}
	refused, err := hand(client, l)
	if err != nil {
		return status(err), e.fault(ctx, "handing over the e-mail", err)
	}
	_ = client.Quit() // the e-mail is accepted; how the server says goodbye does not matter
	answer := Answer{Status: 250, Text: "accepted for " + strconv.Itoa(len(l.to)-len(refused)) + " of " + strconv.Itoa(len(l.to))}
	for _, r := range refused {
		answer.Text += "\n" + r
	}
	answer.Text = tidyLines([]byte(answer.Text))
	return answer, nil
}

func (e Email) tls() *tls.Config {
	return &tls.Config{ServerName: e.Server.Host, RootCAs: e.Server.RootCAs, MinVersion: tls.VersionTLS12}
}

var errNoTLS = errors.New("the server does not offer STARTTLS")
var errNoLogin = errors.New("the server offers neither AUTH PLAIN nor AUTH LOGIN")

// introduce greets the server, protects the connection and signs in.
func (e Email) introduce(c *smtp.Client) error {
	if err := c.Hello("curlew.localhost"); err != nil {
		return err
	}
	if e.Server.Security == StartTLS {
		if ok, _ := c.Extension("STARTTLS"); !ok {
			return errNoTLS
		}
		if err := c.StartTLS(e.tls()); err != nil {
			return err
		}
	}
	if e.Server.User == "" {
		return nil
	}
	_, methods := c.Extension("AUTH")
	offered := strings.Fields(strings.ToUpper(methods))
	for _, method := range offered {
		if method == "PLAIN" {
			return c.Auth(plainAuth{e.Server.User, e.Server.Password})
		}
	}
	for _, method := range offered {
		if method == "LOGIN" {
			return c.Auth(&loginAuth{user: e.Server.User, password: e.Server.Password})
		}
	}
	return errNoLogin
}

// hand gives the letter to the server and returns the addresses it refused for good.
func hand(c *smtp.Client, l letter) (refused []string, err error) {
	if err := c.Mail(l.from.Address); err != nil {
		return nil, err
	}
	for _, to := range l.to {
		err := c.Rcpt(to)
		var reply *textproto.Error
		if errors.As(err, &reply) && reply.Code >= 500 && len(refused) < len(l.to)-1 {
			refused = append(refused, to+": "+line(reply.Error(), 200))
			continue
		}
		if err != nil {
			return nil, err
		}
	}
	w, err := c.Data()
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(l.bytes()); err != nil {
		return nil, err
	}
	return refused, w.Close()
}

func status(err error) Answer {
	var reply *textproto.Error
	if errors.As(err, &reply) {
		return Answer{Status: reply.Code, Text: tidyLines([]byte(reply.Error()))}
	}
	return Answer{}
}

// fault says what went wrong while doing what.
func (e Email) fault(ctx context.Context, doing string, err error) error {
	var f *curlew.Fault
	var reply *textproto.Error
	var certificate *tls.CertificateVerificationError
	host := e.Server.Host
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return curlew.Temporary("timeout", "the mail server %s was given up while %s: it took too long", host, doing).Because(err)
	case errors.As(err, &f):
		return f
	case errors.As(err, &reply) && reply.Code >= 500:
		return curlew.Permanent("refused_there", "the mail server answered %s while %s", line(reply.Error(), 200), doing).Because(err)
	case errors.As(err, &reply):
		return curlew.Temporary("bad_answer", "the mail server answered %s while %s", line(reply.Error(), 200), doing).Because(err)
	case errors.As(err, &certificate):
		return curlew.Permanent("tls_failed", "the certificate of the mail server %s is not valid", host).Because(err)
	case errors.Is(err, errNoTLS), errors.Is(err, errNoLogin):
		return curlew.Permanent("mail_server_unfit", "%s cannot be used for e-mail: %s", host, err)
	case errors.Is(err, errTooMuchTalk):
		return curlew.Temporary("bad_answer", "the mail server %s says far more than a mail server says", host).Because(err)
	}
	return curlew.Temporary("connection_lost", "the mail server %s hung up while %s", host, doing).Because(err)
}

// plainAuth is AUTH PLAIN (RFC 4616). Whether the connection is protected was decided
// before; the standard library's own would ask for the name localhost.
type plainAuth struct{ user, password string }

func (a plainAuth) Start(*smtp.ServerInfo) (string, []byte, error) {
	return "PLAIN", []byte("\x00" + a.user + "\x00" + a.password), nil
}

func (a plainAuth) Next(_ []byte, more bool) ([]byte, error) {
	if more {
		return nil, errors.New("the server asks for more than AUTH PLAIN has")
	}
	return nil, nil
}

// loginAuth is AUTH LOGIN, which has no standard: user, then password.
type loginAuth struct {
	user, password string
	asked          int
}

func (a *loginAuth) Start(*smtp.ServerInfo) (string, []byte, error) { return "LOGIN", nil, nil }

func (a *loginAuth) Next(_ []byte, more bool) ([]byte, error) {
	if !more {
		return nil, nil
	}
	a.asked++
	switch a.asked {
	case 1:
		return []byte(a.user), nil
	case 2:
		return []byte(a.password), nil
	}
	return nil, errors.New("the server asks for more than AUTH LOGIN has")
}

var errTooMuchTalk = fmt.Errorf("more than %d bytes", maxTalk)

// bounded stops a server that does not stop.
type bounded struct {
	net.Conn
	left int
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooMuchTalk
	}
	n, err := b.Conn.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}
