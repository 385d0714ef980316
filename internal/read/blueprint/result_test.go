package blueprint

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/google/go-cmp/cmp"
)

func TestIdentityFallsBackToTheAddressThenToAHash(t *testing.T) {
	page := `<ul><li><a href=/1>A</a><li><a href=/same>B</a><li><a href=/same>C</a><li>D</ul>`
	result := applyText(t, page, `{"css": "li"}`, `{"title": {}, "url": {"css": "a", "attr": "href", "do": ["url"]}}`)
	var ids []string
	for _, d := range result.Drafts {
		ids = append(ids, d.ExternalID)
	}
	if ids[0] != "https://example.org/1" || ids[1] == ids[2] || !strings.HasPrefix(ids[1], "h:") || !strings.HasPrefix(ids[3], "h:") {
		t.Errorf("%q", ids)
	}
	again := applyText(t, "<p>x</p>"+page, `{"css": "li"}`, `{"title": {}, "url": {"css": "a", "attr": "href", "do": ["url"]}}`)
	for i, d := range again.Drafts {
		if d.ExternalID != ids[i] {
			t.Errorf("record %d has another id on a page that differs elsewhere", i)
		}
	}
}

func TestWhatFollowsAPage(t *testing.T) {
	page := func(body string) PageInput {
		return PageInput{Document: dom.New([]byte(body), "https://example.org/list/")}
	}
	head := `{"curlew": 1, "schema": "custom", "page": "list", "tier": "html", "fields": {"a": {}}, `
	next := compileText(t, []byte(head+`"records": {"css": "li"}, "pagination": {"kind": "next", "next": {"css": "a.next", "attr": "href"}}}`))
	if got := next.Onward(page(`<a class=next href="?p=2">more</a>`)); got.Next != "https://example.org/list/?p=2" {
		t.Errorf("%+v", got)
	}
	if got := next.Onward(page(`<a class=prev href="?p=2">less</a>`)); got != (Onward{}) {
		t.Errorf("%+v", got)
	}
	cursor := compileText(t, []byte(head+`"records": {"json": "$.e[*]"}, "pagination": {"kind": "cursor", "parameter": "c", "cursor": "$.meta.after", "total": "$.meta.total"}}`))
	if got := cursor.Onward(page(`{"e": [], "meta": {"after": "x7", "total": 90}}`)); got != (Onward{Cursor: "x7", Total: 90}) {
		t.Errorf("%+v", got)
	}
}

func TestAFollowedPageAddsToTheRecord(t *testing.T) {
	record := curlew.Draft{ExternalID: "1", URL: "u", Node: "n", Confidence: 0.9, Fields: curlew.Values{"title": "A", "text": "short", "slots": map[string]any{"a": "1"}}}
	more := curlew.Draft{ExternalID: "2", URL: "v", Confidence: 1, Fields: curlew.Values{"text": "long", "slots": map[string]any{"b": "2"}},
		Provenance: map[string]curlew.Evidence{"text": {Rule: "css:p"}}}
	got := Merge(record, more)
	want := curlew.Draft{ExternalID: "1", URL: "u", Node: "n", Confidence: 0.9, Provenance: more.Provenance,
		Fields: curlew.Values{"title": "A", "text": "long", "slots": map[string]any{"a": "1", "b": "2"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if record.Fields["text"] != "short" {
		t.Error("the record itself was changed")
	}
}

const goodPage = `<ul>` +
	`<li><b>Alpha night</b><i>4.5.2026</i><s>10 €</s><a href=/1>x</a><li><b>Beta matinee</b><i>5.5.2026</i><s>12 €</s><a href=/2>x</a>` +
	`<li><b>Gamma tour</b><i>6.5.2026</i><s>8 €</s><a href=/3>x</a><li><b>Delta quiz</b><i>7.5.2026</i><a href=/4>x</a>` +
	`<li><b>Epsilon</b><i>8.5.2026</i><s>9 €</s><a href=/5>x</a></ul>`

func TestAPageThatNoLongerFitsIsToldFromAnEmptyOne(t *testing.T) {
	read := func(page string) Output {
		text := `{"curlew": 1, "schema": "event", "page": "list", "tier": "html", "records": {"css": "li"}, "fields": {
			"title": {"css": "b", "required": true}, "starts_at": {"css": "i"}, "price_min": {"css": "s"}, "url": {"css": "a", "attr": "href"}}}`
		return compileText(t, []byte(text)).Apply(PageInput{Document: dom.New([]byte(page), "https://example.org/")})
	}
	expect := ExpectationsOf(read(goodPage).Drafts)
	want := &Expect{Records: &Range{5, 5}, Fields: map[string]Expectation{
		"title":     {Present: 1, Distinct: 1, MinLength: 7, MaxLength: 12, Looks: "text"},
		"starts_at": {Present: 1, Distinct: 1, MinLength: 8, MaxLength: 8, Looks: "date"},
		"price_min": {Present: 0.8, Distinct: 1, MinLength: 3, MaxLength: 4, Looks: "price"},
		"url":       {Present: 1, Distinct: 1, MinLength: 21, MaxLength: 21, Looks: "url"}}}
	if diff := cmp.Diff(want, expect); diff != "" {
		t.Fatal(diff)
	}
	for _, c := range []struct {
		name, page string
		fit        Fit
		fields     []string
	}{
		{"the same", goodPage, FitWhole, nil},
		{"fewer, other values", `<li><b>Zeta show</b><i>1.1.2027</i><s>5 €</s><a href=/9>x</a><li><b>Eta</b><i>2.1.2027</i><s>6 €</s><a href=/8>y</a>`, FitWhole, nil},
		{"nothing", `<ul></ul>`, FitEmpty, nil},
		{"prices gone", strings.NewReplacer("<s>", "<u>", "</s>", "</u>").Replace(goodPage), FitPartly, []string{"price_min"}},
		{"titles gone", strings.NewReplacer("<b>", "<u>", "</b>", "</u>").Replace(goodPage), FitNot, nil},
		{"titles all the same", `<li><b>Tickets</b><i>1.1.</i><s>1 €</s><a href=/1>x</a>` + strings.Repeat(`<li><b>Tickets</b><i>1.1.</i><s>1 €</s><a href=/1>x</a>`, 5),
			FitNot, []string{"price_min", "starts_at", "title", "url"}},
		{"dates and prices changed places", strings.NewReplacer("<s>", "<i>", "</s>", "</i>", "<i>", "<s>", "</i>", "</s>").Replace(goodPage), FitNot, []string{"price_min", "starts_at"}},
		{"one record left", `<li><b>Zeta show</b><i>1.1.2027</i><s>5 €</s><a href=/9>x</a>`, FitPartly, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Fits(read(c.page), expect)
			if got.Fit != c.fit || !slices.Equal(got.Fields, c.fields) || (got.Fit == FitWhole) != (len(got.Reasons) == 0) {
				t.Errorf("%s: %+v", c.name, got)
			}
		})
	}
	if ExpectationsOf(nil) != nil || Fits(read(goodPage), nil).Fit != FitWhole {
		t.Error("without a sample nothing can be expected")
	}
}

func TestASaleThatEndsIsNoDrift(t *testing.T) {
	expect := &Expect{Fields: map[string]Expectation{"price_was": {Present: 0.8, Distinct: 1, Looks: "price"}}}
	drafts := make([]curlew.Draft, 10)
	for i := range drafts {
		drafts[i] = curlew.Draft{Schema: curlew.SchemaProduct, Fields: curlew.Values{"name": "Chair " + strings.Repeat("I", i), "price": "£9"}}
	}
	if got := Fits(Output{Drafts: drafts}, expect); got.Fit != FitWhole {
		t.Errorf("%+v", got)
	}
}

func TestVersionsDifferInWords(t *testing.T) {
	parse := func(text string) *Blueprint {
		b, err := Parse([]byte(`{"curlew": 1, "page": "list", ` + text + `}`))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	a := parse(`"schema": "event", "tier": "html", "records": {"css": "li"}, "fields": {"title": {"css": "b"}, "url": {"css": "a", "attr": "href"}, "city": {"css": "i"}}`)
	b := parse(`"schema": "event", "tier": "html", "records": {"css": "article", "shape": "group"}, "fields": {"title": {"rules": [{"css": "h3"}, {"css": "b"}], "required": true},
		"url": {"css": "a", "attr": "href"}, "starts_at": {"label": "When", "do": ["lower"]}}, "identity": {"fields": [["url"], ["title", "starts_at"]]}, "context": {"language": "en"},
		"follow": [{"field": "url", "with": {"curlew": 1, "schema": "event", "page": "single", "tier": "html", "fields": {"city": {"css": "i"}}}}]`)
	want := []string{
		"record selector changed from css:li to css:article shape group",
		"field city removed",
		"field starts_at added: label:When | lower",
		"field title changed from css:b to css:h3, else css:b",
		"field title is required now",
		"identity added: url, else title and starts_at",
		"context added",
		"follows url",
	}
	if diff := cmp.Diff(want, Diff(a, b)); diff != "" {
		t.Error(diff)
	}
}

func TestOneCompiledBlueprintServesManyAtOnce(t *testing.T) {
	compiled := compileText(t, []byte(`{"curlew": 1, "schema": "custom", "page": "list", "tier": "html", "records": {"css": "li"}, "fields": {
		"v": {"xpath": ".//b"}, "w": {"css": "a", "attr": "href"}, "x": {"label": "No"}, "y": {"css": "ul", "from": "heading"}}}`))
	document := dom.New([]byte(goodPage), "https://example.org/")
	want := write(compiled.Apply(PageInput{Document: document}))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if got := write(compiled.Apply(PageInput{Document: document})); got != want {
				t.Errorf("%s", cmp.Diff(want, got))
			}
		})
	}
	all.Wait()
}
