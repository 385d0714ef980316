package product

import (
	"fmt"
	"strings"

	"curlew/internal/text/money"
)

// said are the amounts that the page gives to machines as prices, in hundredths,
// with how far each is believed.
type said map[int64]float64

func (s said) add(text string, trust float64) {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > 40 {
		return
	}
	price, ok := money.Parse(text, "")
	if !ok || price.Free {
		return
	}
	if cents, ok := money.Minor(price.Amount, ""); ok && cents > 0 && s[cents] < trust {
		s[cents] = trust
	}
}

// saidPrices collects what structured data and cards call the price.
func (l *layout) saidPrices() said {
	all := said{}
	if l.known != nil {
		if value := l.known.Fields["price"]; value != nil {
			all.add(fmt.Sprint(value), 1)
			for _, rival := range l.known.Provenance["price"].Rivals {
				all.add(rival.Value, 0.8)
			}
		}
	}
	for _, name := range []string{"product:price:amount", "og:price:amount", "product:sale_price:amount", "twitter:data1"} {
		all.add(l.doc.Meta(name), 0.7)
	}
	return all
}
