package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// cards is a list of chairs, as one markup or another has it.
func cards(tag, class string, chairs ...string) string {
	var list strings.Builder
	for i, chair := range chairs {
		fmt.Fprintf(&list, `<%[1]s class="%[2]s"><a href="/%[3]d"><h3>%[4]s</h3></a><span class="p">%[5]d9.00 €</span></%[1]s>`, tag, class, i, chair, i+1)
	}
	return `<html lang="en"><body><h1>Chairs</h1><div id="list">` + list.String() + `</div></body></html>`
}

func TestHealingEndsWithZeroOnlyWhereSomethingKnownIsFoundAgain(t *testing.T) {
	r, folder := newReader(t), t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	old, rules := file("old.html", cards("div", "card", "Oak", "Ash", "Elm", "Yew")), filepath.Join(folder, "rules.json")
	known := file("known.jsonl", `{"fields":{"name":["Oak"],"price":["19.00 €"]}}`+"\n"+`{"fields":{"name":["Ash"],"price":["29.00 €"]}}`+"\n"+`{"fields":{"name":["Elm"],"price":["39.00 €"]}}`+"\n")
	if code, _, complaint := r.curlew(t.Context(), "learn", old, "--schema", "product", "--base-url", "https://shop.example/", "-o", rules); code != 0 {
		t.Fatalf("learn ended with %d: %s", code, complaint)
	}
	for name, x := range map[string]struct {
		page string
		code int
	}{
		"a redesign":      {cards("article", "tile", "Oak", "Ash", "Elm", "Yew"), exitDone},
		"other things":    {cards("article", "tile", "Pine", "Fir", "Larch", "Cedar"), exitUnfit},
		"an imprint":      {`<html lang="en"><body><h1>Imprint</h1><p>Chairs Ltd</p><p>Quay 4</p></body></html>`, exitUnfit},
		"an empty answer": {``, exitUnfit},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, complaint := r.curlew(t.Context(), "heal", file("new.html", x.page), "--blueprint", rules, "--known", known,
				"--base-url", "https://shop.example/", "-o", filepath.Join(folder, "healed.json"))
			if code != x.code || code == exitUnfit && complaint == "" {
				t.Errorf("ended with %d: %s%s", code, out, complaint)
			}
		})
	}
}
