package rest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"time"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/instrument"
)

// How a viewer is kept and let go.
const (
	heartbeat   = 15 * time.Second
	writeWithin = 10 * time.Second
)

// screen is where a viewer sees events.
type screen interface {
	show(e Event) error
	beat() error
}

// liveRequest is one viewer's request.
type liveRequest struct {
	viewing
	who    auth.Identity
	source eventSource
	from   *Position // nil for now
}

// viewerOf reads what a viewer wants to see.
func (s *service) viewerOf(r *http.Request, who auth.Identity) (liveRequest, error) {
	l := liveRequest{who: who}
	if r.Method != http.MethodGet {
		return l, curlew.Permanent("method_not_allowed", "%s does not work here: use GET", clipped(r.Method))
	}
	scope, err := s.App.Read(who)
	if err != nil {
		return l, err
	}
	l.source = s.source(scope)
	c := &Call{App: s.App, Caller: who, Read: scope, route: &Route{Group: "events"}, request: r}
	if err := c.bind(shapeOf(reflect.TypeFor[viewing]()), reflect.ValueOf(&l.viewing).Elem()); err != nil {
		return l, err
	}
	if l.Run != "" {
		if _, err := scope.Runs().Get(r.Context(), l.Run); err != nil {
			return l, err
		}
	}
	if last := r.Header.Get("Last-Event-ID"); last != "" {
		l.Cursor = last
	}
	if l.Cursor != "" {
		place, err := unpackCursor(who.Org, "live", l.Cursor)
		if err != nil {
			return l, err
		}
		from, err := parsePosition(place)
		if err != nil {
			return l, err
		}
		l.from = &from
	}
	return l, l.check()
}

// errStreamEnded ends a viewer's stream for a reason that the viewer is told.
var errStreamEnded = errors.New("sent away")

// showNew shows a viewer an event that it wants and has not been shown.
func (l liveRequest) showNew(on screen, e Event, shown bool) error {
	if shown || !l.wants(e) {
		return nil
	}
	return on.show(e)
}

// follow shows a viewer what it missed, and then what happens, until it leaves or must.
func (s *service) follow(r *http.Request, l liveRequest, v *viewer, at Position, on screen) (why string, err error) {
	ctx, leave := s.access.Holding(r, l.who, auth.View)
	defer leave()
	if l.from != nil {
		at, err = l.catchUp(ctx, at, on)
	}
	if err == nil {
		why, err = s.attend(ctx, l, v, at, on)
	}
	if fault := (*curlew.Fault)(nil); errors.As(context.Cause(ctx), &fault) {
		return fault.Sentence, errStreamEnded
	}
	return why, err
}

// attend shows a viewer what happens.
func (s *service) attend(ctx context.Context, l liveRequest, v *viewer, at Position, on screen) (why string, err error) {
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case e := <-v.events:
			shown := e.Name == eventChange && e.position.Sequence <= at.Sequence
			if err := l.showNew(on, e, shown); err != nil {
				return "", err
			}
		case <-s.Ends:
			return "this server is shutting down: reconnect", errStreamEnded
		case <-v.gone:
			return v.why, errStreamEnded
		case <-beat.C:
			if err := on.beat(); err != nil {
				return "", err
			}
		}
	}
}

// catchUp shows what happened between the viewer's position and now.
func (l liveRequest) catchUp(ctx context.Context, now Position, on screen) (Position, error) {
	t := newEventReader(l.who.Org, l.source, *l.from)
	if oldest := now.At.Add(-pagesFor); l.from.At.Before(oldest) {
		t.part = sweep{since: oldest, lastRun: store.MovedRun{ChangedAt: l.from.At.Add(-lookBack)}}
	}
	for more := true; more; {
		var events []Event
		var err error
		if events, more, err = t.next(ctx); err != nil {
			return now, err
		}
		for _, e := range events {
			if err := errors.Join(ctx.Err(), l.showNew(on, e, false)); err != nil {
				return now, err
			}
		}
	}
	return t.at, nil
}

// admit lets somebody look on until they leave.
func (s *service) admit(ctx context.Context, l liveRequest) (v *viewer, at Position, leave func(), err error) {
	if v, at, err = s.hubs.join(ctx, l.who.Org, l.source); err != nil {
		return nil, at, nil, err
	}
	instrument.Tell(ctx, instrument.Viewing{By: 1})
	return v, at, func() {
		instrument.Tell(ctx, instrument.Viewing{By: -1})
		s.hubs.leave(l.who.Org, v)
	}, nil
}

// stream serves events by SSE.
func (s *service) stream(w http.ResponseWriter, r *http.Request, who auth.Identity, _ string) error {
	l, err := s.viewerOf(r, who)
	if err != nil {
		return err
	}
	v, at, leave, err := s.admit(r.Context(), l)
	if err != nil {
		return err
	}
	defer leave()
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // of proxies in between
	w.WriteHeader(http.StatusOK)
	on := sse{w, http.NewResponseController(w)}
	start := Event{ID: packCursor(who.Org, "live", at.place())}
	if l.from != nil {
		start.ID = l.Cursor
	}
	if on.write(fmt.Sprintf("retry: 2000\nid: %s\n\n", start.ID)) != nil {
		return nil
	}
	if why, err := s.follow(r, l, v, at, on); errors.Is(err, errStreamEnded) {
		_ = on.write(fmt.Sprintf("event: %s\ndata: {\"reason\":%q}\n\n", eventDropped, why)) // it may have gone
	}
	return nil
}

// sse writes events for a browser's EventSource.
type sse struct {
	w http.ResponseWriter
	c *http.ResponseController
}

func (s sse) write(text string) error {
	_ = s.c.SetWriteDeadline(time.Now().Add(writeWithin)) // where it can be set
	if _, err := s.w.Write([]byte(text)); err != nil {
		return err
	}
	return s.c.Flush()
}

func (s sse) show(e Event) error {
	return s.write(fmt.Sprintf("id: %s\nevent: %s\ndata: %s\n\n", e.ID, e.Name, e.Data))
}

func (s sse) beat() error { return s.write(": still here\n\n") }
