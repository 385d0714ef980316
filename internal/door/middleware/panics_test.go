package middleware

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/curlew-data/curlew/internal/ops/guard"
)

// Who has a part of an answer must not take it, or an error behind it, for the whole.
func TestAnAnswerThatPanicsHalfwayBreaksOff(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := Guarded(w, r, func(w http.ResponseWriter) error {
			_, _ = io.WriteString(w, "half")
			_ = http.NewResponseController(w).Flush()
			panic("halfway")
		})
		t.Errorf("the handler went on with %v", err)
	}))
	defer server.Close()
	before := guard.Panics()[guard.Request]
	answer, err := server.Client().Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if body, err := io.ReadAll(answer.Body); err == nil || string(body) != "half" || guard.Panics()[guard.Request] != before+1 {
		t.Errorf("%q, %v, %d panics after %d", body, err, guard.Panics()[guard.Request], before)
	}
}
