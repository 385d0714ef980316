package product

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// class is what an amount is, by its names and the words around it.
type class uint8

const (
	plain      class = iota
	current          // said to be what is paid now
	former           // crossed out, list price, recommended price
	saving           // what is saved
	shipping         // what delivery costs, or from when it is free
	instalment       // what is paid per month
	unit             // per kilogram, litre, metre
	estimate         // of an auction
	aside            // points, vouchers, taxes, deposits, insurance
)

// meanings are the words before or behind an amount that say what it is, in the
// languages in which shops write. A word stands for all that begin with it; one
// with "=" stands for itself alone.
var meanings = []struct {
	class  class
	before []string
	after  []string
}{
	{shipping, list(`shipping|delivery|postage|free over|orders over|orders above|spend|versand|lieferung|porto|livraison|frais de port|expédition|envío|envio|gastos de|
		entrega|frete|portes|spedizion|consegna|wysyłk|dostaw|doprav|poštovn|доставк|verzend|bezorg|levering|leverans|frakt|fragt|toimitus|szállít|kargo|livrare|transport|dostav|
		poštnin|מסירה|משלוח|الشحن|توصيل|送料|配送|運費|运费|배송|ongkir|pengiriman`),
		list(`shipping|delivery|postage|p&p|versand|livraison|de port|envío|frete|portes|spedizion|dostaw|doprav|доставк|verzend|frakt|fragt|szállít|kargo|送料|運費|배송`)},
	{instalment, list(`payments of|instalment|installment|monthly|per month|pay in|klarna|afterpay|affirm|zip|laybuy|finance from|monatlich|rate von|raten|=rate|mensualité|par mois|en 3x|en 4x|
		=3x|=4x|=2x|=x|fois|cuotas|=al mes|meses|mensual|prestaç|vezes|parcela|=em até|rate da|rate mensili|mensili|raty|=rata|ratą|splátk|v splátkách|рассрочк|кредит|в месяц|платеж|
		per maand|termijn|avdrag|delbetal|=mnd|osamaks|részlet|taksit|=rate|rate de|obrok|分期|月々|할부|월`),
		list(`/mo|/ mo|per month|a month|=pm|=p/m|monthly|/month|/monat|mtl|im monat|pro monat|/mois|par mois|=x|/mes|al mes|por mes|/mês|al mese|/mese|/mies|miesięcz|/měs|měsíčn|/мес|в месяц|
		p/m|per maand|/mån|/mnd|/kk|/hó|/ay|/lună|mjeseč|/月|每月|/월`)},
	{unit, list(`unit price|price per|per unit|grundpreis|prix au|soit le|=soit|precio por|cena za|cena jedn|jednotkov|цена за|prijs per|jämförpris|jmfpris|enhetspris|egységár|birim fiyat|preț pe|単価`),
		list(`/kg|/ kg|/ l|/l|/100|/ 100|/m|/ m²|/m²|/m2|/ml|/g|/oz|/lb|per kg|per 100|per l|per m|per litre|per liter|per metre|per unit|per item|each 100|pro kg|pro l|pro 100|je 1|je 100|pro m|
		=/ stk|=/stk|le kg|le kilo|le litre|/litre|al kg|al litro|por kg|por litro|za kg|za 1|за кг|za 100|=ea/|=/ea|/unit|/ud|/szt|=/ks|=/db`)},
	{saving, list(`save|saving|you save|discount|=off|reduction|spar|ersparnis|rabatt|nachlass|économi|econom|remise|ahorr|descuento|dto|poup|desconto|risparm|sconto|oszcz|rabat|zniżk|taniej|
		ušetř|sleva|zľava|скид|эконом|выгод|знижк|besparing|bespaar|korting|voordeel|sparar|spara|alennus|säästä|megtakar|kedvezm|indirim|kazanc|reducere|economis|ušted|popust|prihran|
		割引|お得|省|折扣|優惠|할인`),
		list(`off|=saved|saving|discount|gespart|sparen|de remise|d'économie|de descuento|de desconto|di sconto|taniej|rabatu|sleva|скид|korting|rabat|rabatt|alennus|kedvezm|indirim|reducere|popust|割引|할인`)},
	{former, list(`was|were|rrp|=rrp:|msrp|srp|list price|list:|reg|regular|retail|original|compare at|before|previously|old price|usual|normally|valued|typical|statt|uvp|vorher|früher|bisher|listenpreis|
		neupreis|alter preis|ehem|au lieu|prix conseillé|prix barré|ancien|avant|prix public|=pvp|antes|precio anterior|precio original|=era|prima|listino|anziché|invece|preço antigo|=de|de:|pvpr|
		stara cena|cena regularna|najniższa|przed|cena katalog|původní|běžná|pôvodn|bežná|было|старая|без скидки|была|стара|adviesprijs|=van|van:|normaal|=ord|ord.|ordinarie|tidigare|=før|førpris|=før:|
		normalpris|vejl|veil|=norm|=ovh|tidligere|eredeti|régi|korábbi|eski|liste fiyat|piyasa|preț vechi|prp|pret vechi|redna|stara|mpc|redovna|najniža|定価|通常|参考|原價|原价|市價|市价|정가|정상가|소비자가`),
		list(`rrp|msrp|uvp|=list|statt|prix conseillé|=ord|precio anterior`)},
	{estimate, list(`est|estimate|estimated|estimation|schätz|stima|starting|start price|starting bid|reserve|opening|startpreis|mise à prix|next bid|minimum bid|min bid|bid increment|conversion|approx|approximately|
		circa|ca.|environ|=ab|insurance`),
		list(`estimate`)},
	{aside, list(`points|point|bonus|cashback|cash back|voucher|coupon|gift|deposit|pfand|=vat|tax|mwst|steuer|tva|=iva|inkl. mwst|of which|thereof|protection|warranty|insurance|versicher|garantie|assurance|seguro|
		earn|credit|reward|trade-in|trade in|fee|minimum order|ecotax|eco-part|écopart|=raee|ex vat|excl|exkl|zzgl|netto|=net|without tax|ht|sans taxe|bez dph|bez pdv|bez ddv|без ндс|senza iva|sin iva|eks. moms|ekskl`),
		list(`points|points|bonus|cashback|voucher|=vat|ex vat|exc vat|excl|exc.|ex.|exkl|netto|net|=ht|h.t.|hors|bez dph|bez pdv|bez ddv|bez vat|без ндс|+ iva|+iva|sin iva|iva escl|eks. moms|ekskl|+ kdv|alv 0`)},
	{current, list(`now|sale|special|our price|your price|today|current bid|winning|sold for|price:|=price|buy it now|buy now|jetzt|aktuell|angebot|unser preis|maintenant|prix:|prix :|ahora|oferta|=ora|adesso|agora|
		=por|teraz|promoc|=nyní|akce|сейчас|цена:|ціна:|nu|=voor|nå|nyt|most|akció|şimdi|acum|sada|akcij|特価|現在|即決|特價|판매가|할인가|최종`), nil},
}

func list(text string) []string {
	var all []string
	for word := range strings.SplitSeq(text, "|") {
		if word = strings.TrimSpace(word); word != "" {
			all = append(all, word)
		}
	}
	return all
}

// classify says what an amount is.
func (l *layout) classify(o *offer) class {
	if c := l.namedClass(o.node); c != plain {
		return c
	}
	behind := strings.TrimLeft(o.after, " .,\u00a0)*")
	for _, m := range meanings {
		for _, word := range m.after {
			if startsWith(behind, word) {
				return m.class
			}
		}
	}
	for _, m := range meanings {
		for _, word := range m.before {
			if holdsWord(o.before, word) {
				return m.class
			}
		}
	}
	return plain
}

func startsWith(text, word string) bool {
	exact, whole := strings.CutPrefix(word, "=")
	rest, ok := strings.CutPrefix(text, exact)
	if !ok {
		return false
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return !unicode.IsLetter(r) || !whole && utf8.RuneCountInString(exact) > 3
}

// holdsWord finds a word at the begin of a word of the text. Words of up to three
// letters must stand for themselves.
func holdsWord(text, word string) bool {
	exact, whole := strings.CutPrefix(word, "=")
	first, _ := utf8.DecodeRuneInString(exact)
	for from := 0; ; {
		at := strings.Index(text[from:], exact)
		if at < 0 {
			return false
		}
		at += from
		from = at + len(exact)
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		behind, _ := utf8.DecodeRuneInString(text[from:])
		if first >= 0x2E80 {
			return true
		}
		if at > 0 && unicode.IsLetter(before) {
			continue
		}
		if unicode.IsLetter(behind) && (whole || utf8.RuneCountInString(exact) <= 3) {
			continue
		}
		return true
	}
}

// names of elements that say what the amount in them is.
var (
	formerNames = wordSet(`old was were rrp msrp srp strike striked strikethrough strikeout linethrough crossed crossedout former previous original before regular list uvp statt barre barré ancien antes anterior
		tachado anciennement compare compareat wasprice oldprice listprice pricewas priceold del stara staro stare starsza puvodni původní vanprijs rayé retail ordinary suggested precedente scontato streich streichpreis uvpreis vorher normalpris`)
	currentNames = wordSet(`current now sale special final our actual new main selling offer discounted promo reduced today active nuevo actual actuel neu aktuell finale lowest effective`)
	otherNames   = map[class]map[string]bool{
		saving:     wordSet(`save saving savings discount youpay rabatt remise economy sparen saved reduction percent percentage ahorro sconto korting`),
		shipping:   wordSet(`shipping delivery postage versand livraison envio dostawa doprava dostava freight porto shippingcost deliverycost`),
		instalment: wordSet(`installment installments instalment instalments monthly klarna afterpay affirm finance financing credit rate leasing paypal zip month mensual cuotas parcelas raty`),
		unit:       wordSet(`perunit unitprice priceper grundpreis baseprice pricebase perkg ppu`),
		estimate:   wordSet(`estimate estimated estimates converted conversion approx increment`),
		aside:      wordSet(`points bonus cashback loyalty voucher coupon tax vat gift deposit warranty insurance protection subtotal total tradein extax exvat netto`),
	}
)

// namedClass is what the names of an element and those closely around it say.
func (l *layout) namedClass(n *html.Node) class {
	length := l.measure(n)
	for depth := range 4 {
		if n == nil || n.Type != html.ElementNode || depth > 0 && l.measure(n) > length+30 {
			return plain
		}
		switch n.DataAtom {
		case atom.Del, atom.S, atom.Strike:
			return former
		case atom.Ins:
			return current
		}
		if style := attr(n, "style"); strings.Contains(style, "line-through") {
			return former
		}
		if l.has(n, "unit", "per", "base") && l.hasIn(n, priceNames) {
			return unit
		}
		for _, c := range []class{shipping, instalment, unit, estimate, aside, saving} {
			if l.hasIn(n, otherNames[c]) && !(c == saving && l.hasIn(n, priceNames)) && !(c == aside && l.hasIn(n, priceNames) && l.has(n, "total")) {
				return c
			}
		}
		isFormer, isCurrent := l.hasIn(n, formerNames), l.hasIn(n, currentNames)
		switch {
		case isFormer && !isCurrent && l.hasIn(n, priceNames) || depth == 0 && isFormer && !isCurrent:
			return former
		case isCurrent && l.hasIn(n, priceNames) && !isFormer:
			return current
		}
		n = n.Parent
	}
	return plain
}

func attr(n *html.Node, name string) string {
	for i := range n.Attr {
		if n.Attr[i].Key == name {
			return n.Attr[i].Val
		}
	}
	return ""
}
