package structured

import (
	"encoding/json"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
)

// printable fails if a value that was read cannot be written as JSON: others keep
// and show what we read.
func printable(t *testing.T, value any) {
	t.Helper()
	if _, err := json.Marshal(value); err != nil {
		t.Fatal(err)
	}
}

// whole reads a page and looks at all that was found.
func whole(t *testing.T, page string) {
	t.Helper()
	g := Read(dom.New([]byte(page), pageAddress))
	for item := range g.All() {
		if item.Properties == nil {
			t.Fatal("an item without properties")
		}
	}
	printable(t, g)
}

func FuzzJSONRepair(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2,],}`, "<!--{\"a\":\"\n\"}-->", `{"a":1e999}{"b":"\ud83d\ude00"};`, `[{"a":{"b":1`, `{&quot;a&quot;:1}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g := &Graph{}
		for _, value := range linkedValues(text, g) {
			printable(t, value)
			var strict any
			if json.Unmarshal([]byte(text), &strict) == nil && len(g.Notes) > 0 && g.Notes[0].Sentence == "a script was given up: "+errSyntax.Error() {
				t.Fatalf("valid JSON was given up: %q", text)
			}
		}
	})
}

func FuzzJSONLD(f *testing.F) {
	for _, seed := range []string{
		`{"@context":{"a":"b:","b":"a:","@vocab":"x"},"@graph":[{"@id":"#a","c":{"@id":"#a"}}]}`,
		`{"@reverse":{"a":{"@id":"b"}},"@list":[{"@value":1}],"@type":["a","b"]}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, script string) {
		whole(t, `<script type="application/ld+json">`+script+`</script>`)
	})
}

func FuzzScript(f *testing.F) {
	for _, seed := range []string{
		`window.x={a:'b',c:[1,,2],d:!0,e:void 0,f:new Date(5),g:0xff,h:"a"+'b'}`,
		`x=(function(a,b){a.b=b;a[0]=a;return {c:a}}({},[1]))`, `x=((a)=>({b:a}))([1])`, `x=JSON.parse("{\"a\":1}")`, "x.push({a:`b`})",
		`kit.start(a,b,{data:[null,{a:1}]})`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, script string) { whole(t, "<script>"+script+"</script>") })
}

func FuzzFlight(f *testing.F) {
	f.Add("0:[\"$\",\"$L1\",null,{\"a\":\"$2:b:0\"}]\n1:I[1,[],\"X\"]\n2:{\"b\":[\"$0\"]}\n3:T5,hello4:\"$$x\"\n")
	f.Fuzz(func(t *testing.T, payload string) { printable(t, readFlight(payload)) })
}

func FuzzDevalue(f *testing.F) {
	f.Add(`[["Reactive",1],{"a":2,"b":0},["Set",1,3],["Map",3,1],["Date","x"],-1]`)
	f.Add("[{\"_1\":2},\"a\",[\"P\",1]]\nP1:[{\"_1\":0}]\n")
	f.Fuzz(func(t *testing.T, text string) {
		reader := literalReader{src: text}
		if value, err := reader.whole(); err == nil {
			if entries, ok := isDevalue(value); ok {
				printable(t, readDevalue(entries))
			}
		}
		printable(t, readTurboStream(text))
	})
}

func FuzzMicrodata(f *testing.F) {
	f.Add(`<div itemscope itemtype="http://schema.org/Event" itemref="a b" id=b><i itemprop="x y" id=a itemscope itemref=b>z</i></div>`)
	f.Add(`<div class="h-event"><a class="p-name u-url include" href="#x">y</a></div>`)
	f.Fuzz(func(t *testing.T, page string) { whole(t, page) })
}

func FuzzRDFa(f *testing.F) {
	f.Add(`<div vocab="https://schema.org/" typeof=Event resource="#a" prefix="x: y"><p rel="x:a b" rev=c inlist><i property=d datatype="" inlist>e</i></div>`)
	f.Fuzz(func(t *testing.T, page string) {
		d := dom.New([]byte(page), pageAddress)
		readTriples(d.Tree(), d.Base())
		whole(t, page)
	})
}
