package structured

import (
	"reflect"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
)

// TestItemsAreTheSameWithoutTheTree compares what is read of the head alone, where
// that suffices, with what is read of the whole tree.
func TestItemsAreTheSameWithoutTheTree(t *testing.T) {
	head := `<html lang=en><head><title>Fair</title><meta property=og:title content="The fair"><meta property=og:image content=/a.jpg>
<meta property=og:image:width content=600><meta name=author content=Ann><link rel="canonical" href="/fair"><link rel=stylesheet href=a.css></head>`
	for name, c := range map[string]struct {
		page string
		lean bool // the tree is not needed
	}{
		"nothing but a head":  {head + `<body><h1>The fair</h1><p class="lead hero">Text</p>`, true},
		"a stylesheet below":  {head + `<body><link rel=preload href=b.js><p>Text`, true},
		"a feed below":        {head + `<body><link rel=alternate href=/feed><p>Text`, false},
		"microdata":           {head + `<body><div itemscope itemtype="https://schema.org/Event"><i itemprop=name>Fair</i></div>`, false},
		"RDFa":                {head + `<body vocab="https://schema.org/"><div typeof=Event><i property=name>Fair</i></div>`, false},
		"microformats":        {head + `<body><div class="card h-event"><i class=p-name>Fair</i></div>`, false},
		"no tag for the body": {head + `<p>Text`, false},
	} {
		t.Run(name, func(t *testing.T) {
			d := dom.New([]byte(c.page), "https://example.org/")
			if lean := leanSurvey(d).root != d.Tree(); lean != c.lean {
				t.Errorf("read without the tree: %t", lean)
			}
			if got, want := ReadSyntax(d, Syntaxes()...).Items, Read(d).Items; !reflect.DeepEqual(got, want) {
				t.Errorf("%d items, from the tree %d", len(got), len(want))
			}
		})
	}
}
