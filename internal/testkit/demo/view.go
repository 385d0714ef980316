package demo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
)

// view is what a template sees: the scene, and what this page is about.
type view struct {
	scene
	Heading string
	Path    string // of this page, for canonical links
	Items   any
	Item    any
	Pager   pager
	Data    any // embedded data: JSON-LD, the state of a script framework
}

// Canonical is the address of the page without tracking.
func (v view) Canonical() string { return v.base + v.Path }

// pager is the foot of a list.
type pager struct {
	Page, Pages, Total int
	Prev, Next         string // empty at the ends
	Links              []pageLink
}

type pageLink struct {
	Number  int
	Path    string
	Current bool
}

// paginate cuts one page out of a list. A page that does not exist is empty.
func paginate[T any](all []T, number, size int, link func(n int) string) ([]T, pager) {
	p := pager{Page: number, Pages: max(1, (len(all)+size-1)/size), Total: len(all)}
	for n := 1; n <= p.Pages; n++ {
		p.Links = append(p.Links, pageLink{n, link(n), n == number})
	}
	if number > 1 {
		p.Prev = link(number - 1)
	}
	if number < p.Pages {
		p.Next = link(number + 1)
	}
	from := min((number-1)*size, len(all))
	return all[from:min(from+size, len(all))], p
}

// pageLinks makes the addresses of the pages of a list: the first has none of its own.
func pageLinks(base, parameter string) func(n int) string {
	return func(n int) string {
		if n == 1 {
			return base
		}
		return fmt.Sprintf("%s?%s=%d", base, parameter, n)
	}
}

// home leads from the root of a site to the page to begin with.
func home(to string) path {
	return path{"GET /{$}", func(s scene, _ *http.Request) page { return redirect(s.base + to) }}
}

// numberOf reads a small positive number from the query; anything else is 1.
func numberOf(r *http.Request, name string) int {
	n, err := strconv.Atoi(r.URL.Query().Get(name))
	if err != nil || n < 1 || n > 1_000_000 {
		return 1
	}
	return n
}

// html renders a template of the present design.
func (s scene) html(name string, v view) page {
	v.scene = s
	var out bytes.Buffer
	if err := s.look.ExecuteTemplate(&out, name, v); err != nil {
		return page{status: http.StatusInternalServerError, kind: "text/plain; charset=utf-8", body: []byte(err.Error())}
	}
	return s.dressed(out.Bytes())
}

// dressed gives markup its cosmetic drift and the charset of the site.
func (s scene) dressed(markup []byte) page {
	markup = redress(markup, s.noise("markup"))
	if s.card.Charset == "windows-1252" {
		markup = windows1252(markup)
	}
	return page{kind: "text/html; charset=" + s.Charset(), body: markup}
}

// lost is the site's detail page for an address that is not there.
func (s scene) lost() page {
	p := s.html("lost", view{Heading: s.Word("lost"), Path: "/404"})
	p.status = http.StatusNotFound
	return p
}

// prosePage is the page behind the menu's links: text, and nothing to read.
func prosePage(s scene, r *http.Request) page {
	return s.html("prose", view{Heading: unslug(r.PathValue("slug")), Path: r.URL.Path})
}

func jsonPage(value any) page {
	body, err := json.Marshal(value)
	if err != nil {
		return page{status: http.StatusInternalServerError, kind: "text/plain; charset=utf-8", body: []byte(err.Error())}
	}
	return page{kind: "application/json; charset=utf-8", body: body}
}

func refused(status int, format string, args ...any) page {
	p := jsonPage(map[string]any{"error": fmt.Sprintf(format, args...)})
	p.status = status
	return p
}

func redirect(to string) page {
	return page{status: http.StatusMovedPermanently, kind: "text/html; charset=utf-8", header: map[string]string{"Location": to},
		body: []byte(`<a href="` + template.HTMLEscapeString(to) + `">Moved Permanently</a>`)}
}
