package egress

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

// hops redirects /N to /N-1 and answers at /0.
func hops(w http.ResponseWriter, r *http.Request) {
	n, _ := strconv.Atoi(strings.Trim(r.URL.Path, "/"))
	if n > 0 {
		http.Redirect(w, r, fmt.Sprintf("/%d", n-1), http.StatusFound)
		return
	}
	io.WriteString(w, "arrived")
}

func TestRedirectsAreFollowedToTheLimitAndNoFurther(t *testing.T) {
	for _, c := range []struct {
		length, budget, requests int
		code                     string
	}{
		{length: 0, budget: 10, requests: 1},
		{length: 1, budget: 10, requests: 2},
		{length: 10, budget: 10, requests: 11},
		{length: 11, budget: 10, requests: 11, code: "too_many_redirects"},
		{length: 5, budget: 5, requests: 6},
		{length: 6, budget: 5, requests: 6, code: "too_many_redirects"},
	} {
		t.Run(fmt.Sprintf("%d of %d", c.length, c.budget), func(t *testing.T) {
			s := serve(t, hops)
			r, err := trusting(t, s.URL).Do(t.Context(),
				Request{URL: fmt.Sprintf("%s/%d", s.URL, c.length), Budget: Budget{Redirects: c.budget}})
			if c.code != "" {
				expectFault(t, err, curlew.KindRefused, c.code)
			} else if err != nil || string(r.Body) != "arrived" || r.URL != s.URL+"/0" || len(r.Chain) != c.length {
				t.Errorf("got %+v, %v", r, err)
			}
			if n := s.hits.Load(); n != int64(c.requests) {
				t.Errorf("%d requests, want %d", n, c.requests)
			}
		})
	}
}

func TestWithoutRedirectsTheRedirectIsTheAnswer(t *testing.T) {
	s := serve(t, hops)
	r, err := trusting(t, s.URL).Do(t.Context(), Request{Method: "POST", URL: s.URL + "/3", Body: []byte("{}")})
	if err != nil || r.Status != 302 || r.Header.Get("Location") != "/2" || len(r.Chain) != 0 || s.hits.Load() != 1 {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestALoopEnds(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusFound) })
	_, err := trusting(t, s.URL).Do(t.Context(), Request{URL: s.URL, Budget: DefaultBudget()})
	expectFault(t, err, curlew.KindRefused, "too_many_redirects")
	if n := s.hits.Load(); n != 11 {
		t.Errorf("%d requests, want 11", n)
	}
}

func TestRedirectsAreJudgedLikeTheFirstURL(t *testing.T) {
	k := newCanary(t)
	for location, code := range map[string]string{
		"file:///etc/passwd":                       "scheme_forbidden",
		"gopher://127.0.0.1/":                      "scheme_forbidden",
		"javascript:alert(1)":                      "scheme_forbidden",
		"http://169.254.169.254/latest/meta-data/": "address_forbidden",
		"//169.254.169.254/":                       "address_forbidden",
		"http://[fd00:ec2::254]/":                  "address_forbidden",
		"http://2130706433/":                       "url_refused",
		"http://user@127.0.0.1/":                   "url_refused",
		"http://127.0.0.1:6379/":                   "port_forbidden",
		k.at("127.0.0.1"):                          "port_forbidden",
		"http://[::1/":                             "url_refused",
		"/" + strings.Repeat("a", 3000):            "url_refused",
	} {
		t.Run(location[:min(len(location), 40)], func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", location)
				w.WriteHeader(http.StatusFound)
			})
			c := client(t, Policy{Allow: loopback[:1], Ports: []uint16{80, portIn(t, s.URL)}})
			_, err := c.Do(t.Context(), Request{URL: s.URL, Budget: DefaultBudget()})
			expectFault(t, err, curlew.KindRefused, code)
			if n := s.hits.Load(); n != 1 {
				t.Errorf("%d requests, want 1", n)
			}
		})
	}
	k.untouched(t)
}

func TestEveryHopIsInspectedBeforeItIsDialled(t *testing.T) {
	s := serve(t, hops)
	forbidden := errors.New("robots say no")
	var seen []string
	_, err := trusting(t, s.URL).Do(t.Context(), Request{URL: s.URL + "/3", Budget: DefaultBudget(), Inspect: func(h Hop) error {
		seen = append(seen, strings.TrimPrefix(h.URL, s.URL))
		if strings.HasSuffix(h.URL, "/1") {
			return forbidden
		}
		return nil
	}})
	if !errors.Is(err, forbidden) || strings.Join(seen, " ") != "/3 /2 /1" || s.hits.Load() != 2 {
		t.Errorf("seen %v, %d requests, error %v", seen, s.hits.Load(), err)
	}
}

func TestTheChainTellsTheWay(t *testing.T) {
	s := serve(t, hops)
	r := get(t, trusting(t, s.URL), s.URL+"/2#part")
	want := []Hop{{s.URL + "/2", 302, "/1"}, {s.URL + "/1", 302, "/0"}}
	if len(r.Chain) != 2 || r.Chain[0] != want[0] || r.Chain[1] != want[1] {
		t.Errorf("got %v, want %v", r.Chain, want)
	}
}

// What arrives after a redirect, by status and method.
func TestMethodsAfterARedirect(t *testing.T) {
	for _, c := range []struct {
		status       int
		method, want string
	}{
		{301, "GET", "GET;;"}, {303, "HEAD", "HEAD;;"},
		{301, "POST", "GET;;"}, {302, "POST", "GET;;"}, {303, "PUT", "GET;;"},
		{307, "POST", "POST;data;text/plain"}, {308, "PUT", "PUT;data;text/plain"},
	} {
		t.Run(fmt.Sprintf("%d %s", c.status, c.method), func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/from" {
					http.Redirect(w, r, "/to", c.status)
					return
				}
				body, _ := io.ReadAll(r.Body)
				w.Header().Set("Got", r.Method+";"+string(body)+";"+r.Header.Get("Content-Type"))
			})
			request := Request{Method: c.method, URL: s.URL + "/from", Budget: DefaultBudget()}
			if c.method == "POST" || c.method == "PUT" {
				request.Body = []byte("data")
				request.Header = http.Header{"Content-Type": {"text/plain"}}
			}
			r, err := trusting(t, s.URL).Do(t.Context(), request)
			if err != nil || r.Header.Get("Got") != c.want {
				t.Errorf("got %v, %v, want %q", r, err, c.want)
			}
		})
	}
}

func TestCredentialsStayWithTheirOrigin(t *testing.T) {
	var got http.Header
	other := serve(t, func(_ http.ResponseWriter, r *http.Request) { got = r.Header })
	first := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Set-Cookie", "session=1")
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, other.URL, http.StatusFound)
		case "/home":
			http.Redirect(w, r, "/", http.StatusFound)
		default:
			got = r.Header
		}
	})
	c := trusting(t, first.URL, other.URL)
	for path, want := range map[string]string{"/home": "Bearer x|given=1|de", "/away": "||de"} {
		t.Run(path, func(t *testing.T) {
			header := http.Header{"Authorization": {"Bearer x"}, "Cookie": {"given=1"}, "Accept-Language": {"de"}}
			if _, err := c.Do(t.Context(), Request{URL: first.URL + path, Budget: DefaultBudget(), Header: header}); err != nil {
				t.Fatal(err)
			}
			if have := got.Get("Authorization") + "|" + got.Get("Cookie") + "|" + got.Get("Accept-Language"); have != want {
				t.Errorf("got %q, want %q", have, want)
			}
		})
	}
}
