package curlew

import "testing"

func TestANumberIsTheSameTextWhateverItIsKeptIn(t *testing.T) {
	for want, values := range map[string][]any{
		"1050000": {1050000, int64(1050000), 1050000.0}, "0.5": {0.5}, "-21250000": {-21250000, -2.125e7}, "1e+21": {1e21}, "[a]": {[]string{"a"}},
	} {
		for _, value := range values {
			if got := ValueText(value); got != want {
				t.Errorf("%T %v is %s, want %s", value, value, got, want)
			}
		}
	}
}
