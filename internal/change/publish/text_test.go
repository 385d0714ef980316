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

// How often a part of a long text was read is no part of what it says.
func TestCountsOfReadersInALongTextAreNoDifference(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"Bellevue Hill\n\n313 views\n\n46 Bellevue Road\n\nViews: 12", "Bellevue Hill\n\n542 views\n\n46 Bellevue Road\n\nViews: 13", true},
		{"Bellevue Hill, 313 views, 46 Bellevue Road", "Bellevue Hill, 542 views, 48 Bellevue Road", false},
		{"A house with 3 views of the sea", "A house with a view of the sea", false},
		{"Expires 10/07/2019", "Expires 17/07/2019", false},
	} {
		t.Run(c.a, func(t *testing.T) {
			if sameLongText(c.a, c.b) != c.same {
				t.Errorf("%q and %q, want the same: %v", c.a, c.b, c.same)
			}
		})
	}
}

// A text that holds the name of a thing may come later than its new name, which was told: that it has it now is no other change.
func TestATextThatCatchesUpWithANameIsNoChange(t *testing.T) {
	ruling := func(title, text string) SeenRecord {
		return thing("https://court.test/1", "title", title, "url", "https://court.test/1", "text", text)
	}
	const was, is, rest = "Jones v. State of Tennessee", "Jones v. State of Thimble Meadow 101 Tennessee", " M2023-00060 Authoring Judge: Timothy Easter"
	w := newWorld(t, curlew.SchemaArticle)
	w.see([]SeenRecord{ruling(was, was+rest)})
	w.expect(w.see([]SeenRecord{ruling(is, was+rest)}), "changed "+is+" title:"+was+"→"+is)
	w.expect(w.see([]SeenRecord{ruling(is, is+rest)}))
	w.expect(w.see([]SeenRecord{ruling(is, is+rest+", reversed")}), "changed "+is+" text:"+is+rest+"→"+is+rest+", reversed")
}
