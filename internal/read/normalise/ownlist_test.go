package normalise

import (
	"fmt"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

// A list of an own kind that the page writes in one piece is as many as it names.
func TestAListInOnePieceIsParted(t *testing.T) {
	for name, c := range map[string]struct {
		value any
		of    curlew.FieldType
		want  string
	}{
		"commas":                  {"Thriller, Meer,Nordsee", "", "[Thriller|Meer|Nordsee]"},
		"semicolons":              {"Thriller; Meer, weit", "", "[Thriller|Meer, weit]"},
		"middle dots":             {"Thriller · Meer • Nordsee", "", "[Thriller|Meer|Nordsee]"},
		"slashes":                 {"Thriller / Meer", "", "[Thriller|Meer]"},
		"slashes without spaces":  {"Thriller/Meer", "", "[Thriller|Meer]"},
		"the only text of a list": {[]any{"Thriller, Meer"}, "", "[Thriller|Meer]"},
		"texts kept apart":        {[]any{"Flour, sifted", "Salt, fine"}, "", "[Flour, sifted|Salt, fine]"},
		"one text":                {"Thriller", "", "[Thriller]"},
		"a decimal comma":         {"1,5 l Milch, 2 Eier", "", "[1,5 l Milch|2 Eier]"},
		"a fraction and a name":   {"1/2 Zitrone, AC/DC", "", "[1/2 Zitrone|AC/DC]"},
		"a name with a slash":     {"AC/DC", "", "[AC/DC]"},
		"an address":              {"https://a.example/b,c/d", "", "[https://a.example/b,c/d]"},
		"a sentence":              {"A thriller about the sea, its creatures, and us.", "", "[A thriller about the sea, its creatures, and us.]"},
		"parts like sentences": {"The sea strikes back at all of us, and nobody knows why it does", "",
			"[The sea strikes back at all of us, and nobody knows why it does]"},
		"numbers": {"3, 5, 8", curlew.TypeInteger, "[3|5|8]"},
		"days":    {"March 3, 2026", curlew.TypeDate, "[2026-03-03]"},
	} {
		t.Run(name, func(t *testing.T) {
			kind := curlew.Schema{Name: "book", Fields: []curlew.Field{{Name: "tags", Type: curlew.TypeList, Of: c.of}}}
			r, _ := Record(curlew.Draft{Schema: kind.Name, Own: &kind, Fields: curlew.Values{"tags": c.value}}, Context{Lang: "en"})
			got := "["
			switch tags := r.Fields["tags"].(type) {
			case []string:
				for i, tag := range tags {
					got += []string{"", "|"}[min(i, 1)] + tag
				}
			case []any:
				for i, tag := range tags {
					got += []string{"", "|"}[min(i, 1)] + fmt.Sprint(tag)
				}
			}
			if got += "]"; got != c.want {
				t.Errorf("%v is read as %s, want %s", c.value, got, c.want)
			}
		})
	}
	r, _ := Record(curlew.Draft{Schema: curlew.SchemaEvent, Fields: curlew.Values{"title": "x", "performers": "Earth, Wind & Fire"}}, Context{Lang: "en"})
	if got := r.Fields["performers"]; fmt.Sprint(got) != "[Earth, Wind & Fire]" || len(got.([]string)) != 1 {
		t.Errorf("the name of a group is parted: %q", got)
	}
}
