package middleware

import (
	"bytes"
	"net/http"
	"net/url"
	pathpkg "path"
	"strings"

	"golang.org/x/net/html"
)

// Below serves an installation below a path of its host ("/curlew"; "" for none), whether the proxy
// before it takes the path off or not.
//
// An address that is spelled with dots or doubled slashes leads to its plain spelling below the path: a mux would
// lead to that at the root of the host, where another program may be.
func Below(path string, next http.Handler) http.Handler {
	if path == "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rest, below := strings.CutPrefix(r.URL.Path, path)
		spelled := r.URL.EscapedPath()
		switch plain := plainly(spelled); {
		case plain != spelled:
			w.Header().Set("Location", lower(path, plain)+(&url.URL{RawQuery: r.URL.RawQuery}).String())
			w.WriteHeader(http.StatusTemporaryRedirect)
		case below && rest == "":
			to := *r.URL
			to.Path, to.RawPath = path+"/", ""
			http.Redirect(w, r, to.String(), http.StatusPermanentRedirect)
		case below && rest[0] == '/':
			shorter, address := *r, *r.URL
			address.Path, address.RawPath = rest, strings.TrimPrefix(address.RawPath, path)
			shorter.URL = &address
			next.ServeHTTP(w, &shorter)
			r.Pattern = shorter.Pattern
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// plainly spells a path without dots and doubled slashes.
func plainly(spelled string) string {
	plain := pathpkg.Clean("/" + spelled)
	if plain != "/" && strings.HasSuffix(spelled, "/") {
		plain += "/"
	}
	return plain
}

// Pages lets handlers write their pages as if they were at the root of their host: links, forms,
// scripts and redirects are brought below the path.
func Pages(path string, next http.Handler) http.Handler {
	if path == "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page := &pageWriter{ResponseWriter: w, path: path}
		next.ServeHTTP(page, r)
		page.end()
	})
}

// pageWriter keeps a page until it is whole, and passes on everything else.
type pageWriter struct {
	http.ResponseWriter
	path    string
	decided bool
	page    *bytes.Buffer // nil for what is no page
	status  int
}

// Unwrap is for http.ResponseController.
func (p *pageWriter) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// WriteHeader looks what kind of answer begins.
func (p *pageWriter) WriteHeader(status int) {
	h := p.Header()
	if to := h.Get("Location"); to != "" {
		h.Set("Location", lower(p.path, to))
	}
	p.decided = true
	if strings.HasPrefix(h.Get("Content-Type"), "text/html") {
		h.Del("Content-Length")
		p.page, p.status = &bytes.Buffer{}, status
		return
	}
	p.ResponseWriter.WriteHeader(status)
}

// Write takes a part of the answer.
func (p *pageWriter) Write(part []byte) (int, error) {
	if !p.decided {
		p.WriteHeader(http.StatusOK)
	}
	if p.page != nil {
		return p.page.Write(part)
	}
	return p.ResponseWriter.Write(part)
}

func (p *pageWriter) end() {
	if p.page != nil {
		p.ResponseWriter.WriteHeader(p.status)
		_, _ = p.ResponseWriter.Write(lowerPage(p.path, p.page.Bytes())) // the reader may have gone
	}
}

// lower brings an address on this host below the path; one that is there already stays.
func lower(path, address string) string {
	if !strings.HasPrefix(address, "/") || strings.HasPrefix(address, "//") || address == path || strings.HasPrefix(address, path+"/") {
		return address
	}
	return path + address
}

// addressed are the attributes that hold addresses.
var addressed = map[string]bool{"href": true, "src": true, "action": true, "formaction": true}

// lowerPage brings the addresses of a page below the path, and leaves the rest as it is.
func lowerPage(path string, page []byte) []byte {
	var out bytes.Buffer
	for tokens := html.NewTokenizer(bytes.NewReader(page)); ; {
		kind := tokens.Next()
		raw := bytes.Clone(tokens.Raw()) // looking at the token may change it
		if kind == html.ErrorToken {
			return append(out.Bytes(), raw...)
		}
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			out.Write(raw)
			continue
		}
		token, changed := tokens.Token(), false
		for i, a := range token.Attr {
			if to := lower(path, a.Val); addressed[a.Key] && to != a.Val {
				token.Attr[i].Val, changed = to, true
			}
		}
		if changed {
			raw = []byte(token.String())
		}
		out.Write(raw)
	}
}
