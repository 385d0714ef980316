package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestATextIsCutIntoWordsWithoutCaseAndDiacritics(t *testing.T) {
	for text, want := range map[string]string{
		"Hamlet, Prinz von Dänemark":    "hamlet prinz von danemark",
		"Łódź Straße Øresund Đakovo":    "lodz strasse oresund dakovo",
		"İSTANBUL ıssız":                "istanbul issiz",
		"Œuvre Æsir Þór ﬁnale":          "oeuvre aesir thor finale",
		"l'Opéra-Bastille":              "l opera bastille",
		"ΟΔΥΣΣΕΥΣ Ὀδυσσεύς":             "οδυσσευσ οδυσσευσ",
		"Ёлка и Щелкунчик":              "елка и щелкунчик",
		"שָׁלוֹם":                       "שלום",
		"مُوسِيقَى":                     "موسيقي",
		"أحمد إبراهيم آمال":             "احمد ابراهيم امال",
		"المتحف":                        "المتحف متحف",
		"२०२६ ٢٠٢٦ ２０２６":                "2026 2026 2026",
		"हिन्दी":                        "हिन्दी",
		"Thea\u00adter \u202eRTL\u200f": "theater rtl",
		"ＡＢＣ ｶﾞｲﾄﾞ":                     "abc ガイド イド ド",
		"東京タワー2026":                     "東京タワ 京タワー タワー ワー ー 2026",
		"서울 미술관":                        "서울 울 미술관 술관 관",
		"ไทย":                           "ไทย ทย ย",
		"% _ \" ' \x00 🎭 — ":            "",
		"":                              "",
	} {
		t.Run(text, func(t *testing.T) {
			if got := strings.Join(In(text), " "); got != want {
				t.Errorf("%q has the words %q, want %q", text, got, want)
			}
		})
	}
}

// What was decomposed is the same as what was not.
func TestTwoSpellingsOfOneLetterAreOneWord(t *testing.T) {
	for i, pair := range [][2]string{{"é", "e\u0301"}, {"가", "\u1100\u1161"}, {"が", "か\u3099"}, {"ẛ", "ṡ"}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if a, b := In(pair[0]), In(pair[1]); !slices.Equal(a, b) {
				t.Errorf("%q gives %q, %q gives %q", pair[0], a, pair[1], b)
			}
		})
	}
}

func FuzzWords(f *testing.F) {
	f.Add("Łódź 東京タワー المتحف")
	f.Add("\xff\x00=active\nfoo bar")
	f.Add(strings.Repeat("e\u0301", 3000))
	f.Fuzz(func(t *testing.T, text string) {
		for _, word := range In(text) {
			if word == "" || len(word) > longest || !utf8.ValidString(word) || strings.ContainsAny(word, " \n=\x00") {
				t.Fatalf("%q has the word %q", text, word)
			}
			q, err := ParseQuery(word)
			if err != nil || q.Hopeless() {
				t.Fatalf("the word %q of %q cannot be asked for: %v", word, text, err)
			}
			if block := Write([][]string{{word}}); block.Find(q) != 1 {
				t.Fatalf("the word %q of %q is not found by itself on %q, asked as %q", word, text, block, q.needs)
			}
		}
		if q, err := ParseQuery(text); err == nil && len(q.needs) > mostNeeds {
			t.Fatalf("%q asks for %d words", text, len(q.needs))
		}
	})
}
