package regions

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
)

func TestThePriceToPayIsReadBesideAFormerOne(t *testing.T) {
	const plain = `<span class="price"><span class="amount"><bdi><span class="sign">£</span>%s</bdi></span></span>`
	amount := func(price string) string {
		return fmt.Sprintf(`<span class="amount"><bdi><span class="sign">£</span>%s</bdi></span>`, price)
	}
	sale := func(was, now string) string {
		return `<span class="price"><del>` + amount(was) + `</del> <span class="hint">Original price was: £` + was + `.</span><ins>` +
			amount(now) + `</ins><span class="hint">Current price is: £` + now + `.</span></span>`
	}
	for name, prices := range map[string][]string{
		"all reduced":      {sale("45.00", "29.00"), sale("30.00", "24.00"), sale("28.00", "21.50"), sale("1,065.00", "952.00")},
		"some reduced":     {sale("45.00", "29.00"), fmt.Sprintf(plain, "24.00"), fmt.Sprintf(plain, "21.50"), fmt.Sprintf(plain, "952.00")},
		"crossed out":      {`<s>£45.00</s> <b>£29.00</b>`, `<s>£30.00</s> <b>£24.00</b>`, `<s>£28.00</s> <b>£21.50</b>`, `<s>£1,065.00</s> <b>£952.00</b>`},
		"named by a class": {`<i class="price-was">£45.00</i> <i class="price-now">£29.00</i>`, `<i class="price-was">£30.00</i> <i class="price-now">£24.00</i>`, `<i class="price-was">£28.00</i> <i class="price-now">£21.50</i>`, `<i class="price-was">£1,065.00</i> <i class="price-now">£952.00</i>`},
		"bare text beside one that is crossed out": {`<p><s>£45.00</s> £29.00</p>`, `<p>£24.00</p>`, `<p class="less"><del>£28.00</del> £21.50</p>`, `<p>£952.00</p>`},
		"bare text beside one that a class names":  {`<div>£29.00</div>`, `<div><span class="was">£30.00</span> £24.00</div>`, `<div>£21.50</div>`, `<div>£952.00</div>`},
		"bare text before a list price":            {`<b class="price with-list-price">£29.00* <i class="list-price"><i class="list-price-price">£45.00*</i> <i>(35 % off)</i></i></b>`, `<b class="price">£24.00*</b>`, `<b class="price">£21.50*</b>`, `<b class="price">£952.00*</b>`},
		"regular or on sale":                       {`<div><i class="regular">£45.00</i><i class="sale">£29.00</i></div>`, `<div><i class="regular">£24.00</i></div>`, `<div><i class="regular">£21.50</i></div>`, `<div><i class="regular">£952.00</i></div>`},
		"with blanks in thousands":                 {`<div><i class="regular">2 199 kr</i><i class="sale">29.00 kr</i></div>`, `<div><i class="regular">24.00 kr</i></div>`, `<div><i class="regular">21.50 kr</i></div>`, `<div><i class="regular">952.00 kr</i></div>`},
		"regular and on sale alike":                {`<div><i class="regular">£29.00</i><s class="regular">£45.00</s><i class="sale">£29.00</i></div>`, `<div><i class="regular">£24.00</i><s></s><i class="sale">£24.00</i></div>`, `<div><i class="regular">£21.50</i><s></s><i class="sale">£21.50</i></div>`, `<div><i class="regular">£952.00</i><s></s><i class="sale">£952.00</i></div>`},
		"after a price per unit":                   {`<small>£1.20/kg</small><b>£29.00</b>`, `<small>£3.10/kg</small><b>£24.00</b>`, `<b>£21.50</b>`, `<small>£5.00/kg</small><b>£952.00</b>`},
		"after a recommended price":                {`<i>RRP: £49.00</i><b>£29.00</b>`, `<i>RRP: £34.00</i><b>£24.00</b>`, `<i>RRP: £31.50</i><b>£21.50</b>`, `<i>RRP: £999.00</i><b>£952.00</b>`},
		"per unit alone":                           {`<b>£29.00/kg</b>`, `<b>£24.00/kg</b>`, `<b>£21.50/kg</b>`, `<b>£952.00/kg</b>`},
		"with its tax":                             {`<b>£29.00 including 20 % VAT</b>`, `<b>£24.00 including 20 % VAT</b>`, `<b>£21.50 including 20 % VAT</b>`, `<b>£952.00 including 20 % VAT</b>`},
		"without a former":                         {`<b>£29.00</b>`, `<b>£24.00</b>`, `<b>£21.50</b>`, `<b>£952.00</b>`},
		"for members, less":                        {`<b>£29.00</b> <i>Members £25.00</i>`, `<b>£24.00</b> <i>Members £20.00</i>`, `<b>£21.50</b> <i>Members £18.00</i>`, `<b>£952.00</b> <i>Members £900.00</i>`},
	} {
		t.Run(name, func(t *testing.T) {
			page := `<html lang="en"><body><main><h1>Kitchen</h1><ul>`
			for i, title := range []string{"Oak Chopping Board", "Bread Knife", "Linen Apron", "Cast Iron Stove"} {
				page += fmt.Sprintf(`<li><a href="/p/%d"><h2>%s</h2></a>%s</li>`, i, title, prices[i])
			}
			_, items := Items(t.Context(), dom.New([]byte(page+`</ul></main></body></html>`), "https://shop.example/"), Options{})
			if len(items) != 4 {
				t.Fatalf("%d items, want 4", len(items))
			}
			for i, want := range []string{"29.00", "24.00", "21.50", "952.00"} {
				t.Run(want, func(t *testing.T) {
					if got, _ := items[i].Fields["price"].(string); !strings.Contains(got, want) {
						t.Errorf("item %d costs %q, want %s", i, got, want)
					}
					for _, was := range []string{"45.00", "30.00", "28.00", "1,065.00"} {
						t.Run(was, func(t *testing.T) {
							if got := fmt.Sprint(items[i].Fields["price"]); strings.Contains(prices[i], was) && strings.Contains(got, was) {
								t.Errorf("item %d costs %q with what it cost before", i, got)
							}
							if got := fmt.Sprint(items[i].Fields["price_was"]); strings.Contains(prices[i], was) != strings.Contains(got, was) {
								t.Errorf("item %d cost %q before in %s", i, got, prices[i])
							}
						})
					}
				})
			}
		})
	}
}

func TestAFootnoteIsNoPrice(t *testing.T) {
	for price, want := range map[string]string{
		`%d,00 €<sup>1</sup>`: "129,00 €", `%d €<sup><a href="#note">2</a></sup>`: "129 €", `€ %d<sup>95</sup>`: "€ 129.95",
	} {
		t.Run(price, func(t *testing.T) {
			page := `<html lang="de"><body><main><h1>Elektrowerkzeuge</h1><div class="grid">`
			for i, title := range []string{"Akkuschrauber A1", "Stichsäge S2", "Bohrhammer B3", "Multitool M4", "Kreissäge K5"} {
				page += fmt.Sprintf(`<div class="prod"><a href="/p/%d">%s</a><div class="price">`+price+`</div><button>Kaufen</button></div>`,
					i, title, 129+i)
			}
			_, items := Items(t.Context(), dom.New([]byte(page+`</div></main></body></html>`), "https://shop.example/"), Options{})
			if len(items) != 5 {
				t.Fatalf("%s: %d items, want 5", price, len(items))
			}
			if got := fmt.Sprint(items[0].Fields["price"]); got != want {
				t.Errorf("%s: costs %q, want %q: %v", price, got, want, items[0].Fields)
			}
		})
	}
}
