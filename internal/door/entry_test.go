package door_test

import (
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"connectrpc.com/grpcreflect"
	"github.com/curlew-data/curlew/internal/door/rest"
)

// TestNobodyEntersWithoutCredentials tries every operation that the description of the API names and every remote call, without
// credentials and with wrong ones. The console has a test of its own.
func TestNobodyEntersWithoutCredentials(t *testing.T) {
	s := openServer(t)
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	filled := regexp.MustCompile(`\{[a-z]*\}`)
	ask := func(method, path string, headers ...string) *http.Response {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), method, s.base+filled.ReplaceAllString(path, s.ids["watch"]), strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		for n := 0; n < len(headers); n += 2 {
			request.Header.Set(headers[n], headers[n+1])
		}
		answer, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		return answer
	}
	wrong := map[string][]string{"nothing": nil, "a wrong key": {"Authorization", "Bearer cur_" + strings.Repeat("x", 24) + "_" + strings.Repeat("y", 52)},
		"a password": {"Authorization", "Basic YWRtaW46YWRtaW4="}, "a wrong session": {"Cookie", "curlew_session=" + strings.Repeat("z", 43)}}
	tried := 0
	refuses := func(method, path string) {
		t.Helper()
		for what, headers := range wrong {
			tried++
			answer := ask(method, path, headers...)
			if !slices.Contains([]int{http.StatusUnauthorized, http.StatusTooManyRequests}, answer.StatusCode) {
				t.Errorf("%s %s with %s: %s", method, path, what, answer.Status)
			}
		}
	}
	for path, methods := range described(t.Context(), t, s.base) {
		for _, method := range methods {
			if path != "/openapi.json" && path != "/docs" { // which describe it to everybody
				refuses(method, rest.Prefix+path)
			}
		}
	}
	for _, path := range []string{"/stream", "/ws", "/nowhere"} {
		refuses(http.MethodGet, rest.Prefix+path)
	}
	for _, name := range callMethods() {
		for _, service := range []string{"blueprint.v1.Blueprint", "candidate.v1.Candidate", "kind.v1.Kind"} {
			refuses(http.MethodPost, "/curlew."+service+"Service/"+name)
		}
	}
	for _, service := range []string{grpcreflect.ReflectV1ServiceName, grpcreflect.ReflectV1AlphaServiceName} {
		refuses(http.MethodPost, "/"+service+"/ServerReflectionInfo")
	}
	if tried < 500 {
		t.Errorf("only %d requests were tried", tried)
	}
}

// described are the paths and methods of the API's own description.
func described(ctx context.Context, t *testing.T, base string) map[string][]string {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+rest.Prefix+"/openapi.json", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var document struct {
		Paths map[string]map[string]json.RawMessage
	}
	if err := json.NewDecoder(answer.Body).Decode(&document); err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for path, item := range document.Paths {
		for _, method := range []string{"get", "post", "put", "patch", "delete"} {
			if _, has := item[method]; has {
				all[strings.TrimPrefix(path, rest.Prefix)] = append(all[strings.TrimPrefix(path, rest.Prefix)], strings.ToUpper(method))
			}
		}
	}
	if len(all) < 50 {
		t.Errorf("the description names %d paths", len(all))
	}
	return all
}
