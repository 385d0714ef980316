package product

import (
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text/wordlist"
)

func TestStockIsToldInManyLanguages(t *testing.T) {
	for text, want := range map[string]stock{
		"Nicht vorrätig": outOfStock, "Pas en stock": outOfStock, "Hay existencias": inStock,
		"In stock": inStock, "Auf Lager": inStock, "Tilgjengelig": inStock, "Mevcut": inStock, "พร้อมส่ง": inStock, "Tersedia": inStock,
		"Sold out": outOfStock, "Mevcut değil": outOfStock, "Ikke tilgjengelig": outOfStock, "Tidak tersedia": outOfStock, "Esgotat": outOfStock, "Išparduota": outOfStock,
		"Nav noliktavā": outOfStock, "Uppselt": outOfStock, "无货": outOfStock,
		"Ngừng kinh doanh": discontinued, "Voorbestellen": preorder, "Free returns": unknownStock,
	} {
		t.Run(text, func(t *testing.T) {
			if got := stockOf(text); got != want {
				t.Errorf("%q: got %q, want %q", text, got, want)
			}
		})
	}
}

func TestAListOfWishesIsNoBasket(t *testing.T) {
	for text, buys := range map[string]bool{
		"Add to cart": true, "Ajouter au panier": true, "Aggiungi al carrello": true, "Į krepšelį": true, "Додати до кошика": true,
		"Add to wishlist": false, "Ajouter aux favoris": false, "Aggiungi ai preferiti": false, "Adicionar aos favoritos": false, "Adaugă la favorite": false, "Add to compare": false,
	} {
		t.Run(text, func(t *testing.T) {
			d := dom.New([]byte(`<html><body><h1>Kettle</h1><p>12 €</p><button>`+text+`</button></body></html>`), "https://shop.example/kettle")
			if got := len(lay(d, nil, nil).buttons()) == 1; got != buys {
				t.Errorf("%q: got %v, want %v", text, got, buys)
			}
		})
	}
}

func TestWordsFile(t *testing.T) {
	if _, err := wordlist.Parse(wordsFile); err != nil {
		t.Error(err)
	}
}
