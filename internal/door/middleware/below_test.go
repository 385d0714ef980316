package middleware

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestAnInstallationBelowAPathWritesPagesAsIfItWereAtTheRoot(t *testing.T) {
	for wrote, want := range map[string]string{
		`<a href="/sources?a=1&amp;b=2">x</a>`:                                                               `<a href="/curlew/sources?a=1&amp;b=2">x</a>`,
		`<form method="post" action="/sign-in"><input value=/>`:                                              `<form method="post" action="/curlew/sign-in"><input value=/>`,
		`<script src="/assets/a.js?v=1" defer></script>`:                                                     `<script src="/curlew/assets/a.js?v=1" defer=""></script>`,
		`<a href="/curlew/x"><a href="https://a.example/"><a href="//b.example/"><a href="#c"><a href="?d">`: `<a href="/curlew/x"><a href="https://a.example/"><a href="//b.example/"><a href="#c"><a href="?d">`,
		`<p title="/a">/b <code>href="/c"</code><!-- <a href="/d"> --><style>a{}</style>`:                    `<p title="/a">/b <code>href="/c"</code><!-- <a href="/d"> --><style>a{}</style>`,
		`<a href="/x" title="&lt;b&gt; &#34;">`:                                                              `<a href="/curlew/x" title="&lt;b&gt; &#34;">`,
		`<p>unfinished <a href="/x`:                                                                          `<p>unfinished <a href="/x`,
	} {
		t.Run(wrote, func(t *testing.T) {
			if got := string(lowerPage("/curlew", []byte(wrote))); got != want {
				t.Errorf("%s became\n%s, want\n%s", wrote, got, want)
			}
		})
	}
}

func TestRequestsReachAnInstallationBelowAPathWhetherTheProxyTakesItOffOrNot(t *testing.T) {
	handler := Below("/curlew", Pages("/curlew", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/from":
			http.Redirect(w, r, "/to?a=b", http.StatusSeeOther)
		case "/data":
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"at":"`+r.URL.EscapedPath()+`"}`)
		default:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, `<a href="/`+r.URL.EscapedPath()[1:]+`">`)
		}
	})))
	for at, want := range map[string]struct {
		status   int
		location string
		body     string
	}{
		"/curlew":                  {308, "/curlew/", ""},
		"/curlew?a=b":              {308, "/curlew/?a=b", ""},
		"/curlew/":                 {404, "", `<a href="/curlew/">`},
		"/curlew/a%2Fb":            {404, "", `<a href="/curlew/a%2Fb">`},
		"/a%2Fb":                   {404, "", `<a href="/curlew/a%2Fb">`},
		"/curlew/data":             {200, "", `{"at":"/data"}`},
		"/curlew/from":             {303, "/curlew/to?a=b", ""},
		"/from":                    {303, "/curlew/to?a=b", ""},
		"/curlew//data?key=k":      {307, "/curlew/data?key=k", ""},
		"//data/?key=k":            {307, "/curlew/data/?key=k", ""},
		"//curlew/data":            {307, "/curlew/data", ""},
		"/curlew//evil.example/..": {307, "/curlew", ""},
		"/curlew/../data":          {307, "/curlew/data", ""},
		"/curlew/..":               {307, "/curlew/", ""},
		"/curlew.v1.Else":          {404, "", `<a href="/curlew/curlew.v1.Else">`},
	} {
		t.Run(at, func(t *testing.T) {
			answer := httptest.NewRecorder()
			handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, at, nil))
			got := answer.Result()
			if got.StatusCode != want.status || got.Header.Get("Location") != want.location || want.body != "" && answer.Body.String() != want.body {
				t.Errorf("%s: %d %q %s", at, got.StatusCode, got.Header.Get("Location"), answer.Body)
			}
		})
	}
}
