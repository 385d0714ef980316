package door_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/door/cli"
	"github.com/curlew-data/curlew/internal/door/rest"
)

// Who is signed in accepts an invitation of another org by the API, and works there from then on.
func TestAPersonJoinsAnotherOrgByTheAPI(t *testing.T) {
	s := openServer(t)
	operator := auth.Operator(curlew.DefaultOrg)
	made, err := s.use.AddOrg(t.Context(), operator, app.AddOrg{ID: "acme", Name: "Acme", Owner: "ada@example.org"})
	if err != nil {
		t.Fatal(err)
	}
	_, token, _ := strings.Cut(made.Owner.Link, "token=")
	csrf := csrfField.FindStringSubmatch(s.get(t, "/watches/add?source="+s.ids["source"]))
	join := func(token, form string) int {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.base+rest.Prefix+"/self/join", strings.NewReader(text(app.Invitation{Token: token})))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("X-CSRF-Token", form)
		answer, err := s.client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		bodyOf(t, answer)
		return answer.StatusCode
	}
	for _, c := range []struct {
		what, token, form string
		want              int
	}{{"from another site", token, "", 403}, {"with another link", strings.Repeat("A", 43), csrf[1], 409}, {"hers", token, csrf[1], 204}, {"twice", token, csrf[1], 409}} {
		t.Run(c.what, func(t *testing.T) {
			if got := join(c.token, c.form); got != c.want {
				t.Errorf("%s: %d, want %d", c.what, got, c.want)
			}
		})
	}
	if self := s.get(t, rest.Prefix+"/self"); !strings.Contains(self, `"acme"`) {
		t.Errorf("she works in %s", self)
	}
}

// The audit log shows that a key did something, whatever the key is called.
func TestAKeyPassesForNobodyInTheAuditLog(t *testing.T) {
	s := openServer(t)
	who, err := s.use.Accounts.WithKey(t.Context(), s.key, "")
	if err != nil {
		t.Fatal(err)
	}
	who.Name = "ada@example.org"
	if _, err := s.use.EditOrg(t.Context(), who, app.EditOrg{Name: "Town hall"}); err != nil {
		t.Fatal(err)
	}
	var out, complaint bytes.Buffer
	cli.Main([]string{"users", "log"}, cli.Environment{Context: t.Context(), In: strings.NewReader(""), Out: &out, Err: &complaint,
		Environ: []string{"CURLEW_DATA=" + s.data, "HOME=" + t.TempDir()}})
	for door, log := range map[string]string{"cli": out.String(), "console": s.get(t, "/settings/audit?action=editOrg")} {
		t.Run(door, func(t *testing.T) {
			if !strings.Contains(log, "key: ada@example.org") {
				t.Errorf("%s: %s %s", door, log, complaint.String())
			}
		})
	}
}
