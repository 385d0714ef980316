package product

import (
	"testing"

	"curlew/internal/text/money"
)

func TestOfSeveralPricesTheOneToPayCounts(t *testing.T) {
	for text, want := range map[string]string{
		"Was £45.00 Now £36.00": "36.00", "RRP £45.00 £36.00": "36.00", "£36.00 RRP £45.00": "36.00", "statt 45,00 € nur 36,00 €": "36.00",
		"Save £10 £35.00": "35.00", "£12.00 £15.00": "12.00", "au lieu de 45,00 € 36,00 €": "36.00", "UVP 129,00 € 99,00 €": "99.00",
	} {
		t.Run(text, func(t *testing.T) {
			prices := money.FindIn(text, "")
			if len(prices) < 2 {
				t.Fatalf("%+v", prices)
			}
			if got := prices[ToPay(text, prices)].Amount; got != want {
				t.Error(got)
			}
		})
	}
}
