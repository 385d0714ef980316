package curlew

import (
	"fmt"
	"strings"
	"testing"
)

func TestWhatIsWrongWithAKindIsSaidInWords(t *testing.T) {
	kind := func(identity []string, label string) Schema {
		return Schema{Name: "home", Identity: [][]string{identity}, Fields: []Field{{Name: "address", Type: TypeText, Labels: []string{label}}}}.Completed()
	}
	for says, k := range map[string]Schema{
		"": kind([]string{"address"}, "Straße"), "join the names of fields by +": kind([]string{""}, "street"), `unknown field "rooms"`: kind([]string{"rooms"}, "street"),
		"each a line of at most 100": kind([]string{"address"}, "st\x1b[2Jreet"),
	} {
		t.Run(says, func(t *testing.T) {
			if got := fmt.Sprint([]Problem(k.Check())); !strings.Contains(got, says) || (says == "") != (len(k.Check()) == 0) {
				t.Errorf("%q, want %q", got, says)
			}
		})
	}
}
