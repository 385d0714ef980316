package demo

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// chapter is one local organization.
type chapter struct {
	Key, Path, Name, LegalID, Address, City, Phone, About string
	Activities                                            []string
	Contact                                               person
}

// person is who answers for a chapter: shown, never true.
type person struct{ Name, Email, Mobile string }

func (c chapter) id() string    { return c.Key }
func (c chapter) path() string  { return c.Path }
func (c chapter) title() string { return c.Name }

func (c chapter) values(base string) curlew.Values {
	return curlew.Values{"name": c.Name, "legal_id": c.LegalID, "address": c.Address, "city": c.City, "phone": c.Phone,
		"activities": slices.Clone(c.Activities), "url": base + c.Path}
}

// The site ngo is a Norwegian association with many local chapters. Each chapter page
// also names a person to contact: personal data, which is no part of the truth.
func ngoTale() tale {
	return tale{
		atFirst: 40, arrive: span{0, 1}, change: span{1, 3}, vanish: span{0, 1},
		create: newChapter, edit: editChapter,
		order: func(a, b thing) int { return strings.Compare(a.(chapter).Name, b.(chapter).Name) },
	}
}

func newChapter(d *dice, n int, _ time.Time) thing {
	towns := names("ngo", "towns")
	town := towns[n%len(towns)]
	c := chapter{Key: "lag-" + fmt.Sprint(101+n), City: town, Name: "Elvevokterne " + town, LegalID: fmt.Sprint(911000000 + d.IntN(88999999)),
		Phone: ngoPhone(d), About: sentences(d, "nb", 4), Activities: picks(d, names("ngo", "activities"), d.between(2, 4))}
	if n >= len(towns) {
		c.Name += fmt.Sprintf(" %d", n/len(towns)+1)
	}
	if n%15 == 7 {
		c.Name = fmt.Sprintf("Elvevokterne “%s & omegn” <Ung> 🛶", town)
	}
	c.Address = ngoAddress(d, town)
	c.Path = "/lokallag/" + slug(town) + "-" + fmt.Sprint(101+n)
	first, last := pick(d, names("ngo", "first")), pick(d, names("ngo", "last"))
	c.Contact = person{first + " " + last, slug(first) + "." + slug(last) + "@elvevokterne.example",
		fmt.Sprintf("9%02d %02d %03d", d.IntN(100), d.IntN(100), d.IntN(1000))}
	return c
}

func ngoPhone(d *dice) string {
	return fmt.Sprintf("+47 %d %02d %02d %02d", d.between(21, 79), d.IntN(100), d.IntN(100), d.IntN(100))
}

func ngoAddress(d *dice, town string) string {
	return fmt.Sprintf("%s %d, %04d %s", pick(d, names("ngo", "streets")), d.between(1, 98), d.between(150, 9900), town)
}

func editChapter(d *dice, t thing, _ time.Time) thing {
	c := t.(chapter)
	switch d.IntN(3) {
	case 0:
		c.Phone = ngoPhone(d)
	case 1:
		c.Address = ngoAddress(d, c.City)
	case 2:
		c.Activities = picks(d, names("ngo", "activities"), d.between(2, 4))
	}
	return c
}

func ngoPaths() []path {
	return []path{
		{"GET /{$}", func(s scene, _ *http.Request) page {
			return s.html("front", view{Heading: "Vi passer på elvene", Path: "/"})
		}},
		{"GET /lokallag", func(s scene, _ *http.Request) page {
			return s.html("list", view{Heading: "Våre lokallag", Path: "/lokallag", Items: of[chapter](s.things)})
		}},
		{"GET /lokallag/{slug}", ngoDetail},
	}
}

func ngoDetail(s scene, r *http.Request) page {
	name := r.PathValue("slug")
	c, found := find[chapter](s.things, "lag-"+name[strings.LastIndexByte(name, '-')+1:])
	if !found || c.Path != r.URL.Path {
		return s.lost()
	}
	p := s.html("detail", view{Heading: c.Name, Path: c.Path, Item: c})
	p.modified = s.modified(c.Key)
	return p
}
