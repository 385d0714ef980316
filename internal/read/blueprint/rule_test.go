package blueprint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/andybalholm/cascadia"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/google/go-cmp/cmp"
)

func TestLabels(t *testing.T) {
	for _, c := range []struct{ name, page, label, want string }{
		{"definition list", `<dl><dt>Price:</dt><dd>10 €</dd><dt>Stock</dt><dd>5</dd></dl>`, "price", "10 €"},
		{"several definitions", `<dl><dt>Price</dt><dd>10</dd><dd>20</dd><dt>Stock</dt><dd>5</dd></dl>`, "Price", "10, 20"},
		{"heading cell of a row", `<table><tr><th>Price</th><td>10</td></tr><tr><th>Stock</th><td>5</td></tr></table>`, "Stock", "5"},
		{"first cell of a row", `<table><tr><td>Price</td><td>10</td></tr><tr><td>Stock</td><td>5</td></tr></table>`, "Price", "10"},
		{"heading cell of a column", `<table><tr><th>Price<th>Stock<tr><td>10<td>5</table>`, "Price", "10"},
		{"same text", `<p>Price: 10</p>`, "Price", "10"},
		{"dash", `<p>Price – 10</p>`, "Price", "10"},
		{"bold label", `<p><b>Price:</b> 10 <b>Stock:</b> 5</p>`, "Price", "10"},
		{"last bold label", `<p><b>Price:</b> 10 <b>Stock:</b> 5</p>`, "Stock", "5"},
		{"colon outside", `<p><b>Price</b>: 10</p>`, "Price", "10"},
		{"spans", `<p><span>Price</span><span>10</span><span>Stock</span><span>5</span></p>`, "Price", "10"},
		{"blocks", `<div><div class=l>Price</div><div class=v>10<br>each</div></div>`, "Price", "10 each"},
		{"label in a wrapper", `<div><p><i>Price</i></p></div><ul><li>10<li>20</ul>`, "Price", "10 20"},
		{"after br", `Price: 10<br>Stock: 5<br>Weight: 7`, "Stock", "5"},
		{"label of two pieces", `<p><b>Unit</b> <b>price</b>: 10</p>`, "unit price", "10"},
		{"case, space and colon", "<p>  UNIT \n PRICE :10</p>", "Unit price:", "10"},
		{"not a part of a word", `<p>Prices: 9</p><p>Price tag: 8</p>`, "Price", ""},
		{"not in a sentence", `<p>The price was high.</p>`, "price", ""},
		{"other script", `<p>Цена: 10 ₽</p>`, "цена", "10 ₽"},
		{"full-width colon", `<p>価格：10円</p>`, "価格", "10円"},
		{"nothing follows", `<p>Price:</p>`, "Price", ""},
		{"hidden", `<p><script>Price: 1</script>Price: 2</p>`, "Price", "2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := only(applyText(t, c.page, "", fmt.Sprintf(`{"v": {"label": %q, "many": true}}`, c.label)))
			if got[0] != c.want {
				t.Errorf("got %q, want %q", got[0], c.want)
			}
		})
	}
}

func TestSteps(t *testing.T) {
	for _, c := range []struct{ text, do, want string }{
		{"Doors: 8 pm (sharp)", `{"op": "after", "text": ":"}`, "8 pm (sharp)"},
		{"Doors 8 pm", `{"op": "after", "text": ":"}`, ""},
		{"8 pm (sharp)", `{"op": "before", "text": "("}`, "8 pm"},
		{"8 pm", `{"op": "before", "text": "("}`, ""},
		{"by Ann", `{"op": "prefix", "text": "by "}`, "Ann"},
		{"Ann", `{"op": "prefix", "text": "by "}`, "Ann"},
		{"Ann |", `{"op": "suffix", "text": "|"}`, "Ann"},
		{"1*2*3", `{"op": "remove", "text": "*"}`, "123"},
		{"1*2", `{"op": "replace", "text": "*", "with": "+"}`, "1+2"},
		{"1999", `"minor"`, "19.99"},
		{"99", `"minor"`, "0.99"},
		{"5", `"minor"`, "0.05"},
		{"0", `"minor"`, "0.00"},
		{"-1250", `"minor"`, "-12.50"},
		{"1999.0", `"minor"`, "19.99"},
		{"12500", `{"op": "minor", "n": 3}`, "12.500"},
		{"123456789012345678901234", `"minor"`, "1234567890123456789012.34"},
		{"19.99", `"minor"`, ""},
		{"free", `"minor"`, ""},
		{"a, b, c", `{"op": "split", "text": ",", "n": 2}`, "b"},
		{"a, b, c", `{"op": "split", "text": ",", "n": -1}`, "c"},
		{"a, b, c", `{"op": "split", "text": ",", "n": 9}`, ""},
		{"a, b, a", `{"op": "split", "text": ","}, "unique", {"op": "join", "text": "+"}`, "a+b"},
		{"a, b, c", `{"op": "split", "text": ","}, "join"`, "a, b, c"},
		{"a, b, c", `{"op": "split", "text": ","}, "last"`, "c"},
		{"a, b, c", `{"op": "split", "text": ","}, "first"`, "a"},
		{"żółw", `{"op": "slice", "n": 1, "to": -1}`, "ół"},
		{"żółw", `{"op": "slice", "n": -2}`, "łw"},
		{"żółw", `{"op": "slice", "n": 9}`, ""},
		{"Ąb", `"lower"`, "ąb"},
		{"eur", `"upper"`, "EUR"},
		{"No. 12-34", `"digits"`, "1234"},
		{"from 1 234,50 zł", `"number"`, "1 234,50"},
		{"no number", `"number"`, ""},
		{"id=77;", `{"op": "match", "text": "id=(\\d+)"}`, "77"},
		{"id=77;", `{"op": "match", "text": "\\d+;"}`, "77;"},
		{"9 / 1.200,00 / 1,100", `{"op": "split", "text": "/"}, "max"`, "1.200,00"},
		{"9 / 10 / none", `{"op": "split", "text": "/"}, "min"`, "9"},
		{"none", `"min"`, ""},
		{"../a b", `"url"`, "https://example.org/a%20b"},
		{"mailto:a@b", `"url"`, ""},
		{"/x?id=5&amp;y=2", `{"op": "query", "text": "id"}`, "5"},
		{`{"a": [{"b": true}]}`, `{"op": "json", "text": "$.a[0].b"}`, "true"},
		{`{"a": `, `{"op": "json", "text": "$.a"}`, ""},
		{"&lt;p&gt;a&lt;br&gt;b &amp;amp; c", `"strip_tags"`, "a b & c"},
	} {
		t.Run(c.text, func(t *testing.T) {
			got := only(applyText(t, "<i>"+c.text+"</i>", "", `{"v": {"css": "i", "do": [`+c.do+`]}}`))
			if got[0] != c.want {
				t.Errorf("%q %s: got %q, want %q", c.text, c.do, got[0], c.want)
			}
		})
	}
}

func TestPaths(t *testing.T) {
	body := `{"a": {"b.c": 1, "list": [{"n": "x", "k": 1}, {"n": "y", "k": 2, "deep": {"n": "z"}}, "s", [{"n": "w"}]], "t": true, "f": 1.50, "none": null}}`
	for path, want := range map[string]string{
		"$.a['b.c']": "1", "a.list[0].n": "x", "a.list[-1][0].n": "w", "a.list[*].n": "x, y, w", "a.list.n": "x, y",
		"a..n": "x, y, z, w", "a.list[?(@.k==2)].n": "y", "a.list[?(@.k!='2')].n": "x, w", "a.list[?(@.deep)].n": "y",
		"$.a.t": "true", "a.f": "1.50", "a.none": "", "a.nothing.at.all": "", "a.list[7].n": "", "a.*": "1, 1.50, s, true",
		`a["list"][2]`: "s", "@.a.t": "true", "a[0].t": "true",
	} {
		t.Run(path, func(t *testing.T) {
			got := only(applyText(t, body, "", fmt.Sprintf(`{"v": {"json": %q, "many": true}}`, path)))
			if got[0] != want {
				t.Errorf("got %q, want %q", got[0], want)
			}
		})
	}
}

// A row of cells is one record, whose cells are read by number.
func TestRowsOfCellsAreRecords(t *testing.T) {
	body := `{"rows": [["name", "price"], ["Rope", 10], ["Sail", 250]], "days": {"mon": [{"n": "a"}, {"n": "b"}], "tue": [{"n": "c"}]}}`
	for _, c := range []struct{ records, field, want string }{
		{"$.rows[*]", "[0]", "name|Rope|Sail"},
		{"$.rows[?(@[0]!='name')]", "[1]", "10|250"},
		{"$.rows[?(@[0]!='name')]", "[-1]", "10|250"},
		{"$.days.*", "n", "a|b|c"},
		{"$.days.*[*]", "n", "a|b|c"},
		{"$.days.mon", "n", "a|b"},
	} {
		t.Run(c.records, func(t *testing.T) {
			got := strings.Join(only(applyText(t, body, fmt.Sprintf(`{"json": %q}`, c.records), fmt.Sprintf(`{"v": {"json": %q}}`, c.field))), "|")
			if got != c.want {
				t.Errorf("%s %s: got %q, want %q", c.records, c.field, got, c.want)
			}
		})
	}
}

// An address with details is a value, and its details can be read.
func TestValuesWithDetailsKeepTheirText(t *testing.T) {
	page := `<meta property="og:type" content="article"><meta property="og:image" content="https://example.org/a.jpg"><meta property="og:image:width" content="600">`
	for path, want := range map[string]string{"og:image": "https://example.org/a.jpg", "og:image.width": "600"} {
		t.Run(path, func(t *testing.T) {
			got := only(applyText(t, page, `{"items": ["article"]}`, fmt.Sprintf(`{"v": {"json": %q}}`, path)))
			if strings.Join(got, "|") != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

const cssPage = `<main id=m class="a b"><ul><li class=x><a href=1>1</a><b>2</b></li><li><a href=2 title="x, y > z">3</a></li><li class="x y"><p><a>4</a></p></li></ul>
<div><div><div><span class=x>5</span><em>6</em><span>7</span></div></div></div><p>8</p><p>9</p></main>`

// On a whole page our walk must find what Cascadia finds.
func TestSelectorsFindWhatCSSSays(t *testing.T) {
	tree := dom.New([]byte(cssPage), "").Tree()
	for _, selector := range []string{"a", "*", ".x", "li.x a", "ul > li > a", "li + li", "li ~ li", "li:not(.x) a", "a, b, em", "div div span",
		"div > div > div > span + em", "em ~ span", `a[title="x, y > z"]`, "li:has(p)", "li:nth-child(2n+1)", "li:first-child", "li:last-child a",
		"p:only-of-type", "#m.a.b p", "body div .x", "main>ul>li", "p + p", "li:contains('4')", "html > body > main", "ul li p a", "b ~ a", "div *"} {
		t.Run(selector, func(t *testing.T) {
			group, err := cascadia.ParseGroup(selector)
			if err != nil {
				t.Fatal(err)
			}
			ours, err := compileCSS(selector)
			if err != nil {
				t.Fatal(err)
			}
			var want, got []string
			for _, n := range cascadia.QueryAll(tree, group) {
				want = append(want, dom.Path(n))
			}
			for _, n := range ours.find(under(tree), newBudget(), nil) {
				got = append(got, dom.Path(n))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s", diff)
			}
		})
	}
}

func TestSelectorsStayInTheRecord(t *testing.T) {
	for selector, want := range map[string]string{
		"> a": "1|3|", ":scope > a": "1|3|", "a": "1|3|4", "li a": "1|3|4", "ul a": "||", "li": "||", "> p > a": "||4", "li > p a": "||4", "main li": "||",
	} {
		t.Run(selector, func(t *testing.T) {
			got := strings.Join(only(applyText(t, cssPage, `{"css": "li"}`, fmt.Sprintf(`{"v": {"css": %q}}`, selector))), "|")
			if got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestXPathGivesEveryNodeOnce(t *testing.T) {
	for path, want := range map[string]string{
		"//li//ancestor::ul/li/a": "1, 3", "//span/..//span": "5, 7", "//li/a/@href | //li/a/@title": "1, 2, x, y > z",
		"//p[last()]/text()": "9", "//li[contains(., '4')]": "4", "//a[starts-with(@title, 'x')]": "3", "//em/preceding-sibling::span": "5",
		"//nothing": "",
	} {
		t.Run(path, func(t *testing.T) {
			got := only(applyText(t, cssPage, "", fmt.Sprintf(`{"v": {"xpath": %q, "many": true}}`, path)))
			if got[0] != want {
				t.Errorf("got %q, want %q", got[0], want)
			}
		})
	}
}
