package demo

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"curlew/internal/curlew"
)

// shop is a Dutch bicycle shop: a grid of cards, European prices, microdata on
// the detail pages.
type shop struct{}

func (shop) card() card {
	return card{
		name: "shop", title: "De Fietsenkelder", schema: "product", lang: "nl", zone: "Europe/Amsterdam",
		shows:    "A Dutch bicycle shop: cards with prices in euro, old prices, stock and ratings, categories, and microdata on the detail pages.",
		listed:   []string{"name", "price", "price_was", "currency", "brand", "availability", "rating", "review_count", "url"},
		detailed: []string{"sku", "description"},
		designs:  3, sections: []string{"Fietsen", "Onderdelen", "Verlichting", "Tassen", "Kleding", "Service"},
		robots:  "Disallow: /winkelwagen\nDisallow: /account\nDisallow: /*?volgorde=\n",
		sitemap: true, server: "Apache", gzip: true, validators: true,
	}
}

// product is one article of the shop.
type product struct {
	Key, Path, Name, Brand, Category, Description, Image string
	Price, Was                                           int64 // euro cents; Was 0: no old price
	Availability                                         string
	Rating                                               float64 // 0: nobody rated it yet
	Reviews                                              int
}

func (p product) id() string    { return p.Key }
func (p product) path() string  { return p.Path }
func (p product) title() string { return p.Name }

func (p product) values(base string) curlew.Values {
	v := curlew.Values{"name": p.Name, "price": p.Price, "currency": "EUR", "brand": p.Brand, "sku": p.Key,
		"availability": p.Availability, "description": p.Description, "url": base + p.Path}
	put(v, "price_was", p.Was)
	if p.Reviews > 0 {
		v["rating"], v["review_count"] = p.Rating, int64(p.Reviews)
	}
	return v
}

var (
	shopBrands     = []string{"Zuiderwind", "Kettinga", "Polder & Zn", "Velomaat", "Noordstar", "Rijwielhuis"}
	shopCategories = []string{"Stadsfietsen", "Onderdelen", "Verlichting", "Tassen", "Helmen"}
	shopNouns      = map[string][]string{
		"Stadsfietsen": {"Stadsfiets", "Moederfiets", "Transportfiets", "Vouwfiets", "Elektrische stadsfiets"},
		"Onderdelen":   {"Ketting", "Zadel", "Buitenband 28 inch", "Remblokken", "Trapas", "Stuurlint"},
		"Verlichting":  {"Koplamp", "Achterlicht", "Lampset USB", "Naafdynamo"},
		"Tassen":       {"Dubbele fietstas", "Stuurtas", "Laptoptas", "Bagagedragertas"},
		"Helmen":       {"Helm", "Kinderhelm", "Pedelechelm"},
	}
	shopModels = []string{"Amstel", "Drentse Aa", "Waal 7", "Vecht", "Kade", "Sluis", "Dijk XL", "Terp", "Merel", "IJssel Plus", "Zon", "Nachtvlucht"}
)

func (shop) tale() tale {
	return tale{
		atFirst: 62, arrive: span{1, 2}, change: span{3, 6}, vanish: span{0, 2},
		create: newProduct, edit: editProduct,
	}
}

func newProduct(d *dice, n int, _ time.Time) thing {
	p := product{Key: fmt.Sprintf("FK-%05d", 10400+n*7), Category: shopCategories[n%len(shopCategories)], Brand: pick(d, shopBrands),
		Description: sentences(d, "nl", d.between(2, 4)), Availability: "in_stock"}
	p.Name = pick(d, shopNouns[p.Category]) + " " + pick(d, shopModels) + fmt.Sprintf(" %c%d", 'A'+n%26, n/26+1)
	if n%11 == 5 {
		p.Name = thorny[n/11%len(thorny)]
	}
	p.Price = int64(d.between(900, 9000))/5*5 + 4
	if p.Category == "Stadsfietsen" {
		p.Price = int64(d.between(399, 2899)) * 100
	}
	if d.chance(30) {
		p.Was = p.Price * int64(d.between(112, 140)) / 100
	}
	if d.chance(15) {
		p.Availability = pick(d, []string{"out_of_stock", "preorder"})
	}
	if d.chance(80) {
		p.Rating, p.Reviews = float64(d.between(28, 50))/10, d.between(1, 340)
	}
	p.Path = "/p/" + slug(p.Name) + "/" + strings.ToLower(p.Key)
	p.Image = "/media/" + strings.ToLower(p.Key) + ".svg"
	return p
}

func editProduct(d *dice, t thing, _ time.Time) thing {
	p := t.(product)
	switch d.IntN(6) {
	case 0: // a sale
		p.Was, p.Price = p.Price, p.Price*int64(d.between(75, 92))/100
	case 1: // the end of a sale
		if p.Was > 0 {
			p.Price, p.Was = p.Was, 0
		}
	case 2:
		p.Price += int64(d.between(1, 8)) * 250
		if p.Was <= p.Price {
			p.Was = 0
		}
	case 3:
		p.Availability = pick(d, []string{"in_stock", "out_of_stock", "preorder"})
	case 4:
		p.Reviews += d.between(1, 4)
		p.Rating = float64(d.between(30, 50)) / 10
	case 5:
		p.Description += " " + pick(d, prose["nl"])
	}
	return p
}

func (shop) paths() []path {
	return []path{
		{"GET /{$}", shopList},
		{"GET /categorie/{category}", shopList},
		{"GET /p/{slug}/{sku}", shopDetail},
	}
}

func shopList(s scene, r *http.Request) page {
	heading, base, items := "Alle artikelen", "/", of[product](s.things)
	if wanted := r.PathValue("category"); wanted != "" {
		var inCategory []product
		for _, p := range items {
			if slug(p.Category) == wanted {
				inCategory = append(inCategory, p)
				heading = p.Category
			}
		}
		base, items = "/categorie/"+wanted, inCategory
	}
	link := func(n int) string {
		if n == 1 {
			return base
		}
		return fmt.Sprintf("%s?p=%d", base, n)
	}
	items, foot := paginate(items, numberOf(r, "p"), 24, link)
	if len(items) == 0 {
		return s.lost()
	}
	return s.html("list", view{Heading: heading, Path: link(foot.Page), Items: items, Pager: foot, Data: shopLinks()})
}

func shopLinks() []menuLink {
	var links []menuLink
	for _, name := range shopCategories {
		links = append(links, menuLink{name, "/categorie/" + slug(name)})
	}
	return links
}

func shopDetail(s scene, r *http.Request) page {
	p, found := find[product](s.things, strings.ToUpper(r.PathValue("sku")))
	if !found || p.Path != r.URL.Path {
		return s.lost()
	}
	answer := s.html("detail", view{Heading: p.Name, Path: p.Path, Item: p, Data: shopLinks()})
	answer.modified = s.modified(p.Key)
	return answer
}
