package recognise

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// synonyms turn the words of keys, in the languages that sites are written in, into
// the few words that the tables below are written in. What a word means is settled
// by the values under it: "data" is Polish for a date only where dates stand.
var synonyms = wordTable(map[string]string{
	"title":       "name titel titulo título titolo titre tytul tytuł nazwa nombre nom nome naam naslov cim cím nev név nimi otsikko rubrik tittel namn navn ad başlık baslik название заголовок 名称 标题 名前 タイトル caption label headline heading",
	"start":       "starts begin begins beginn beginning anfang inicio início inizio debut début poczatek początek kezdet kezdes kezdés aloitus alku aanvang pocetak začátek zacatek starttid von from desde dal startet",
	"end":         "ends ende fin fine koniec konec vege vége loppu einde sluit slut bis until till hasta finish finishes closing to",
	"date":        "dates datum fecha datetime dato day dzien dzień kiedy when giorno jour dia día päivä paivamaara termin дата 日期 日付 timestamp dt",
	"time":        "times hour hora heure ora godzina uhrzeit zeit tijd klo tid idopont czas час",
	"venue":       "location place places venues locations hall lugar ort veranstaltungsort spielort lieu luogo miejsce plaats locatie paikka helyszin helyszín sted plats mjesto místo misto místo место 会場 地点 spot locality site",
	"room":        "stage saal sala salle bühne buehne studio auditorium screen theatre theater scena",
	"city":        "town ciudad stadt ville citta città miasto stad kaupunki varos város by mesto město cidade poblacion municipality gemeente gemeinde comune",
	"country":     "pais país land pays paese kraj maa orszag ország nation",
	"address":     "addr adresse direccion dirección indirizzo adres osoite cim1 endereco endereço anschrift street streetaddress strasse rue ulica utca",
	"price":       "prices precio preis prix prezzo cena pris prijs ár hinta preco preço cost kosten amount tarif cost1 fee 価格 价格 цена",
	"currency":    "waehrung währung moneda devise valuta waluta penznem pénznem currencycode",
	"description": "desc beschreibung synopsis descripcion descripción descrizione opis leiras leírás kuvaus beskrivelse beskrivning omschrijving descricao body content text details about blurb html bodytext inhalt contenido contenu contenuto tresc treść 説明 描述",
	"summary":     "excerpt abstract teaser intro lead snippet subtitle standfirst dek resumen zusammenfassung sommario resume résumé kurzbeschreibung shortdescription",
	"image":       "images img picture pic photo photos foto bild imagen immagine obraz obrazek kép kep kuva billede thumbnail thumb cover poster artwork media hero banner logo imageurl pictureurl",
	"url":         "link href permalink permalinks uri enlace lien collegamento hivatkozas adreswww webseite website web slug path canonical handle",
	"performer":   "performers artist artists artista artistas künstler kunstler kuenstler interpret speaker speakers act acts lineup band bands headliner headliners wykonawca wykonawcy cast musicians lecturer talent",
	"organizer":   "organiser organizers organisers organizador organizzatore organisateur veranstalter organizator rendezo rendező promoter promoters host hosts",
	"category":    "categories kategorie kategoria categoria categoría catégorie type types genre genres kind tag tags section sections topic rubrique sparte segment",
	"company":     "employer firma unternehmen empresa entreprise azienda arbeitgeber pracodawca bedrijf companies hiring hiringorganization agency firm",
	"salary":      "pay wage compensation gehalt salario salaire stipendio wynagrodzenie bezahlung remuneration palkka",
	"published":   "publish publication posted pubdate publikation publicado publié veröffentlicht released issued dateposted",
	"updated":     "modified changed lastmod lastmodified edited update aktualisiert",
	"author":      "authors autor auteur autore byline creator writer",
	"status":      "state estado estatus stan",
	"latitude":    "lat",
	"longitude":   "lng lon long",
	"rating":      "stars score ratingvalue bewertung",
	"brand":       "manufacturer vendor marke marca marque maker producer hersteller",
	"sku":         "articlenumber itemnumber productcode artikelnummer partnumber",
	"gtin":        "ean barcode upc isbn gtin8 gtin12 gtin13 gtin14 ean13",
	"phone":       "telephone tel telefon telefono téléphone telefonnummer mobile",
	"min":         "low lowest minimum",
	"max":         "high highest maximum",
	"was":         "original regular list old compare strike before rrp msrp undiscounted crossed",
	"available":   "availability stock instock verfügbar disponible",
	"id":          "identifier uid uuid guid objectid",
})

// noise are words that say nothing about which field a key holds: wrappers, formats
// and the kind of the thing itself.
var noise = words(`event events item items product products job jobs article articles post posts show shows performance production concert screening
 field fields value values rendered local formatted display displayed raw plain attributes attribute node nodes data fields entry record object
 str string en de default main primary first full iso utc at on of the la le el der die das de du info information my is core x wp acf meta localized
 content1 iso8601 human readable pretty stringified vacancy position listing offer ticket current now selling final`)

// formats are keys under which the same value stands in several forms.
var formats = words(`text html rendered content markdown plaintext value raw plain`)

func wordTable(groups map[string]string) map[string]string {
	table := map[string]string{}
	for canonical, list := range groups {
		table[canonical] = canonical
		for w := range strings.FieldsSeq(list) {
			table[w] = canonical
		}
	}
	return table
}

func words(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}

// tokens cuts a key into lower-case words: startDate, start_date, StartDate,
// start-date and "Start date" are the same two.
func tokens(key string) []string {
	var all []string
	var word strings.Builder
	flush := func() {
		if word.Len() > 0 {
			all = append(all, word.String())
			word.Reset()
		}
	}
	runes := []rune(key)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case unicode.IsUpper(r) && i > 0 && (unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1]) ||
			i+1 < len(runes) && unicode.IsLower(runes[i+1]) && unicode.IsUpper(runes[i-1])):
			flush()
		}
		word.WriteRune(unicode.ToLower(r))
		if len(all) > 12 {
			break
		}
	}
	flush()
	return all
}

// glued are the words that keys run together without a mark, longest first.
var glued = []string{"start", "begin", "end", "venue", "event", "image", "price", "city", "title", "name", "url", "date", "time"}

// unglue cuts "startdate" and "venuename" in two.
func unglue(word string) []string {
	if _, known := synonyms[word]; known || utf8.RuneCountInString(word) < 6 {
		return []string{word}
	}
	for _, head := range glued {
		rest, ok := strings.CutPrefix(word, head)
		if !ok || rest == "" {
			continue
		}
		if _, known := synonyms[rest]; known {
			return []string{head, rest}
		}
	}
	return []string{word}
}

// meaning is a path of keys in canonical words, without noise and repetition:
// ["venue", "address", "city"] and "venueCity" both say where.
func meaning(keys []string) string {
	var said []string
	for _, key := range keys {
		if key == "_source" || formats[key] && len(said) > 0 { // {"title": {"text": …, "html": …}}
			continue
		}
		for _, token := range tokens(key) {
			for _, word := range unglue(token) {
				if canonical, ok := synonyms[word]; ok {
					word = canonical
				} else if noise[word] {
					continue
				}
				if len(said) == 0 || said[len(said)-1] != word {
					said = append(said, word)
				}
			}
		}
	}
	return strings.Join(said, " ")
}
