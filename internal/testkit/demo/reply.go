package demo

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// routes are the site's own paths and those that every site has.
func (w *Web) routes(p *place) *http.ServeMux {
	all := append(p.site.paths,
		path{"GET /robots.txt", robotsPage},
		path{"GET /info/{slug}", prosePage},
		path{"GET /media/{file}", mediaPage},
		path{"GET /assets/{file}", assetPage},
		path{"GET /favicon.ico", iconPage},
		path{"/", func(s scene, _ *http.Request) page { return s.lost() }},
	)
	if p.card.Sitemap {
		all = append(all, path{"GET /sitemap.xml", sitemapPage})
	}
	mux := http.NewServeMux()
	for _, route := range all {
		mux.HandleFunc(route.pattern, func(rw http.ResponseWriter, r *http.Request) {
			s := w.scene(p, r)
			answered := route.answer(s, r)
			if s.state.Broken != "" && r.URL.Path != "/robots.txt" {
				answered = s.broken(answered)
			}
			s.send(rw, r, answered)
		})
	}
	return mux
}

// send puts a page on the wire as the site's server does.
func (s scene) send(w http.ResponseWriter, r *http.Request, p page) {
	if p.stream != nil {
		p.stream(w, r)
		return
	}
	h := w.Header()
	h.Set("Server", s.card.Server)
	if p.kind != "" {
		h.Set("Content-Type", p.kind)
	}
	if strings.HasPrefix(p.kind, "text/html") {
		h.Set("Content-Language", s.card.Lang)
		h.Set("Set-Cookie", "sid="+s.Token("session", 26)+"; Path=/; HttpOnly; SameSite=Lax")
	}
	for name, value := range p.header {
		h.Set(name, value)
	}
	if s.card.Validators && p.status == 0 && notModified(h, r, p) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body := p.body
	if s.card.Gzip && len(body) > 1024 && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		h.Add("Vary", "Accept-Encoding")
		body = compressed(body)
	}
	if h.Get("Content-Length") == "" {
		h.Set("Content-Length", strconv.Itoa(len(body)))
	}
	w.WriteHeader(cmp.Or(p.status, http.StatusOK))
	if r.Method != http.MethodHead {
		// A client that has gone away is nobody's fault.
		_, _ = w.Write(body)
	}
}

// notModified sets the validators and says whether the client has this page.
func notModified(h http.Header, r *http.Request, p page) bool {
	tag := fmt.Sprintf(`W/"%x"`, sha256.Sum256(p.body))[:20] + `"`
	h.Set("ETag", tag)
	h.Set("Cache-Control", "max-age=0, must-revalidate")
	if !p.modified.IsZero() {
		h.Set("Last-Modified", p.modified.UTC().Format(http.TimeFormat))
	}
	if wanted := r.Header.Get("If-None-Match"); wanted != "" {
		return wanted == "*" || strings.Contains(wanted, tag)
	}
	since, err := time.Parse(http.TimeFormat, r.Header.Get("If-Modified-Since"))
	return err == nil && !p.modified.IsZero() && !p.modified.Truncate(time.Second).After(since)
}

func compressed(body []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(body) // a buffer takes everything
	_ = z.Close()
	return out.Bytes()
}

// broken is what becomes of an answer while the site is broken.
func (s scene) broken(p page) page {
	switch s.state.Broken {
	case ModeError:
		failed := s.html("lost", view{Heading: "500 Internal Server Error", Path: "/500"})
		failed.status = http.StatusInternalServerError
		return failed
	case ModeEmpty:
		return page{kind: p.kind}
	case ModeBlock:
		blocked := challengePage(s)
		blocked.status = http.StatusForbidden
		return blocked
	case ModeCaptcha:
		return challengePage(s)
	case ModeTruncated:
		cut := page{status: p.status, kind: p.kind, body: p.body[:len(p.body)*2/5]}
		cut.stream = func(w http.ResponseWriter, r *http.Request) { sendShort(w, cut.kind, cut.body, len(p.body)) }
		return cut
	case ModeHalf:
		return page{status: p.status, kind: p.kind, body: p.body[:len(p.body)/2]}
	}
	return p
}

// sendShort promises more bytes than it sends; the connection then ends.
func sendShort(w http.ResponseWriter, kind string, body []byte, promised int) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(promised))
	_, _ = w.Write(body)
}

// challengePage looks like the challenge of a protection service.
func challengePage(s scene) page {
	body := strings.NewReplacer("{name}", s.card.Name, "{ray}", s.Token("ray", 16), "{ch}", s.Token("ch", 43)).
		Replace(string(rudePage("challenge").body))
	return page{kind: "text/html; charset=UTF-8", body: []byte(body), header: map[string]string{"Cf-Mitigated": "challenge",
		"Cache-Control": "private, max-age=0, no-store"}}
}
