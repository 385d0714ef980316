package product

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/recognise"
	"github.com/curlew-data/curlew/internal/read/structured"
	"github.com/curlew-data/curlew/internal/testkit/growth"
)

var update = flag.Bool("update", false, "write the expected results anew")

// golden is what a page is expected to show.
type golden struct {
	Product    bool              `json:"product"`
	Confidence string            `json:"confidence,omitempty"`
	Fields     curlew.Values     `json:"fields,omitempty"`
	Rules      map[string]string `json:"rules,omitempty"`
	Preferred  []string          `json:"preferred,omitempty"`
}

func productOf(d *dom.Document) (PageDraft, bool) {
	g := structured.Read(d)
	var known *curlew.Draft
	for _, f := range recognise.FromGraph(g, d, curlew.SchemaProduct.Kind()) {
		if f.Main {
			known = f.Draft
		}
	}
	return Product(d, g, known)
}

func TestShopPages(t *testing.T) {
	pages, err := filepath.Glob("testdata/product/*.html")
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages", err)
	}
	for _, path := range pages {
		name := strings.TrimSuffix(filepath.Base(path), ".html")
		t.Run(name, func(t *testing.T) {
			body, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			r, ok := productOf(dom.New(body, "https://shop.example/p/"+name))
			got := golden{Product: ok, Fields: r.Fields, Rules: map[string]string{}}
			if ok {
				got.Confidence = fmt.Sprintf("%.2f", r.Confidence)
			}
			schema, _ := curlew.SchemaByName(curlew.SchemaProduct)
			for _, f := range schema.Fields {
				if e, said := r.Provenance[f.Name]; said {
					got.Rules[f.Name] = e.Rule
				}
				if r.Preferred[f.Name] {
					got.Preferred = append(got.Preferred, f.Name)
				}
			}
			compare(t, strings.TrimSuffix(path, ".html")+".json", got)
		})
	}
}

func compare(t *testing.T, path string, got golden) {
	t.Helper()
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(got); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, out.Bytes()) {
		t.Errorf("got\n%s\nwant\n%s", out.Bytes(), want)
	}
}

func TestTradeNumbersHaveACheckDigit(t *testing.T) {
	for number, valid := range map[string]bool{
		"4006381333931": true, "4006381333932": false, "96385074": true, "036000291452": true, "10012345678902": true,
		"0000000000000": false, "40063813339": false, "400638133393X": false,
	} {
		t.Run(number, func(t *testing.T) {
			if validGTIN(number) != valid {
				t.Errorf("valid should be %v", valid)
			}
		})
	}
}

func TestCodesKeepTheSpellingOfThePage(t *testing.T) {
	for _, c := range []struct{ text, code, want string }{
		{"Product number 002.937.72 for you", "00293772", "002.937.72"},
		{"Ref AB-12 34", "ab1234", "AB-12 34"},
		{"x1002938", "1002938", ""},
		{"10029384", "1002938", ""},
	} {
		t.Run(c.text, func(t *testing.T) {
			if got, _ := asWritten(c.text, c.code); got != c.want {
				t.Errorf("%q in %q: %q, want %q", c.code, c.text, got, c.want)
			}
		})
	}
}

func TestHostilePagesEndSoon(t *testing.T) {
	fill := growth.Fill
	growth.Inputs{
		"prices":  fill("<h1>Thing</h1>", "<p class=price>12,50 €</p>", ""),
		"labels":  fill("<h1>Thing</h1>", "<p>SKU: 1234567 | Brand: X | EAN: 4006381333931</p>", ""),
		"buttons": fill("<h1>Thing</h1>", "<button>Add to cart</button>", ""),
		"deep":    fill("", "<div class=price>", "9 €"),
		"names":   fill("<h1>Thing</h1><p class='", "aB-", "'>9 €</p>"),
		"scripts": fill("<h1>Thing</h1><script>", `"price":1,"brand":"a",`, "</script>"),
		"digits":  fill("<h1>Thing</h1>", "<b>1</b>", ""),
	}.Check(t, 1<<20, func(body string) func() {
		return func() { productOf(dom.New([]byte(body), "https://shop.example/p/1")) }
	})
}

func FuzzProduct(f *testing.F) {
	pages, _ := filepath.Glob("testdata/product/*.html")
	for _, path := range pages {
		body, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		d := dom.New(body, "https://shop.example/p/1")
		r, ok := productOf(d)
		if ok && r.Schema != curlew.SchemaProduct {
			t.Error("a reading without a schema")
		}
		for field := range r.Fields {
			if _, said := r.Provenance[field]; !said {
				t.Errorf("%s has no evidence", field)
			}
		}
		for field := range r.Preferred {
			if r.Preferred[field] && r.Fields[field] == nil {
				t.Errorf("%s is preferred and has no value", field)
			}
		}
	})
}
