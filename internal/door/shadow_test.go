package door_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/door/rest"
)

// shelf is a page with six things, and rules that read some of them.
func shelf(t *testing.T) *httptest.Server {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<html><body><h1>Things for sale</h1><ul id="list">`)
		for i, name := range []string{"anvil iron", "bell brass", "cart oak", "drum tin", "elk bone", "fife box"} {
			fmt.Fprintf(w, `<li class="card"><a href="/p/%d"><h3>%s</h3></a><span class="price">€ %d0</span></li>`, i, name, i+1)
		}
		fmt.Fprint(w, `</ul><footer>`, strings.Repeat("Words at the end. ", 60), `</footer></body></html>`)
	}))
	t.Cleanup(server.Close)
	return server
}

func shelfRules(records string) string {
	return `{"curlew":1,"schema":"product","page":"list","tier":"html","records":{"css":"` + records + `"},
		"fields":{"name":{"css":"h3","required":true},"price":{"css":".price"},"url":{"css":"a","attr":"href"}}}`
}

// Whoever switches over the API may ask for the shadow first: a version that would lose
// data is refused with the reason, and taken only by those who insist.
func TestTheAPIRefusesAVersionThatWouldLoseData(t *testing.T) {
	site := shelf(t)
	w := newRPCWorld(t, portOf(site.URL))
	none := curlew.Duration(0)
	var watch curlew.Watch
	err := w.i.Store.Write(t.Context(), "acme", func(s store.WriteScope) error {
		source, err := s.Sources().Add(t.Context(), curlew.Source{Name: "shelf", BaseURL: site.URL, Trust: curlew.TrustProbation})
		if err != nil {
			return err
		}
		b, err := s.Blueprints().Add(t.Context(), curlew.Blueprint{Source: source.ID, Schema: curlew.SchemaProduct, PageType: curlew.PageList, Tier: curlew.TierHTML,
			Rules: json.RawMessage(shelfRules("li.card")), TestURL: site.URL + "/"})
		if err != nil {
			return err
		}
		if b, err = s.Blueprints().Activate(t.Context(), b.ID); err != nil {
			return err
		}
		watch, err = s.Watches().Add(t.Context(), curlew.Watch{Source: source.ID, Blueprint: b.ID, URL: site.URL + "/", Schedule: "adaptive", Status: curlew.WatchActive, Settings: curlew.WatchSettings{Delay: &none}})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	post := func(path, body string, status int, into any) string {
		t.Helper()
		answer, text := w.ask("POST", rest.Prefix+path, "acme.editor", body)
		if answer.StatusCode != status {
			t.Fatalf("%s: %s %s", path, answer.Status, text)
		}
		if into != nil {
			if err := json.Unmarshal([]byte(text), into); err != nil {
				t.Fatal(err)
			}
		}
		return text
	}
	readBy := func() curlew.BlueprintID {
		t.Helper()
		is, err := w.i.Store.Org("acme").Watches().Get(t.Context(), watch.ID)
		if err != nil {
			t.Fatal(err)
		}
		return is.Blueprint
	}
	var fewer, same curlew.Blueprint
	post("/blueprints", `{"source_id":"`+string(watch.Source)+`","rules":`+shelfRules("li.card:nth-child(-n+2)")+`}`, 201, &fewer)
	post("/blueprints", `{"source_id":"`+string(watch.Source)+`","rules":`+shelfRules("#list > li")+`}`, 201, &same)

	activate := "/blueprints/" + string(fewer.ID) + "/activate"
	if text := post(activate, `{"shadow":true}`, 409, nil); !strings.Contains(text, "would_lose_data") || !strings.Contains(text, "of 6 entities") || readBy() != watch.Blueprint {
		t.Errorf("a version that loses entities: %s, read by %s", text, readBy())
	}
	post(activate, `{"force":true}`, 400, nil)
	var done rest.Activated
	post("/blueprints/"+string(same.ID)+"/activate", `{"shadow":true}`, 200, &done)
	if done.ID != same.ID || len(done.Shadows) != 1 || !done.Shadows[0].Shadow.Agrees || done.Shadows[0].Shadow.Fresh.Both != 6 || readBy() != same.ID {
		t.Errorf("a version that agrees: %+v", done)
	}
	post(activate, `{"shadow":true,"force":true}`, 200, &done)
	if len(done.Shadows) != 1 || done.Shadows[0].Shadow.Agrees || readBy() != fewer.ID {
		t.Errorf("whoever insists: %+v", done)
	}
	var back rest.RolledBack
	post("/sources/"+string(watch.Source)+"/rollback", `{"version":1,"shadow":true}`, 200, &back)
	if back.To != watch.Blueprint || len(back.Shadows) != 1 || !back.Shadows[0].Shadow.Agrees {
		t.Errorf("going back: %+v", back)
	}
	if answer, text := w.ask("POST", rest.Prefix+activate, "birch.editor", `{"shadow":true}`); answer.StatusCode != http.StatusNotFound {
		t.Errorf("another org: %s %s", answer.Status, text)
	}
}
