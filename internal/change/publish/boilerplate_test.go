package publish

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

// A sentence that comes to all texts at once is no change of any thing. What changes in one of them besides is told.
func TestWhatChangesInOneTextIsToldWhileAllGainASentence(t *testing.T) {
	lamps := []string{"Brass, 40 cm high. Wired by hand.", "Oak, with a shade of linen.", "Steel. It folds.", "Glass from Murano, blown.",
		"Paper on a frame of cane.", "Clay, unglazed."}
	for _, c := range []struct {
		name    string
		show    func(i int, text string) string
		changed []int
	}{
		{"a sentence at the end", func(_ int, text string) string { return text + " Free shipping from € 50." }, nil},
		{"a sentence before", func(_ int, text string) string { return "Free shipping from € 50. " + text }, nil},
		{"a sentence in all, a change in one", func(i int, text string) string {
			if i == 1 {
				text = strings.ReplaceAll(text, "linen", "silk")
			}
			return text + " Free shipping from € 50."
		}, []int{1}},
		{"changes in two", func(i int, text string) string {
			if i == 1 || i == 4 {
				text = fmt.Sprintf("Was %d euro cheaper. %s", i, text)
			}
			return "Ships in May. " + text
		}, []int{1, 4}},
		{"another text each", func(i int, text string) string {
			return fmt.Sprintf("%s Number %s of the range.", text, lamps[5-i][:4])
		}, nil},
		{"readers of each", func(i int, text string) string { return fmt.Sprintf("%s Ships in May. %d views", text, 600+i) }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, curlew.SchemaProduct)
			shop := func(show func(int, string) string) (all []SeenRecord) {
				for i, text := range lamps {
					all = append(all, thing(fmt.Sprint(i), "name", fmt.Sprintf("Lamp number %d", i), "description", show(i, text)))
				}
				return all
			}
			w.see(shop(func(_ int, text string) string { return text }))
			var want []string
			for _, i := range c.changed {
				want = append(want, fmt.Sprintf("changed Lamp number %d description:%s→%s", i, lamps[i], c.show(i, lamps[i])))
			}
			w.expect(w.see(shop(c.show)), want...)
		})
	}
}
