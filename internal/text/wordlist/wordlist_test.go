package wordlist

import (
	"slices"
	"testing"
)

func TestListsAreReadByName(t *testing.T) {
	lists, err := Parse("# what leads on\nnext: next, load more\n\nback: zurück\nnext: weiter\n")
	if err != nil {
		t.Fatal(err)
	}
	next := lists.Of("next")
	if !slices.Equal(next.Words, []string{"next", "load more", "weiter"}) {
		t.Errorf("next is %q", next.Words)
	}
	if !next.Has("weiter") || next.Has("zurück") || !next.In("please load more") || next.In("back") {
		t.Error("a word is told wrongly")
	}
}

func TestAMalformedLineIsRefused(t *testing.T) {
	for name, file := range map[string]string{
		"no name":      ": a, b",
		"no words":     "next:",
		"an empty one": "next: a, , b",
		"a dangling":   "next: a,",
		"a double":     "next: a, b\nnext: a",
		"no colon":     "next a b",
	} {
		t.Run(name, func(t *testing.T) {
			if lists, err := Parse(file); err == nil {
				t.Errorf("%q is read as %v", file, lists)
			}
		})
	}
}
