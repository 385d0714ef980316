package sinktest

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"fmt"
	"math/big"
	"net"
	"slices"
	"strings"
	"sync"
	"time"
)

// MailBehaviour is how the mail sink treats its callers.
type MailBehaviour struct {
	Implicit  bool              // TLS from the first byte
	NoTLS     bool              // STARTTLS is not offered
	Auth      string            // the methods offered, such as "PLAIN LOGIN"; "" means none
	User      string            // who may sign in
	Password  string            //
	Refuse    map[string]string // answers to RCPT by address: "550 no such user"
	Greeting  string            // instead of 220
	Silent    bool              // accepts the connection and says nothing
	Chatter   bool              // greets without an end
	AfterData string            // the answer to the whole e-mail; "" means 250
	Full      string            // the address whose e-mail is answered so; "" means every one
}

// Answers to RCPT that are none.
const (
	HangsUp     = "hangs up"
	KeepsSilent = "keeps silent"
)

// Mail is an e-mail that the sink took.
type Mail struct {
	From string
	To   []string
	Data string // with the dots undone, lines ended by CRLF
	TLS  bool
	User string
}

// MailSink is a mail server on loopback. Close it.
type MailSink struct {
	Roots *x509.CertPool // that its certificate, for 127.0.0.1, is verified with

	listener  net.Listener
	config    *tls.Config
	behaviour MailBehaviour
	done      sync.WaitGroup

	mu       sync.Mutex
	mails    []Mail
	commands []string
	open     map[net.Conn]bool
	closed   bool
}

// NewMail starts a mail server.
func NewMail(b MailBehaviour) (*MailSink, error) {
	config, roots, err := certificate()
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &MailSink{Roots: roots, listener: listener, config: config, behaviour: b, open: map[net.Conn]bool{}}
	s.done.Add(1)
	go s.accept()
	return s, nil
}

// Port is where the sink listens on 127.0.0.1.
func (s *MailSink) Port() int { return s.listener.Addr().(*net.TCPAddr).Port }

// Mails are those that were taken.
func (s *MailSink) Mails() []Mail {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Mail(nil), s.mails...)
}

// Commands are the lines that clients sent outside of e-mails and passwords.
func (s *MailSink) Commands() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.commands...)
}

// Behave changes how callers are treated from now on.
func (s *MailSink) Behave(b MailBehaviour) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.behaviour = b
}

func (s *MailSink) behaves() MailBehaviour {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.behaviour
}

// Close ends all conversations.
func (s *MailSink) Close() {
	s.mu.Lock()
	s.closed = true
	s.listener.Close()
	for c := range s.open {
		c.Close()
	}
	s.mu.Unlock()
	s.done.Wait()
}

func (s *MailSink) accept() {
	defer s.done.Done()
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		if s.closed {
			s.mu.Unlock()
			conn.Close()
			return
		}
		s.open[conn] = true
		s.done.Add(1)
		s.mu.Unlock()
		go func() {
			defer s.done.Done()
			s.serve(conn)
			conn.Close()
			s.mu.Lock()
			delete(s.open, conn)
			s.mu.Unlock()
		}()
	}
}

// session is one conversation.
type session struct {
	sink *MailSink
	conn net.Conn
	in   *bufio.Reader
	mail Mail
}

func (s *MailSink) serve(conn net.Conn) {
	b := s.behaves()
	talk := &session{sink: s, conn: conn, in: bufio.NewReader(conn)}
	if b.Silent {
		_, _ = talk.in.ReadString('\n')
		return
	}
	if b.Implicit {
		talk.secure()
	}
	for b.Chatter {
		if _, err := fmt.Fprintf(talk.conn, "220-%s\r\n", strings.Repeat("welcome ", 500)); err != nil {
			return
		}
	}
	if b.Greeting != "" {
		talk.say(b.Greeting)
		return
	}
	talk.say("220 sink ready")
	for {
		line, err := talk.in.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimRight(line, "\r\n")
		s.mu.Lock()
		s.commands = append(s.commands, line)
		s.mu.Unlock()
		if !talk.command(line) {
			return
		}
	}
}

func (t *session) say(line string) { fmt.Fprintf(t.conn, "%s\r\n", line) }

func (t *session) secure() {
	t.conn = tls.Server(t.conn, t.sink.config)
	t.in = bufio.NewReader(t.conn)
	t.mail = Mail{TLS: true}
}

// command answers one line, and says whether the conversation goes on.
func (t *session) command(line string) bool {
	verb := strings.ToUpper(line[:min(4, len(line))])
	switch verb {
	case "EHLO", "HELO":
		t.greet()
	case "STAR":
		t.say("220 go ahead")
		t.secure()
	case "AUTH":
		t.auth(line)
	case "MAIL":
		t.mail.From = between(line)
		t.say("250 ok")
	case "RCPT":
		to := between(line)
		switch refusal := t.sink.behaves().Refuse[to]; {
		case refusal == HangsUp:
			return false
		case refusal == KeepsSilent:
			_, _ = t.in.ReadString('\n')
			return false
		case refusal != "":
			t.say(refusal)
			return !strings.HasPrefix(refusal, "421")
		}
		t.mail.To = append(t.mail.To, to)
		t.say("250 ok")
	case "RSET":
		t.mail.From, t.mail.To = "", nil
		t.say("250 ok")
	case "DATA":
		return t.data()
	case "QUIT":
		t.say("221 bye")
		return false
	default:
		t.say("500 what?")
	}
	return true
}

func (t *session) greet() {
	b := t.sink.behaves()
	lines := []string{"sink"}
	if !t.mail.TLS && !b.NoTLS {
		lines = append(lines, "STARTTLS")
	}
	if b.Auth != "" {
		lines = append(lines, "AUTH "+b.Auth)
	}
	for i, line := range lines {
		mark := "-"
		if i == len(lines)-1 {
			mark = " "
		}
		t.say("250" + mark + line)
	}
}

func (t *session) auth(line string) {
	fields := strings.Fields(line)
	var user, password string
	switch {
	case len(fields) == 3 && fields[1] == "PLAIN":
		raw, _ := base64.StdEncoding.DecodeString(fields[2])
		parts := strings.Split(string(raw), "\x00")
		if len(parts) == 3 {
			user, password = parts[1], parts[2]
		}
	case len(fields) == 2 && fields[1] == "LOGIN":
		user, password = t.ask("Username:"), t.ask("Password:")
	}
	if user != t.sink.behaves().User || password != t.sink.behaves().Password {
		t.say("535 wrong user or password")
		return
	}
	t.mail.User = user
	t.say("235 welcome")
}

func (t *session) ask(question string) string {
	t.say("334 " + base64.StdEncoding.EncodeToString([]byte(question)))
	line, _ := t.in.ReadString('\n')
	raw, _ := base64.StdEncoding.DecodeString(strings.TrimSpace(line))
	return string(raw)
}

func (t *session) data() bool {
	t.say("354 go on")
	var b strings.Builder
	for {
		line, err := t.in.ReadString('\n')
		if err != nil {
			return false
		}
		if line == ".\r\n" {
			break
		}
		b.WriteString(strings.TrimPrefix(line, "."))
	}
	t.mail.Data = b.String()
	defer func() { t.mail.From, t.mail.To = "", nil }()
	if how := t.sink.behaves(); how.AfterData != "" && (how.Full == "" || slices.Contains(t.mail.To, how.Full)) {
		t.say(how.AfterData)
		return true
	}
	t.sink.mu.Lock()
	t.sink.mails = append(t.sink.mails, t.mail)
	t.sink.mu.Unlock()
	t.say("250 taken")
	return true
}

func between(line string) string {
	_, rest, _ := strings.Cut(line, "<")
	address, _, _ := strings.Cut(rest, ">")
	return address
}

// certificate makes one for 127.0.0.1 that is its own authority.
func certificate() (*tls.Config, *x509.CertPool, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	now := time.Now()
	form := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "sink"}, NotBefore: now.Add(-time.Hour), NotAfter: now.Add(24 * time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	raw, err := x509.CreateCertificate(rand.Reader, form, form, &key.PublicKey, key)
	if err != nil {
		return nil, nil, err
	}
	parsed, err := x509.ParseCertificate(raw)
	if err != nil {
		return nil, nil, err
	}
	roots := x509.NewCertPool()
	roots.AddCert(parsed)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{raw}, PrivateKey: key}}, MinVersion: tls.VersionTLS12}, roots,
		nil
}
