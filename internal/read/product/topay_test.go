package product

import (
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text/money"
)

func TestOfSeveralPricesTheOneToPayCounts(t *testing.T) {
	for text, want := range map[string]string{
		"Was £45.00 Now £36.00": "36.00", "RRP £45.00 £36.00": "36.00", "£36.00 RRP £45.00": "36.00", "statt 45,00 € nur 36,00 €": "36.00",
		"12,50 €/kg 209,00 €": "209.00", "(12,50 €/100 g) 209,00 €": "209.00", "Save £10 now £40": "40", "£5.20 per kg £13.00": "13.00",
		"Stima € 3.500 - 4.500": "3500", "Estimate £300 – £500 Current bid £250": "250", "£36.00 £12.00/kg": "36.00",
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

func TestAPriceBesideAFormerOneIsToBePaid(t *testing.T) {
	for _, price := range []string{
		`<span class="price"><del>299 €</del> 199 €</span>`, `<p class="price"><s>CHF 299.–</s> CHF 199.–</p>`,
		`<div class="price"><span class="was">£299</span> £199</div>`,
		`<span class="product-price with-list-price">199 €* <span class="list-price"><span class="list-price-price">299 €*</span></span></span>`,
	} {
		t.Run(price, func(t *testing.T) {
			page := `<html lang="de"><body><main><h1>Sofa Lund</h1>` + price + `<button>In den Warenkorb</button></main></body></html>`
			r, _ := productOf(dom.New([]byte(page), "https://shop.example/p/sofa"))
			if r.Fields["price"] != "199" || r.Fields["price_was"] != "299" {
				t.Errorf("%s: %v, before %v", price, r.Fields["price"], r.Fields["price_was"])
			}
		})
	}
}
