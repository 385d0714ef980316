package product

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// label is what a page calls a value that stands behind it.
type label uint8

const (
	skuLabel   label = iota // the shop's own number
	idLabel                 // of an ad, a lot, a listing
	modelLabel              // of the maker, by name
	mpnLabel                // of the maker, by number
	gtinLabel               // EAN, UPC, ISBN
	brandLabel              //
	noLabel
)

// labels are the words before a value, by what they say, in the languages of many
// shops. The longer stand for themselves; all are in lower case.
var labels = map[label][]string{
	skuLabel: list(`sku|sku code|sku number|item no|item number|item code|item|item id|item model number|article number|article no|article|art|art. no|art no|art. nr|art.nr|art.-nr|art-nr|artnr|art. č|artikel|artikel-nr|
		artikelnr|artikelnummer|artikel nr|artikelcode|produktnummer|produkt-nr|produktcode|bestellnummer|bestell-nr|best.-nr|product code|product number|product no|product id|product ref|productcode|product reference|
		productnummer|stock code|stock number|stock no|stock id|part code|catalogue number|catalog number|catalogue no|cat. no|cat no|ref|réf|référence|reference|référence produit|réf. produit|code article|code produit|
		réf produit|code|código|código de producto|codigo|código do produto|código del producto|referencia|referência|cod|cód|cod. articolo|codice|codice articolo|codice prodotto|cod. art|articolo|riferimento|rif|
		kod|kod produktu|nr katalogowy|numer katalogowy|indeks|symbol|nr produktu|numer artykułu|kód|kód produktu|kód zboží|kód tovaru|katalogové číslo|kat. číslo|objednací číslo|číslo produktu|
		cikkszám|termékkód|cod produs|cod articol|cod intern|šifra|šifra izdelka|šifra artikla|šifra proizvoda|kat. broj|kataloški broj|artikl|ident|код|код товара|код товару|артикул|арт|номер товара|номенклатурный номер|
		каталожен номер|код на продукта|код продукта|tootekood|prekės kodas|preces kods|artikelnummer|art.nr|varenr|varenummer|vare nr|vare-nr|varunummer|produktkod|produktnr|tuotenumero|tuotekoodi|tuotenro|ürün kodu|stok kodu|
		κωδικός|κωδικός προϊόντος|מק"ט|מקט|رمز المنتج|الرقم المرجعي|型番|品番|商品番号|商品コード|商品號|貨號|货号|商品编号|商品編號|产品编号|款號|상품번호|상품코드|품번|제품번호|제품코드|mã sản phẩm|mã sp|รหัสสินค้า|kode produk|web id|web code|style|style no|
		style number|style code|style #|tcin|dpci|asin|plu|item #|product #|model/sku|order code|order no|order number`),
	idLabel: list(`id|ad id|listing id|lot|lot number|lot no|lot id|ad number|ad ref|ad no|anzeigennummer|anzeigen-id|anzeige nr|annonce n°|id annonce|numéro de l'annonce|id anuncio|id do anúncio|código do anúncio|
		id annuncio|numero annuncio|id ogłoszenia|id oferty|nr oferty|numer oferty|номер объявления|id объявления|ilan no|hirdetés azonosító|id produktu|id anunț|advertentienummer|auction id|auktion nr|item number|ebay item number|ebay-artikelnummer|
		numéro de l'objet|numero oggetto|n° objet|ogłoszenie nr|posting id|deal no|deal id|딜번호|listing number|property id|reference number|vehicle id|stock #`),
	modelLabel: list(`model|model no|model number|model name|modell|modellnummer|modell-nr|modèle|modelo|modello|model produktu|модель|μοντέλο|モデル|型號|型号|모델|모델명|malli`),
	mpnLabel: list(`mpn|manufacturer part number|manufacturer number|manufacturer code|manufacturer ref|mfr part|mfr part no|mfr. part|mfg part|part number|part no|part #|herstellernummer|hersteller-nr|hersteller-artikelnummer|
		herstellerartikelnummer|herst.-nr|teilenummer|référence fabricant|réf. fabricant|ref. fabricante|codice produttore|kod producenta|part number (pn)|p/n|pn|výrobní číslo|kód výrobce|gyártói cikkszám|cod producator|
		код производителя|fabrikantcode|fabrikantnummer|tillverkarens artikelnummer|produsentens varenummer|メーカー型番`),
	gtinLabel: list(`ean|ean code|ean-code|ean-nr|ean13|ean-13|ean kód|kod ean|ean kod|gtin|gtin13|gtin-13|gtin14|gtin12|upc|upc code|upc-a|isbn|isbn-13|isbn13|isbn 13|isbn-10|isbn 10|ean 13|gtin 13|barcode|bar code|strichcode|código de barras|code-barres|
		codice ean|codice a barre|штрихкод|штрих-код|kod kreskowy|čárový kód|vonalkód|jan|janコード|jan code|条形码|바코드|streckkod|strekkode|viivakoodi`),
	brandLabel: list(`brand|brand name|make|manufacturer|designer|by brand|marke|hersteller|marque|fabricant|marca|fabricante|marchio|produttore|producent|marka|značka|výrobce|výrobca|gyártó|márka|brand/marca|producător|
		producator|brend|proizvođač|proizvajalec|blagovna znamka|znamka|robna marka|бренд|производитель|марка|виробник|merk|fabrikant|varumärke|tillverkare|merke|produsent|mærke|producent|merkki|valmistaja|brändi|μάρκα|
		κατασκευαστής|מותג|יצרן|العلامة التجارية|الماركة|ブランド|メーカー|品牌|廠牌|브랜드|제조사|제조자|thương hiệu|ยี่ห้อ|merek|gamintojas|ražotājs|kaubamärk|tootja|publisher|verlag`),
}

// labelled is a value with its label.
type labelled struct {
	kind  label
	name  string
	value string // what stands behind the label, on its line or on the next
	node  *html.Node
	text  string // the line
	apart bool   // the label ends a line, or a colon stands behind it
}

// byWord finds labels by their first word.
var byWord = indexLabels()

type namedLabel struct {
	name string
	kind label
}

func indexLabels() map[string][]namedLabel {
	index := map[string][]namedLabel{}
	for kind := skuLabel; kind < noLabel; kind++ {
		for _, name := range labels[kind] {
			first := firstWord(name)
			index[first] = append(index[first], namedLabel{name, kind})
		}
	}
	return index
}

// firstWord is the run of letters with which a text begins, or its first letter in
// scripts that write no spaces.
func firstWord(text string) string {
	for i, r := range text {
		if !unicode.IsLetter(r) {
			return text[:i]
		}
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) {
			return text[:i+utf8.RuneLen(r)]
		}
	}
	return text
}

// longestLabelled is the most bytes of a line in which labels are sought.
const longestLabelled = 300

const mostLabelled = 400

// labelledValues are the values with labels on the page, outside its side parts.
func (l *layout) labelledValues() []labelled {
	var all []labelled
	lines := l.lines()
	for i, b := range lines {
		if len(b.Text) > longestLabelled || len(all) >= mostLabelled || b.Text == "" {
			continue
		}
		next := ""
		if i+1 < len(lines) && len(lines[i+1].Text) < longestLabelled {
			next = lines[i+1].Text
		}
		found := labelsIn(b.Text, next)
		if len(found) == 0 || l.aside(b.Node) {
			continue
		}
		for _, f := range found {
			f.node, f.text = b.Node, b.Text
			all = append(all, f)
		}
	}
	return all
}

// labelsIn reads the labels of one line: at its begin and behind signs that part it.
func labelsIn(line, next string) []labelled {
	lower := strings.ToLower(line)
	if len(lower) != len(line) {
		line = lower // rare letters change their length; their case is lost with it
	}
	var all []labelled
	parted := true
	for at := 0; at < len(lower) && len(all) < 8; {
		// In the middle of a line only a colon tells a label from other words.
		if f, ok := labelAt(line, lower, at, next); ok && (parted || f.apart && f.value != next) {
			all = append(all, f)
		}
		step := strings.IndexAny(lower[at:], " |•·;,/()[]–-")
		if step < 0 {
			break
		}
		at += step
		parted = false
		for at < len(lower) {
			r, size := utf8.DecodeRuneInString(lower[at:])
			if !strings.ContainsRune(" |•·;,/()[]–-", r) {
				break
			}
			parted = parted || r != ' '
			at += size
		}
	}
	return all
}

func labelAt(line, lower string, at int, next string) (labelled, bool) {
	best := namedLabel{kind: noLabel}
	for _, candidate := range byWord[firstWord(lower[at:])] {
		if len(candidate.name) > len(best.name) && strings.HasPrefix(lower[at:], candidate.name) && ends(lower[at+len(candidate.name):], candidate.name) {
			best = candidate
		}
	}
	if best.kind == noLabel || best.name == "" {
		return labelled{}, false
	}
	rest := line[at+len(best.name):]
	value, colon := behindLabel(rest)
	f := labelled{kind: best.kind, name: best.name, value: value, apart: colon}
	if value == "" {
		f.value, f.apart = strings.TrimLeft(next, ":#№ "), at == 0
	}
	return f, f.value != ""
}

// ends says whether a label ends where the rest of the line begins.
func ends(rest, name string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	last, _ := utf8.DecodeLastRuneInString(name)
	return rest == "" || last >= 0x2E80 || !unicode.IsLetter(r) && (!unicode.IsDigit(r) || len(name) > 3)
}

// behindLabel passes the words and signs that stand between a label and its value.
func behindLabel(rest string) (value string, colon bool) {
	for {
		trimmed := strings.TrimLeft(rest, " .\u00a0\u3000-–=")
		sign := rest[:len(rest)-len(trimmed)]
		colon = colon || sign != "-" && strings.ContainsAny(sign, "-–=") // "Make-Up" is one word
		for _, sign := range []string{":", "：", "#", "№", "n°", "nº", "N°", "Nº"} {
			if cut, ok := strings.CutPrefix(trimmed, sign); ok {
				colon = true
				trimmed = strings.TrimLeft(cut, " .\u00a0\u3000")
			}
		}
		for _, word := range []string{"no.", "No.", "nr.", "Nr.", "number", "Number", "nummer", "Code", "code", "ID", "num."} {
			if cut, ok := strings.CutPrefix(trimmed, word); ok && (cut == "" || !isLetter(rune(cut[0])) && !unicode.IsDigit(rune(cut[0]))) {
				trimmed = cut
			}
		}
		if trimmed == rest {
			return strings.TrimSpace(trimmed), colon
		}
		rest = trimmed
	}
}
