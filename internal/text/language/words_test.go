package language

import "testing"

func TestLanguagesFile(t *testing.T) {
	all, err := readLanguages(languagesFile)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for script, list := range all.of {
		for _, p := range list {
			if n++; len(p.words) < 10 || Primary(p.tag) != p.tag {
				t.Errorf("%s: %q has %d words", script, p.tag, len(p.words))
			}
		}
	}
	if n < 75 {
		t.Errorf("%d languages", n)
	}
	for _, file := range []string{"en - the and", "[Latn]\nen", "[Latin]\nen - the", "[Latn]\nen -"} {
		t.Run(file, func(t *testing.T) {
			if _, err := readLanguages(file); err == nil {
				t.Errorf("%q is read", file)
			}
		})
	}
}
