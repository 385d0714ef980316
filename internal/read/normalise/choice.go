package normalise

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"curlew/internal/curlew"
)

// choice reads one of a closed set of values.
func (w *work) choice(f curlew.Field, value any) any {
	text := scalarText(value)
	key := choiceKey(text)
	if key == "" {
		return nil
	}
	if slices.Contains(f.Choices, key) {
		return key
	}
	for _, rule := range choices[f.Name] {
		if rule.fits(key) {
			return rule.means
		}
	}
	w.note(f.Name, "unknown_choice", "the text is none of: "+strings.Join(f.Choices, ", "))
	return nil
}

// choiceKey brings "https://schema.org/InStock", "schema:InStock", "In stock!" and "in_stock" together.
func choiceKey(text string) string {
	text = strings.TrimPrefix(line(text, 300), "schema:")
	if strings.Contains(text, "schema.org") {
		text = strings.TrimRight(text, "/")
		text = text[strings.LastIndexAny(text, "/#")+1:]
	}
	var out strings.Builder
	lower := false
	for _, r := range text {
		switch {
		case r >= 'A' && r <= 'Z':
			if lower {
				out.WriteByte('_')
			}
			out.WriteRune(r + 'a' - 'A')
			lower = false
			continue
		case r == ' ' || r == '-' || r == '_':
			out.WriteByte('_')
		case strings.ContainsRune(".,!:;()", r):
		default:
			out.WriteRune(r)
		}
		lower = r >= 'a' && r <= 'z'
	}
	return strings.Trim(strings.ToLower(out.String()), "_")
}

// choosing is what words mean. The first that fits wins, so the narrower stand first.
type choosing struct {
	means string
	words []string
}

func (c choosing) fits(key string) bool {
	return slices.ContainsFunc(c.words, func(word string) bool { return saysWord(key, word) })
}

// saysWord tells whether a key holds a word, or words that begin with it: "lieferbar"
// is not in "unlieferbar". Words of fewer than four letters stand for themselves
// alone, and "=" asks for nothing else around.
func saysWord(key, word string) bool {
	if whole, ok := strings.CutPrefix(word, "="); ok {
		return key == whole
	}
	first, _ := utf8.DecodeRuneInString(word)
	spaced := first < 0x2E80 && first != '/' // scripts of the East write no spaces
	for from := 0; ; {
		at := strings.Index(key[from:], word)
		if at < 0 {
			return false
		}
		at += from
		from = at + len(word)
		before, _ := utf8.DecodeLastRuneInString(key[:at])
		after, _ := utf8.DecodeRuneInString(key[from:])
		if spaced && at > 0 && unicode.IsLetter(before) {
			continue
		}
		if utf8.RuneCountInString(word) < 4 && spaced && from < len(key) && unicode.IsLetter(after) {
			continue
		}
		return true
	}
}

var choices = map[string][]choosing{
	"availability": {
		{"discontinued", []string{"discontinued", "no_longer_available", "nicht_mehr_lieferbar", "wycofan", "ukončen", "снят_с_производства", "retired"}},
		{"preorder", []string{"pre_order", "preorder", "presale", "pre_sale", "backorder", "back_order", "made_to_order", "coming_soon", "vorbestell", "précommande", "preventa", "przedsprzeda", "na_zamówienie", "под_заказ", "предзаказ", "förbeställ", "forhåndsbestill", "予約"}},
		{"out_of_stock", []string{"out_of_stock", "outofstock", "sold_out", "soldout", "unavailable", "not_available", "not_in_stock", "no_stock", "ausverkauft", "nicht_verfügbar", "nicht_auf_lager", "nicht_lieferbar", "rupture", "épuisé", "indisponible", "agotado", "sin_stock", "no_disponible", "esgotado", "indisponível", "esaurito", "non_disponibile", "niedostępn", "wyprzedan", "brak", "vyprodán", "nedostupn", "není_skladem", "elfogyott", "nincs_raktáron", "stoc_epuizat", "нет_в_наличии", "немає", "изчерпан", "uitverkocht", "niet_op_voorraad", "slutsåld", "slut_i_lager", "ej_i_lager", "utsolgt", "ikke_på_lager", "udsolgt", "loppu", "tükendi", "stokta_yok", "غير_متوفر", "売り切れ", "在庫切れ", "在庫なし", "缺货", "售罄", "품절"}},
		{"in_stock", []string{"in_stock", "instock", "limited_availability", "in_store_only", "online_only", "available", "few_left", "low_stock", "verfügbar", "auf_lager", "lieferbar", "en_stock", "disponib", "disponív", "em_estoque", "dostępn", "w_magazynie", "na_stanie", "skladem", "dostupn", "na_sklade", "raktáron", "în_stoc", "in_stoc", "в_наличии", "в_наявності", "наличен", "op_voorraad", "leverbaar", "i_lager", "på_lager", "varastossa", "stokta", "متوفر", "在庫あり", "有货", "現貨", "재고"}},
	},
	"condition": {
		{"refurbished", []string{"refurbished", "renewed", "generalüberholt", "reconditionné", "reacondicionado", "recondicionado", "ricondizionato", "odnowion", "repasovan", "восстановлен"}},
		{"damaged", []string{"damaged", "beschädigt", "defekt", "endommagé", "dañado", "uszkodzon", "for_parts"}},
		{"used", []string{"used", "pre_owned", "preowned", "second_hand", "gebraucht", "occasion", "usado", "usato", "używan", "použit", "begagnad", "brukt", "brugt", "tweedehands", "б/у", "中古"}},
		{"new", []string{"new", "neu", "neuf", "neuve", "nuevo", "nuovo", "novo", "nowy", "nowe", "nový", "ny", "nieuw", "uusi", "новый", "新品", "全新"}},
	},
	"status": {
		{"moved_online", []string{"moved_online", "movedonline", "now_online", "verlegt_ins_netz"}},
		{"rescheduled", []string{"rescheduled", "new_date", "neuer_termin", "verlegt", "reprogramm", "reprogramad", "przeniesion", "přeloženo", "nowy_termin", "перенес"}},
		{"postponed", []string{"postponed", "verschoben", "reporté", "aplazad", "adiad", "rinviat", "rimandat", "przełożon", "odložen", "отложен", "uitgesteld", "uppskjut", "utsatt", "udsat", "延期"}},
		{"cancelled", []string{"cancel", "abgesagt", "entfällt", "fällt_aus", "annulé", "annulat", "annullat", "odwołan", "zrušen", "elmarad", "отмен", "скасован", "afgelast", "geannuleerd", "inställ", "avlyst", "aflyst", "peruttu", "iptal", "中止", "取消"}},
		{"sold_out", []string{"sold_out", "soldout", "ausverkauft", "complet", "agotad", "esgotad", "esaurit", "wyprzedan", "vyprodán", "uitverkocht", "slutsåld", "utsolgt", "udsolgt", "loppuunmyyty", "билетов_нет", "完売"}},
		{"scheduled", []string{"scheduled", "confirmed", "tentative", "on_sale", "onsale", "active", "in_stock", "instock", "available", "geplant", "bestätigt", "prévu", "programado", "zaplanowan", "planovan"}},
	},
	"salary_period": periods,
}

// periods are what a salary is paid for. They are also sought in running text.
var periods = []choosing{
	{"hour", []string{"hour", "/hr", "per_hr", "/h", "stunde", "/std", "stündlich", "heure", "hora", "/ora", "ora_", "godz", "hodin", "óra", "час", "/uur", "per_uur", "timme", "/tim", "timen", "tunti", "saat", "時給", "小时", "시급"}},
	{"day", []string{"day", "daily", "/tag", "pro_tag", "täglich", "par_jour", "/jour", "por_día", "al_giorno", "dziennie", "/dzień", "za_den", "в_день", "per_dag", "日給", "日给"}},
	{"week", []string{"week", "/wk", "woche", "wöchentlich", "semaine", "semana", "settimana", "tydzień", "tygodni", "týden", "недел", "vecka", "uke", "viikko", "hafta", "週給"}},
	{"month", []string{"month", "/mo", "p_m", "monat", "/mois", "par_mois", "mensuel", "mes", "mês", "mese", "miesi", "mies", "/mc", "měsí", "hónap", "havi", "lun", "месяц", "/мес", "в_мес", "maand", "månad", "måned", "kuukau", "/kk", "aylık", "月給", "月薪", "/月", "월급"}},
	{"year", []string{"year", "annual", "annum", "p_a", "pa", "/yr", "yearly", "jahr", "jährlich", "brutto_p", "/an", "par_an", "annuel", "año", "anual", "/ano", "por_ano", "anno", "annuo", "rok", "roczn", "ročn", "év", "год", "/jaar", "per_jaar", "år", "vuosi", "vuode", "yıllık", "年収", "年薪", "연봉", "k€"}},
}

// period finds what a salary is paid for in the text of the salary.
func period(text string) string {
	key := choiceKey(strings.ReplaceAll(text, ".", " "))
	for _, p := range periods {
		if p.fits(key) {
			return p.means
		}
	}
	return ""
}

var employments = []choosing{
	{"PART_TIME", []string{"part_time", "parttime", "teilzeit", "temps_partiel", "tiempo_parcial", "media_jornada", "part-time", "meio_período", "część_etatu", "niepełny", "zkrácený", "неполн", "deeltijd", "deltid", "osa_aika", "yarı_zamanlı"}},
	{"INTERN", []string{"intern", "praktik", "=stage", "prácticas", "pasante", "estágio", "tirocinio", "staż", "praktyk", "стаж", "harjoittelu", "staj"}},
	{"VOLUNTEER", []string{"volunteer", "ehrenamt", "bénévol", "voluntari", "volontari", "wolontari", "dobrovoln", "волонт", "frivillig", "vrijwillig"}},
	{"TEMPORARY", []string{"temporary", "=temp", "temporaire", "befristet", "intérim", "temporal", "temporário", "tempo_determinato", "zastępstwo", "временн", "tijdelijk", "vikariat", "määräaikai"}},
	{"CONTRACTOR", []string{"contractor", "=contract", "freelance", "freiberuf", "indépendant", "autónomo", "b2b", "zleceni", "zzp", "подряд"}},
	{"PER_DIEM", []string{"per_diem"}},
	{"FULL_TIME", []string{"full_time", "fulltime", "vollzeit", "temps_plein", "tiempo_completo", "jornada_completa", "tempo_pieno", "tempo_integral", "pełny_etat", "cały_etat", "plný_úvazek", "полн", "voltijd", "heltid", "kokoaika", "tam_zamanlı", "正社員", "全职"}},
}

// employment writes the kind of employment as schema.org does, or leaves it.
func employment(text string) string {
	key := choiceKey(text)
	var found []string
	for _, e := range employments {
		if e.fits(key) {
			found = append(found, e.means)
		}
	}
	if len(found) == 0 {
		return text
	}
	slices.Sort(found)
	return strings.Join(found, ", ")
}

// truth reads yes or no.
func (w *work) truth(name string, value any) any {
	if b, ok := value.(bool); ok {
		return b
	}
	key := choiceKey(scalarText(value))
	switch {
	case key == "":
		return nil
	case slices.Contains([]string{"true", "yes", "1", "y", "on", "ja", "oui", "sí", "si", "sim", "tak", "ano", "igen", "da", "да", "так", "kyllä", "evet", "はい", "是"}, key):
		return true
	case slices.Contains([]string{"false", "no", "0", "n", "off", "nein", "non", "não", "nie", "ne", "nem", "nu", "нет", "ні", "nej", "nei", "nee", "ei", "hayır", "いいえ", "否", "offline"}, key):
		return false
	case strings.Contains(key, "offline") || strings.Contains(key, "on_site") || strings.Contains(key, "onsite"):
		return false
	}
	for _, word := range []string{"online", "mixed", "virtual", "webinar", "zoom", "telecommute", "remote", "home_office", "homeoffice", "télétravail", "zdaln", "удал", "hybrid", "distancia", "etätyö"} {
		if strings.Contains(key, word) {
			return true
		}
	}
	w.note(name, "neither_yes_nor_no", "the text says neither yes nor no")
	return nil
}
