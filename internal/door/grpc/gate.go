package grpc

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
)

// call is one request whose caller is known.
type call struct {
	auth.Identity
	request string
}

type callKey struct{}

// entered lets requests in of those who may do what a service is about.
func (s *service) entered(needs auth.Action, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var c call
		var err error
		if c.Identity, c.request, err = s.access.Enter(w, r); err == nil {
			err = auth.Allow(c.Identity, needs)
		}
		if err != nil {
			s.tell(w, r, c, err)
			return
		}
		ctx, leave := s.access.Holding(r, c.Identity, needs)
		defer leave()
		control, done := http.NewResponseController(w), make(chan struct{})
		stop := context.AfterFunc(ctx, func() { // a stream may wait for its next question
			defer close(done)
			_ = control.SetReadDeadline(time.Unix(1, 0))
		})
		defer func() {
			if !stop() {
				<-done // what is left of the connection after a handler is not for touching
			}
		}()
		next.ServeHTTP(w, r.WithContext(context.WithValue(ctx, callKey{}, c)))
	})
}

// tell answers who is not let through, in the protocol that they speak.
func (s *service) tell(w http.ResponseWriter, r *http.Request, c call, err error) {
	if errors.Is(err, curlew.ErrUnauthenticated) {
		w.Header().Set("WWW-Authenticate", `Bearer realm="curlew"`)
	}
	_ = s.errors.Write(w, r, s.failure(r.Context(), c, err)) // the caller may have gone
}
