package quality

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text/dates"
)

// What a page carries as data has no place on it; the card that bears a record's name tells
// whether the data are right.
func TestDataAreHeldAgainstTheCardsOfThePage(t *testing.T) {
	shop, programme := "<h1>Bicycles</h1><ul>", "<h1>What's on</h1>"
	var products, concerts []SampleRecord
	for i, name := range []string{"Alster 7", "Fleet city", "Heide gravel", "Duo tandem"} {
		shop += fmt.Sprintf(`<li><h2>%s</h2><span>1.%d99,00 €</span></li>`, name, i+2)
		programme += fmt.Sprintf(`<div><h3>%s</h3><p>%d December 2026</p></div>`, name, i+4)
		products = append(products, SampleRecord{Record: curlew.Record{Schema: curlew.SchemaProduct,
			Fields: curlew.Values{"name": name, "price": int64(1099+100*(i+2)) * 10000, "currency": "EUR"}}})
		concerts = append(concerts, SampleRecord{Record: curlew.Record{Schema: curlew.SchemaEvent,
			Fields: curlew.Values{"title": name, "starts_at": fmt.Sprintf("2025-12-0%d", i+4)}}})
	}
	for page, c := range map[string]struct {
		sample []SampleRecord
		want   ErrorCode
		field  string
	}{
		shop + "</ul>": {products, MinorUnits, "price"},
		programme:      {concerts, Contradicted, "starts_at"},
	} {
		t.Run(c.field, func(t *testing.T) {
			doc := dom.New([]byte(`<html lang="de"><body>`+page+`</body></html>`), "https://a.example/list")
			for i := range c.sample {
				c.sample[i].Pages = []*dom.Document{doc}
			}
			j := Judge(t.Context(), c.sample, dates.Options{Now: time.Date(2026, 11, 17, 0, 0, 0, 0, time.UTC), Lang: "de"})
			if !slices.ContainsFunc(j.Systematic, func(e SystematicError) bool { return e.Code == c.want && e.Field == c.field }) {
				t.Errorf("found %v", j.Systematic)
			}
		})
	}
}

// A venue that is called as the site is in the head of its pages is not called a title there.
func TestTheNameOfTheSiteIsNoTitleOfRecords(t *testing.T) {
	page, data := `<html lang="en"><body><header><p class="site-title"><a href="/" rel="home">Tide House</a></p></header><main><h1>What's on</h1>`, []string{}
	var concerts []SampleRecord
	for i, name := range []string{"Swing Kids", "Brass Night", "Open Stage", "Choir Day"} {
		day := fmt.Sprintf("2026-12-0%d", i+4)
		page += fmt.Sprintf(`<article><h3>%s</h3><p>%d December 2026</p></article>`, name, i+4)
		data = append(data, fmt.Sprintf(`{"@type":"Event","name":"%s","startDate":"%s","location":{"@type":"Place","name":"Tide House"}}`, name, day))
		concerts = append(concerts, SampleRecord{Record: curlew.Record{Schema: curlew.SchemaEvent, Fields: curlew.Values{"title": name, "starts_at": day, "venue_name": "Tide House"}}})
	}
	doc := dom.New([]byte(page+`</main><script type="application/ld+json">[`+strings.Join(data, ",")+`]</script></body></html>`), "https://a.example/list")
	for i := range concerts {
		concerts[i].Pages = []*dom.Document{doc}
	}
	j := Judge(t.Context(), concerts, dates.Options{Now: time.Date(2026, 11, 17, 0, 0, 0, 0, time.UTC), Lang: "en"})
	if slices.ContainsFunc(j.Systematic, func(e SystematicError) bool { return e.Field == "venue_name" }) {
		t.Errorf("found %v", j.Systematic)
	}
}
