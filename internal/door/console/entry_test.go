package console_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/door/console"
)

// TestNobodyEntersTheConsoleWithoutASession tries every screen and every form without a session, and with one that is none; and every
// form with a session but without its token.
func TestNobodyEntersTheConsoleWithoutASession(t *testing.T) {
	b := open(t, lantern)
	session := b.as(curlew.RoleOwner)
	before := b.sofar()
	ask := func(method, pattern string, cookie *http.Cookie) *httptest.ResponseRecorder {
		request := httptest.NewRequestWithContext(t.Context(), method, "http://127.0.0.1"+pathOf(pattern, b.has), strings.NewReader("name=x"))
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if cookie != nil {
			request.AddCookie(cookie)
		}
		answer := httptest.NewRecorder()
		b.handler.ServeHTTP(answer, request)
		return answer
	}
	forms := slices.Concat(console.Forms, console.EditForms)
	for name, cookie := range map[string]*http.Cookie{"nothing": nil, "a wrong session": {Name: session.Cookie.Name, Value: strings.Repeat("z", len(session.Cookie.Value))}} {
		t.Run(name, func(t *testing.T) {
			for _, pattern := range slices.Concat(console.Screens(), forms) {
				method := http.MethodPost
				if slices.Contains(console.Screens(), pattern) {
					method = http.MethodGet
				}
				answer := ask(method, pattern, cookie)
				if to := answer.Header().Get("Location"); answer.Code != http.StatusSeeOther || !strings.HasPrefix(to, "/sign-in") {
					t.Errorf("%s %s with %s: %d to %q", method, pattern, name, answer.Code, to)
				}
				if strings.Contains(answer.Body.String(), lantern) {
					t.Errorf("%s tells strangers of the org", pattern)
				}
			}
		})
	}
	for _, pattern := range forms {
		if answer := ask(http.MethodPost, pattern, session.Cookie); answer.Code != http.StatusForbidden {
			t.Errorf("%s without its token: %d", pattern, answer.Code)
		}
	}
	if did := b.did(before); len(did) > 0 {
		t.Errorf("strangers did %+v", did)
	}
}
