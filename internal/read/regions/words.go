package regions

import (
	"strings"

	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/labels"
)

// markupMeaning is what class names and properties promise. They are written in
// English on most pages, and a German tag is no day there.
var markupMeaning = meanings(map[Type]string{
	TypePlace:  `venue location place address city town room hall locality street adr`,
	TypePerson: `author authors speaker speakers artist artists performer performers teacher lecturer byline username fullname autor auteur`,
	TypeStatus: `status availability stock badge soldout`,
})

// labelMeaning is what column headings and labels promise.
var labelMeaning = promises()

// titleWords name what a thing is called.
var titleWords = text.Set(strings.Join(labels.Coarse(labels.Title), " "))

// utility are class names that say how things look, not what they are.
var utility = text.Set(`flex grid row col column columns inline block hidden visible truncate bold italic underline text font size small
	large big tiny left right center top bottom middle
	wrapper wrap inner outer container content box clearfix cf active last first even odd item list link links btn button icon img image
	media body main meta info data details
	color red green blue gray grey white black dark light border rounded shadow bg mb mt ml mr mx my px py pt pb pl pr p m w h sm md lg xl xs
	css sc js jsx root base ui u a b c is has
	span div label value field cell td tr li entry primary secondary clickable card teaser tile styles style module component native desktop
	mobile show line`)

func meanings(lists map[Type]string) map[string]Type {
	all := map[string]Type{}
	for _, t := range []Type{TypeTime, TypeDate, TypePrice, TypeStatus, TypePerson, TypePlace} {
		for word := range strings.FieldsSeq(lists[t]) {
			all[word] = t
		}
	}
	return all
}

// promises are the words of labels by the type of value that they promise; where two
// claim a word, the later in this order has it.
func promises() map[string]Type {
	all := map[string]Type{}
	for _, p := range []struct {
		meaning labels.Meaning
		is      Type
	}{{labels.Time, TypeTime}, {labels.Date, TypeDate}, {labels.Price, TypePrice}, {labels.Status, TypeStatus}, {labels.Person, TypePerson},
		{labels.Place, TypePlace}} {
		for _, word := range labels.Coarse(p.meaning) {
			all[word] = p.is
		}
	}
	return all
}
