package language

import "unicode"

// scripts are those told apart, the common ones first because every letter is
// looked up in this order.
var scripts = []struct {
	name  string
	table *unicode.RangeTable
}{
	{"Latn", unicode.Latin}, {"Cyrl", unicode.Cyrillic}, {"Hani", unicode.Han}, {"Kana", unicode.Hiragana},
	{"Kana", unicode.Katakana}, {"Hang", unicode.Hangul}, {"Arab", unicode.Arabic}, {"Deva", unicode.Devanagari},
	{"Grek", unicode.Greek}, {"Hebr", unicode.Hebrew}, {"Thai", unicode.Thai}, {"Beng", unicode.Bengali},
	{"Taml", unicode.Tamil}, {"Telu", unicode.Telugu}, {"Geor", unicode.Georgian}, {"Armn", unicode.Armenian},
	{"Gujr", unicode.Gujarati}, {"Guru", unicode.Gurmukhi}, {"Knda", unicode.Kannada}, {"Mlym", unicode.Malayalam},
	{"Orya", unicode.Oriya}, {"Sinh", unicode.Sinhala}, {"Khmr", unicode.Khmer}, {"Laoo", unicode.Lao},
	{"Mymr", unicode.Myanmar}, {"Ethi", unicode.Ethiopic}, {"Tibt", unicode.Tibetan}, {"Mong", unicode.Mongolian},
	{"Cher", unicode.Cherokee}, {"Thaa", unicode.Thaana},
}

func scriptOf(r rune) string {
	if r < 0x80 {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return "Latn"
		}
		return ""
	}
	if !unicode.IsLetter(r) {
		return ""
	}
	for _, s := range scripts {
		if unicode.Is(s.table, r) {
			return s.name
		}
	}
	return ""
}

// ownScripts are scripts that (nearly) one language writes with.
var ownScripts = map[string]string{
	"Hani": "zh", "Kana": "ja", "Hang": "ko", "Grek": "el", "Thai": "th", "Beng": "bn", "Taml": "ta",
	"Telu": "te", "Geor": "ka", "Armn": "hy", "Gujr": "gu", "Guru": "pa", "Knda": "kn", "Mlym": "ml",
	"Orya": "or", "Sinh": "si", "Khmr": "km", "Laoo": "lo", "Mymr": "my", "Tibt": "bo", "Mong": "mn",
	"Cher": "chr", "Thaa": "dv",
}
