package curlew

import (
	"slices"
	"testing"
)

func TestANumberIsTheSameTextWhateverItIsKeptIn(t *testing.T) {
	for want, values := range map[string][]any{
		"1050000": {1050000, int64(1050000), 1050000.0}, "0.5": {0.5}, "-21250000": {-21250000, -2.125e7}, "1e+21": {1e21}, "[a]": {[]string{"a"}},
	} {
		t.Run(want, func(t *testing.T) {
			for _, value := range values {
				if got := ValueText(value); got != want {
					t.Errorf("%T %v is %s, want %s", value, value, got, want)
				}
			}
		})
	}
}

func TestTheColumnsOfAListAreShownBesideItsFields(t *testing.T) {
	v := Values{"title": "Euro", "url": nil, "slots": map[string]any{"title": "Euro", "sell": "4.37", "buy": "4.21"}, "position": 2}
	var got []string
	listed := v.Listed()
	for _, name := range listed.Order(SchemaItem.Kind()) {
		got = append(got, FieldLabel(name)+"="+ValueText(listed[name]))
	}
	if want := []string{"title=Euro", "position=2", "buy=4.21", "sell=4.37"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
