// Package sinktest has receivers for tests: an HTTP endpoint and a mail server that
// keep a ledger of what reached them, and that misbehave on command.
//
// The HTTP sink is an http.Handler with a JSON ledger and a JSON switch, so that it
// can also stand in a process of its own and be asked from outside.
package sinktest

import (
	"cmp"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/curlew-data/curlew/internal/work/deliver"
)

// Mode is how the sink answers.
type Mode string

const (
	Accept   Mode = "accept"   // 204, but for the share that fails
	Hang     Mode = "hang"     // never answers
	Endless  Mode = "endless"  // 200 and a body without an end
	Drip     Mode = "drip"     // 200 and a byte now and then
	Redirect Mode = "redirect" // 307 to itself
	Vanish   Mode = "gone"     // 410
	Cut      Mode = "cut"      // takes the message and closes the connection without an answer
)

// Behaviour is how the sink answers until it is told otherwise.
type Behaviour struct {
	Mode       Mode    `json:"mode"`
	FailRate   float64 `json:"fail_rate"`   // share of messages that are answered with FailStatus
	FailStatus int     `json:"fail_status"` // 0 means 500
	RetryAfter string  `json:"retry_after"` // sent with a failure
}

// Entry is how often one delivery came.
type Entry struct {
	Seen     int `json:"seen"`
	Accepted int `json:"accepted"`
}

// Ledger is what reached the sink.
type Ledger struct {
	Received      int                `json:"received"` // messages, accepted or not
	Accepted      int                `json:"accepted"`
	BadSignatures int                `json:"bad_signatures"`
	Unreadable    int                `json:"unreadable"`
	IDs           map[string]Entry   `json:"ids"`          // by delivery id
	Entities      map[string][]int64 `json:"entities"`     // sequences in the order of their first acceptance
	OutOfOrder    int                `json:"out_of_order"` // first acceptances after a later change of the same entity
	Redirected    int                `json:"redirected"`   // requests that followed a redirect
}

// Sink is an HTTP receiver. It is safe for concurrent use.
//
//	POST /hook       a webhook; any other path but those below does the same
//	GET  /ledger     the ledger
//	POST /behaviour  a Behaviour
//	POST /reset      an empty ledger
type Sink struct {
	Secrets []deliver.Secret // checked when there are any
	Now     func() time.Time // for the signatures; nil means the machine's clock

	mu        sync.Mutex
	random    *rand.Rand
	behaviour Behaviour
	ledger    Ledger
}

// New makes a sink whose failures follow from the seed.
func New(seed uint64) *Sink {
	return &Sink{random: rand.New(rand.NewPCG(seed, 0)), behaviour: Behaviour{Mode: Accept}, ledger: empty()}
}

func empty() Ledger { return Ledger{IDs: map[string]Entry{}, Entities: map[string][]int64{}} }

// Behave changes how the sink answers.
func (s *Sink) Behave(b Behaviour) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.behaviour = b
}

// Ledger gives a copy of what reached the sink.
func (s *Sink) Ledger() Ledger {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.ledger
	l.IDs, l.Entities = map[string]Entry{}, map[string][]int64{}
	for id, e := range s.ledger.IDs {
		l.IDs[id] = e
	}
	for id, order := range s.ledger.Entities {
		l.Entities[id] = append([]int64(nil), order...)
	}
	return l
}

// ServeHTTP receives a webhook or a question about the ledger.
func (s *Sink) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method + " " + r.URL.Path {
	case "GET /ledger":
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(s.Ledger())
	case "POST /behaviour":
		var b Behaviour
		if err := json.NewDecoder(r.Body).Decode(&b); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		s.Behave(b)
		w.WriteHeader(http.StatusNoContent)
	case "POST /reset":
		s.mu.Lock()
		s.ledger = empty()
		s.mu.Unlock()
		w.WriteHeader(http.StatusNoContent)
	default:
		s.receive(w, r)
	}
}

// received is what the sink needs of a body: one change, or those of a digest.
type received struct {
	Type string `json:"type"`
	Data struct {
		change
		Changes []change `json:"changes"`
	} `json:"data"`
}

type change struct {
	Delivery string `json:"delivery_id"`
	Entity   string `json:"entity_id"`
	Sequence int64  `json:"sequence"`
}

const maxBody = 32 << 20

func (s *Sink) receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		return // the sender went away in the middle
	}
	var message received
	readable := json.Unmarshal(body, &message) == nil
	b, accepted := s.note(r, body, message, readable)
	switch b.Mode {
	case Hang:
		<-r.Context().Done()
	case Cut:
		panic(http.ErrAbortHandler)
	case Redirect:
		http.Redirect(w, r, "/followed", http.StatusTemporaryRedirect)
	case Vanish:
		http.Error(w, "gone for good", http.StatusGone)
	case Endless, Drip:
		pour(w, r, b.Mode)
	default:
		answer(w, b, accepted)
	}
}

// note writes the ledger and decides whether this message is accepted. The decision
// is part of the ledger, so both are made under one lock.
func (s *Sink) note(r *http.Request, body []byte, message received, readable bool) (Behaviour, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.behaviour
	accepted := b.Mode == Accept || b.Mode == Endless || b.Mode == Drip || b.Mode == ""
	if accepted && b.FailRate > 0 && s.random.Float64() < b.FailRate {
		accepted = false
	}
	s.ledger.Received++
	if strings.HasPrefix(r.URL.Path, "/followed") {
		s.ledger.Redirected++
	}
	if !readable {
		s.ledger.Unreadable++
	}
	if len(s.Secrets) > 0 {
		now := time.Now
		if s.Now != nil {
			now = s.Now
		}
		if deliver.Verify(r.Header, body, s.Secrets, now(), deliver.Tolerance) != nil {
			s.ledger.BadSignatures++
			accepted = false
		}
	}
	if accepted {
		s.ledger.Accepted++
	}
	s.count(r.Header.Get("Webhook-Id"), message, accepted)
	return b, accepted
}

func (s *Sink) count(id string, message received, accepted bool) {
	changes := message.Data.Changes
	if message.Type != "digest" {
		only := message.Data.change
		only.Delivery = id
		changes = []change{only}
	}
	for _, c := range changes {
		e := s.ledger.IDs[c.Delivery]
		e.Seen++
		if accepted {
			if e.Accepted++; e.Accepted == 1 && c.Entity != "" {
				order := s.ledger.Entities[c.Entity]
				if len(order) > 0 && order[len(order)-1] > c.Sequence {
					s.ledger.OutOfOrder++
				}
				s.ledger.Entities[c.Entity] = append(order, c.Sequence)
			}
		}
		s.ledger.IDs[c.Delivery] = e
	}
}

func answer(w http.ResponseWriter, b Behaviour, accepted bool) {
	if accepted {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if b.RetryAfter != "" {
		w.Header().Set("Retry-After", b.RetryAfter)
	}
	status := b.FailStatus
	status = cmp.Or(status, http.StatusInternalServerError)
	http.Error(w, "the sink fails on purpose", status)
}

// pour answers for as long as somebody listens.
func pour(w http.ResponseWriter, r *http.Request, mode Mode) {
	chunk, pause := []byte(strings.Repeat("all work and no play ", 200)), time.Duration(0)
	if mode == Drip {
		chunk, pause = []byte("."), 50*time.Millisecond
	}
	for r.Context().Err() == nil {
		if _, err := w.Write(chunk); err != nil {
			return
		}
		_ = http.NewResponseController(w).Flush()
		select {
		case <-r.Context().Done():
		case <-time.After(pause):
		}
	}
}
