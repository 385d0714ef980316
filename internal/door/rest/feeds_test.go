package rest

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/change/syndicate"
	"github.com/curlew-data/curlew/internal/curlew"
)

const shop = "wat_06gxx8bc8t7pwcnm6yyedyjj"

// shelf has one feed with one entity.
type shelf struct {
	asked app.FeedRequest
	err   error
}

func (s *shelf) Feed(_ context.Context, r app.FeedRequest) (syndicate.Feed, error) {
	s.asked = r
	if s.err != nil {
		return syndicate.Feed{}, s.err
	}
	if r.ID != shop {
		return syndicate.Feed{}, curlew.NotFound("feed", r.ID)
	}
	at := time.Date(2026, 3, 2, 9, 0, 0, 500, time.UTC)
	lamp := curlew.Entity{ID: "ent_1", Schema: curlew.SchemaProduct, ExternalID: "l-1", Status: curlew.EntityActive, Version: 1, FirstSeenAt: at, LastSeenAt: at,
		Fields: curlew.Values{"name": "Lamp <b>", "price": 1999.0, "currency": "EUR"}}
	return syndicate.Feed{Org: "acme", ID: "watches/" + shop, Title: "Lamps", Entries: syndicate.Of(syndicate.FeedEntry{Entity: &lamp})}, nil
}

func ask(t *testing.T, s *shelf, method, path string, headers ...string) (*http.Response, string) {
	t.Helper()
	server := httptest.NewServer(Handler(readiness{}, http.NotFoundHandler(), ServeFeeds(s.Feed, nil)))
	defer server.Close()
	request, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Add(headers[i], headers[i+1])
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(body)
}

func TestAFeedIsServedInEveryFormat(t *testing.T) {
	for _, format := range syndicate.Formats() {
		s := &shelf{}
		answer, body := ask(t, s, "GET", "/feeds/watch/"+shop+"."+string(format)+"?changes=1")
		if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != format.ContentType() || body == "" {
			t.Errorf("%s: %s, %s", format, answer.Status, answer.Header.Get("Content-Type"))
		}
		if want := (app.FeedRequest{Kind: "watch", ID: shop, Format: format, Changes: true, Path: "/feeds/watch/" + shop + "." + string(format) + "?changes=1"}); s.asked != want {
			t.Errorf("asked for %+v, want %+v", s.asked, want)
		}
		if answer.Header.Get("ETag") == "" || !strings.Contains(answer.Header.Get("Cache-Control"), "private") || answer.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: headers %v", format, answer.Header)
		}
	}
}

func TestWhoHasTheFeedIsToldSo(t *testing.T) {
	path := "/feeds/watch/" + shop + ".atom"
	first, whole := ask(t, &shelf{}, "GET", path)
	plain := func(answer *http.Response) string { return strings.TrimPrefix(answer.Header.Get("ETag"), "W/") } // it came compressed
	tag, modified := plain(first), first.Header.Get("Last-Modified")
	for name, c := range map[string]struct {
		headers []string
		want    int
	}{
		"the tag":              {[]string{"If-None-Match", tag}, http.StatusNotModified},
		"one of several tags":  {[]string{"If-None-Match", `"other", W/` + tag}, http.StatusNotModified},
		"any":                  {[]string{"If-None-Match", "*"}, http.StatusNotModified},
		"another tag":          {[]string{"If-None-Match", `"other"`}, http.StatusOK},
		"the time":             {[]string{"If-Modified-Since", modified}, http.StatusNotModified},
		"an earlier time":      {[]string{"If-Modified-Since", "Mon, 02 Mar 2020 09:00:00 GMT"}, http.StatusOK},
		"no time":              {[]string{"If-Modified-Since", "yesterday"}, http.StatusOK},
		"the tag has the word": {[]string{"If-None-Match", `"other"`, "If-Modified-Since", modified}, http.StatusOK},
	} {
		t.Run(name, func(t *testing.T) {
			answer, body := ask(t, &shelf{}, "GET", path, c.headers...)
			if answer.StatusCode != c.want || (c.want == http.StatusNotModified) != (body == "") || plain(answer) != tag {
				t.Errorf("%s with %d bytes, want %d", answer.Status, len(body), c.want)
			}
		})
	}
	head, body := ask(t, &shelf{}, "HEAD", path)
	if head.StatusCode != http.StatusOK || plain(head) != tag || body != "" || whole == "" {
		t.Errorf("HEAD: %s %v", head.Status, head.Header)
	}
}

func TestWhatIsNoFeedIsNotFound(t *testing.T) {
	for _, path := range []string{"/feeds/watch/wat_unknown.atom", "/feeds/watch/" + shop, "/feeds/watch/" + shop + ".exe", "/feeds/source/" + shop + ".atom",
		"/feeds/entity/" + shop + ".atom", "/feeds/watch/", "/feeds/watch/..%2f..%2fetc.atom", "/feeds/watch/" + shop + ".atom/more"} {
		t.Run(path, func(t *testing.T) {
			if answer, body := ask(t, &shelf{}, "GET", path); answer.StatusCode != http.StatusNotFound {
				t.Errorf("%s: %s %s", path, answer.Status, body)
			}
		})
	}
	if answer, _ := ask(t, &shelf{}, "POST", "/feeds/watch/"+shop+".atom"); answer.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: %s", answer.Status)
	}
}

func TestAFeedThatFailsTellsNoSecrets(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
	}{
		{errors.New("password=secret"), http.StatusInternalServerError},
		{curlew.Temporary("database_unavailable", "the database does not answer").Because(errors.New("password=secret")), http.StatusServiceUnavailable},
		{curlew.Permanent("bad_filter", "the filter cannot be read"), http.StatusUnprocessableEntity},
	} {
		t.Run(c.err.Error(), func(t *testing.T) {
			answer, body := ask(t, &shelf{err: c.err}, "GET", "/feeds/watch/"+shop+".atom")
			if answer.StatusCode != c.want || strings.Contains(body, "secret") {
				t.Errorf("%v: %s %s", c.err, answer.Status, body)
			}
		})
	}
}
