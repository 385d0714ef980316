package main

import (
	"crypto/rand"
	"encoding/json"
	"io"
	mathrand "math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/work/deliver"
	"github.com/curlew-data/curlew/internal/work/deliver/sinktest"
)

// moods say how often a sink misbehaves, each as a share of all requests.
type moods struct {
	fail  float64 // answers 500
	reset float64 // closes the connection before it has read anything
	die   float64 // accepts, and dies before the answer
	hangs int     // so many requests, at first, are never answered
}

// sink is a webhook's endpoint with a ledger. Its misbehaviour follows from its seed.
type sink struct {
	*sinktest.Sink
	server *httptest.Server
	secret deliver.Secret
	sub    curlew.SubscriptionID

	mu      sync.Mutex
	chance  *mathrand.Rand
	moods   moods
	down    atomic.Bool // answers 503 to everybody
	first   map[string]time.Time
	closing chan struct{}
}

func newSink(seed uint64, m moods) (*sink, error) {
	secret, err := deliver.NewSecret(rand.Reader)
	if err != nil {
		return nil, err
	}
	s := &sink{Sink: sinktest.New(seed), secret: secret, chance: mathrand.New(mathrand.NewPCG(seed, 7)), moods: m,
		first: map[string]time.Time{}, closing: make(chan struct{})}
	s.Secrets = []deliver.Secret{secret}
	s.server = httptest.NewServer(s)
	return s, nil
}

func (s *sink) close() {
	close(s.closing)
	s.server.CloseClientConnections()
	s.server.Close()
}

func (s *sink) port() string {
	u, err := url.Parse(s.server.URL)
	if err != nil {
		return ""
	}
	return u.Port()
}

// target is what a subscription needs to reach the sink.
func (s *sink) target() (json.RawMessage, error) {
	return json.Marshal(deliver.WebhookTarget{URL: s.server.URL + "/hook", Secrets: []deliver.Secret{s.secret}})
}

// draw decides what becomes of one request.
func (s *sink) draw() (mood string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.moods.hangs > 0 {
		s.moods.hangs--
		return "hang"
	}
	x := s.chance.Float64()
	for _, m := range []struct {
		name  string
		share float64
	}{{"fail", s.moods.fail}, {"reset", s.moods.reset}, {"die", s.moods.die}} {
		if x < m.share {
			return m.name
		}
		x -= m.share
	}
	return "accept"
}

// ServeHTTP receives a message, or spoils it.
func (s *sink) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.down.Load() {
		http.Error(w, "down on purpose", http.StatusServiceUnavailable)
		return
	}
	switch s.draw() {
	case "hang":
		_, _ = io.Copy(io.Discard, r.Body)
		select {
		case <-r.Context().Done():
		case <-s.closing:
		}
	case "reset":
		panic(http.ErrAbortHandler)
	case "fail":
		http.Error(w, "the sink fails on purpose", http.StatusInternalServerError)
	case "die":
		s.Sink.ServeHTTP(httptest.NewRecorder(), r)
		s.arrived(r.Header.Get("Webhook-Id"))
		panic(http.ErrAbortHandler)
	default:
		s.Sink.ServeHTTP(w, r)
		s.arrived(r.Header.Get("Webhook-Id"))
	}
}

// arrived remembers when a delivery came for the first time.
func (s *sink) arrived(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, again := s.first[id]; !again {
		s.first[id] = time.Now()
	}
}

// arrivals are the times of all first arrivals, by delivery.
func (s *sink) arrivals() map[curlew.DeliveryID]time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make(map[curlew.DeliveryID]time.Time, len(s.first))
	for id, at := range s.first {
		all[curlew.DeliveryID(id)] = at
	}
	return all
}
