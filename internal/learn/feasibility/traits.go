package feasibility

import (
	_ "embed" // tables
	"strings"
	"sync"
	"unicode"

	"curlew/internal/curlew"
	"curlew/internal/read/blueprint"
	"curlew/internal/text"
	"curlew/internal/text/wordlist"
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
		if t, ok := keyTraits()[word]; ok {
			return t, true
		}
	}
	return "", false
}

//go:embed tables/fields.txt
var fieldsFile string

var fieldWords = wordlist.Embedded(fieldsFile)

var keyTraits = sync.OnceValue(func() map[string]trait {
	traits := map[string]trait{}
	for name, list := range fieldWords() {
		if t, ok := strings.CutPrefix(name, "key "); ok {
			for _, word := range list.Words {
				traits[word] = trait(t)
			}
		}
	}
	return traits
})

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
	for _, r := range text.CutBytes(key, 64) {
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
		if inner, ok := value.(map[string]any); ok && depth < 3 && fieldWords().Of("wrapper").Has(key) {
			objectTraits(inner, r, depth+1)
			continue
		}
		if t, ok := traitOfKey(key); ok {
			r[t] = true
			if s := asText(value); t == hasDate && len(s) > 10 && strings.Contains(s[10:], ":") {
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
		if r[hasDate] && strings.Contains(asText(d.Fields["starts_at"]), ":") {
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
