package product

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"curlew/internal/read/dom"
)

// button is what a visitor presses to buy the subject of the page.
type button struct {
	node     *html.Node
	text     string
	enabled  bool
	notifies bool // it only offers to write when the product is back
}

// buyWords begin or make up the texts of buttons with which people buy.
var buyWords = list(`add to cart|add to bag|add to basket|add to trolley|add to shopping|buy now|buy it now|buy|add item|purchase|order now|checkout|place bid|bid now|make offer|reserve|
	in den warenkorb|in den einkaufswagen|jetzt kaufen|kaufen|bestellen|ajouter au panier|ajouter|acheter|commander|enchérir|añadir al carrito|añadir a la cesta|agregar al carrito|añadir a la bolsa|
	comprar|adicionar ao carrinho|adicionar|aggiungi al carrello|aggiungi|acquista|compra|compralo|dodaj do koszyka|do koszyka|kup teraz|kup|přidat do košíku|do košíku|koupit|vložit do|pridať do|
	do košíka|kúpiť|kosárba|megvesz|adaugă în coș|adauga in cos|adaugă|cumpără|cumpara|dodaj v košarico|v košarico|dodaj u košaricu|u košaricu|dodaj u korpu|kupi|добави в|купи|купить|в корзину|
	добавить в|заказать|купити|в кошик|до кошика|in winkelwagen|in winkelmand|in mijn winkel|bestel|koop|köp|lägg i|lägg till i|legg i|kjøp|læg i|tilføj til kurv|køb|lisää ostoskoriin|osta|
	sepete ekle|satın al|lisa ostukorvi|pievienot grozam|į krepšelį|προσθήκη στο|αγορά|הוסף לסל|أضف إلى|اشتر|カートに入れる|購入|カゴに|加入購物車|加入购物车|立即購買|立即购买|購買|장바구니|구매|바로구매|thêm vào giỏ|mua ngay|
	เพิ่มลงตะกร้า|ซื้อ|tambah ke|beli|afegir a la cistella|afegir al carret|engadir ao carro|saskira gehitu|bæta í körfu|setja í körfu|kaupa|dodati u košaricu|u korpu|додај у корпу|купи сада|додати в кошик|додати до кошика|замовити|
		добавяне в количката|добави в количка|поръчай|во кошничка|ielikt grozā|į krepšelį|pirkti|įdėti į krepšelį|lisa korvi|osta kohe|ostukorvi|add to order|add to quote|in den korb|in den warenkorb legen|zum warenkorb|
		mettre au panier|je commande|añadir al carro|agregar al carro|adicionar à sacola|adicionar ao cesto|colocar no carrinho|metti nel carrello|zamów|do kosza|objednat|objednať|megrendelem|vásárlás|
		comandă|toevoegen aan|plaats in winkel|lägg i varukorg|beställ|legg til i|bestill|læg i kurv|bestil|lisää koriin|sepete at|hemen al|səbətə at|στο καλάθι|αγόρασε|הוסף לעגלה|קנה עכשיו|أضف للسلة|
		افزودن به سبد|خرید|कार्ट में|अभी खरीदें|cho vào giỏ|mua hàng|đặt hàng|หยิบใส่ตะกร้า|สั่งซื้อ|masukkan keranjang|tambahkan ke|ajouter au sac|買い物かご|今すぐ買う|注文|放入購物車|放入购物车|加入購物袋|주문하기`)

// notifyWords are those of buttons of things that cannot be bought now.
var notifyWords = list(`notify me|notify|email me when|email when|join waitlist|join the waitlist|join waiting|remind me|back in stock|benachrichtig|erinner|prévenez|m'avertir|me prévenir|alerte|avísame|
	avísenme|notificarme|avise-me|avisa-me|avvisami|avvertimi|powiadom|hlídat|upozornit|strážiť|сообщить|уведомить|повідомити|houd me op de hoogte|mail mij|bevaka|varsle|giv besked|ilmoita|értesít|
	gelince haber|stok bildirimi|anunță-mă|anunta|obavijesti|obvesti|再入荷|入荷通知|到货通知|貨到通知|재입고|avisa'm|уведоми ме|извести ме|javi mi|obavesti me|upozorniť|teavita|pranešti|paziņot|láta vita|ειδοποίηση|ενημέρωσέ με|haber ver|báo khi có hàng|thông báo khi|แจ้งเตือน|beri tahu|הודיעו לי|עדכנו אותי|أعلمني|أخبرني|
		به من اطلاع|alert me|tell me when|let me know|me avise|avisar|informieren sie mich|meld mij|hou me op de hoogte|meddela mig|gi meg beskjed|giv mig besked`)

// wishWords are in the texts of buttons that only put a thing aside: "add to
// favourites", "add to compare".
var wishWords = list(`wish|favor|favour|favori|favourit|registry|compar|save for later|add to list|lists|merkzettel|wunsch|merkliste|vergleich|envies|préféré|coup de cœur|deseos|desejos|
	preferit|desideri|confront|ulubion|schowk|porówna|życze|oblíben|obľúben|porovn|kedvenc|kívánság|összehasonl|избран|любим|желани|сравн|обран|бажан|порівня|priljubljen|želj|primerja|usporedi|favorit|
	önsk|ønske|husk|jämför|sammenlign|suosik|toivelist|vertaa|verlang|vergelijk|dorinț|compară|αγαπημέν|επιθυμ|σύγκρι|istek|karşılaştır|lemmik|võrdle|pageidav|palygin|vēlm|salīdzin|óskalist|מועדפ|משאלות|المفضلة|
	علاقه|お気に入り|ほしい物|比較|收藏|願望|比较|心愿|찜|위시|yêu thích|so sánh|รายการโปรด|favorit|bandingkan`)

// buyNames are words by which the elements of such buttons go.
var buyNames = pairSet(`add to,addto cart,to cart,to basket,to bag,buy now,buy button,cart button,cart btn,btn cart,button cart,btn buy,button buy,buy btn,basket add,cart add,bid button,place bid`)

const mostClicks = 20_000

// buttons finds what the subject of the page is bought with. Buttons in cards of
// other products are left out.
func (l *layout) buttons() []button {
	var all []button
	seen := map[string]int{}
	for i, n := range l.clicks {
		if i >= mostClicks {
			break
		}
		b, ok := l.button(n)
		if !ok || l.aside(n) {
			continue
		}
		seen[b.text+"\x00"+firstClass(n)]++
		all = append(all, b)
	}
	kept := all[:0]
	for _, b := range all {
		if seen[b.text+"\x00"+firstClass(b.node)] <= 3 {
			kept = append(kept, b)
		}
	}
	return kept
}

func (l *layout) button(n *html.Node) (button, bool) {
	if n.DataAtom == atom.Input {
		switch strings.ToLower(dom.Attr(n, "type")) {
		case "submit", "button", "image":
		default:
			return button{}, false
		}
	}
	if l.measure(n) > 60 || n.DataAtom == atom.A && l.otherPage(n) && l.farFromBuying(n) {
		return button{}, false
	}
	b := button{node: n, enabled: enabled(n)}
	for _, text := range []string{dom.Line(n), dom.Attr(n, "value"), dom.Attr(n, "aria-label"), dom.Attr(n, "title")} {
		text = strings.ToLower(strings.TrimSpace(text))
		if text == "" || len(text) > 120 {
			continue
		}
		switch {
		case holdsAny(text, wishWords):
			return button{}, false
		case begins(text, notifyWords):
			b.text, b.notifies = text, true
		case begins(text, buyWords):
			b.text = text
		default:
			continue
		}
		return b, !l.spots[n].hidden
	}
	if l.namedBuy(n) && b.text == "" {
		b.text = strings.ToLower(dom.Line(n))
		if stockOf(b.text) == outOfStock {
			b.enabled = false
		}
		return b, !l.spots[n].hidden
	}
	return button{}, false
}

// farFromBuying tells a link that merely begins with the word for buying.
func (l *layout) farFromBuying(a *html.Node) bool {
	href := strings.ToLower(dom.Attr(a, "href"))
	for _, part := range []string{"cart", "basket", "checkout", "buy", "bid", "order", "panier", "warenkorb", "kosik", "kosz", "add"} {
		if strings.Contains(href, part) {
			return false
		}
	}
	return true
}

func (l *layout) namedBuy(n *html.Node) bool {
	words := l.tokens(n)
	for i, word := range words {
		if word == "addtocart" || word == "addtobasket" || word == "addtobag" || word == "buynow" {
			return true
		}
		if i+1 < len(words) && buyNames[word+" "+words[i+1]] && word != "add" {
			return true
		}
	}
	return false
}

// holdsAny says whether one of some beginnings of words stands in a text.
func holdsAny(text string, words []string) bool {
	for _, word := range words {
		if at := strings.Index(text, word); at >= 0 {
			before, _ := utf8.DecodeLastRuneInString(text[:at])
			first, _ := utf8.DecodeRuneInString(word)
			if at == 0 || first >= 0x2E80 || !isLetter(before) {
				return true
			}
		}
	}
	return false
}

func begins(text string, words []string) bool {
	text = strings.TrimLeft(text, "+»› ")
	for _, word := range words {
		if rest, ok := strings.CutPrefix(text, word); ok {
			r, _ := utf8.DecodeRuneInString(rest)
			first, _ := utf8.DecodeRuneInString(word)
			if rest == "" || first >= 0x2E80 || !isLetter(r) {
				return true
			}
		}
	}
	return false
}

// enabled says whether a button can be pressed.
func enabled(n *html.Node) bool {
	if dom.HasAttr(n, "disabled") || strings.EqualFold(dom.Attr(n, "aria-disabled"), "true") {
		return false
	}
	for class := range strings.FieldsSeq(strings.ToLower(dom.Attr(n, "class"))) {
		switch class {
		case "disabled", "is-disabled", "btn-disabled", "button-disabled", "inactive", "out-of-stock", "outofstock", "sold-out", "soldout":
			return false
		}
	}
	return true
}
