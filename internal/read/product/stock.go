package product

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// stock is whether a thing can be had.
type stock string

const (
	unknownStock stock = ""
	inStock      stock = "in_stock"
	outOfStock   stock = "out_of_stock"
	preorder     stock = "preorder"
	discontinued stock = "discontinued"
)

// stockPhrases are what pages write about stock, in many languages. What says that
// there is none stands before what its words contain.
var stockPhrases = []struct {
	means   stock
	phrases []string
}{
	{discontinued, list(`discontinued|no longer available|no longer sold|no longer in our range|nicht mehr lieferbar|nicht mehr verfügbar|nicht mehr im sortiment|n'est plus disponible|plus commercialisé|
		ya no está disponible|descatalogado|não está mais disponível|descontinuado|non più disponibile|fuori produzione|wycofany|produkt wycofano|ukončený prodej|ukončen prodej|predaj ukončený|
		снят с производства|снято с производства|niet meer leverbaar|utgått|utgår ur|udgået|utgått vare|poistunut|megszűnt|artık satışta değil|販売終了|生産終了|停产|단종|спрян от производство|спрямено|ukinjeno|ne proizvodi se|ni več na voljo|više nije dostupno|не се предлага|більше не доступний|знято з виробництва|tootmisest maas|nebegaminamas|vairs nav pieejams|
		nu mai este disponibil|scos din ofertă|καταργήθηκε|δεν διατίθεται πλέον|ja no està disponible|ngừng kinh doanh|ngừng sản xuất|เลิกผลิต|tidak lagi dijual|הופסק|停產|下架`)},
	{outOfStock, list(`out of stock|out-of-stock|sold out|currently unavailable|temporarily unavailable|not available|not in stock|no stock|this item has sold|this listing has ended|listing ended|
		this listing was ended|bidding has ended|auction ended|auction closed|item is no longer|unavailable|ausverkauft|nicht verfügbar|nicht auf lager|nicht lieferbar|derzeit nicht|momentan nicht|vergriffen|
		rupture de stock|en rupture|épuisé|indisponible|non disponible|plus en stock|vente terminée|agotado|sin stock|sin existencias|no disponible|fuera de stock|esgotado|sem estoque|sem stock|indisponível|
		fora de estoque|esaurito|non disponibile|terminato|inserzione scaduta|niedostępny|brak w magazynie|wyprzedane|produkt niedostępny|brak towaru|chwilowo brak|vyprodáno|nedostupné|není skladem|momentálně nedostupné|
		vypredané|nie je na sklade|nedostupný|elfogyott|nincs raktáron|nincs készleten|nem elérhető|készlethiány|stoc epuizat|indisponibil|nu este în stoc|nu este in stoc|fără stoc|нет в наличии|
		нет на складе|распродано|закончился|продано|немає в наявності|закінчився|изчерпан|няма наличност|не е наличен|uitverkocht|niet op voorraad|niet leverbaar|niet beschikbaar|slutsåld|slut i lager|
		ej i lager|tillfälligt slut|utsolgt|ikke på lager|udsolgt|loppuunmyyty|loppu varastosta|ei varastossa|tükendi|stokta yok|stoklarda yok|nije dostupno|rasprodano|nema na zalihi|nije na zalihi|
		nedostupno|nema na stanju|ni na zalogi|razprodano|trenutno ni|εξαντλημένο|μη διαθέσιμο|εξαντλήθηκε|läbi müüdud|išparduota|nav pieejams|אזל מהמלאי|אזל|غير متوفر|نفذت الكمية|売り切れ|在庫切れ|在庫なし|
		品切れ|完売|缺货|售罄|已售完|缺貨|已售完|補貨中|품절|일시품절|재고없음|매진|hết hàng|สินค้าหมด|stok habis|ناموجود|esgotat|sense estoc|agotada|esgotada|esaurita|épuisée|izpārdots|nav noliktavā|nėra sandėlyje|pole laos|uppselt|ekki til á lager|nema na lageru|rasprodato|rasprodano|нема на залиха|
		розпродано|відсутній|відсутнє|няма в наличност|изчерпано|изчерпана|продадено|εκτός αποθέματος|δεν είναι διαθέσιμο|stokta bulunmamaktadır|stokta bulunmuyor|stokda yoxdur|brak w sprzedaży|produkt wyprzedany|wyprzedany|vyprodané|
		nem rendelhető|stoc zero|tạm hết hàng|สินค้าหมดชั่วคราว|habis terjual|kehabisan stok|स्टॉक में नहीं|স্টকে নেই|تمام شد|נגמר במלאי|לא במלאי|לא זמין|غير متاح|نفد المخزون|無庫存|无货|已售罄|入荷待ち|판매종료|판매완료|mevcut değil|tidak tersedia|ikke leverbar|ej leverbar|ei saatavilla|ikke tilgjengelig|ikke tilgængelig|ej tillgänglig|inte tillgänglig|nije raspoloživo|ni na voljo|не в наличност|tugadi|không có sẵn`)},
	{preorder, list(`pre-order|preorder|pre order|available for pre-order|backorder|back-order|coming soon|vorbestell|précommande|preventa|pré-venda|preordine|przedsprzedaż|předobjednávka|предзаказ|
		förbeställ|forudbestil|forhåndsbestill|ennakkotilaus|ön sipariş|precomandă|予約受付|예약판매|prevenda|pré-encomenda|voorbestellen|pre-orderen|predobjednávka|előrendelés|előrendelhető|предварителна поръчка|передзамовлення|предпоръчка|prednaročilo|prednarudžba|eeltellimus|
		išankstinis užsakymas|priekšpasūtījums|forpöntun|προπαραγγελία|đặt trước|พรีออเดอร์|הזמנה מוקדמת|طلب مسبق|预售|預購|予約商品|사전예약`)},
	{inStock, list(`in stock|available|ready to ship|ships today|auf lager|lieferbar|verfügbar|vorrätig|sofort lieferbar|en stock|disponible|in magazzino|disponibile|disponibilità|em stock|em estoque|disponível|
		dostępny|w magazynie|na stanie|skladem|na sklade|dostupné|raktáron|készleten|în stoc|in stoc|disponibil|в наличии|есть в наличии|в наявності|налично|op voorraad|leverbaar|i lager|på lager|
		varastossa|stokta|na zalihi|dostupno|na zalogi|διαθέσιμο|laos|sandėlyje|במלאי|متوفر|在庫あり|有货|現貨|재고있음|còn hàng|noliktavā|pieejams|á lager|til á lager|na lageru|на залиха|є в наявності|на складі|на складе|в наличност|en existencia|disponibles|en estoc|disponibile subito|leverbar|finns i lager|lagervara|saatavilla|heti saatavilla|
		mevcut|stokda var|rendelhető|elérhető|pe stoc|на лагеру|άμεσα διαθέσιμο|σε απόθεμα|มีสินค้า|พร้อมส่ง|tersedia|stok tersedia|स्टॉक में|موجود|متاح|זמין|tilgjengelig|tilgængelig|tillgänglig|na voljo|raspoloživo|có sẵn|有库存|有庫存|现货|在庫有り|구매가능`)},
}

// stockOf reads a short text that is about stock.
func stockOf(text string) stock {
	text = strings.ToLower(text)
	for _, group := range stockPhrases {
		for _, phrase := range group.phrases {
			if standsIn(text, phrase) {
				return group.means
			}
		}
	}
	return unknownStock
}

func standsIn(text, phrase string) bool {
	at := strings.Index(text, phrase)
	if at < 0 {
		return false
	}
	first, _ := utf8.DecodeRuneInString(phrase)
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	behind, _ := utf8.DecodeRuneInString(text[at+len(phrase):])
	return first >= 0x2E80 || (at == 0 || !isLetter(before)) && !(isLetter(behind) && len(phrase) < 5)
}

func isLetter(r rune) bool { return unicode.IsLetter(r) }

// saidStock is what the page says about stock near its heading or its buttons.
type saidStock struct {
	means stock
	node  *html.Node
	text  string
}

// longestStock is the most characters of a line about stock: longer ones tell of
// conditions.
const longestStock = 60

// nearStock is how far from the heading, the price or the button such a line counts.
const nearStock = 450

func (l *layout) stockLines(anchors []*html.Node) []saidStock {
	var found []saidStock
	for _, b := range l.lines() {
		if len(b.Text) > 4*longestStock || utf8.RuneCountInString(b.Text) > longestStock || len(found) > 50 {
			continue
		}
		if !l.nearAny(b.Node, anchors) {
			continue
		}
		means := stockOf(b.Text)
		if means == unknownStock || l.spots[b.Node].hidden || l.aside(b.Node) || l.isChoice(b.Node) {
			continue
		}
		found = append(found, saidStock{means, b.Node, b.Text})
	}
	return found
}

// isChoice tells the entries of lists of variants and of shops, each of which may
// be out of stock on its own.
func (l *layout) isChoice(n *html.Node) bool {
	for range 4 {
		if n == nil || n.Type != html.ElementNode {
			return false
		}
		switch n.Data {
		case "option", "select", "label", "li", "tr":
			return true
		}
		if l.has(n, "swatch", "swatches", "variant", "variants", "variation", "size", "sizes", "store", "stores", "branch", "pickup", "collect", "option", "options") {
			return true
		}
		n = n.Parent
	}
	return false
}

func (l *layout) nearAny(n *html.Node, anchors []*html.Node) bool {
	for _, a := range anchors {
		if l.away(n, a) < nearStock {
			return true
		}
	}
	return false
}

// availability reads whether the subject can be bought: a button that can be
// pressed outweighs what is written about it, since variants sell out one by one.
func (l *layout) availability(r *PageDraft, buttons []button, p pricing) {
	anchors := l.anchors(buttons, p)
	lines := l.stockLines(anchors)
	var ready, barred, notify *button
	for i := range buttons {
		b := &buttons[i]
		if !l.nearAny(b.node, anchors[:min(len(anchors), 2)]) {
			continue
		}
		switch {
		case b.notifies && notify == nil:
			notify = b
		case b.enabled && !b.notifies && ready == nil:
			ready = b
		case !b.enabled && barred == nil:
			barred = b
		}
	}
	known := l.knownText("availability")
	for _, line := range lines {
		if line.means == inStock || line.means == preorder && ready == nil || ready != nil {
			continue
		}
		l.keepStock(r, known, line.means, "words about stock near the heading, and no way to buy", line.node, line.text, 0.85)
		return
	}
	switch {
	case ready != nil:
		means := inStock
		if stockOf(ready.text) == preorder {
			means = preorder
		}
		r.say("availability", string(means), l.evidence(ready.node, "a button to buy it with", ready.text, 0.8))
		gone := func(s saidStock) bool { return s.means == outOfStock || s.means == discontinued }
		r.Preferred["availability"] = l.knownGone() && (l.someOffer() || !slices.ContainsFunc(lines, gone))
	case notify != nil && barred == nil || notify != nil && barred != nil && stockOf(barred.text) == outOfStock:
		l.keepStock(r, known, outOfStock, "a button that tells when it is back", notify.node, notify.text, 0.75)
	case barred != nil && stockOf(barred.text) == outOfStock:
		l.keepStock(r, known, outOfStock, "the button to buy it says so", barred.node, barred.text, 0.8)
	case l.knownGone() && l.someOffer():
		r.insist("availability", string(inStock), l.evidence(nil, "one of its variants is offered", l.knownText("availability"), 0.7))
	default:
		for _, line := range lines {
			if line.means == inStock {
				r.say("availability", string(inStock), l.evidence(line.node, "words about stock near the heading", line.text, 0.7))
				return
			}
		}
	}
}

// keepStock keeps what the page shows; over what its data say only where these do
// not name another reason for its not being had.
func (l *layout) keepStock(r *PageDraft, known string, means stock, rule string, n *html.Node, text string, trust float64) {
	r.say("availability", string(means), l.evidence(n, rule, text, trust))
	if known != "" && stockOf(strings.ReplaceAll(camelWords(known), "_", " ")) == inStock {
		r.Preferred["availability"] = true
	}
}

// knownGone says whether the data of the page call its subject sold out.
func (l *layout) knownGone() bool {
	switch stockOf(strings.ReplaceAll(camelWords(l.knownText("availability")), "_", " ")) {
	case outOfStock, discontinued:
		return true
	}
	return false
}

// someOffer says whether the data of the page offer any variant of its subject.
func (l *layout) someOffer() bool {
	if l.graph == nil {
		return false
	}
	for _, item := range l.graph.Find("Product", "ProductGroup", "IndividualProduct", "ProductModel") {
		if fold(item.Text("name")) != fold(l.knownText("name")) {
			continue
		}
		for part := range item.All() {
			if part.Is("Offer", "AggregateOffer", "Demand") && stockOf(camelWords(part.Text("availability"))) == inStock {
				return true
			}
		}
	}
	return false
}

// camelWords writes "https://schema.org/InStock" as "in stock".
func camelWords(text string) string {
	text = text[strings.LastIndexByte(text, '/')+1:]
	var out strings.Builder
	for i, r := range text {
		if unicode.IsUpper(r) && i > 0 {
			out.WriteByte(' ')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

// anchors are the elements around which the page speaks of its subject.
func (l *layout) anchors(buttons []button, p pricing) []*html.Node {
	var all []*html.Node
	if l.title != nil {
		all = append(all, l.title)
	}
	if p.best != nil {
		all = append(all, p.best.node)
	}
	for _, b := range buttons[:min(len(buttons), 3)] {
		all = append(all, b.node)
	}
	return all
}
