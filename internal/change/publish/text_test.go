package publish

import (
	"slices"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

func TestWordsKeepTheMarksThatAreVowels(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"ที่", "ทุ", false},
		{"काला", "कील", false},
		{"काला", "कला", false},
		{"がく", "かく", false},
		{"Mu\u0308nchen", "MÜNCHEN", true},
		{"Straße", "strasse", true},
		{"ΟΔΟΣ", "οδός", true},
		{"كِتاب", "كتاب", true},
		{"①", "1", true},
	} {
		t.Run(c.a+" "+c.b, func(t *testing.T) {
			if a, b := words(c.a), words(c.b); slices.Equal(a, b) != c.same {
				t.Errorf("%q and %q, want the same: %v", a, b, c.same)
			}
		})
	}
}

func TestWordsOfScriptsWithoutBlanks(t *testing.T) {
	for text, want := range map[string][]string{
		"":               nil,
		"漢":              {"漢"},
		"漢字表":            {"漢字", "字表"},
		"Don't – A_b":    {"don", "t", "a", "b"},
		"第2回 ジャズ":        {"2", "ジャ", "ャズ"},
		"soft\u00adware": {"software"},
	} {
		t.Run(text, func(t *testing.T) {
			if got := words(text); !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

func TestNamesThatDifferInVowelMarksAreTwoThings(t *testing.T) {
	for _, names := range [][2]string{{"ประชุมที่", "ประชุมทุ"}, {"काला मेला", "कील मेला"}} {
		t.Run(names[0], func(t *testing.T) {
			w := newWorld(t, curlew.SchemaItem)
			w.see([]SeenRecord{thing("a", "title", names[0], "date", "2026-11-07")})
			plan := w.see([]SeenRecord{thing("b", "title", names[1], "date", "2026-11-07")})
			if len(plan.New) != 1 || len(plan.Aliases) != 0 {
				t.Errorf("%d new, aliases %+v", len(plan.New), plan.Aliases)
			}
		})
	}
}
