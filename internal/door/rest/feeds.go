package rest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/throttle"
	"github.com/curlew-data/curlew/internal/change/syndicate"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/door/middleware"
)

// feeds gathers the feed that a request names. One that is not there is a fault with the
// code not_found.
type feeds func(context.Context, app.FeedRequest) (syndicate.Feed, error)

// feedAge is how long others may keep a feed before they ask again, and how long it
// may take to build one.
const (
	feedAge    = time.Minute
	feedWithin = 30 * time.Second
)

// FeedRate is how often one address of a feed may be read: by some hundred readers that come every few minutes.
var FeedRate = throttle.Rate{PerSecond: 1, Burst: 60}

// feedServer serves feeds and counts who reads them.
type feedServer struct {
	from            feeds
	suspects        func(*http.Request) []string
	reads, failures *throttle.Limiter
}

// ServeFeeds adds the feeds to what Handler serves. Who knows the key of a feed may read it (decision 16).
// Wrong keys are counted against the suspects of a request: the other end of the connection where it is nil.
func ServeFeeds(from feeds, suspects func(*http.Request) []string) func(*http.ServeMux) {
	if suspects == nil {
		suspects = middleware.OtherEnd
	}
	s := feedServer{from, suspects, throttle.New(FeedRate, time.Now), throttle.New(middleware.FailureRate, time.Now)}
	return func(mux *http.ServeMux) {
		for _, kind := range []string{"source", "watch", "subscription"} {
			mux.HandleFunc("GET /feeds/"+kind+"/{name}", func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, kind) })
		}
	}
}

// gather gathers a feed, unless its address is read too often. What is not there counts against who asks, and
// refuses nobody who has the right key.
func (s feedServer) gather(h http.Header, r *http.Request, request app.FeedRequest) (syndicate.Feed, error) {
	if _, wait := s.reads.Take(request.ID + " " + request.Key); wait > 0 {
		return syndicate.Feed{}, throttle.Refuse(h, wait)
	}
	feed, err := s.from(r.Context(), request)
	if err == nil || status(curlew.AsFault(err)) != http.StatusNotFound {
		return feed, err
	}
	for _, suspect := range s.suspects(r) {
		if _, wait := s.failures.Take(suspect); wait > 0 {
			err = throttle.Refuse(h, wait)
		}
	}
	return feed, err
}

// prefixes are how the ids of each kind begin.
var prefixes = map[string]string{"source": curlew.SourceID("").Prefix(), "watch": curlew.WatchID("").Prefix(),
	"subscription": curlew.SubscriptionID("").Prefix()}

func (s feedServer) serve(w http.ResponseWriter, r *http.Request, kind string) {
	id, ending, _ := strings.Cut(r.PathValue("name"), ".")
	format, err := syndicate.ParseFormat(ending)
	if err != nil || !strings.HasPrefix(id, prefixes[kind]+"_") {
		refuse(w, curlew.NotFound("feed", r.PathValue("name")))
		return
	}
	query := r.URL.Query()
	request := app.FeedRequest{Kind: kind, ID: id, Format: format, Changes: yes(query.Get("changes")), Key: query.Get("key"),
		Path: r.URL.RequestURI()}
	options := syndicate.Options{BOM: yes(query.Get("bom"))}
	ctx, cancel := context.WithTimeout(r.Context(), feedWithin)
	defer cancel()
	feed, err := s.gather(w.Header(), r.WithContext(ctx), request)
	if err != nil {
		refuse(w, curlew.AsFault(err))
		return
	}
	validators, err := syndicate.Validate(format, feed, options)
	if err != nil {
		refuse(w, curlew.AsFault(err))
		return
	}
	h := w.Header()
	h.Set("ETag", validators.ETag)
	if !validators.LastModified.IsZero() {
		h.Set("Last-Modified", validators.HTTPDate())
	}
	h.Set("Cache-Control", fmt.Sprintf("private, max-age=%d", int(feedAge.Seconds())))
	if fresh(r, validators) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", format.ContentType())
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "sandbox; default-src 'none'") // all text in it is foreign
	h.Set("Referrer-Policy", "no-referrer")                         // the address is a secret
	h.Set("X-Robots-Tag", "noindex")
	h.Set("Content-Disposition", fmt.Sprintf("%s; filename=%q", disposition(format), id+"."+string(format)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_ = syndicate.Write(w, format, feed, options) // the reader may have gone
	}
}

func yes(value string) bool { return value == "1" || value == "true" }

// disposition lets feeds be shown and tables be saved.
func disposition(f syndicate.Format) string {
	if f == syndicate.CSV || f == syndicate.JSONLines || f == syndicate.ICalendar {
		return "attachment"
	}
	return "inline"
}

// fresh says whether the reader has the feed already (RFC 9110, section 13.2.2).
func fresh(r *http.Request, v syndicate.Validators) bool {
	if given := r.Header.Values("If-None-Match"); len(given) > 0 {
		return matches(given, v.ETag)
	}
	since, err := http.ParseTime(r.Header.Get("If-Modified-Since"))
	return err == nil && !v.LastModified.IsZero() && !v.LastModified.Truncate(time.Second).After(since)
}

// refuse tells the sentence of a fault, and never its cause.
func refuse(w http.ResponseWriter, fault *curlew.Fault) {
	sentence := fault.Sentence
	if errors.Is(fault, curlew.ErrUnexpected) {
		sentence = "something went wrong: try again later"
	}
	reply(w, status(fault), map[string]any{"error": map[string]string{"code": string(fault.Code), "sentence": sentence}})
}
