package text

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFoldMakesSpellingsOneAndKeepsMarks(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"München", "Mu\u0308nchen", true},
		{"STRASSE", "straße", true},
		{"ＪＡＺＺ", "jazz", true},
		{"ΟΔΟΣ", "οδος", true},
		{"Żółć", "żółć", true},
		{"काला", "कील", false},
		{"ที่", "ทุ", false},
		{"Muller", "Müller", false},
		{"\xff", "\xfe", true}, // neither is text
	} {
		t.Run(c.a+" "+c.b, func(t *testing.T) {
			if a, b := Fold(c.a), Fold(c.b); (a == b) != c.same {
				t.Errorf("%q and %q, want the same: %v", a, b, c.same)
			}
			if again := Fold(Fold(c.a)); again != Fold(c.a) {
				t.Errorf("folding %q twice gives %q", Fold(c.a), again)
			}
		})
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "",
		" – ":                              "",
		"Don’t stop, it's 5\u00ado'clock!": "dont stop its 5oclock",
		"A-b_c":                            "a b c",
		"काला घोड़ा":                       "काला घोड़ा",
		"二〇二六年":                            "二〇二六年",
		"①②":                               "12",
	} {
		t.Run(text, func(t *testing.T) {
			if got := Phrase(text); got != Fold(want) {
				t.Errorf("%q: %q, want %q", text, got, want)
			}
			if got := Words(text); !slices.Equal(got, strings.Fields(Fold(want))) {
				t.Errorf("%q: %q", text, got)
			}
			if got := Letters(text); got != strings.ReplaceAll(Fold(want), " ", "") {
				t.Errorf("%q: %q", text, got)
			}
		})
	}
}

func TestClip(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"short", 5, "short"},
		{"longer", 5, "long…"},
		{"two words", 5, "two…"},
		{"Gräte", 5, "Gräte"},
		{"Grätes", 5, "Grät…"},
		{"Mu\u0308nchen", 3, "M…"}, // the mark would be the third
		{"ab", 1, "…"},
		{"ab", 0, "…"},
	} {
		t.Run(c.text, func(t *testing.T) {
			if got := Clip(c.text, c.most); got != c.want {
				t.Errorf("%q at %d: %q, want %q", c.text, c.most, got, c.want)
			}
		})
	}
}

func TestCutBytesKeepsCharactersWhole(t *testing.T) {
	const text = "aä東𝄞"
	for most := range len(text) + 2 {
		got := CutBytes(text, most)
		if !strings.HasPrefix(text, got) || !utf8.ValidString(got) || len(got) > most || most-len(got) > 3 && got != text {
			t.Errorf("%d bytes: %q", most, got)
		}
	}
}

func TestCollapse(t *testing.T) {
	for text, want := range map[string]string{"": "", " ": "", "a b": "a b", " a  b\n": "a b", "a\u00a0\u3000b": "a b", "a\tb": "a b"} {
		t.Run(text, func(t *testing.T) {
			if got := Collapse(text); got != want {
				t.Errorf("%q: %q, want %q", text, got, want)
			}
		})
	}
}

func TestUnspaced(t *testing.T) {
	for _, r := range "東々〇のカーกໂကខｱ" {
		if !Unspaced(r) {
			t.Errorf("%c is written without spaces", r)
		}
	}
	for _, r := range "aя한ا・「฿9" {
		if Unspaced(r) {
			t.Errorf("%c is not of a script without spaces", r)
		}
	}
}

func TestSameURL(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"", "", false},
		{"https://www.hall.test/a/", "http://hall.test/a#top", true},
		{"https://hall.test/a?b=1&utm_source=x&a=%41", "https://hall.test:443/a?a=A&b=1", true},
		{"https://hall.test/index.php", "https://hall.test", true},
		{"https://hall.test/a", "https://hall.test/A", false},
		{"https://hall.test/?p=1", "https://hall.test/?p=2", false},
		{"https://hall.test/#/a", "https://hall.test/#/b", false},
		{"https://hall.test:8080/", "https://hall.test/", false},
		{"mailto:a@hall.test", "mailto:b@hall.test", false},
	} {
		t.Run(c.a+" "+c.b, func(t *testing.T) {
			if got := SameURL(c.a, c.b); got != c.same {
				t.Errorf("%q and %q: %v", URLKey(c.a), URLKey(c.b), got)
			}
		})
	}
}

func BenchmarkFold(b *testing.B) {
	const text = "Große Konzerte für Klavier und Orchester, München"
	for b.Loop() {
		Fold(text)
	}
}

func BenchmarkPhrase(b *testing.B) {
	const text = "Große Konzerte für Klavier und Orchester, München"
	for b.Loop() {
		Phrase(text)
	}
}
