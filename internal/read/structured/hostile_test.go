package structured

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/growth"
)

// linked reads a page that holds one script of JSON-LD.
func linked(script string) *Graph {
	return ReadJSONLD(dom.New([]byte(`<script type="application/ld+json">`+script+`</script>`), pageAddress))
}

func TestDataNestedTenThousandDeepIsGivenUpWithANote(t *testing.T) {
	for i, script := range []string{
		strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001),
		strings.Repeat(`{"a":`, 10_001) + "1" + strings.Repeat("}", 10_001),
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			g := linked(script)
			if len(g.Items) != 0 || len(g.Notes) != 1 || !strings.Contains(g.Notes[0].Sentence, "too deeply") {
				t.Errorf("got %d items and notes %v", len(g.Items), g.Notes)
			}
		})
	}
}

func TestTheLastOfDuplicateKeysCountsAndIsNoted(t *testing.T) {
	g := linked(`{"@type":"Product","name":"first","name":"second"}`)
	if got := g.Items[0].Texts("name"); len(got) != 1 || got[0] != "second" {
		t.Errorf("name is %v", got)
	}
	if len(g.Notes) != 1 || !strings.Contains(g.Notes[0].Sentence, "twice") {
		t.Errorf("notes are %v", g.Notes)
	}
}

func TestANumberTooLargeForAMachineStaysAsWritten(t *testing.T) {
	g := linked(`{"@type":"Offer","price":1e999,"weight":12345678901234567890.10}`)
	if got := g.Items[0].Text("price") + " " + g.Items[0].Text("weight"); got != "1e999 12345678901234567890.10" {
		t.Errorf("got %s", got)
	}
}

func TestItemsMayReferToEachOtherInCircles(t *testing.T) {
	g := linked(`[{"@id":"#a","@type":"Person","knows":{"@id":"#b"}},{"@id":"#b","@type":"Person","knows":[{"@id":"#a"},{"@id":"#b"}]}]`)
	count := 0
	for range g.All() {
		count++
	}
	a := g.Items[0]
	if count != 2 || a.First("knows").Item.First("knows").Item != a {
		t.Errorf("%d items", count)
	}
	if _, err := g.MarshalJSON(); err != nil {
		t.Error(err)
	}
}

func TestARemoteContextIsNeverFetched(t *testing.T) {
	g := linked(`{"@context":["https://evil.example/context.json","https://schema.org"],"@type":"Event","name":"x"}`)
	if !g.Items[0].Is("Event") || len(g.Notes) != 1 || !strings.Contains(g.Notes[0].Sentence, "not fetched") {
		t.Errorf("got %v, notes %v", g.Items[0], g.Notes)
	}
}

func TestAHundredThousandOffersAreRead(t *testing.T) {
	const offer = `{"@type":"Offer","price":"12.50","priceCurrency":"EUR","url":"/o"},`
	page := growth.Fill(`{"@context":"https://schema.org","@type":"Product","offers":[`, offer, `]}`)
	growth.Check(t, 100_000*len(offer), func(size int) func() {
		script := page(size)
		return func() {
			if n := len(linked(script).Items[0].Items("offers")); n != size/len(offer) {
				t.Errorf("%d offers", n)
			}
		}
	})
}

func TestJSONLDIsReadThroughWrappersAndSmallMistakes(t *testing.T) {
	const whole = `{"@type":"Event","name":"A & B"}`
	for name, script := range map[string]string{
		"a comment of HTML":     "<!--\n" + whole + "\n-->",
		"CDATA":                 "//<![CDATA[\n" + whole + "\n//]]>",
		"escaped as HTML":       `{&quot;@type&quot;:&quot;Event&quot;,&quot;name&quot;:&quot;A &amp; B&quot;}`,
		"an entity in a text":   `{"@type":"Event","name":"A &amp; B"}`,
		"trailing commas":       `[{"@type":"Event","name":"A & B",},]`,
		"a byte order mark":     "\ufeff" + whole,
		"a semicolon":           whole + ";",
		"comments of a script":  "/* x */ " + whole + " // y",
		"missing brackets":      `[{"@type":"Event","name":"A & B"`,
		"several values":        `{"@type":"WebSite","name":"other"}` + whole,
		"separated by a comma":  whole + `,{"@type":"WebSite"}`,
		"prefixed names":        `{"@type":"schema:Event","http://schema.org/name":"A & B"}`,
		"a context of its own":  `{"@context":{"@vocab":"https://schema.org/"},"@type":"Event","name":"A & B"}`,
		"www and no scheme":     `{"@context":"//www.schema.org","@type":"Event","name":"A & B"}`,
		"an escaped solidus":    `{"@context":"https:\/\/schema.org\/","@type":"Event","name":"A & B"}`,
		"an alias of a keyword": `{"@context":{"kind":"@type"},"kind":"Event","name":"A & B"}`,
	} {
		t.Run(name, func(t *testing.T) {
			found := linked(script).Find("Event")
			if len(found) != 1 || found[0].Text("name") != "A & B" {
				t.Errorf("got %v", found)
			}
		})
	}
}

func TestARepairNeverGuesses(t *testing.T) {
	for name, script := range map[string]string{
		"quotes in a text":         `{"@type":"Event","name":"the "big" one"}`,
		"a value cut off":          `{"@type":"Event","name":"the bi`,
		"a number cut off":         `{"@type":"Offer","price":12`,
		"a key without its value":  `{"@type":"Event","name":`,
		"a value left out":         `{"@type":"Event","name":,"url":"x"}`,
		"a value left out of many": `{"@type":"Event","name":["a",,"b"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			g := linked(script)
			if len(g.Items) != 0 || len(g.Notes) == 0 {
				t.Errorf("got %v, notes %v", g.Items, g.Notes)
			}
		})
	}
}

// chained are microdata items of which each refers to two others.
func chained(size int) string {
	var out strings.Builder
	n := size / 60
	for i := range n {
		fmt.Fprintf(&out, `<div id=i%d itemscope itemprop=p itemref="i%d i%d"></div>`, i, (i+1)%n, (i+7)%n)
	}
	return out.String()
}

// TestHostilePagesAreReadInProportion feeds what multiplies.
func TestHostilePagesAreReadInProportion(t *testing.T) {
	fill := growth.Fill
	growth.Inputs{
		"itemprops in each other":    fill("", `<div itemscope itemprop=a><b itemprop=b>`, ""),
		"itemrefs in a chain":        chained,
		"typeof in each other":       fill("", `<div vocab="http://schema.org/" typeof=A property=b rel=c prefix="x: http://x/">`, ""),
		"properties in each other":   fill("", `<span property=b>`, ""),
		"many relations":             fill(`<p vocab=x: rel="`+strings.Repeat("a b c ", 500)+`">`, `<i about="#x"></i>`, ""),
		"microformats in each other": fill("", `<div class="h-entry e-content p-name">x`, ""),
		"assignments":                fill("<script>", `a={"`, "</script>"),
		"assignments of lists":       fill("<script>", `a=[1,`, "</script>"),
		"templates without end":      fill("<script>", "a=[`", "</script>"),
		"functions":                  fill("<script>", `a=(function(a){`, "</script>"),
		"arrows":                     fill("<script>", `a=((b,`, "</script>"),
		"attributes":                 fill("", `<i data-a='{"a":[1,2,3]}'></i>`, ""),
		"metas":                      fill("", `<meta property="og:image" content="x">`, ""),
		"includes in circles": fill("", `<div class=vcard id=a><a class=include href=#b>b</a></div>`+
			`<div class=vcard id=b><a class=include href=#a>a</a></div>`, ""),
		"flight that holds itself": fill("", `<script>self.__next_f.push([1,"0:{\"a\":\"$0:a\",\"b\":[\"$0\",\"$1\",\"$1\"]}\n`+
			`1:[\"$2\",\"$2\"]\n2:[\"$1:0\",\"$1\"]\n"])</script>`, ""),
	}.Check(t, 1<<20, func(page string) func() {
		d := dom.New([]byte(page), pageAddress)
		d.Tree()
		return func() {
			if _, err := Read(d).MarshalJSON(); err != nil {
				t.Error(err)
			}
		}
	})
}
