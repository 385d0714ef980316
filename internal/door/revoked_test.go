package door_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"connectrpc.com/grpcreflect"
	"github.com/coder/websocket"
	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/door/grpc"
	"github.com/curlew-data/curlew/internal/door/middleware"
	"github.com/curlew-data/curlew/internal/door/rest"
)

// streams opens each kind of answer that lasts; what they return ends with it.
var streams = map[string]func(ctx context.Context, at string, h http.Header) (ends func() error, err error){
	"SSE": func(ctx context.Context, at string, h http.Header) (func() error, error) {
		request, err := http.NewRequestWithContext(ctx, "GET", at+rest.Prefix+"/stream", nil)
		if err != nil {
			return nil, err
		}
		request.Header = h
		answer, err := http.DefaultClient.Do(request)
		if err == nil && answer.StatusCode != http.StatusOK {
			err = errors.New(answer.Status)
		}
		return func() error {
			defer answer.Body.Close()
			_, err := io.Copy(io.Discard, answer.Body)
			return err
		}, err
	},
	"WebSocket": func(ctx context.Context, at string, h http.Header) (func() error, error) {
		conn, _, err := websocket.Dial(ctx, at+rest.Prefix+"/ws", &websocket.DialOptions{HTTPHeader: h})
		return func() error {
			for {
				if _, _, err := conn.Read(ctx); websocket.CloseStatus(err) != -1 {
					return nil
				} else if err != nil {
					return err
				}
			}
		}, err
	},
	"RPC": func(ctx context.Context, at string, h http.Header) (func() error, error) {
		questions, asker := io.Pipe() // which stays open: the stream is idle after the first answer
		request, err := http.NewRequestWithContext(ctx, "POST", at+"/"+grpcreflect.ReflectV1ServiceName+"/ServerReflectionInfo", questions)
		if err != nil {
			return nil, err
		}
		request.Header = h
		request.Header.Set("Content-Type", "application/grpc")
		go func() { _, _ = asker.Write([]byte{0, 0, 0, 0, 3, 0x3a, 1, '*'}) }() // which services there are
		answer, err := unencrypted().Do(request)
		if err == nil {
			_, err = io.ReadFull(answer.Body, make([]byte, 5)) // of the first answer
		}
		return func() error {
			defer answer.Body.Close()
			_, _ = io.Copy(io.Discard, answer.Body) // that it is cut off is no failure
			return ctx.Err()
		}, err
	},
}

// TestARevokedKeyOrSessionEndsItsStreams opens every kind of stream with a key and with a session.
func TestARevokedKeyOrSessionEndsItsStreams(t *testing.T) {
	if middleware.AskAgain >= time.Second {
		t.Errorf("callers are asked who they are every %s", middleware.AskAgain)
	}
	w := newAPIWorld(t)
	server := httptest.NewUnstartedServer(rest.Handler(w.i, http.NotFoundHandler(), rest.ServeAPI(rest.Options{App: w.App}),
		grpc.Serve(grpc.Options{App: w.App, Rate: middleware.DefaultRate()})))
	server.Config.Protocols = &http.Protocols{}
	server.Config.Protocols.SetHTTP1(true)
	server.Config.Protocols.SetUnencryptedHTTP2(true)
	server.Start()
	t.Cleanup(func() {
		server.CloseClientConnections() // also of streams that do not end
		server.Close()
	})
	operator := auth.Operator("acme")
	byKey := func(t *testing.T) (http.Header, func() error) {
		made, err := w.App.AddKey(t.Context(), operator, app.AddKey{Name: "ci", Scopes: []curlew.KeyScope{curlew.ScopeRead, curlew.ScopeWrite}})
		if err != nil {
			t.Fatal(err)
		}
		return http.Header{"Authorization": {"Bearer " + made.Secret}}, func() error { return w.App.RevokeKey(t.Context(), operator, made.ID) }
	}
	guests := 0
	bySession := func(t *testing.T) (http.Header, func() error) {
		guests++
		s := w.SignIn("acme", fmt.Sprintf("ed%d@example.org", guests), curlew.RoleEditor)
		return http.Header{"Cookie": {s.Cookie.String()}, "X-Csrf-Token": {w.Accounts.CSRF(s.Identity)}},
			func() error { return w.Accounts.SignOut(t.Context(), s.Identity, s.Identity.Session) }
	}
	for name, open := range streams {
		for how, credentials := range map[string]func(*testing.T) (http.Header, func() error){"key": byKey, "session": bySession} {
			t.Run(name+" by a "+how, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
				defer cancel()
				headers, revoke := credentials(t)
				ends, err := open(ctx, server.URL, headers)
				if err != nil {
					t.Fatal(err)
				}
				if err := revoke(); err != nil {
					t.Fatal(err)
				}
				if err := ends(); err != nil {
					t.Errorf("it goes on: %v", err)
				}
			})
		}
	}
}
