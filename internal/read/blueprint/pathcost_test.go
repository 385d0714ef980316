package blueprint

import (
	"runtime"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/structured"
)

// TestAPathPaysForWhatItLooksAt follows hostile paths through large values: the steps that they spend tell how much
// they did, so that a budget of steps bounds them.
func TestAPathPaysForWhatItLooksAt(t *testing.T) {
	numbers, named, rows := make([]any, 50_000), map[string]any{}, make([]any, 300)
	for i := range numbers {
		numbers[i] = true
		named[strings.Repeat("k", i%50)+string(rune(i+0x100))] = true
	}
	for i := range rows {
		row := make([]any, 300)
		for j := range row {
			row[j] = map[string]any{"a": true, "b": map[string]any{"a": []any{true}}}
		}
		rows[i] = row
	}
	deep := any(map[string]any{"a": numbers[:2000]})
	for range 50 {
		deep = map[string]any{strings.Repeat("long", 500): deep, "a": true}
	}
	items := make([]structured.Value, 50_000)
	for i := range items {
		items[i] = structured.Value{Text: "x"}
	}
	for name, value := range map[string]any{"numbers": numbers, "names": named, "rows": rows, "deep": deep, "items": items} {
		for _, path := range []string{"$[0]", "$[-1]", "$[*]", "$.*", "$.a", "$..a", "$..a..a..a", "$[*][*]", "$[*][*].b.a", "$[?(@.a)]",
			"$[?(@.a=='x')]", "$[?(@[?(@[?(@.a)])])]", "$[?(@..a!='x')][?(@..a!='x')]", "$[*][0]", "$..*[*]"} {
			t.Run(name+" "+path, func(t *testing.T) {
				p, err := compilePath(path)
				if err != nil {
					t.Fatal(err)
				}
				b := newBudget()
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				scalars(p.walk(locatedValue{value, "$"}, b), b)
				runtime.ReadMemStats(&after)
				spent, took := maxSteps-b.steps, int(after.TotalAlloc-before.TotalAlloc)
				if took > 200*spent+1<<20 {
					t.Errorf("%d bytes were allocated for %d steps", took, spent)
				}
			})
		}
	}
}
