package cli

import (
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

func TestAChangeOlderThanTheNameOfItsFieldShowsMoney(t *testing.T) {
	kind := curlew.Schema{Name: "home", Fields: []curlew.Field{{Name: "asking", Type: curlew.TypeMoney, Labels: []string{"price"}}, {Name: "currency", Type: curlew.TypeText}}}
	s := shown{kind, curlew.Values{"currency": "EUR"}}
	for _, name := range []string{"asking", "price"} {
		t.Run(name, func(t *testing.T) {
			if got := s.value(name, int64(36500000)); got != "365000.00 EUR" {
				t.Errorf("%s is %q", name, got)
			}
		})
	}
}
