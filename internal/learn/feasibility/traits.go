package feasibility

import (
	"strings"
	"unicode"

	"curlew/internal/curlew"
	"curlew/internal/read/blueprint"
)

// trait is something that a record may have, whatever its schema and syntax.
type trait string

const (
	hasTitle  trait = "title"
	hasDate   trait = "date"
	hasTime   trait = "time"
	hasPrice  trait = "price"
	hasPlace  trait = "place"
	hasLink   trait = "link"
	hasImage  trait = "image"
	hasPerson trait = "person"
	hasMaker  trait = "maker" // company, brand, organizer
	hasPhone  trait = "phone"
)

// traits is how many records there are and what share of them has what.
type traits struct {
	n     int
	share map[trait]float64
	long  float64 // share of records that are long prose
	past  float64 // share of dates before now
}

func (t traits) most(names ...trait) float64 {
	share := 0.0
	for _, n := range names {
		share = max(share, t.share[n])
	}
	return share
}

// tallyTraits counts what records have.
func tallyTraits(records []map[trait]bool) traits {
	t := traits{n: len(records), share: map[trait]float64{}}
	for _, r := range records {
		for name, ok := range r {
			if ok {
				t.share[name]++
			}
		}
	}
	for name := range t.share {
		t.share[name] /= float64(len(records))
	}
	return t
}

// traitOfKey is what the name of a JSON key, property or field promises.
func traitOfKey(key string) (trait, bool) {
	for _, word := range keyWords(key) {
		if t, ok := keyTraits[word]; ok {
			return t, true
		}
	}
	return "", false
}

var keyTraits = map[string]trait{
	"title": hasTitle, "name": hasTitle, "headline": hasTitle, "label": hasTitle, "titel": hasTitle, "titolo": hasTitle, "titre": hasTitle,
	"start": hasDate, "starts": hasDate, "date": hasDate, "begin": hasDate, "begins": hasDate, "published": hasDate, "posted": hasDate, "startdate": hasDate, "datum": hasDate,
	"datepublished": hasDate, "dateposted": hasDate, "day": hasDate, "when": hasDate, "dtstart": hasDate, "created": hasDate, "beginn": hasDate,
	"price": hasPrice, "prices": hasPrice, "offers": hasPrice, "cost": hasPrice, "amount": hasPrice, "salary": hasPrice, "basesalary": hasPrice, "ticket": hasPrice, "preis": hasPrice,
	"venue": hasPlace, "location": hasPlace, "place": hasPlace, "address": hasPlace, "city": hasPlace, "room": hasPlace, "joblocation": hasPlace, "latitude": hasPlace, "town": hasPlace,
	"stage": hasPlace, "hall": hasPlace, "ort": hasPlace, "buehne": hasPlace, "lieu": hasPlace, "salle": hasPlace, "luogo": hasPlace, "lugar": hasPlace, "miejsce": hasPlace, "sted": hasPlace,
	"url": hasLink, "link": hasLink, "permalink": hasLink, "href": hasLink, "slug": hasLink,
	"image": hasImage, "images": hasImage, "photo": hasImage, "thumbnail": hasImage, "picture": hasImage,
	"performer": hasPerson, "performers": hasPerson, "artist": hasPerson, "artists": hasPerson, "author": hasPerson, "speakers": hasPerson, "speaker": hasPerson,
	"company": hasMaker, "brand": hasMaker, "organizer": hasMaker, "seller": hasMaker, "hiringorganization": hasMaker, "publisher": hasMaker, "vendor": hasMaker, "sku": hasMaker,
	"availability": hasMaker, "telephone": hasPhone, "phone": hasPhone, "tel": hasPhone,
}

// keyWords cuts startDate, start_date and start-date into words, the whole first.
func keyWords(key string) []string {
	words := []string{strings.ToLower(key)}
	var word strings.Builder
	flush := func() {
		if word.Len() > 0 {
			words = append(words, word.String())
			word.Reset()
		}
	}
	for _, r := range cut(key, 64) {
		switch {
		case unicode.IsUpper(r):
			flush()
			word.WriteRune(unicode.ToLower(r))
		case unicode.IsLetter(r):
			word.WriteRune(r)
		default:
			flush()
		}
	}
	flush()
	return words
}

// traitsOfObjects looks at JSON objects by the names of their keys.
func traitsOfObjects(objects []map[string]any) traits {
	records := make([]map[trait]bool, 0, len(objects))
	for _, o := range objects {
		r := map[trait]bool{}
		objectTraits(o, r, 0)
		records = append(records, r)
	}
	return tallyTraits(records)
}

func objectTraits(o map[string]any, r map[trait]bool, depth int) {
	for key, value := range o {
		if value == nil || value == "" {
			continue
		}
		if inner, ok := value.(map[string]any); ok && depth < 3 && (key == "node" || key == "attributes" || key == "fields" || key == "data") {
			objectTraits(inner, r, depth+1)
			continue
		}
		if t, ok := traitOfKey(key); ok {
			r[t] = true
			if s := text(value); t == hasDate && len(s) > 10 && strings.Contains(s[10:], ":") {
				r[hasTime] = true
			}
		}
	}
}

// traitsOfDrafts looks at what was read as a trial.
func traitsOfDrafts(drafts []curlew.Draft) traits {
	records := make([]map[trait]bool, 0, len(drafts))
	for _, d := range drafts {
		r := map[trait]bool{}
		for name, value := range d.Fields {
			if value == nil || value == "" {
				continue
			}
			if t, ok := traitOfKey(name); ok {
				r[t] = true
			}
		}
		if r[hasDate] && strings.Contains(text(d.Fields["starts_at"]), ":") {
			r[hasTime] = true
		}
		records = append(records, r)
	}
	return tallyTraits(records)
}

// traitsOfBlueprint takes the fields that a blueprint knows to find.
func traitsOfBlueprint(b *blueprint.Blueprint, n int) traits {
	t := traits{n: n, share: map[trait]float64{}}
	if b == nil {
		return t
	}
	for name := range b.Fields {
		if k, ok := traitOfKey(name); ok {
			t.share[k] = 1
		}
	}
	return t
}

// primary is what makes a record one of its schema.
func (t traits) primary(schema curlew.SchemaName) float64 {
	switch schema {
	case curlew.SchemaEvent:
		return t.most(hasDate, hasTime)
	case curlew.SchemaProduct:
		return t.share[hasPrice]
	case curlew.SchemaJob:
		return t.most(hasDate, hasMaker, hasPrice, hasPlace)
	case curlew.SchemaArticle:
		return t.share[hasDate]
	case curlew.SchemaOrganization:
		return t.most(hasPlace, hasPhone)
	}
	return t.most(hasDate, hasPrice, hasLink)
}

// second is what makes it useful: where it is, or who stands behind it.
func (t traits) second(schema curlew.SchemaName) float64 {
	switch schema {
	case curlew.SchemaProduct:
		return t.most(hasMaker, hasImage)
	case curlew.SchemaArticle:
		return t.most(hasPerson, hasImage, hasMaker)
	case curlew.SchemaItem:
		return t.most(hasPlace, hasImage)
	}
	return t.share[hasPlace]
}
