package world

import (
	"encoding/base64"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/ops/setup"
	"github.com/curlew-data/curlew/internal/work/teach"
)

// Site is a small website: a list of products that lead to pages of their own.
type Site struct {
	t      *testing.T
	server *httptest.Server
}

func newSite(t *testing.T) *Site {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{list}/{$}", showList)
	mux.HandleFunc("GET /{list}/{item}", showItem)
	s := &Site{t: t, server: httptest.NewServer(mux)}
	t.Cleanup(s.server.Close)
	return s
}

func (s *Site) port() uint16 { return portOf(s.t, s.server.URL) }

// brands make the records of the list differ.
var brands = []string{"Waal", "Rijn", "Maas", "IJssel", "Vecht", "Amstel"}

func showList(w http.ResponseWriter, r *http.Request) {
	name := nameOf(r)
	var items strings.Builder
	for i, brand := range brands {
		fmt.Fprintf(&items, `<li class="card"><h3><a href="item-%d">%s %s</a></h3><span class="price">€ %d,99</span><span>%s works</span></li>`,
			i, brand, name, 12+i, brand)
	}
	fmt.Fprintf(w, `<!doctype html><html lang="en"><meta charset="utf-8"><title>%s</title><h1>Bicycles</h1><ul class="grid">%s</ul>`,
		name, items.String())
}

func showItem(w http.ResponseWriter, r *http.Request) {
	var i int
	if _, err := fmt.Sscanf(r.PathValue("item"), "item-%d", &i); err != nil || i < 0 || i >= len(brands) {
		http.NotFound(w, r)
		return
	}
	name, brand := nameOf(r), brands[i]
	fmt.Fprintf(w, `<!doctype html><html lang="en"><meta charset="utf-8"><title>%[2]s %[1]s</title><main><h1>%[2]s %[1]s</h1>
<p class="price">€ %[3]d,99</p><p class="sku">SKU: B-%[4]d00%[4]d</p><div class="description">
<p>%[2]s %[1]s is a bicycle of %[4]d gears, made by hand for those who ride to work each day.</p></div></main>`, name, brand, 12+i, i+3)
}

// nameOf is what the products of a list are called, as markup.
func nameOf(r *http.Request) string {
	name, _ := base64.RawURLEncoding.DecodeString(r.PathValue("list")) // what is no name is none
	return html.EscapeString(string(name))
}

// ListAt is the address of a list whose products are called by a name.
func (w *World) ListAt(name string) string {
	return w.site.server.URL + "/" + base64.RawURLEncoding.EncodeToString([]byte(name)) + "/"
}

// Teach begins a training on a list whose products are called by a name, with the pages of
// its records and a test. The list's site is a source of the org.
func (w *World) Teach(org curlew.OrgID, name string) string {
	w.Helper()
	web, now, at := setup.PacedWeb{Fetcher: w.I.Reading.Reader.Fetcher, Delay: new(time.Duration(0))}, w.I.Onboard.Now(), w.ListAt(name)
	page, err := teach.FetchPage(w.Context(), web, at, now)
	if err != nil {
		w.Fatal(err)
	}
	goal := teach.Goal{URL: at, Schema: curlew.SchemaProduct, Page: curlew.PageList, Instructions: name}
	err = w.I.Store.Write(w.Context(), org, func(s store.WriteScope) error {
		source, err := s.Sources().Add(w.Context(), curlew.Source{Name: name, BaseURL: w.site.server.URL + "/", Trust: curlew.TrustProbation})
		goal.Source = source.ID
		return err
	})
	if err != nil {
		w.Fatal(err)
	}
	l, err := w.trainings.Begin(w.Context(), org, goal, page, false)
	if err != nil {
		w.Fatal(err)
	}
	if err := l.ReadDetail(w.Context(), web, now); err != nil {
		w.Fatal(err)
	}
	if err := l.Try(w.Context(), web, at, now); err != nil {
		w.Fatal(err)
	}
	if err := l.Save(); err != nil {
		w.Fatal(err)
	}
	return l.ID
}

// Training is a training as it is kept.
func (w *World) Training(org curlew.OrgID, id string) *teach.Training {
	w.Helper()
	l, err := w.trainings.Open(org, id)
	if err != nil {
		w.Fatal(err)
	}
	return l
}
